"""What a capture foresees before it begins: the force of following, when it is synchronous, how
near its way passes; and where it departs to."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from tests.laws.capture_cases import Body, frame_of, relative_between
from tests.laws.written import written

import proxops
from proxops.assembly.capture import capture_of
from proxops.core.frame import Frame
from proxops.onboard.functions.capture import departure, modes
from proxops.onboard.functions.capture.cycle import Capture
from proxops.onboard.functions.capture.forecast import (
    RESERVE,
    Forecast,
    exceeded,
    following,
    foresee,
    lay_trajectories,
    least_distance,
    rigid,
)
from proxops.onboard.functions.capture.modes import HIDDEN, NO_REASON, RIGIDISE, TOO_FAST, TOO_SLOW
from proxops.onboard.functions.capture.parameters import get_pose
from proxops.onboard.functions.capture.relative_state import Instant, RelativeState
from proxops.onboard.functions.capture.trajectory import (
    PATH_WIDTH,
    TrajectoryPoint,
    along,
    put_path,
)
from proxops.physics.multibody.kinematics import move
from proxops.physics.multibody.tree import scratch_for

ZERO = (0.0, 0.0, 0.0)
LEVEL = (1.0, 0.0, 0.0, 0.0)
NOW = 2.0  # [s]


@pytest.fixture(scope="module")
def params() -> Capture:
    scenario = proxops.load("envisat-capture")
    capture = scenario.mission.obsw.capture
    assert capture is not None
    return capture_of(scenario, capture)


def stiff(params: Capture) -> tuple:
    """Blocks of the chaser's inertia, its arm as modelled at zero."""
    tree = params.belief.chaser
    q = np.zeros(len(tree.topology))
    scratch = scratch_for(tree)
    written(move)(tree, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), q, q, scratch)
    return written(rigid)(tree, scratch)


def waiting(params: Capture) -> Frame:
    """X_TC at the waiting place: farther out along z of G."""
    stand = frame_of(written(get_pose)(params.plan.stand))
    z = frame_of(written(get_pose)(params.belief.grapple)).R[:, 2]
    return Frame(stand.R, stand.p + params.plan.hold_point * z)


def spinning(params: Capture, w: np.ndarray, off: np.ndarray, slip: np.ndarray) -> RelativeState:
    """A chaser at rest in T at the waiting place, but for a distance and a velocity."""
    com = params.belief.target_com
    target = Body(Frame(np.eye(3), -com), -np.cross(w, com), w)
    X_TC = waiting(params)
    p = target.X.p + X_TC.p + off
    chaser = Body(Frame(X_TC.R, p), np.cross(w, p) + slip, X_TC.R.T @ w)
    return relative_between(chaser, target)


def foreseen(params: Capture, relative: RelativeState) -> Forecast:
    trajectories = np.zeros(PATH_WIDTH), np.zeros(PATH_WIDTH)
    written(lay_trajectories)(params.belief, params.plan, relative, (0.0, NOW), trajectories)
    return written(foresee)(params.belief, params.plan, stiff(params), relative, trajectories)


def test_following_a_spin_about_a_principal_axis_takes_m_w2_r() -> None:
    """Inward, about the target's centre of mass, and no torque."""
    m, w, r, com = 1200.0, 0.05, 5.0, (0.4, 0.0, 0.0)
    belief = SimpleNamespace(
        target_inertia=np.array([2.0, 9.0, 8.0, 0.0, 0.0, 0.0]), target_com=np.array(com)
    )
    mass = (m, m, m, 0.0, 0.0, 0.0), (0.0,) * 9, (600.0, 900.0, 800.0, 0.0, 0.0, 0.0)
    place = TrajectoryPoint((LEVEL, (0.4 - r, 0.0, 0.0)), ZERO, ZERO, ZERO, ZERO)
    f, t = written(following)(belief, mass, (0.0, w, 0.0), place)
    assert f == pytest.approx((m * w**2 * r, 0.0, 0.0), rel=1e-12)
    assert t == pytest.approx(ZERO, abs=1e-12)


