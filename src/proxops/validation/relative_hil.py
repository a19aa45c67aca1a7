"""The unforced experiment on the virtual facility, compared with an engine of its own.

Both bodies are free and rigid there (the arm is held still), in absolute terms and NumPy: Euler's
equations and straight lines.  Nothing is shared with the plant or the facility.
"""

from functools import cache

import numpy as np

from proxops.assembly.describe import describe
from proxops.assembly.facility import load_facility, start_pose
from proxops.core.description import RigidInertia
from proxops.core.frame import Frame, rotation_of
from proxops.facility.robot_cell.arms import links_of
from proxops.rehearsal import on_facility
from proxops.results.fidelity import difference
from proxops.results.run import Run
from proxops.scenario.load import Scenario, load

Pair = tuple[np.ndarray, np.ndarray]

MISSION, FACILITY = "envisat-unforced", "oos-sim"
STEP = 0.005  # [s]; RK4 at 1 deg/s errs by 1e-13 rad


@cache
def experiment() -> tuple[Scenario, Run]:
    """The mission rehearsed relative to the target's unforced motion."""
    scenario = load(MISSION)
    return scenario, on_facility(scenario, load_facility(FACILITY), "relative").run()


def free_body(body: RigidInertia, pose: Frame, v: np.ndarray, w: np.ndarray, t: np.ndarray) -> Pair:
    """(p_NB, R_NB) at times t of a free rigid body's frame B, whose origin moves with v at first;
    w in B."""
    I = body.inertia - body.mass * (body.com @ body.com * np.eye(3) - np.outer(body.com, body.com))
    R, spin = pose.R.copy(), w.copy()
    centre = pose.p + R @ body.com
    drift = v + R @ np.cross(w, body.com)
    places, attitudes, now = [], [], 0.0
    for instant in t:
        steps = max(1, round((instant - now) / STEP)) if instant > now else 0
        for _ in range(steps):
            h = (instant - now) / steps
            R, spin = _turned(I, R, spin, h)
        now = instant
        places.append(centre + drift * instant - R @ body.com)
        attitudes.append(R)
    return np.array(places), np.array(attitudes)


def _turned(I: np.ndarray, R: np.ndarray, w: np.ndarray, h: float) -> Pair:
    """(R, w) a step h later: RK4 of Ṙ = R [w]×, I ẇ = I w × w."""

    def rates(R: np.ndarray, w: np.ndarray) -> Pair:
        x, y, z = w
        turn = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return R @ turn, np.linalg.solve(I, np.cross(I @ w, w))

    k1 = rates(R, w)
    k2 = rates(R + 0.5 * h * k1[0], w + 0.5 * h * k1[1])
    k3 = rates(R + 0.5 * h * k2[0], w + 0.5 * h * k2[1])
    k4 = rates(R + h * k3[0], w + h * k3[1])
    R = R + h / 6.0 * (k1[0] + 2.0 * (k2[0] + k3[0]) + k4[0])
    w = w + h / 6.0 * (k1[1] + 2.0 * (k2[1] + k3[1]) + k4[1])
    u, _, v = np.linalg.svd(R)
    return u @ v, w


@cache
def flown() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, p_CT in C and R_CT of the engine of its own."""
    scenario, run = experiment()
    chaser, target, _ = describe(scenario)
    t = run.rows[:, 0]
    base = RigidInertia(chaser.mass, np.zeros(3), chaser.inertia)
    for link in links_of(chaser.arms):
        base = base.joined(link)
    hub = RigidInertia(target.mass, np.zeros(3), target.inertia)
    p_C, R_C = free_body(base, Frame(rotation_of(chaser.q_N), chaser.p_H), chaser.v_H, chaser.w, t)
    p_T, R_T = free_body(hub, Frame(rotation_of(target.q_N), target.p_H), target.v_H, target.w, t)
    p_CT = np.einsum("nji,nj->ni", R_C, p_T - p_C)
    return t, p_CT, np.einsum("nji,njk->nik", R_C, R_T)


def shown() -> tuple[np.ndarray, np.ndarray]:
    """p_CT in C and R_CT as the mock-ups show them."""
    _, run = experiment()
    R_LC, R_LT = (_rotations(run[name][1]) for name in ("lab.q_LCl", "lab.q_LTl"))
    apart = run["lab.p_LTl"][1] - run["lab.p_LCl"][1]
    return np.einsum("nji,nj->ni", R_LC, apart), np.einsum("nji,njk->nik", R_LC, R_LT)


def hil_position() -> float:
    """Largest difference of relative position, time-aligned [mm]."""
    t, ours, _ = flown()
    return 1e3 * difference("", "m", t, ours, shown()[0]).aligned


def hil_angle() -> float:
    """Largest angle between the relative attitudes [rad]."""
    return _largest_angle(flown()[2], shown()[1])


def star_tracker() -> float:
    """Largest angle between the chaser's attitude in orbit and the one that the mapping (23) makes
    of where its robot is [rad]."""
    scenario, run = experiment()
    R_LM = start_pose(load_facility(FACILITY).facility, scenario).R
    R_NM, R_LC = _rotations(run["nominal.q_NN"][1]), _rotations(run["lab.q_LCl"][1])
    seen = np.einsum("nij,jk,nkl->nil", R_NM, R_LM.T, R_LC)
    return _largest_angle(_rotations(run["chaser.q_NC"][1]), seen)


def _rotations(quaternions: np.ndarray) -> np.ndarray:
    return np.asarray(np.moveaxis(rotation_of(tuple(quaternions.T)), -1, 0))


def _largest_angle(A: np.ndarray, B: np.ndarray) -> float:
    turned = np.einsum("nji,njk->nik", A, B)
    sine = np.linalg.norm(turned - np.swapaxes(turned, 1, 2), axis=(1, 2)) / np.sqrt(8.0)
    cosine = 0.5 * (np.trace(turned, axis1=1, axis2=2) - 1.0)
    return float(np.arctan2(sine, cosine).max())
