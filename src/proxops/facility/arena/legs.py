"""Targets (n, 2, 16) of the ways that vehicles fly before and after a run, one every h [s].

A mission may begin in motion, so vehicles take up its velocity and rate on the way to the first
place: with s(x) = 10 x³ - 15 x⁴ + 6 x⁵ from rest to rest,

    engage   v = v₀ s(t/T),        from p₀ - v₀ T/2
    stop     v = v₁ (1 - s(t/T)),  to p₁ + v₁ T/2
"""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from proxops.facility.arena import memory as of
from proxops.facility.arena.fence import Fence, acceleration_left
from proxops.facility.common.rows import PAIR

CLIMB = 0.7  # largest speed of the take-off [m/s]
GENTLE = 0.3  # largest acceleration of engage and stop [m/s2]
TURNING = 0.5  # and angular acceleration [rad/s2]; of turning in place also the rate [rad/s]
SHORTEST = 3.0  # of each [s]
SETTLE = 2.0  # at rest before the mission begins [s]
SHARE = 0.8  # of the acceleration that is left to a vehicle that leans
# Way round the other vehicle, over the distance that targets keep.  Axes of a stop end one by one:
# where one is at CLIMB, that leads off the tangent by up to 0.2 v²/2a, 5 % of that distance.
ROOM = 1.06
WIDEST = math.radians(80.0)  # half the angle between both tangents; at 90° they do not meet
STEEPEST = 1.875  # largest slope of s
SHARPEST = 5.78  # and largest curvature

P, V, A = slice(of.TARGET_P, 3), slice(of.TARGET_V, 6), slice(of.TARGET_A, 9)
Q, W = slice(of.TARGET_Q, 13), slice(of.TARGET_W, 16)


def time_to_change(targets: np.ndarray, fence: Fence, h: float) -> float:
    """How long vehicles take to reach a motion from rest, or to stop [s]: longer if they lean,
    which leaves their rotors less to push with."""
    _, x, y, _ = targets[:, Q].T
    # x² + y² of q is sin² of half the lean
    left: float = acceleration_left.py_func(fence, 2.0 * float(np.hypot(x, y).max()))
    speed = float(np.linalg.norm(targets[:, V], axis=1).max())
    rate = float(np.linalg.norm(targets[:, W], axis=1).max())
    least = max(SHORTEST, STEEPEST * speed / min(GENTLE, SHARE * left), STEEPEST * rate / TURNING)
    return h * math.ceil(least / h)


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


def began(goal: np.ndarray, pace: float) -> np.ndarray:
    """Targets (2, 16) at rest from which both reach their goals."""
    start = np.zeros_like(goal)
    for which in range(PAIR):
        start[which, P] = goal[which, P] - 0.5 * pace * goal[which, V]
        back = np.array([-0.5 * pace])
        start[which, Q] = _turned(goal[which, W], back, goal[which, Q])[0]
    return start


def changing(
    start: np.ndarray,
    pace: float,
    shares: tuple[float, float],
    h: float,
    goal: np.ndarray | None = None,
) -> np.ndarray:
    """From `start` on, within `pace` [s]: the speed goes from one share to another of that of the
    goal, or of the start if there is none."""
    before, after = shares
    t = h * np.arange(round(pace / h))
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


def engaging(goal: np.ndarray, fence: Fence, h: float) -> np.ndarray:
    """From rest to the motion that a mission begins with (2, 16)."""
    pace = time_to_change(goal, fence, h)
    return changing(began(goal, pace), pace, (0.0, 1.0), h, goal)


def climbing(here: np.ndarray, start: np.ndarray, h: float) -> np.ndarray:
    """From the floor, or where both stand in the air, straight to the places of the start; the
    attitudes stay."""
    way = start[:, P] - here[:, P]
    lasts = h * math.ceil(max(SHORTEST, STEEPEST * np.abs(way).max() / CLIMB) / h)
    x = h * np.arange(round(lasts / h)) / lasts
    _, share, slope = (each[:, np.newaxis, np.newaxis] for each in _smooth(x))
    curve = 60.0 * (x * (1.0 - x) * (1.0 - 2.0 * x))[:, np.newaxis, np.newaxis]
    targets = np.tile(here, (len(x), 1, 1))
    targets[:, :, P] = here[:, P] + share * way
    targets[:, :, V] = slope * way / lasts
    targets[:, :, A] = curve * way / lasts**2
    return targets


