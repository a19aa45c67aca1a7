"""Functions of contacts, holds and the phase switch, by address: plants without them are compiled
without them."""

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


def write_entries(plant: Plant, compression: bool = True, latches: bool = True) -> None:
    """Writes the addresses that a plant with contacts, holds or a phase switch needs, and those of
    what sensors report of them, where one does; compiles what is not yet."""
    if switches(plant):
        array, table = np.zeros(1), np.zeros((1, 1))
        write_entry(plant.entries, switch_phase, plant, table, array, array, 0.0)
    if not len(plant.contacts) and not len(plant.holds):
        return
    entries = plant.entries
    array, table, joins = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1), dtype=np.int64)
    write_entry(entries, touch, plant, array, array, table, array)
    write_entry(entries, weakest, plant, array, table)
    write_entry(entries, settle_contacts, plant, table, table, array, 0.0, 0.0)
    write_entry(entries, settle_holds, plant, table, table, array, 0.0)
    write_entry(entries, put_interface, plant, array, table, array, 0)
    write_entry(entries, put_forces, plant, array, table, array)
    write_entry(entries, add_wrist, plant, 0, array, array, table, array)
    write_entry(entries, any_in_place, plant, array, table, joins, 0)
    if compression:
        write_entry(entries, put_compression, plant, 0, array, table, array)
    if latches and len(plant.holds):
        write_entry(entries, put_latches, plant, array, table, array, array)
