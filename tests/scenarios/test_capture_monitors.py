"""What a capture's monitors say, against the same from the true motion: with ideal sensors, no
orbit and nothing that bends, as the laws have it."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid
from scipy.spatial.transform import Rotation

import proxops
from proxops.assembly.describe import describe
from proxops.core.description import MountedArm
from proxops.core.frame import Frame, frame
from proxops.facility.robot_cell.arms import arm_frames
from tests.scenarios.capture_cases import without_actuators

pytestmark = pytest.mark.slow

PERIOD = 0.01  # of the thrusters' pulses [s]
MASS, INERTIA = 1200.0, 850.0  # of the chaser's hub, which turns alike about all axes [kg, kg m2]
SYNCHRONISES = 9.0  # [s]
TURN = 1e-3  # of on-board software [s]
ASIDE, TILT = 0.004, 0.05  # of the flange against the gripper [m, rad]
DRIFT, SPIN = 0.015, 0.6  # of the base along y and about x, beyond the target's [m/s, deg/s]


@cache
def synchronised() -> proxops.Run:
    """Half a degree per second too slow and aside.  Thrusters that do not saturate, and no wheels,
    which would round their torque; pulses are fine, so that the base gets what it is asked for."""
    shipped = proxops.load("envisat-capture")
    fine = {"thrust_N": 30.0, "min_pulse_s": TURN, "rise_s": 0.0, "fall_s": 0.0}
    thrusters = {
        f"chaser.thrusters.{name}.{key}": value
        for name in shipped.mission.chaser.thrusters
        for key, value in fine.items()
    }
    return proxops.simulate(
        shipped.replace(
            thrusters
            | {
                "time.duration_s": 6.0,
                "time.phases.capture.until_s": 6.0,
                "time.record_rate_hz": 200.0,
                "orbit": None,
                "sensors": {},
                "requirements": {},
                "dispersions": {},
                "target.appendages": {},
                "chaser.wheels": {},
                "chaser.mass_kg": MASS,
                "chaser.inertia_kg_m2": (INERTIA * np.eye(3)).tolist(),
                "chaser.p_HC_m": [-5.2, 0.15, -0.1],
                "chaser.w_NC_C_deg_s": [1.0, -1.5, 0.8],
                "obsw.capture.timing.synchronise_s": SYNCHRONISES,
                "obsw.platform.pulse_period_s": PERIOD,
            }
        )
    )


class Offset(NamedTuple):
    """From where the chaser is to where it shall be, in C (n, 3)."""

    e: np.ndarray
    e_rate: np.ndarray
    r: np.ndarray
    r_rate: np.ndarray


def turned(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(q[..., [1, 2, 3, 0]])


@cache
def arm() -> MountedArm:
    """The shipped one."""
    return describe(proxops.load("envisat-capture"))[0].arms[0]


def effector_at(q: np.ndarray) -> Frame:
    """X_CE with the arm's joints at q."""
    return arm_frames([replace(arm(), q=q)])["main"][-1]


def waiting_place(scenario: proxops.Scenario) -> Frame:
    """X_TC from which the arm, as it is at the grasp, would have the grasp point `hold_point_m`
    before it."""
    capture, grapple = scenario.mission.obsw.capture, scenario.mission.target.grapple
    assert capture is not None
    X_TG, X_GE = frame(grapple.p_TG_m, grapple.q_TG), frame(capture.p_GE_m, capture.q_GE)
    out = Frame(np.eye(3), np.array([0.0, 0.0, capture.hold_point_m]))
    X_CE = effector_at(np.radians(capture.q_deg or ()))
    return X_TG @ out @ X_GE @ X_CE.inverse()


