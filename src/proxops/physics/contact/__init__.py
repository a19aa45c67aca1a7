"""What two bodies do to each other where they touch or hold each other."""
