"""Where in an arena, and turned how, a mission has most room.

Which axis of the Hill frame is up and the heading about it are tried one by one.  For each of them
the best origin is known: walls of a box limit each axis by itself, so the motion's own box is put
into the middle.  What counts is the least of the room to the walls and of the horizontal room
between the vehicles [m]; where that is the same, the room to the walls.
"""

from dataclasses import dataclass

import numpy as np

from proxops.assembly.arena import fence_of
from proxops.feasibility.flight_path import Motion, path_of
from proxops.scenario.schema.arena import FlightArena, InArena

UPS = ("z", "x", "y")
HEADINGS = tuple(range(0, 180, 5))  # [deg]: half a turn later a box is the same


@dataclass(frozen=True)
class FlightStart:
    """How to show a mission: what to give as `--set arena.…`."""

    up: str
    heading_deg: float
    origin_m: tuple[float, float, float]  # of the Hill frame, in L
    room_m: float  # least room to walls and between vehicles; below zero it does not fit
    before_m: float  # the same, as the mission has it

    def as_changes(self) -> str:
        """Options of the command line."""
        origin = ", ".join(f"{x:g}" for x in self.origin_m)
        return (
            f"--set arena.up={self.up} --set arena.heading_deg={self.heading_deg:g} "
            f'--set "arena.origin_m=[{origin}]"'
        )


def best_start(motions: dict[str, Motion], given: FlightArena, shown: InArena) -> FlightStart:
    """The best of all axes and headings."""
    before, tried = min(_room(motions, given, shown)), []
    for up in UPS:
        for heading in HEADINGS:
            turned = shown.model_copy(update={"up": up, "heading_deg": float(heading)})
            middle = _middle(motions, given, turned)
            placed = turned.model_copy(update={"origin_m": middle})
            walls, aside = _room(motions, given, placed)
            start = FlightStart(up, float(heading), middle, min(walls, aside), before)
            tried.append((round(start.room_m, 3), round(walls, 3), start))
    return max(tried, key=lambda each: each[:2])[2]  # the first of those as good


def _middle(
    motions: dict[str, Motion], given: FlightArena, shown: InArena
) -> tuple[float, float, float]:
    """The origin [m], to the centimetre, that puts the box of the motion into the middle."""
    zero = shown.model_copy(update={"origin_m": (0.0, 0.0, 0.0)})
    p = np.vstack([path_of(motion, given, zero).p for motion in motions.values()])
    fence = fence_of(given)
    middle = 0.5 * (fence.lowest + fence.highest) - 0.5 * (p.min(axis=0) + p.max(axis=0))
    x, y, z = np.round(middle, 2).tolist()
    return x, y, z


def _room(motions: dict[str, Motion], given: FlightArena, shown: InArena) -> tuple[float, float]:
    """Least room [m] to walls, and between vehicles."""
    fence = fence_of(given)
    p_T, p_C = (path_of(motions[name], given, shown).p for name in ("target", "chaser"))
    walls = min(float(np.minimum(p - fence.lowest, fence.highest - p).min()) for p in (p_T, p_C))
    aside = float(np.linalg.norm((p_C - p_T)[:, :2], axis=1).min()) - fence.apart
    return walls, aside