def turning(here: np.ndarray, start: np.ndarray, h: float) -> np.ndarray:
    """From the attitudes that both have to those of the start, then rest."""
    turns = [_between(here[which, Q], start[which, Q]) for which in range(PAIR)]
    angle = max(float(np.linalg.norm(turn)) for turn in turns)
    lasts = max(SHORTEST, STEEPEST * angle / TURNING, math.sqrt(SHARPEST * angle / TURNING))
    lasts = h * math.ceil(lasts / h)
    x = h * np.arange(round(lasts / h)) / lasts
    _, share, slope = _smooth(x)
    rest = round(SETTLE / h)
    targets = np.tile(start, (len(x) + rest, 1, 1))
    for which, turn in enumerate(turns):
        targets[: len(x), which, Q] = _turned(turn, share, here[which, Q])
        targets[: len(x), which, W] = slope[:, np.newaxis] * turn / lasts
    return targets


def returning(here: np.ndarray, home: np.ndarray, apart: float, h: float) -> Iterator[np.ndarray]:
    """Ways from rest to the places and attitudes of another rest, the shortest first: turn, then
    straight there, together or one after the other, then round the one that stands, which targets
    keep `apart` [m] from."""
    turned = here.copy()
    turned[:, Q] = home[:, Q]
    turn = turning(here, turned, h)
    for places in ([home], *_in_turn(turned, home, apart)):
        there, ways = turned, [turn]
        for place in places:
            if not np.array_equal(place, there):
                ways.append(climbing(there, place, h))
            there = place
        yield np.concatenate([*ways, home[np.newaxis]])


def _in_turn(here: np.ndarray, home: np.ndarray, apart: float) -> Iterator[list[np.ndarray]]:
    """Places (2, 16) at which both are in turn, one moving at a time: straight, or round the one
    that stands, on either side, where straight leads too near to it."""
    for first, side in product((1, 0), (0, 1, -1)):
        places = [here]
        for which in (first, 1 - first):
            now = places[-1]
            way, other = (now[which, P], home[which, P]), now[1 - which, P]
            if side != 0 and _nearest(*way, other) < apart:
                places.append(now.copy())
                places[-1][which, P] = _corner(*way, other, ROOM * apart, side)
            places.append(places[-1].copy())
            places[-1][which] = home[which]
        if np.isfinite(places).all():
            yield places[1:]


def _nearest(here: np.ndarray, there: np.ndarray, other: np.ndarray) -> float:
    """How near a straight way comes to a third place, seen from above [m]."""
    way, gap = (there - here)[:2], (other - here)[:2]
    share = float(np.clip(way @ gap / max(way @ way, 1e-12), 0.0, 1.0))
    return float(np.hypot(*(gap - share * way)))


def _corner(
    here: np.ndarray, there: np.ndarray, other: np.ndarray, radius: float, side: int
) -> np.ndarray:
    """Where tangents from two places to the circle about a third, as seen from above, meet: on the
    way round it counter-clockwise (`side` 1) or clockwise (-1).  NaN where one corner is not
    enough.

        r / cos ψ,    2ψ = θ - acos(r/a) - acos(r/b)

    from the centre, θ being the angle from one place to the other, a and b their distances."""
    (ax, ay), (bx, by) = (here - other)[:2], (there - other)[:2]
    sweep = (side * (math.atan2(by, bx) - math.atan2(ay, ax))) % math.tau
    leaves, comes = (
        math.acos(min(1.0, radius / max(radius, math.hypot(*each))))
        for each in ((ax, ay), (bx, by))
    )
    half = 0.5 * (sweep - leaves - comes)
    if half >= WIDEST:
        return np.full(3, math.nan)
    angle = math.atan2(ay, ax) + side * (leaves + half)
    far = radius / math.cos(half)
    x, y = other[0] + far * math.cos(angle), other[1] + far * math.sin(angle)
    return np.array([x, y, 0.5 * (here[2] + there[2])])


def _between(q: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Rotation vector r [rad] with exp(r) ∘ q = to."""
    w = float(to @ q)
    v = q[0] * to[1:] - to[0] * q[1:] - np.cross(to[1:], q[1:])
    if w < 0.0:
        w, v = -w, -v
    sine = float(np.linalg.norm(v))
    return np.asarray(v * (2.0 * math.atan2(sine, w) / sine if sine > 0.0 else 2.0))
