"""A chaser that pushes a target through surface contact, predicted: loads, limits, small motion.

Contact frame: origin on the face, on the thrust axis; x along the thrust, from chaser to target.
Analysis on NumPy arrays, beside the simulation and never in its loop.  See docs/deorbit.md.
"""
