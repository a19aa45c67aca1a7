"""Laws of touching bodies."""
