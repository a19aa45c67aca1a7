"""The arm takes the target, carries it to a port and lets it go again."""
