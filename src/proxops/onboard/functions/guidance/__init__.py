"""Trajectories to fly, in the Hill frame of the believed orbit."""
