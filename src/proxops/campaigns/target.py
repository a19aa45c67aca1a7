"""The processor that kernels are compiled for, as far as results depend on it."""

from numba.core.registry import cpu_target

_FUSED = {"+avx2", "+fma"}


def compile_target() -> str:
    """`x86-64-v3` for processors with AVX2 and fused multiply-add: they give equal bits, those with
    AVX-512 too; others are named by what the compiler calls them."""
    triple, name, features = cpu_target.target_context.codegen().magic_tuple()
    machine = str(triple).partition("-")[0]
    if machine != "x86_64":
        return f"{machine} {name}"
    return "x86-64-v3" if set(features.split(",")) >= _FUSED else "x86-64-v2"
