"""What every facility has: the mapping between orbit and lab, guard, passivity, sensors."""
