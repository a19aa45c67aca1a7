"""The stages of a world by address: the loop is compiled without them, and each by itself."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from proxops.core.by_address import JIT_IS_OFF, pinned
from proxops.core.jit import write_entry

# Places in Model.entries
BEGIN, SHOW, ADVANCE, WRITE = 0, 1, 2, 3
COLLISIONS = 4
SAFETY = 5
ENTRIES_SIZE = 6


def write_entries(
    stages: Sequence[Any],
    find_collisions: Any,
    put_safety: Any,
    works_on: tuple[Any, ...],
    span: Any,
) -> None:
    """Writes the addresses of a world's four stages, where two spacecraft have shapes of the search
    for collisions, and where there are zones of what is recorded of them; compiles what is not
    yet."""
    model, log = (each if JIT_IS_OFF else each.value for each in (works_on[0], works_on[4]))
    begin, show, advance, write = stages
    plant, watch = pinned(model.plant), pinned(log.watch)
    array, table = np.zeros(1), np.zeros((1, 1))
    *common, pinned_log = works_on
    write_entry(model.entries, begin, *common, watch, 0.0)
    write_entry(model.entries, show, *common)
    write_entry(model.entries, advance, *common, watch, 0.0, 0.0)
    write_entry(model.entries, write, *common, pinned_log, span)
    if len(model.ports.outline.shapes) > 0:
        touching = (plant, array, table)
        write_entry(model.entries, find_collisions, *common[:3], touching, watch)
    if len(model.zones.keep_out) > 0:
        write_entry(model.entries, put_safety, *common[:3], array, 0)
