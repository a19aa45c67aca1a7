"""Sensors: what of the truth reaches the on-board software, how late and how wrong."""
