"""A clear way for both robots from one posture to another: straight, in turn, or round about."""

from collections.abc import Iterator
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from proxops.facility.common.guard import table as of
from proxops.facility.robot_cell.industrial.robot import AXES
from proxops.facility.robot_cell.procedure.drive import Site, path_clearance

ASIDE = (-0.35, 0.35, -0.7, 0.7, -1.1, 1.1)  # how far an axis is moved out of the way [rad]
TARGETS, CHASERS = slice(0, AXES), slice(AXES, 2 * AXES)
TURNS = [0, AXES]  # axis 1 of both robots
MOVED = ([1, 1 + AXES], [2, 2 + AXES], TURNS)  # axes that are moved out of the way


class Closest(NamedTuple):
    """Where a way is closest to being blocked."""

    slack: float  # beyond what is to be kept [m]
    which: int  # pair, walls counted after pairs
    share: float  # of the way


class Route(NamedTuple):
    """Postures (12,) [rad] one after another, the start left out; none if no way was found."""

    points: tuple[np.ndarray, ...]
    straight: Closest  # of the straight way
    tried: int


def closest(site: Site, arm: np.ndarray, start: np.ndarray, end: np.ndarray) -> Closest:
    """Where the straight way of all axes is closest to being blocked."""
    slack, which, share = path_clearance(site, arm, start, end, True)
    return Closest(float(slack), int(which), float(share))


def is_clear(site: Site, arm: np.ndarray, points: tuple[np.ndarray, ...]) -> bool:
    """Whether the straight ways from each posture to the next are free, margin included."""
    margin = site.cell.guard.settings[of.MARGIN]
    return all(path_clearance(site, arm, *leg, False)[0] >= margin for leg in pairwise(points))


def find_route(site: Site, arm: np.ndarray, start: np.ndarray, end: np.ndarray) -> Route:
    """The first clear one of `routes`."""
    straight = closest(site, arm, start, end)
    lower, upper = site.cell.guard.axes[:, of.LOWER], site.cell.guard.axes[:, of.UPPER]
    tried = 0
    for tried, points in enumerate(routes(start, end), start=1):
        inside = all(((lower <= q) & (q <= upper)).all() for q in points)
        if inside and is_clear(site, arm, (start, *points)):
            return Route(points, straight, tried)
    return Route((), straight, tried)


def routes(start: np.ndarray, end: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
    """Routes to try: straight; one robot after the other; turned about axis 1 before or after all
    else; with axis 2, 3 or 1 moved aside on the whole of it; these again in turn."""
    yield (end,)
    for first in (CHASERS, TARGETS):
        yield (_mixed(start, end, first), end)
    for detour in _detours(start, end):
        yield (*detour, end)
    for detour, first in product(_detours(start, end), (CHASERS, TARGETS)):
        last = TARGETS if first == CHASERS else CHASERS
        done = _mixed(start, end, first)
        before = [_mixed(start, point, first) for point in detour]
        yield (*before, done, *(_mixed(done, point, last) for point in detour), end)


def _detours(start: np.ndarray, end: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
    yield (_mixed(start, end, TURNS),)
    yield (_mixed(end, start, TURNS),)
    for by, axes in product(ASIDE, MOVED):
        aside = np.zeros(len(start))
        aside[axes] = by
        yield (start + aside, end + aside)


def _mixed(one: np.ndarray, other: np.ndarray, axes: slice | list[int]) -> np.ndarray:
    """A posture, with some axes of another."""
    q = one.copy()
    q[axes] = other[axes]
    return q
