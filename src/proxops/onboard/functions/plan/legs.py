"""Legs of a plan as compiled code reads them: one row each."""

from dataclasses import dataclass, field

import numpy as np

from proxops.bus.bus import Bus
from proxops.onboard.functions.capture.modes import RIGIDISE
from proxops.onboard.functions.plan.conditions import Condition, read_condition, rows_of

# What a leg does
FLY_TO, STATION_KEEP, AVOID, REST, RUN, FLY_AROUND, FREE = range(7)

# How a leg's trajectory is made
STRAIGHT, CONVEX, TWO_IMPULSE, HCW = range(4)

# What the chaser points at
HILL, TARGET = range(2)

# Columns of a leg's row
ACTION = 0
UNTIL = 1  # first of the conditions that end it
UNTIL_COUNT = 2
ABORT_IF = 3  # first of those that abort it
ABORT_COUNT = 4
SETTLE = 5  # [s]
TIMEOUT = 6  # [s], inf for none
NEXT = 7  # leg, -1 for none
ABORT_LEG = 8  # leg of an abort, -1 for none
PLACE = 9  # to go to, to end at or to keep, in H (3) [m]; NaN: where the leg begins
DURATION = 12  # of a flight, straight or around [s]
GUIDANCE = 13
CORRIDOR = 14  # number of the corridor, -1 for none
POINTING = 15
Q_HC = 16  # (4)
DIRECTION = 20  # of an avoidance manoeuvre, or the axis to fly around, unit, in H (3)
DELTA_V = 23  # of an avoidance manoeuvre [m/s]
ANGLE = 24  # to fly around the axis, right-handed [rad]
PERMITTED = 25  # latest mode that the capture may enter
AWAY = 26  # what an avoidance manoeuvre has against the camera's boresight [m/s]
WITH_TARGET = 27  # 1: control counts the target, at its port, as part of the chaser
REPLAN = 28  # time from plan to plan of the guidance [s]
WIDTH = 29

NONE = -1.0


@dataclass(frozen=True)
class LegDescription:
    """A leg of a plan, in SI units."""

    name: str
    action: int
    until: tuple[str, ...] = ()
    settle: float = 0.0  # [s]
    abort_if: tuple[str, ...] = ()
    timeout: float = np.inf  # [s]
    next: str | None = None
    abort_leg: str | None = None
    place: tuple[float, float, float] = (np.nan, np.nan, np.nan)  # in H [m]
    duration: float = 0.0  # [s]
    guidance: int = STRAIGHT
    corridor: int = -1
    pointing: int = HILL
    q_HC: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    direction: tuple[float, float, float] = (0.0, 0.0, 0.0)  # in H
    delta_v: float = 0.0  # [m/s]
    permitted: int = RIGIDISE  # latest mode that the capture may enter
    angle: float = 0.0  # [rad]
    away: float = 0.0  # [m/s]
    with_target: bool = False  # control counts the target, at its port, as part of the chaser
    replan: float = 20.0  # time from plan to plan of the guidance [s]
    periods: tuple[tuple[str, int], ...] = ()  # of functions on board, by name [ns]
    runs: tuple[str, ...] = ()  # functions on board that run in legs which name them alone


@dataclass(frozen=True)
class Legs:
    """All legs of a plan and their conditions."""

    names: tuple[str, ...]
    rows: np.ndarray = field(repr=False)  # (legs, WIDTH)
    conditions: tuple[Condition, ...]
    condition_rows: np.ndarray = field(repr=False)
    runs: tuple[tuple[str, ...], ...] = ()  # functions that each leg lets run
    periods: tuple[dict[str, int], ...] = ()  # of functions while each leg is flown [ns]


def legs_of(described: tuple[LegDescription, ...], bus: Bus) -> Legs:
    """The legs of a plan on a bus that has the quantities of its conditions."""
    numbers = {each.name: float(i) for i, each in enumerate(described)}
    rows, conditions = np.zeros((len(described), WIDTH)), list[Condition]()

    def read(leg: LegDescription, key: str) -> tuple[float, float]:
        first, texts = len(conditions), getattr(leg, key)
        for i, text in enumerate(texts):
            conditions.append(read_condition(text, bus, f"obsw.plan.legs.{leg.name}.{key}.{i}"))
        return float(first), float(len(texts))

    for row, leg in zip(rows, described, strict=True):
        row[ACTION] = leg.action
        row[UNTIL], row[UNTIL_COUNT] = read(leg, "until")
        row[ABORT_IF], row[ABORT_COUNT] = read(leg, "abort_if")
        row[SETTLE], row[TIMEOUT] = leg.settle, leg.timeout
        row[NEXT] = NONE if leg.next is None else numbers[leg.next]
        row[ABORT_LEG] = NONE if leg.abort_leg is None else numbers[leg.abort_leg]
        row[PLACE : PLACE + 3] = leg.place
        row[DURATION], row[GUIDANCE], row[CORRIDOR] = leg.duration, leg.guidance, leg.corridor
        row[POINTING] = leg.pointing
        row[Q_HC : Q_HC + 4] = np.array(leg.q_HC) / np.linalg.norm(leg.q_HC)
        size = np.linalg.norm(leg.direction)
        row[DIRECTION : DIRECTION + 3] = np.array(leg.direction) / (size or 1.0)
        row[DELTA_V], row[AWAY], row[ANGLE] = leg.delta_v, leg.away, leg.angle
        row[PERMITTED], row[WITH_TARGET] = leg.permitted, float(leg.with_target)
        row[REPLAN] = leg.replan
    return Legs(tuple(numbers), rows, tuple(conditions), rows_of(conditions),
                tuple(each.runs for each in described),
                tuple(dict(each.periods) for each in described))  # fmt: skip
