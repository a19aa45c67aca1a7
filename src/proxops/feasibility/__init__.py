"""What recorded runs say beyond their requirements."""
