"""A case in each lane of a SIMD register: numbers, arrays and branches of several cases at once."""
