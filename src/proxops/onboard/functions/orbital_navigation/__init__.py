"""Navigation from far: position and velocity of the chaser against the target by orbital dynamics,
bearing, range and relative GNSS, handed over to the pose filter near by and taken back."""
