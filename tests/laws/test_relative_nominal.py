"""The nominal motion: free, at a constant rate, and through samples."""

import numpy as np
import pytest

from proxops import plant
from proxops.core.description import (
    CraftDescription,
    OrbitDescription,
    RigidInertia,
    point_inertia,
)
from proxops.core.errors import InputError
from proxops.core.spatial.pose import compose, inverse, log
from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multibody import tree as at
from proxops.physics.relative import entry
from proxops.physics.relative.motion import (
    MOTION_WIDTH,
    RATE,
    SPIN,
    STATE_WIDTH,
    TWIST,
    VELOCITY,
    P,
    Q,
)
from proxops.physics.relative.nominal import Course, Nominal
from proxops.physics.relative.nominal_build import free, from_samples
from proxops.physics.relative.samples import SAMPLE_WIDTH, TIME
from proxops.plant import layout
from proxops.plant.build import start_state
from proxops.plant.step import OK, step
from proxops.plant.workspace import quiet_drive, workspace
from tests.cross.chains import rate_at_zero

# A tumbling box whose centre of mass is off its frame: every term of a free body takes part
BODY = RigidInertia(
    800.0,
    np.array([0.4, -0.2, 0.3]),
    np.array([[700.0, 60.0, -90.0], [60.0, 900.0, 40.0], [-90.0, 40.0, 600.0]]),
)
START = np.array([1.0, -2.0, 0.5, 0.5, 0.5, -0.5, 0.5, 0.1, -0.2, 0.05, 0.3, -0.2, 0.4])
LOW_ORBIT = np.array([3.986e14, 7.0e6, 0.0, 0.0, 0.0, 6.0e3, 4.6e3])


def course_of(nominal: Nominal) -> Course:
    return Course(nominal, np.zeros((1, at.SCRATCH_WIDTH)))


def motion_at(nominal: Nominal, t: float, y: np.ndarray = START) -> np.ndarray:
    motion, rate = np.empty(MOTION_WIDTH), np.empty(STATE_WIDTH)
    entry.nominal_at(course_of(nominal), y, t, rate, motion)
    return motion


def flown(nominal: Nominal, duration: float, steps: int) -> np.ndarray:
    """States (steps + 1, 13) of a free motion."""
    course, stages = course_of(nominal), np.zeros((STAGE_ROWS, STATE_WIDTH))
    y, h = START.copy(), duration / steps
    states = [y.copy()]
    for i in range(steps):
        entry.advance_nominal(course, y, stages, i * h, h)
        states.append(y.copy())
    return np.array(states)


