"""A flight arena: two multirotors that carry the motion of target and chaser."""
