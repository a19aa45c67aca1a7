"""Functions of contacts, holds and the phase switch, by address: plants without them are compiled
without them."""

from typing import Any

import numpy as np

from proxops.core.jit import write_entry
from proxops.plant.in_place import any_in_place
from proxops.plant.model import Plant
from proxops.plant.observe_interface import (
    put_compression,
    put_forces,
    put_interface,
    put_latches,
)
from proxops.plant.observe_wrist import add_wrist
from proxops.plant.phase_switch import switch_phase, switches
from proxops.plant.rates import touch
from proxops.plant.switching import settle_contacts, settle_holds, weakest

Examples = tuple[Any, ...]


def write_entries(plant: Plant, compression: bool = True, latches: bool = True) -> None:
    """Writes the addresses that a plant with contacts, holds or a phase switch needs, and those of
    what sensors report of them, where one does; compiles what is not yet."""
    for called, examples in entries_for(plant, compression, latches):
        write_entry(plant.entries, called, plant, *examples)


def entries_for(plant: Plant, compression: bool, latches: bool) -> list[tuple[Any, Examples]]:
    """The functions that a plant needs at its entries, each with examples of its arguments behind
    the plant."""
    array, table, joins = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1), dtype=np.int64)
    found: list[tuple[Any, Examples]] = []
    if switches(plant):
        found.append((switch_phase, (table, array, array, 0.0)))
    if not len(plant.contacts) and not len(plant.holds):
        return found
    found += [
        (touch, (array, array, table, array)),
        (weakest, (array, table)),
        (settle_contacts, (table, table, array, 0.0, 0.0)),
        (settle_holds, (table, table, array, 0.0)),
        (put_interface, (array, table, array, 0)),
        (put_forces, (array, table, array)),
        (add_wrist, (0, array, array, table, array)),
        (any_in_place, (array, table, joins, 0)),
    ]
    if compression:
        found.append((put_compression, (0, array, table, array)))
    if latches and len(plant.holds):
        found.append((put_latches, (array, table, array, array)))
    return found
