"""A floating base with serial arms: kinematics, forward dynamics, matrices, momentum.

Every vector of a spacecraft is expressed in the axes of its base; every link keeps its own
origin on its joint axis.  So articulated inertias move from link to link by a shift alone, never
a rotation, and precision does not suffer from the distance to the base.  See docs/multibody.md.
"""
