"""Who compiles first, and who waits."""

from pathlib import Path

import pytest

from proxops.campaigns import compile_lock
from proxops.campaigns.compile_lock import compiled_once
from proxops.core import jit
from proxops.results.store.folder import lock


@pytest.fixture(autouse=True)
def nobody_has_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_lock, "_tried", set())


def test_while_one_compiles_nobody_else_holds_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "CACHE", tmp_path)
    with compiled_once("some"), open(tmp_path / "compiling-some", "wb") as other:
        assert not lock(other.fileno())
    with open(tmp_path / "compiling-some", "wb") as other:
        assert lock(other.fileno())


def test_where_the_folder_of_kernels_has_gone_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other versions remove the oldest folders: a worker that died of it counted as a crash."""
    monkeypatch.setattr(jit, "CACHE", tmp_path / "gone")
    entered = []
    with compiled_once("some"):
        entered.append(True)
    assert entered
