"""Laws of multirotors: mixer of tilted rotors, clipping of wrenches, wake, motion."""
