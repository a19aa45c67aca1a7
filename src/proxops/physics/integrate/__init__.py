"""Advancing ordinary differential equations in time."""
