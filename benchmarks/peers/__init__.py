"""The same chain in four other engines, each behind the same three calls."""
