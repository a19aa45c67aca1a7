"""What both vehicles do around a run: take off, move to start, engage; stop, land.

All of it is flown.  The mission may begin in motion, so vehicles take up its velocity and rate on
the way to the first place: with s(x) = 10 x³ - 15 x⁴ + 6 x⁵ from rest to rest,

    engage   v = v₀ s(t/T),        from p₀ - v₀ T/2
    stop     v = v₁ (1 - s(t/T)),  to p₁ + v₁ T/2
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from proxops.core.by_address import pinned
from proxops.core.errors import InputError
from proxops.core.states import PASSED, FacilityState
from proxops.facility.arena import memory as of
from proxops.facility.arena.carry import CLOCK, land
from proxops.facility.arena.guard import NOTHING, REASONS, check_targets
from proxops.facility.arena.lab import ArenaLab, Drawn, Fence, flown
from proxops.facility.arena.vehicle import CYCLE, flight
from proxops.facility.common.rows import PAIR

if TYPE_CHECKING:
    from proxops.facility.arena.link import ArenaLink

CYCLES = 8  # between targets: 50 Hz
PERIOD = CYCLES * CYCLE  # [s]
CLIMB = 0.7  # largest speed of the take-off [m/s]
GENTLE = 0.3  # largest acceleration of engage and stop [m/s2]
TURNING = 0.5  # and angular acceleration [rad/s2]
SHORTEST = 3.0  # of each [s]
SETTLE = 2.0  # at rest before the mission begins [s]
LONGEST_LANDING = 60.0  # [s]
AT_PLACE = 0.15  # how near a vehicle must be to where it was sent [m]
STEEPEST = 1.875  # largest slope of s
BETWEEN = "tips of both vehicles"

P, V, A = slice(of.TARGET_P, 3), slice(of.TARGET_V, 6), slice(of.TARGET_A, 9)
Q, W = slice(of.TARGET_Q, 13), slice(of.TARGET_W, 16)


def prepare(
    lab: ArenaLab, drawn: Drawn, link: "ArenaLink | None" = None
) -> tuple[FacilityState, ...]:
    """Flies both vehicles from the floor to the first commands, and leaves them in that motion;
    over a link they are audited and armed first."""
    start, engaging = _beginning(lab)
    for mine, new in zip(lab.flight, flight(lab.arena, *_on_floor(start)), strict=True):
        mine[...] = new
    armed = () if link is None else link.begin()
    legs = [
        ("take off", _climbing(lab.flight.targets, start)),
        ("move to start", _turning(lab.flight.targets, start)),
        ("engage", engaging),
    ]
    begins = -PERIOD * sum(len(targets) for _, targets in legs)
    lab.flight.clock[CLOCK] = begins
    states = [replace(state, start_s=begins) for state in armed]
    states += [_leg(lab, drawn, name, targets) for name, targets in legs]
    if link is not None:
        link.raise_failure()
    return tuple(states)


def standing_places(lab: ArenaLab) -> tuple[np.ndarray, np.ndarray]:
    """Where on the floor both vehicles stand before the first commands (2, 3) [m], and with which
    yaws (2,) [rad]."""
    return _on_floor(_beginning(lab)[0])


def _beginning(lab: ArenaLab) -> tuple[np.ndarray, np.ndarray]:
    """Targets at rest (2, 16) and from there to the first commands (n, 2, 16)."""
    goal = lab.commands.copy()
    pace = _time_to_change(goal)
    start = _began(goal, pace)
    engaging = _changing(start, pace, 0.0, 1.0, goal)
    found = _violation(lab.fence, (*engaging, goal))
    if found != NOTHING:
        raise InputError(_cannot_begin(lab.fence, start, goal, found))
    return start, engaging


def _on_floor(start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places and yaws below targets (2, 16)."""
    return start[:, P] * [1.0, 1.0, 0.0], 2.0 * np.arctan2(start[:, 12], start[:, 9])


