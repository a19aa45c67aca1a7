"""What everything else stands on: algebra, errors, compilation settings."""
