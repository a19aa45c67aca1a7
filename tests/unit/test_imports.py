"""No module knows more than a handful of others."""

import ast
import subprocess
import sys
from pathlib import Path

import proxops

ROOT = Path(proxops.__file__).parent
MOST = 15  # modules of ours that a module may import

# `api` offers and `assembly` builds from everything; neither holds logic
FREE = ("proxops.api", "proxops.assembly")


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(("proxops", *(part for part in parts if part != "__init__")))


MODULES = {module_of(file): file for file in sorted(ROOT.rglob("*.py"))}


def imported_by(file: Path) -> set[str]:
    """Modules of ours that a file names in its imports, wherever they stand in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name in MODULES}
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                found.add(inner if inner in MODULES else node.module)
    return found


def test_no_module_imports_more_than_fifteen_of_ours():
    counts = {
        name: len(imported_by(file)) for name, file in MODULES.items() if not name.startswith(FREE)
    }
    assert {name: count for name, count in counts.items() if count > MOST} == {}


def test_an_import_counts_as_the_module_that_it_names(tmp_path):
    file = tmp_path / "one.py"
    file.write_text(
        "import numpy\n"
        "from proxops import plant\n"
        "from proxops.plant import layout\n"
        "from proxops.plant.layout import P, Q\n"
        "def late():\n"
        "    from proxops.core.errors import InputError\n"
    )
    assert imported_by(file) == {"proxops.plant", "proxops.plant.layout", "proxops.core.errors"}


def test_missions_are_read_and_checked_without_loading_the_compiler():
    script = "import sys, proxops; proxops.load('envisat-capture'); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
