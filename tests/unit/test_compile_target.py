"""Processors whose kernels give equal bits are named alike."""

from types import SimpleNamespace

import pytest

from proxops.campaigns import target

LINUX = "x86_64-unknown-linux-gnu"


@pytest.mark.parametrize(
    ("triple", "name", "features", "found"),
    [
        (LINUX, "haswell", "+avx2,+fma,+sse2", "x86-64-v3"),
        (LINUX, "znver5", "+avx512f,+avx2,+fma", "x86-64-v3"),
        (LINUX, "nehalem", "+sse4.2,-avx2,-fma", "x86-64-v2"),
        (LINUX, "odd", "+avx2,-fma", "x86-64-v2"),
        (LINUX, "x86-64-v2", "", "x86-64-v2"),  # by NUMBA_CPU_NAME
        (LINUX, "x86-64-v3", "", "x86-64-v3"),
        (LINUX, "generic", "", "x86_64 generic"),
        ("aarch64-unknown-linux-gnu", "neoverse-n1", "+neon", "aarch64 neoverse-n1"),
    ],
)
def test_a_processor_is_named_by_its_class(
    triple: str, name: str, features: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = SimpleNamespace(magic_tuple=lambda: (triple, name, features))
    context = SimpleNamespace(codegen=lambda: generator)
    monkeypatch.setattr(target, "cpu_target", SimpleNamespace(target_context=context))
    assert target.compile_target() == found
