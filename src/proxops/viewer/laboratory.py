"""What a scene has of a rehearsal: a cell of robots or a flight arena, or none of both."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from proxops.viewer.arena import flight_facts, flight_state
from proxops.viewer.cameras import Framing
from proxops.viewer.cell import guard_state
from proxops.viewer.framing import framings
from proxops.viewer.hardware import Hardware
from proxops.viewer.orbit_above_arena import arena_framings, stand_above_arena
from proxops.viewer.orbit_above_cell import cell_framings, stand_above
from proxops.viewer.playback import Playback
from proxops.viewer.room import SQUARE
from proxops.viewer.scene import Colour, Look, Scene


class State(NamedTuple):
    """What somebody does, in a word and a colour; an empty word where nobody is there."""

    who: str
    word: str
    colour: Colour


def placed(hardware: Hardware, scene: Scene, playback: Playback, look: Look) -> Look:
    """The look with the orbit beside its laboratory."""
    if hardware.arena is not None:
        return stand_above_arena(hardware.arena, scene, playback, look)
    if hardware.cell is not None:
        return stand_above(hardware, hardware.cell, scene, playback, look)
    return look


def framings_of(
    hardware: Hardware, scene: Scene, playback: Playback, look: Look, t: float = 0.0
) -> dict[str, Framing]:
    """What each camera button shows when it is pressed at a time [s]; the first is the start."""
    if hardware.arena is not None:
        return arena_framings(hardware.arena, scene, playback, look)
    if hardware.cell is not None:
        return cell_framings(hardware, scene, playback, look)
    return framings(hardware, scene, playback, look, t)


def state_of(hardware: Hardware) -> Callable[[np.ndarray], State]:
    """What the guard or both vehicles do at a row."""
    who = "guard" if hardware.arena is None else "vehicles"
    state = guard_state(hardware) if hardware.arena is None else flight_state(hardware)
    return lambda row: State(who, *state(row))


def facts_of(hardware: Hardware) -> Callable[[np.ndarray], list[str]]:
    """What else a row says of a laboratory, in words."""
    return (lambda row: []) if hardware.arena is None else flight_facts(hardware)


def scale_of(hardware: Hardware) -> str:
    """How a laboratory is drawn beside the orbit."""
    squares = f", squares of {SQUARE:g} m"
    if hardware.arena is not None:
        shown = hardware.arena.shown
        larger = f" {shown.length_scale:g}x" if shown.length_scale != 1.0 else ""
        faster = f", flown {shown.time_scale:g}x faster" if shown.time_scale != 1.0 else ""
        return f"orbit drawn{larger} above the arena{faster}{squares}"
    floored = hardware.cell is not None and hardware.cell.facility.robots is not None
    return f"orbit and cell drawn apart{squares if floored else ''}"
