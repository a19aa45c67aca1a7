"""Six-axis industrial robots with a spherical wrist: where they reach, how, and at what margin.

Frames: L the lab (gravity along -z), B the robot's base (z along axis 1), K its flange (z out of
it), M the body frame of the mock-up it carries.  Everything is in closed form.
"""