def true_offset(run: proxops.Run) -> Offset:
    """The way begins where the chaser is at the start: it knows all at once."""
    place = waiting_place(proxops.Scenario.from_dict(run.provenance["scenario"]))
    t, p_CT = run["relative.p_CT"][0], run["relative.p_CT"][1].copy()
    R_CT, R_NC = turned(run["relative.q_CT"][1]), turned(run["chaser.q_NC"][1])
    w_T, w_C = run["target.w_NT_T"][1], run["chaser.w_NC_C"][1]
    drift = R_NC.inv().apply(run["target.v_HT"][1] - run["chaser.v_HC"][1])
    begins, ends = R_CT[0].inv(), Rotation.from_matrix(place.R)
    p_begin, turn = -begins.apply(p_CT[0]), (begins.inv() * ends).as_rotvec()
    x = (t / SYNCHRONISES)[:, np.newaxis]
    s, s_rate = x**3 * (10.0 - 15.0 * x + 6.0 * x**2), 30.0 * (x - x**2) ** 2 / SYNCHRONISES
    p = p_begin + s * (place.p - p_begin)
    v, w = s_rate * (place.p - p_begin), s_rate * begins.apply(turn)
    return Offset(
        p_CT + R_CT.apply(p),
        drift + R_CT.apply(v + np.cross(w_T, p)),
        (R_CT * begins * Rotation.from_rotvec(s * turn)).as_rotvec(),
        R_CT.apply(w_T + w) - w_C,
    )


def squares(a: np.ndarray) -> np.ndarray:
    return np.asarray(np.sum(a**2, axis=1))


def norms(a: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(a, axis=1))


def gains(run: proxops.Run) -> tuple[float, float]:
    """k_p and k_v, the same for place and turn."""
    capture = proxops.Scenario.from_dict(run.provenance["scenario"]).mission.obsw.capture
    assert capture is not None
    rate, ratio = capture.base.bandwidth_rad_s, capture.base.damping_ratio
    return rate**2, 2.0 * ratio * rate


def test_the_storage_is_that_of_the_true_offset() -> None:
    """½ m (|ė|² + k_p |e|²) + ½ I (|ė_r|² + k_p |e_r|²).  Of a period's pulses navigation knows the
    mean, and they come at its beginning: speeds are off by up to the impulse of a period, and S by
    that times the rates.  In the first turn nothing is noted yet."""
    run = synchronised()
    away, (k_p, _) = true_offset(run), gains(run)
    linear = 0.5 * MASS * (squares(away.e_rate) + k_p * squares(away.e))
    angular = 0.5 * INERTIA * (squares(away.r_rate) + k_p * squares(away.r))
    push, twist = (PERIOD * norms(run[f"obsw.base.{what}"][1]) for what in ("force", "torque"))
    off = push * (norms(away.e_rate) + push / MASS) + twist * (norms(away.r_rate) + twist / INERTIA)
    t, noted = run["obsw.storage"]
    later = t > 0.0
    assert (np.abs(noted - linear - angular) <= off)[later].all()
    # each part is more than that: of speeds at first, of springs later
    assert 3.0 * off[later][0] < min(linear[0], angular[0])
    assert (off < 0.25 * np.minimum(linear, angular))[t > 2.0].all()


def test_the_storage_falls_by_what_the_dampers_take() -> None:
    """S + ∫ k_v (m |ė|² + I |ė_r|²) dt stays.  A wrench acts for a period, half a period late: the
    dampers take k_v times that more or less, 0.5 % of S, and the speeds that pulses stir up within
    a period as much again; a factor of two on top."""
    run = synchronised()
    away, (_, k_v) = true_offset(run), gains(run)
    t, stored = run["obsw.storage"]
    taken = k_v * (MASS * squares(away.e_rate) + INERTIA * squares(away.r_rate))
    kept = stored + cumulative_trapezoid(taken, t, initial=0.0)
    begun = t > 2.0 * PERIOD
    assert np.ptp(kept[begun]) < 0.02 * kept[begun][0]
    assert stored[-1] < 0.05 * stored[begun][0]


