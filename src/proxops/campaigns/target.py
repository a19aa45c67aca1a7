"""The processor that kernels are compiled for, as far as results depend on it."""

from numba.core.registry import cpu_target

_FUSED = {"+avx2", "+fma"}
_LEVEL = "x86-64-v"


def compile_target() -> str:
    """`x86-64-v3` for processors with AVX2 and fused multiply-add: they give equal bits, those with
    AVX-512 too; others are named by what the compiler calls them.

    A level that was set by NUMBA_CPU_NAME, with no features beside it, is what it says.
    """
    triple, name, features = cpu_target.target_context.codegen().magic_tuple()
    machine = str(triple).partition("-")[0]
    if machine != "x86_64":
        return f"{machine} {name}"
    if not features:
        return str(name) if str(name).startswith(_LEVEL) else f"{machine} {name}"
    return "x86-64-v3" if set(features.split(",")) >= _FUSED else "x86-64-v2"
