"""Lets tests call the inner functions of kernels from Python."""

from proxops.core import compiling

compiling.INNER.clear()
