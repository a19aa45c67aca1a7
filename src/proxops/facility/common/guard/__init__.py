"""The guard: nothing reaches a robot that it could not be stopped from within all limits."""
