"""A user's own controller: what it is given, how it is taken on board, and its report."""
