"""A chaser that follows a place on a tumbling target, in closed loop and with exact knowledge."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from proxops.core.frame import Frame
from proxops.onboard.functions.capture.base_tracking import (
    TrackingGains,
    offset,
    wanted_acceleration,
)
from proxops.onboard.functions.capture.monitor import base_storage
from proxops.onboard.functions.capture.trajectory import FROM_Q, TO_Q, along
from proxops.physics.multibody import tree as at
from tests.laws.capture_cases import Body, frame_of, random_body, random_path, relative_between
from tests.laws.plants import rotation
from tests.laws.written import written

GAINS = TrackingGains(place=0.25, speed=0.9, rotation=0.36, rate=1.1)
BEGIN, LASTS = 1.0, 6.0
END = 8.0
# The integrator's steps are right to 1e-11 of metres, some hundred of them; times ten.
INTEGRATED = 1e-8


class Target(NamedTuple):
    """A free body that tumbles; its centre of mass moves evenly."""

    inertia: np.ndarray  # (3, 3) about its centre of mass [kg m2]
    com: np.ndarray  # from To, in T [m]
    at_start: Body


class Flight(NamedTuple):
    """A closed loop of target and chaser, as it went."""

    at: Callable[[float], tuple[Body, Body, float]]  # chaser, target, what was taken out [J]
    path: np.ndarray

    def offset(self, t: float):
        """What the software sees of its error, in C."""
        chaser, target, _ = self.at(t)
        return written(offset)(relative_between(chaser, target), written(along)(self.path, t))


def random_target(rng: np.random.Generator) -> Target:
    """A box of two tonnes with three different axes, in no axes of its own, 5 deg/s and more."""
    R = rotation(rng)
    inertia = R @ np.diag([900.0, 2000.0, 2600.0]) @ R.T
    start = random_body(rng)
    return Target(inertia, rng.uniform(-1.0, 1.0, 3), start)


def six(matrix: np.ndarray) -> tuple[float, ...]:
    return tuple(matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])


def hub(mass: float, inertia: np.ndarray) -> np.ndarray:
    """As a row of a tree."""
    row = np.zeros((1, at.BODY_WIDTH))
    row[0, at.MASS] = mass
    row[0, at.INERTIA : at.INERTIA + 6] = six(inertia)
    return row


def fly(target: Target, chaser: Body, path: np.ndarray, unit: float = 1.0) -> Flight:
    """The inertia is told in another unit."""
    I, c = target.inertia, target.com
    v_com = target.at_start.v + target.at_start.X.R @ np.cross(target.at_start.w, c)
    com = target.at_start.X.p + target.at_start.X.R @ c
    mass, J = 500.0, 300.0  # of a chaser that turns alike about all axes

    def bodies(t: float, y: np.ndarray) -> tuple[Body, Body]:
        R_T, w_T, R_C, w_C = y[:9].reshape(3, 3), y[9:12], y[12:21].reshape(3, 3), y[21:24]
        p = com + t * v_com - R_T @ c
        moving = Body(Frame(R_T, p), v_com - R_T @ np.cross(w_T, c), w_T)
        return Body(Frame(R_C, y[24:27]), y[27:30], w_C), moving

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        chaser, moving = bodies(t, y)
        relative, trajectory = relative_between(chaser, moving), written(along)(path, t)
        body = tuple(unit * x for x in six(I)), tuple(c)
        a, alpha = written(wanted_acceleration)(body, relative, trajectory, GAINS)
        away = written(offset)(relative, trajectory)
        e_rate, r_rate = np.array(away.speed), np.array(away.rate)
        return np.concatenate([
            (moving.X.R @ np.cross(np.eye(3), moving.w)).ravel(),
            np.linalg.solve(I, -np.cross(moving.w, I @ moving.w)),
            (chaser.X.R @ np.cross(np.eye(3), chaser.w)).ravel(),
            alpha,
            chaser.v,
            chaser.X.R @ a,
            [GAINS.speed * mass * e_rate @ e_rate + GAINS.rate * J * r_rate @ r_rate],
        ])  # fmt: skip

    start = [target.at_start.X.R.ravel(), target.at_start.w, chaser.X.R.ravel(), chaser.w]
    y = np.concatenate([*start, chaser.X.p, chaser.v, [0.0]])
    flown = solve_ivp(
        rate, (0.0, END), y, method="DOP853", rtol=1e-11, atol=1e-12, dense_output=True
    )

    def at_time(t: float) -> tuple[Body, Body, float]:
        y = flown.sol(t)
        return *bodies(t, y), float(y[-1])

    return Flight(at_time, path)


def on_the_trajectory(target: Body, path: np.ndarray) -> Body:
    """A chaser that is at rest in T where the way begins."""
    X = target.X @ frame_of(written(along)(path, 0.0).X)
    v = target.v + target.X.R @ np.cross(target.w, target.X.R.T @ (X.p - target.X.p))
    return Body(X, v, X.R.T @ target.X.R @ target.w)


def second_order(t: float, k_p: float, k_v: float) -> tuple[float, float]:
    """What is left of an offset and of its rate in ë + k_v ė + k_p e = 0, underdamped."""
    decay, w = 0.5 * k_v, np.sqrt(k_p - 0.25 * k_v**2)
    fall = np.exp(-decay * t)
    return fall * (np.cos(w * t) + decay / w * np.sin(w * t)), fall * np.sin(w * t) / w


@pytest.mark.parametrize("seed", range(3))
def test_who_is_on_the_trajectory_stays_on_it_whatever_the_target_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    target, path = random_target(rng), random_path(rng, BEGIN, LASTS)
    flight = fly(target, on_the_trajectory(target.at_start, path), path, unit=1e-3)
    for t in (0.0, 3.0, 5.0, END):
        assert np.abs(flight.offset(t)).max() < INTEGRATED


@pytest.mark.parametrize("seed", range(3))
def test_an_offset_of_place_falls_as_the_gains_have_it(seed: int) -> None:
    """ë + k_v ė + k_p e = 0 in N, whatever turns meanwhile."""
    rng = np.random.default_rng(seed)
    target, path = random_target(rng), random_path(rng, BEGIN, LASTS)
    chaser = random_body(rng)
    flight = fly(target, chaser, path)
    away = flight.offset(0.0)
    e, e_rate = chaser.X.R @ away.place, chaser.X.R @ away.speed
    for t in (0.5, 2.0, 4.5, END):
        left, caught = second_order(t, GAINS.place, GAINS.speed)
        found = flight.at(t)[0].X.R @ flight.offset(t).place
        assert found == pytest.approx(left * e + caught * e_rate, abs=INTEGRATED)


def test_an_offset_of_attitude_about_one_axis_falls_as_the_gains_have_it() -> None:
    """Target and chaser turn about one axis, which is principal: ë + k_w ė + k_r e = 0."""
    rng = np.random.default_rng(3)
    target = random_target(rng)
    axis = np.linalg.eigh(target.inertia)[1][:, 1]
    target = target._replace(at_start=target.at_start._replace(w=0.08 * axis))
    path = random_path(rng, BEGIN, LASTS)
    path[TO_Q : TO_Q + 4] = path[FROM_Q : FROM_Q + 4]  # no turn under way
    chaser = on_the_trajectory(target.at_start, path)
    in_C = chaser.X.R.T @ target.at_start.X.R @ axis
    turned = chaser._replace(w=0.6 * in_C).after(1.0).X.R
    late = Body(Frame(turned, chaser.X.p), chaser.v, chaser.w + 0.05 * in_C)
    flight = fly(target, late, path)
    for t in (0.0, 1.0, 3.0, END):
        left, caught = second_order(t, GAINS.rotation, GAINS.rate)
        assert flight.offset(t).rotation == pytest.approx(
            (-0.6 * left - 0.05 * caught) * in_C, abs=INTEGRATED
        )


@pytest.mark.parametrize("seed", range(3))
def test_the_base_storage_falls_by_what_its_dampers_take(seed: int) -> None:
    """S + ∫ (k_v m |ė|² + k_w J |ė_r|²) dt stays, for a chaser that turns alike about all axes."""
    rng = np.random.default_rng(seed)
    target, path = random_target(rng), random_path(rng, BEGIN, LASTS)
    near = on_the_trajectory(target.at_start, path)
    chaser = Body(
        Frame(near._replace(w=rng.uniform(-1, 1, 3)).after(1.0).X.R, near.X.p + 0.3),
        near.v + rng.uniform(-0.1, 0.1, 3),
        near.w + rng.uniform(-0.1, 0.1, 3),
    )
    flight = fly(target, chaser, path)
    whole = hub(500.0, 300.0 * np.eye(3))

    def stored(t: float) -> float:
        return float(written(base_storage)(whole, GAINS, flight.offset(t)))

    for t in (0.5, 2.0, 5.0, END):
        # errors of the integrator times the storage's own slope
        assert stored(t) + flight.at(t)[2] == pytest.approx(stored(0.0), rel=INTEGRATED)
    assert stored(END) < 0.2 * stored(0.0)


def test_storage_counts_every_axis_of_the_inertia() -> None:
    """½ (m |ė|² + m k_p |e|² + ė_rᵀ I ė_r + k_r e_rᵀ I e_r)."""
    rng = np.random.default_rng(5)
    R = rotation(rng)
    I = R @ np.diag([300.0, 500.0, 700.0]) @ R.T
    chaser, target = random_body(rng), random_body(rng)
    path = random_path(rng, BEGIN, LASTS)
    away = written(offset)(relative_between(chaser, target), written(along)(path, 2.0))
    e, e_rate, r, r_rate = (np.array(part) for part in away)
    expected = 250.0 * (e_rate @ e_rate + GAINS.place * e @ e)
    expected += 0.5 * (r_rate @ I @ r_rate + GAINS.rotation * r @ I @ r)
    found = written(base_storage)(hub(500.0, I), GAINS, away)
    assert found == pytest.approx(expected, rel=1e-13)
