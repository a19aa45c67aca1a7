"""Scenario files: their schema, how they are read, and what they say of the hardware."""
