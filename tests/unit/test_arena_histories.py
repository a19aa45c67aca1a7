"""The wrenches of the arena's missions come out of Hill's equations again, to the last digit."""

import pytest
from benchmarks.arena_histories import FOLDER, HISTORIES, text_of


@pytest.mark.parametrize("name", HISTORIES)
def test_a_shipped_history_is_what_its_script_makes(name):
    assert (FOLDER / f"{name}.csv").read_text("utf-8") == text_of(name)
