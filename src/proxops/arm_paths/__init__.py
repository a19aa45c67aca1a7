"""Paths of an arm, planned before a mission runs: inverse kinematics, paths, time laws, checks.

The chaser's hub is the frame of reference C throughout.  The arm ends in E, or in a frame that it
holds (`Arm.holding`).  Plain NumPy; only distances of shapes and torques enter compiled laws.
"""
