"""Lets tests call the inner functions of kernels from Python."""

import numba

from proxops.core import jit

jit.INNER.clear()


def _plain(function):
    """What the decorators of kernels give where nothing is compiled."""
    function.py_func = function
    return function


# NUMBA_DISABLE_JIT=1: for a debugger, and for mutants, which would compile everything anew
if numba.config.DISABLE_JIT:
    jit.kernel = jit.part = jit.helper = jit.pluggable = _plain
    jit.Plug = lambda function, _: function
    jit.enter = lambda kernel, plugs, *args: kernel(plugs, *args)
