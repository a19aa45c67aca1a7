"""Runs: what was recorded, what happened, whether it was good enough, and how they are stored."""
