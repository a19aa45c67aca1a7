"""How often Python looks for garbage."""

import gc


def collect_rarely() -> None:
    """From now on less often: what is imported and built stays, and looking at it again and again
    took a tenth of a start."""
    gc.set_threshold(100_000, 50, 100)
