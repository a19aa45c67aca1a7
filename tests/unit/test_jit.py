"""How kernels are compiled."""

import numba
import pytest

from proxops.core import jit


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_kernel_runs_the_parts_it_carries_whatever_was_loaded_before_it(monkeypatch):
    """A copy that others can see is replaced by the one loaded first, of other last bits."""
    monkeypatch.setattr(jit, "CACHE", None)  # what comes from the cache cannot be looked at

    @jit.part
    def fibonacci(n):  # calls itself, so LLVM cannot fold it into the kernel
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    def both(n):
        return fibonacci(n) + fibonacci(n + 1)

    for compiled in (jit.kernel(both), jit.pluggable(both)):
        assert compiled(5) == 5 + 8
        (text,) = compiled.inspect_llvm().values()
        defined = [line for line in text.splitlines() if line.startswith("define")]
        copies = [line for line in defined if "fibonacci" in line]
        assert copies
        assert all(line.startswith("define internal") for line in copies)