def test_a_chaser_with_an_offset_centre_of_mass_is_drawn_there() -> None:
    m, w, r, c = 1200.0, 0.05, 5.0, 0.3
    belief = SimpleNamespace(
        target_inertia=np.array([2.0, 9.0, 8.0, 0.0, 0.0, 0.0]), target_com=np.zeros(3)
    )
    coupling = (0.0, 0.0, 0.0, 0.0, 0.0, m * c, 0.0, -m * c, 0.0)  # -m [c]×
    mass = (m, m, m, 0.0, 0.0, 0.0), coupling, (600.0, 900.0, 800.0, 0.0, 0.0, 0.0)
    place = TrajectoryPoint((LEVEL, (-r, 0.0, 0.0)), ZERO, ZERO, ZERO, ZERO)
    f, _ = written(following)(belief, mass, (0.0, w, 0.0), place)
    assert f == pytest.approx((m * w**2 * (r - c), 0.0, 0.0), rel=1e-12)


def test_the_force_of_a_capture_is_that_of_its_trajectories_in_a_turning_frame(
    params: Capture,
) -> None:
    """About y, which is nearly principal: m |r̈ - w² r| of the chaser's centre of mass at its most.
    Forecast in steps of 0.1 s, products of inertia left out: 1 %."""
    w = np.radians(2.5)
    found = foreseen(params, spinning(params, np.array([0.0, -w, 0.0]), np.zeros(3), np.zeros(3)))
    near, mass = params.plan.timing.near, stiff(params)
    t = np.linspace(0.0, near, 2001)
    sigma = t / near
    s = 10 * sigma**3 - 15 * sigma**4 + 6 * sigma**5
    m = mass[0][0]
    x = (
        waiting(params).p[0]
        - params.belief.target_com[0]
        + mass[1][5] / m
        + params.plan.hold_point * s
    )
    bend = params.plan.hold_point * (60 * sigma - 180 * sigma**2 + 120 * sigma**3) / near**2
    force = m * np.abs(bend - w**2 * x)
    assert found.force == pytest.approx(force.max(), rel=0.01)
    # four thrusters of 10 N push along x, less the reserve; a little torque takes some of them
    assert found.max_force == pytest.approx(40.0 * (1.0 - RESERVE), rel=0.1)
    arrives = params.plan.timing.synchronise
    assert arrives < found.when < arrives + 0.5 * near  # while it speeds up inward
    # its loop decays as exp(-k_v t/2)
    assert found.in_time == pytest.approx(arrives - 2.0 / params.plan.base.speed)


@pytest.mark.parametrize(
    ("rate", "off", "slip", "reason"),
    [
        ((0.0, -2.5, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), NO_REASON),
        ((0.0, -3.0, 0.0), (-0.05, 0.1, 0.1), (0.02, 0.02, -0.03), NO_REASON),
        ((0.0, -4.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), TOO_FAST),
        ((2.8, 0.0, 4.1), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), TOO_FAST),
        ((5.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), NO_REASON),  # about the line of sight
        ((0.0, -1.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.3), TOO_SLOW),
        ((0.0, -0.2, 0.0), (-0.3, 2.0, 0.0), (0.0, 0.0, 0.0), TOO_SLOW),
    ],
)
def test_a_capture_begins_where_it_can_follow(
    params: Capture,
    rate: tuple[float, ...],
    off: tuple[float, ...],
    slip: tuple[float, ...],
    reason: int,
) -> None:
    relative = spinning(params, np.radians(rate), np.array(off), np.array(slip))
    assert written(exceeded)(foreseen(params, relative))[0] == reason


def test_each_bound_is_named_with_its_value_and_its_limit() -> None:
    good = Forecast(30.0, 36.0, 9.0, 8.0, 9.0, 5.4, 5.0)
    assert written(exceeded)(good)[0] == NO_REASON
    assert written(exceeded)(good._replace(force=36.1)) == (TOO_FAST, 36.1, 36.0)
    assert written(exceeded)(good._replace(settles=9.1)) == (TOO_SLOW, 9.1, 9.0)
    assert written(exceeded)(good._replace(passes=4.9)) == (HIDDEN, 4.9, 5.0)
    # of what cannot be foreseen, nothing is within its bound
    assert written(exceeded)(good._replace(force=np.nan))[0] == TOO_FAST