def put_away(
    lab: ArenaLab, drawn: Drawn, link: "ArenaLink | None" = None
) -> tuple[FacilityState, ...]:
    """Stops both vehicles, unless they land already, and lands them."""
    states = []
    if lab.ended[0] == NOTHING:
        last = lab.flight.targets.copy()
        last[:, A] = 0.0
        stopping = _changing(last, _time_to_change(last), 1.0, 0.0)
        if _violation(lab.fence, stopping) == NOTHING:  # else they land where they are
            states.append(_leg(lab, drawn, "stop", stopping))
    begins, gap = float(lab.flight.clock[CLOCK]), _gap(lab, lab.flight.y[np.newaxis])
    if link is not None:
        link.land()
    longest = math.ceil(LONGEST_LANDING / PERIOD)
    drawn.refill(min(longest * CYCLES, len(drawn.rows)))
    landed = land(pinned(lab), min(longest, len(drawn.rows) // CYCLES), CYCLES)
    lasts = float(lab.flight.clock[CLOCK]) - begins
    verdict = PASSED if landed else f"not on the floor after {lasts:.0f} s"
    states.append(FacilityState("land", begins, lasts, gap, BETWEEN, verdict))
    if link is not None:
        link.raise_failure()
        states.append(link.end())
    return tuple(states)


def _leg(lab: ArenaLab, drawn: Drawn, name: str, targets: np.ndarray) -> FacilityState:
    """Flies the targets of a state (n, 2, 16)."""
    begins = float(lab.flight.clock[CLOCK])
    states = flown(lab, drawn, targets, CYCLES)
    off = float(np.linalg.norm(states[-1, :, :3] - targets[-1, :, P], axis=1).max())
    verdict = PASSED if off <= AT_PLACE else f"{off:.2f} m from where it should be"
    if lab.ended[0] != NOTHING:
        verdict = REASONS[int(lab.ended[0])].format(
            apart=lab.fence.apart, timeout=lab.arena.sensing.pose_timeout
        )
    return FacilityState(name, begins, PERIOD * len(targets), _gap(lab, states), BETWEEN, verdict)


def _gap(lab: ArenaLab, states: np.ndarray) -> float:
    """Least gap between tips [m]."""
    apart = np.linalg.norm(states[:, 0, :3] - states[:, 1, :3], axis=1)
    return float(apart.min()) - lab.fence.tips


def _violation(fence: Fence, targets: Iterable[np.ndarray]) -> int:
    """What the first of pairs of targets breaks that breaks anything."""
    return next((found for each in targets if (found := check_targets(fence, each))), NOTHING)


def _cannot_begin(fence: Fence, start: np.ndarray, goal: np.ndarray, found: int) -> str:
    places = [", ".join(f"{x:.2f}" for x in each[P]) for each in (*start, *goal)]
    return (
        "arena: choose another length_scale, up, or start of the mission: on the way from "
        f"[{places[0]}], [{places[1]}] m, where the vehicles take up its speed, to its start at "
        f"[{places[2]}], [{places[3]}] m {REASONS[found].format(apart=fence.apart, timeout=0.0)}"
    )


def _time_to_change(targets: np.ndarray) -> float:
    """How long vehicles take to reach a motion from rest, or to stop [s]."""
    speed = float(np.linalg.norm(targets[:, V], axis=1).max())
    rate = float(np.linalg.norm(targets[:, W], axis=1).max())
    least = max(SHORTEST, STEEPEST * speed / GENTLE, STEEPEST * rate / TURNING)
    return PERIOD * math.ceil(least / PERIOD)


def _smooth(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """∫s, s and s' from 0 to x."""
    return (
        2.5 * x**4 - 3.0 * x**5 + x**6,
        10.0 * x**3 - 15.0 * x**4 + 6.0 * x**5,
        30.0 * x**2 * (1.0 - x) ** 2,
    )


def _turned(w: np.ndarray, angle: np.ndarray, q: np.ndarray) -> np.ndarray:
    """exp(w angle) ∘ q for many angles (n,): (n, 4)."""
    rate = float(np.linalg.norm(w))
    if rate == 0.0:
        return np.tile(q, (len(angle), 1))
    half, axis = 0.5 * rate * angle, w / rate
    a = np.cos(half)[:, np.newaxis]
    v = np.sin(half)[:, np.newaxis] * axis
    rest = a * q[1:] + q[0] * v + np.cross(v, q[1:])
    return np.hstack([a * q[0] - v @ q[1:, np.newaxis], rest])


def _began(goal: np.ndarray, pace: float) -> np.ndarray:
    """Targets (2, 16) at rest from which both reach their goals."""
    start = np.zeros_like(goal)
    for which in range(PAIR):
        start[which, P] = goal[which, P] - 0.5 * pace * goal[which, V]
        back = np.array([-0.5 * pace])
        start[which, Q] = _turned(goal[which, W], back, goal[which, Q])[0]
    return start


def _changing(
    start: np.ndarray, pace: float, before: float, after: float, goal: np.ndarray | None = None
) -> np.ndarray:
    """Targets (n, 2, 16) from `start` on, whose speed goes from one share to another of that of the
    goal, or of the start if there is none."""
    t = PERIOD * np.arange(round(pace / PERIOD))
    area, share, slope = _smooth(t / pace)
    moved = before * t + (after - before) * pace * area
    share = before + (after - before) * share
    targets = np.zeros((len(t), PAIR, of.TARGET_SIZE))
    for which in range(PAIR):
        moving = (start if goal is None else goal)[which]
        targets[:, which, P] = start[which, P] + moved[:, np.newaxis] * moving[V]
        targets[:, which, V] = share[:, np.newaxis] * moving[V]
        targets[:, which, A] = (after - before) / pace * slope[:, np.newaxis] * moving[V]
        targets[:, which, Q] = _turned(moving[W], moved, start[which, Q])
        targets[:, which, W] = share[:, np.newaxis] * moving[W]
    return targets


def _climbing(here: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Targets (n, 2, 16) from the floor, or where a take-off has led to, to the place of the start,
    level."""
    way = start[:, P] - here[:, P]
    lasts = PERIOD * math.ceil(max(SHORTEST, STEEPEST * np.abs(way).max() / CLIMB) / PERIOD)
    x = PERIOD * np.arange(round(lasts / PERIOD)) / lasts
    _, share, slope = (each[:, np.newaxis, np.newaxis] for each in _smooth(x))
    curve = 60.0 * (x * (1.0 - x) * (1.0 - 2.0 * x))[:, np.newaxis, np.newaxis]
    targets = np.tile(here, (len(x), 1, 1))
    targets[:, :, P] = here[:, P] + share * way
    targets[:, :, V] = slope * way / lasts
    targets[:, :, A] = curve * way / lasts**2
    return targets


def _turning(here: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Targets (n, 2, 16) that lean from level to the attitude of the start, then rest."""
    x = np.arange(round(SHORTEST / PERIOD)) * PERIOD / SHORTEST
    _, share, slope = _smooth(x)
    rest = round(SETTLE / PERIOD)
    targets = np.tile(start, (len(x) + rest, 1, 1))
    for which in range(PAIR):
        q, level = start[which, Q], here[which, Q]
        turn = _between(level, q)
        targets[: len(x), which, Q] = _turned(turn, share, level)
        targets[: len(x), which, W] = slope[:, np.newaxis] * turn / SHORTEST
    return targets


def _between(q: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Rotation vector r [rad] with exp(r) ∘ q = to."""
    w = float(to @ q)
    v = q[0] * to[1:] - to[0] * q[1:] - np.cross(to[1:], q[1:])
    if w < 0.0:
        w, v = -w, -v
    sine = float(np.linalg.norm(v))
    return np.asarray(v * (2.0 * math.atan2(sine, w) / sine if sine > 0.0 else 2.0))