def pose(row: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(row[Q:TWIST].tolist()), tuple(row[P:Q].tolist())


def table(every: int, states: np.ndarray, h: float) -> np.ndarray:
    times = h * np.arange(len(states))
    return np.column_stack([states, times])[::every]


def test_free_motion_keeps_momentum_and_energy() -> None:
    """Of a body whose frame is not at its centre of mass.  RK4 at 0.01 s and 0.6 rad/s errs by
    (0.006)⁴/120 = 1e-11 a radian."""
    states = flown(free(BODY), 10.0, 1000)
    about_com = BODY.inertia - point_inertia(BODY.mass, BODY.com)
    momenta, energies = [], []
    for y in states[::100]:
        motion = motion_at(free(BODY), 0.0, y)
        v, w = motion[TWIST : TWIST + 3], motion[TWIST + 3 : RATE]
        q_w, q_v = y[Q], y[Q + 1 : Q + 4]
        v_com, spin = v + np.cross(w, BODY.com), about_com @ w
        turned = [x + 2.0 * np.cross(q_v, np.cross(q_v, x) + q_w * x) for x in (v_com, spin)]
        momenta.append(np.concatenate(turned))
        energies.append(0.5 * (BODY.mass * v_com @ v_com + w @ spin))
    np.testing.assert_allclose(momenta, np.tile(momenta[0], (len(momenta), 1)), rtol=1e-9)
    np.testing.assert_allclose(energies, energies[0], rtol=1e-9)


def test_free_motion_is_integrated_to_fourth_order() -> None:
    ends = [flown(free(BODY), 4.0, steps)[-1] for steps in (20, 40, 320)]
    coarse, fine = (np.abs(end - ends[-1]).max() for end in ends[:2])
    assert coarse / fine == pytest.approx(16.0, rel=0.1)


def test_the_tide_makes_the_nominal_motion_fall_along_its_own_orbit() -> None:
    """A body 30 m off O, at rest relative to it, against the difference of two Kepler orbits."""
    still = START.copy()
    still[P:Q], still[VELOCITY:] = [30.0, -10.0, 20.0], 0.0
    ball = RigidInertia(10.0, np.zeros(3), np.eye(3))
    course, stages = course_of(free(ball, LOW_ORBIT)), np.zeros((STAGE_ROWS, STATE_WIDTH))
    for i in range(200):
        entry.advance_nominal(course, still, stages, 0.5 * i, 0.5)
    # its own orbit less that of O, integrated apart in absolute terms; 7e6 m cost 1e-9 m each
    mu, R0, V0 = LOW_ORBIT[0], LOW_ORBIT[1:4], LOW_ORBIT[4:]

    def absolute(x: np.ndarray) -> np.ndarray:
        for _ in range(200):
            k1 = rates(x)
            k2 = rates(x + 0.25 * k1)
            k3 = rates(x + 0.25 * k2)
            k4 = rates(x + 0.5 * k3)
            x = x + 0.5 / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
        return x

    def rates(x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[3:], -mu * x[:3] / np.linalg.norm(x[:3]) ** 3])

    off = np.concatenate([[30.0, -10.0, 20.0], np.zeros(3)])
    apart = absolute(np.concatenate([R0, V0]) + off) - absolute(np.concatenate([R0, V0]))
    np.testing.assert_allclose(still[P:Q], apart[:3], rtol=0.0, atol=1e-6)


def test_one_sample_is_motion_at_a_constant_rate() -> None:
    """Straight on in O, turning at one rate in body axes, before and after the sample."""
    nominal = from_samples(np.append(START, 2.0)[np.newaxis])
    for t in (-3.0, 2.0, 11.0):
        motion, dt = motion_at(nominal, t), t - 2.0
        np.testing.assert_allclose(motion[P:Q], START[P:Q] + dt * START[VELOCITY:SPIN], atol=1e-14)
        turn = log(compose(inverse(pose(START)), pose(motion)))[1]
        angle = dt * np.linalg.norm(START[SPIN:])
        expected = (
            START[SPIN:] / np.linalg.norm(START[SPIN:]) * ((angle + np.pi) % (2.0 * np.pi) - np.pi)
        )
        np.testing.assert_allclose(turn, expected, atol=1e-14)
        np.testing.assert_allclose(motion[TWIST + 3 : RATE], START[SPIN:])
        np.testing.assert_allclose(
            motion[RATE:],
            np.concatenate(
                [-np.cross(motion[TWIST + 3 : RATE], motion[TWIST : TWIST + 3]), np.zeros(3)]
            ),
            atol=1e-15,
        )


