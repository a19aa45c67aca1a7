"""The laboratory cell: two mock-ups that robots carry, a real arm, and contact between them."""
