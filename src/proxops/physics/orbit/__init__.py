"""The reference orbit and motion relative to it: Kepler, tidal loads, Hill frame, linear models.

R, V [m, m/s] are the reference orbit's position and velocity from the attractor's centre, in N.
Near it, motion is described in O (falls along the orbit, axes of N) or in the rotating Hill frame H
(x radial, y along-track, z normal).  See docs/orbit.md.
"""
