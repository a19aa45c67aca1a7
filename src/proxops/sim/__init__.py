"""The loop in orbit, what happens at instants, what a row of a run holds."""
