"""How kernels are compiled."""

import ast
import shutil
from pathlib import Path

import numba
import pytest

import proxops
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

    called, plugged = jit.kernel(both), jit.pluggable(both)
    assert called(5) == 5 + 8
    assert jit.entry_of(plugged, 5)
    for compiled in (called, plugged):
        (text,) = compiled.inspect_llvm().values()
        defined = [line for line in text.splitlines() if line.startswith("define")]
        copies = [line for line in defined if "fibonacci" in line]
        assert copies
        assert all(line.startswith("define internal") for line in copies)


COMPILED = {"kernel", "part", "helper", "pluggable"}


def kernel_sources() -> list[Path]:
    package = Path(proxops.__file__).parent
    rooms = [path for room in jit.KERNEL_ROOMS for path in (package / room).rglob("*.py")]
    return [*rooms, *(package / loop for loop in jit.KERNEL_LOOPS)]


def compiled_functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(by, ast.Name) and by.id in COMPILED for by in node.decorator_list)
    ]


def test_compiled_code_is_made_of_hashed_sources_alone():
    package = Path(proxops.__file__).parent
    hashed = {path.relative_to(package).as_posix() for path in kernel_sources()}
    for path in package.rglob("*.py"):
        tree = ast.parse(path.read_text())
        compiled = compiled_functions(tree)
        name = path.relative_to(package).as_posix()
        assert not compiled or name in hashed, f"{name} defines compiled functions, is not hashed"
        used = {
            node.id for each in compiled for node in ast.walk(each) if isinstance(node, ast.Name)
        }
        lines = [line for line in ast.walk(tree) if isinstance(line, ast.ImportFrom)]
        for line in lines:
            room = (line.module or "").split(".")
            for alias in line.names if room[0] == "proxops" else ():
                homes = ["/".join([*room[1:], alias.name]) + ".py", "/".join(room[1:]) + ".py"]
                homes.append("/".join([*room[1:], "__init__.py"]))
                assert (alias.asname or alias.name) not in used or hashed & set(homes), (
                    f"{name} takes {alias.name} from {line.module}, which is not hashed"
                )


def test_editing_a_page_leaves_the_kernels_warm_and_editing_a_law_does_not(tmp_path, monkeypatch):
    package = tmp_path / "proxops"
    shutil.copytree(Path(proxops.__file__).parent, package)
    monkeypatch.setattr(jit, "_PACKAGE", package)
    kernel_hash = jit.kernel_hash.__wrapped__  # that of a process stays
    kernels, sources = kernel_hash(), jit.source_hash()
    with (package / "report" / "page.py").open("a") as page:
        page.write("# a comma\n")
    assert kernel_hash() == kernels
    assert jit.source_hash() != sources
    with (package / "physics" / "contact" / "normal.py").open("a") as law:
        law.write("# another factor\n")
    assert kernel_hash() != kernels