@cache
def gripped() -> proxops.Run:
    """Nothing pushes the base, which drifts: the arm makes up for it.  The flange is aside of the
    gripper's middle and tilted, so that fingers shift and turn the end effector."""
    chaser = without_actuators().mission.chaser
    normal = np.array([0.0, np.cos(TILT), np.sin(TILT)])
    more = {
        "p_HC_m": np.array([0.0, ASIDE, 0.0]),
        "v_HC_m_s": np.array([0.0, DRIFT, 0.0]),
        "w_NC_C_deg_s": np.array([SPIN, 0.0, 0.0]),
    }
    return proxops.simulate(
        without_actuators(
            {
                "time.duration_s": 3.5,
                "time.phases.capture.until_s": 3.5,
                "time.record_rate_hz": 1.0 / TURN,
                "obsw.capture.synchronous.rate_deg_s": 2.0,
                "obsw.capture.corridor.rate_deg_s": 2.0,
                "contacts.left.face.normal": normal.tolist(),
                "contacts.right.face.normal": (-normal).tolist(),
            }
            | {f"chaser.{key}": (getattr(chaser, key) + by).tolist() for key, by in more.items()}
        )
    )


class Grip(NamedTuple):
    """From shortly before the first touch until the hold closes."""

    t: np.ndarray
    noted: np.ndarray  # ∫P dt as software has it [J]
    moved: np.ndarray  # ∫P dt from the true motion and forces [J]
    worked: np.ndarray  # the same from the work of contacts and fingers [J]
    slack: float  # [J]


@cache
def grip() -> Grip:
    run = gripped()
    scenario = proxops.Scenario.from_dict(run.provenance["scenario"])
    when = {event.name: event.t_s for event in reversed(run.events)}
    t = run["relative.p_GE"][0]
    rows = np.flatnonzero((t > when["touch-down"] - 0.01) & (t < when["rigidise"]))

    def of(name: str) -> np.ndarray:
        return run[name][1][rows]

    t = t[rows]
    R_TG = turned(np.array(scenario.mission.target.grapple.q_TG))
    R_CT = turned(of("relative.q_CT"))
    R_CE = Rotation.from_matrix([effector_at(q).R for q in of("chaser.arms.main.q")])
    R_GE = (R_CT * R_TG).inv() * R_CE
    # what the target's matter at E does not share of E's motion is the change of E in G
    v_G = np.gradient(of("relative.p_GE"), TURN, axis=0)
    steps = (R_GE[:-1].inv() * R_GE[1:]).as_rotvec() / TURN
    w_E = np.vstack([steps[:1], 0.5 * (steps[1:] + steps[:-1]), steps[-1:]])
    on_target = {side: of(f"contacts.{side}.f") for side in ("left", "right", "palm")}
    f_G = -R_TG.inv().apply(sum(on_target.values()))
    torque_E = of("sensors.wrist")[:, 3:]
    power = np.sum(v_G * f_G, axis=1) + np.sum(w_E * torque_E, axis=1)
    # pads are moved by E, and by their fingers along ∓y of E
    y_T = (R_CT.inv() * R_CE).apply([0.0, 1.0, 0.0])
    of_fingers = sum(
        way * np.sum(on_target[side] * y_T, axis=1) * of(f"chaser.arms.{side}.qd")[:, 0]
        for side, way in (("left", 1.0), ("right", -1.0))
    )
    kinds = ("springs", "dampers", "friction")
    of_pads = np.sum([of(f"ledger.work_contact_{kind}") for kind in kinds], axis=0)
    return Grip(
        t,
        of("obsw.grasp.energy"),
        cumulative_trapezoid(power, t, initial=0.0),
        of_pads - of_pads[0] - cumulative_trapezoid(of_fingers, t, initial=0.0),
        # software sums what was a turn ago; as much for differences of samples
        2.0 * TURN * float(np.abs(power).max()),
    )


def test_the_energy_of_the_grasp_is_force_times_the_motion_that_is_not_shared() -> None:
    found = grip()
    assert np.abs(found.noted - found.moved).max() < found.slack
    assert found.moved[-1] > 10.0 * found.slack


def test_what_the_port_gives_is_what_fingers_put_in_and_pads_did_not_keep() -> None:
    """Work of all contacts = ∫P dt + that on the fingers, whose drives are active: so the end
    effector gains energy, though pads only store and waste it."""
    found = grip()
    assert np.abs(found.noted - found.worked).max() < found.slack
    assert found.worked[-1] > 10.0 * found.slack