def test_the_least_distance_of_a_straight_trajectory() -> None:
    path = np.zeros(PATH_WIDTH)
    for ends, least in (
        (((3.0, 4.0, 0.0), (-3.0, 4.0, 0.0)), 4.0),
        (((3.0, 4.0, 0.0), (2.0, 4.0, 0.0)), np.hypot(2.0, 4.0)),
        (((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)), 1.0),
    ):
        written(put_path)(path, (0.0, 1.0), (LEVEL, ends[0]), (LEVEL, ends[1]))
        shifted = np.array(ends) + 1.0
        assert written(least_distance)(path, ZERO) == pytest.approx(least)
        written(put_path)(path, (0.0, 1.0), (LEVEL, tuple(shifted[0])), (LEVEL, tuple(shifted[1])))
        assert written(least_distance)(path, (1.0, 1.0, 1.0)) == pytest.approx(least)
        assert written(along)(path, 0.5).X[1] == pytest.approx(tuple(shifted.mean(axis=0)))


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_departure_leads_outward_and_out_of_the_plane_that_is_swept(side: float) -> None:
    """From the target's centre of mass, along its angular momentum, to the side it drifts to."""
    com, w = (0.4, 0.0, 0.0), np.array([0.0, 0.08, 0.0])
    target = Body(Frame(np.eye(3), -np.array(com)), -np.cross(w, com), w)
    R = Rotation.from_rotvec([0.3, -0.5, 0.2]).as_matrix()
    chaser = Body(
        Frame(R, np.array([-5.0, 0.0, 0.0])), np.array([0.0, 0.01 * side, 0.2]), np.ones(3)
    )
    relative = relative_between(chaser, target)
    inertia = (2.0, 9.0, 8.0, 0.0, 0.0, 0.0)
    d = R @ written(departure.direction)(inertia, com, relative)
    assert d == pytest.approx(np.array([-1.0, side, 0.0]) / np.sqrt(2.0), abs=1e-12)


@given(st.floats(-90.0, 90.0), st.floats(-2.0, 2.0))
def test_a_departure_never_leads_inward(latitude: float, drift: float) -> None:
    """Wherever about the angular momentum the chaser is, and however fast it drifts along it."""
    w = np.array([0.0, 0.08, 0.0])
    target = Body(Frame(np.eye(3), np.zeros(3)), np.zeros(3), w)
    place = 5.0 * np.array([np.cos(np.radians(latitude)), np.sin(np.radians(latitude)), 0.0])
    chaser = Body(Frame(np.eye(3), place), np.array([0.0, drift, 0.0]), np.zeros(3))
    relative = relative_between(chaser, target)
    d = written(departure.direction)((2.0, 9.0, 8.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), relative)
    assert np.linalg.norm(d) == pytest.approx(1.0)
    assert d @ place >= 0.5 * 5.0 - 1e-9


def test_a_departure_keeps_its_direction_while_the_chaser_turns(params: Capture) -> None:
    """Explicit steps h make what is across w longer by |w|² h t/2 = 8.5e-5 in 4 s at 1 kHz; its
    length being taken out, d is off by no more than that."""
    relative = spinning(params, np.radians([0.0, 5.0, 0.0]), np.zeros(3), np.zeros(3))
    relative = relative._replace(w_C=(0.1, -0.1, 0.15))
    memory = np.zeros(modes.SETPOINT)
    n = len(params.belief.chaser.topology)

    def at(t: float) -> Instant:
        return Instant(t, relative, np.zeros(n), np.zeros(n), 0.0, np.zeros(6), 0, 0.0, 0, RIGIDISE)

    written(departure.set_out)(params.belief, memory, at(0.0))
    before = memory[modes.OUTWARD : modes.OUTWARD + 3].copy()
    for i in range(1, 4001):
        written(departure.hold_outward)(memory, at(1e-3 * i))
    turned = Rotation.from_rotvec(4.0 * np.array(relative.w_C)).as_matrix()
    after = turned @ memory[modes.OUTWARD : modes.OUTWARD + 3]
    assert after == pytest.approx(before, abs=8.5e-5)
    assert np.linalg.norm(before) == pytest.approx(1.0)


def test_a_departure_burns_until_it_has_its_speed(params: Capture) -> None:
    relative = spinning(params, np.radians([0.0, 5.0, 0.0]), np.zeros(3), np.zeros(3))
    memory = np.zeros(modes.SETPOINT)
    n = len(params.belief.chaser.topology)
    now = Instant(NOW, relative, np.zeros(n), np.zeros(n), 0.0, np.zeros(6), 0, 0.0, 0, RIGIDISE)
    written(departure.set_out)(params.belief, memory, now)
    push, lasts = memory[modes.PUSH], memory[modes.BURNT] - NOW
    assert push * lasts == pytest.approx(departure.SPEED)
    a, alpha = written(departure.departing)(memory, relative.w_C, NOW)
    assert np.linalg.norm(a) == pytest.approx(push)
    assert alpha == pytest.approx(tuple(-departure.DAMPING * x for x in relative.w_C))
    assert written(departure.departing)(memory, relative.w_C, NOW + lasts)[0] == ZERO
