"""One process a computer compiles, and the others wait for it: kernels take a minute."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from proxops.core import jit
from proxops.core.jit import is_warm
from proxops.results.store.folder import lock

_POLL_S = 0.2  # compiling takes a minute
_tried: set[str] = set()  # one process tries once: where nothing can be stored, it never gets warm


@contextmanager
def compiled_once(kernels: str) -> Iterator[None]:
    """Where these kernels are not compiled yet, holds a file beside where they are stored; returns
    once this process holds it, or another one has compiled them."""
    if kernels in _tried or is_warm(kernels) or jit.CACHE is None:
        yield
        return
    _tried.add(kernels)
    try:
        file = open(jit.CACHE / f"compiling-{kernels}", "wb")  # noqa: SIM115  # closed below
    except OSError:  # the folder is gone: other versions have cleared it, or its user
        yield
        return
    with file:
        while not lock(file.fileno()) and not is_warm(kernels):
            time.sleep(_POLL_S)
        yield
