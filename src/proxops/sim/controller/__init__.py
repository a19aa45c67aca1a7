"""A user's controller in a run: what it is given, what it did wrong, how long it took."""