def test_sampled_motion_meets_its_samples_from_both_sides() -> None:
    states = flown(free(BODY), 4.0, 40)
    nominal = from_samples(table(10, states, 0.1))
    for i, state in enumerate(states[10:40:10], start=1):
        exact = motion_at(free(BODY), 0.0, state)
        for t in (i - 1e-13, i + 1e-13):
            motion = motion_at(nominal, t)
            motion[Q:TWIST] *= np.sign(motion[Q:TWIST] @ exact[Q:TWIST])
            np.testing.assert_allclose(motion[:RATE], exact[:RATE], rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("t", [0.13, 1.5, 2.97])
def test_sampled_twist_and_rate_are_derivatives_of_the_sampled_pose(t: float) -> None:
    """Eighth order over 4 × 5 ms, as for the command: 1e-11."""
    nominal = from_samples(table(10, flown(free(BODY), 4.0, 40), 0.1))
    now = motion_at(nominal, t)
    start = inverse(pose(now))

    def moved(s: float) -> np.ndarray:
        return np.concatenate(log(compose(start, pose(motion_at(nominal, t + s)))))

    np.testing.assert_allclose(rate_at_zero(moved, 5e-3), now[TWIST:RATE], atol=1e-11)
    found = rate_at_zero(lambda s: motion_at(nominal, t + s)[TWIST:RATE], 5e-3)
    np.testing.assert_allclose(found, now[RATE:], atol=1e-11)


def test_sampled_motion_converges_as_fourth_third_and_second_order() -> None:
    """Pose, twist and twist rate, against the motion that was sampled: halving the distance of
    samples divides the error by 16, 8 and 4."""
    h = 0.01
    states = flown(free(BODY), 8.0, 800)

    def errors(every: int) -> np.ndarray:
        nominal, worst = from_samples(table(every, states, h)), np.zeros(3)
        for i in range(0, 800, 10):
            exact, found = motion_at(free(BODY), 0.0, states[i]), motion_at(nominal, i * h)
            off = log(compose(inverse(pose(exact)), pose(found)))
            worst = np.maximum(
                worst,
                [
                    np.abs(off).max(),
                    np.abs(found - exact)[TWIST:RATE].max(),
                    np.abs(found - exact)[RATE:].max(),
                ],
            )
        return worst

    np.testing.assert_allclose(errors(160) / errors(80), [16.0, 8.0, 4.0], rtol=0.25)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({(1, TIME): 0.0}, "time does not grow after row 0"),
        ({(1, Q): 2.0}, "the quaternion of row 1 has length"),
        ({(0, P): np.nan}, "row 0 has a number that is not finite"),
    ],
)
def test_samples_that_are_no_motion_are_refused(
    change: dict[tuple[int, int], float], message: str
) -> None:
    samples = table(10, flown(free(BODY), 1.0, 10), 0.1)
    for place, value in change.items():
        samples[place] = value
    with pytest.raises(InputError, match=message):
        from_samples(samples)


def test_a_table_of_another_shape_is_refused() -> None:
    with pytest.raises(InputError, match=rf"need \(n, {SAMPLE_WIDTH}\)"):
        from_samples(np.zeros((0, SAMPLE_WIDTH)))


def test_the_nominal_motion_of_an_untouched_target_is_the_plants_own_in_orbit() -> None:
    """Tide included: 20 s in which the laboratory's target stands still, to rounding."""
    far, upright, still = np.array([0.0, 9.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
    about_com = BODY.inertia - point_inertia(BODY.mass, BODY.com)
    target = CraftDescription(BODY.mass, about_com, still, still, START[Q:VELOCITY], START[SPIN:])
    other = CraftDescription(1.0, np.eye(3), far, still, upright, still)
    sky = OrbitDescription(LOW_ORBIT[0], LOW_ORBIT[1:4], LOW_ORBIT[4:])
    model = plant.build(other, target, sky)
    y, work, drive = start_state(model, other, target), workspace(model), quiet_drive(model)
    part = layout.slices(model).target
    nominal = free(RigidInertia(BODY.mass, still, about_com), model.orbit)
    course, stages = course_of(nominal), np.zeros((STAGE_ROWS, STATE_WIDTH))
    state = y[part][:STATE_WIDTH].copy()
    for i in range(1000):
        assert step(model, drive, work, y, 0.02 * i, 0.02) == OK
        entry.advance_nominal(course, state, stages, 0.02 * i, 0.02)
    # the turn by the gravity gradient alone is 1e-4 rad
    np.testing.assert_allclose(state, y[part][:STATE_WIDTH], rtol=0.0, atol=1e-14)
