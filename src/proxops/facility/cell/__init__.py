"""The laboratory cell: two mock-ups carried by robots, a real arm between them, and their contact."""
