"""Several cases at once in SIMD lanes, through our own kernels: what that gains, measured."""
