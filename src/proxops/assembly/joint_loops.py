"""Joint loops that sampling makes unstable: each swings until its motors are at their limits.

A controller with the period T holds τ = -Kp q - Kd q̇ from one of its instants to the next.  In
between M q̈ = τ, so that

    q̇⁺ = q̇ + T M⁻¹ τ,      q⁺ = q + T (q̇ + q̇⁺)/2

and z = (1 + sT/2)/(1 - sT/2) turns both, exactly, into

    (M - T/2 Kd) s² + (Kd - T/2 Kp) s + Kp = 0

One joint is stable where both brackets are positive (Routh), many where both are positive definite
(Kelvin, Tait and Chetaev):

    kd T/I < 2,      kd > kp T/2

I being the inertia that the joint feels, with its rotor, base and other joints free.  Friction,
filtered and late encoders have no form as short: `growth` takes the eigenvalues of one
cycle with all of them.  Appendages count as rigid.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.joint_rate import CONTROL_RATE, rate_of_capture
from proxops.core.clock import NS_PER_S
from proxops.core.description import CraftDescription, JointDescription
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree
from proxops.plant.mobility import jacobian, mass_matrix, stance
from proxops.scenario.load import Scenario
from proxops.scenario.schema.base import Problem
from proxops.scenario.schema.capture import Capture

LIMIT_CYCLE = "limit cycle"  # in every text about one
GROWS = 1e-6  # of the motion in a cycle, beyond rounding
LEAST_GAIN = 1e-12  # share of a gain that is recommended
LEAST_PERIOD = 1e-3  # and of a period
MAX_LATENESS = 10  # cycles of delay that are looked at: what is unstable at fewer stays so


class JointLoop(NamedTuple):
    """A sampled loop around joints."""

    M: np.ndarray  # inertia that the joints feel, all others and the base free (n, n)
    B: np.ndarray  # their viscous friction (n, n)
    Kp: np.ndarray  # (n, n)
    Kd: np.ndarray  # (n, n)
    period: float  # [s]
    late: int = 0  # periods by which torques come late
    corner: float = 0.0  # of the filter that makes rates of positions [rad/s]; 0 for true rates


def growth(loop: JointLoop) -> float:
    """By how much the fastest growing motion is larger after one cycle [-]; stable below 1."""
    matrix = cycle_matrix(loop)
    if not np.isfinite(matrix).all():
        return math.inf
    return float(np.abs(np.linalg.eigvals(matrix)).max(initial=0.0))


def cycle_matrix(loop: JointLoop) -> np.ndarray:
    """What one cycle makes of positions, rates, the last positions and rates seen, and the commands
    that are on their way."""
    n, T = len(loop.M), loop.period
    # M = L Lᵀ, and modes of L⁻¹ B L⁻ᵀ: each decays by itself, at its own rate
    L = np.linalg.cholesky(loop.M)
    inner = np.linalg.solve(L, np.linalg.solve(L, loop.B).T)
    rates, V = np.linalg.eigh(0.5 * (inner + inner.T))
    W = np.linalg.solve(L.T, V)
    x = np.maximum(rates * T, 1e-6)  # below it, the differences from no friction are rounding
    per_rate = -np.expm1(-x) / x * T
    per_torque = (T - per_rate) / x * T
    to_modes = np.linalg.inv(W)
    decay, travel = W * np.exp(-x) @ to_modes, W * per_rate @ to_modes
    speed_up, push = W * per_rate @ W.T, W * per_torque @ W.T
    share = -math.expm1(-loop.corner * T)

    def cycle(state: np.ndarray) -> np.ndarray:
        q, qd, last_q, last_rate, *in_transit = np.split(state, 4 + loop.late)
        rate = qd if loop.corner == 0.0 else last_rate + share * ((q - last_q) / T - last_rate)
        *in_transit, torque = [-loop.Kp @ q - loop.Kd @ rate, *in_transit]
        moved = [q + travel @ qd + push @ torque, decay @ qd + speed_up @ torque]
        return np.concatenate([*moved, q, rate, *in_transit])

    return cycle(np.eye((4 + loop.late) * n))


class Drive(NamedTuple):
    """Joints under one kind of control, as a message names them."""

    gains: str  # path of their damping, or of all their gains
    matrix: bool  # whether the gains couple the joints
    rate: str  # path of the rate that sets the period
    numbers: tuple[int, ...]  # among all joints
    joints: tuple[JointDescription, ...]


@np.errstate(all="ignore")  # gains may be any number
def unstable_loops(scenario: Scenario, built: Built) -> list[Problem]:
    """Joint control that its period makes unstable, at the start or at the grasp of a capture."""
    capture = scenario.mission.obsw.capture
    try:
        if capture is not None:
            return _of_capture(scenario, built, capture)
        return _of_joints(scenario, built)
    except np.linalg.LinAlgError:  # joints without inertia: the run itself will say so
        return []


def _of_joints(scenario: Scenario, built: Built) -> list[Problem]:
    mission = scenario.mission
    found: list[Problem] = []
    for arm, given in mission.obsw.joints.items():
        drive = _drive(built.chaser, (arm,), f"obsw.joints.{arm}.kd")
        loop = _loop(built, _start(built.chaser), drive, _diagonal(given.kp, given.kd, drive))
        found += _stability_problems(
            loop._replace(period=mission.time.control_ns / NS_PER_S), drive
        )
    return found


def _of_capture(scenario: Scenario, built: Built, capture: Capture) -> list[Problem]:
    """Joints that are held and fingers at the start, the impedance at the grasp.  Encoders slower
    than the software set the period."""
    mission, chaser, q = scenario.mission, built.chaser, _start(built.chaser)
    encoders, period = mission.sensors.encoders, mission.time.control_ns / NS_PER_S
    key = rate_of_capture(mission)
    if key != CONTROL_RATE and encoders.rate_hz is not None:
        period = 1.0 / encoders.rate_hz
    late = min(MAX_LATENESS, math.ceil(encoders.delay_s / period - 1e-9))
    corner = 2.0 * math.pi * (encoders.rate_filter_hz or 0.0)
    arm = (capture.arm,)
    held = _drive(chaser, arm, "obsw.capture.joint_hold.kd", rate=key)
    led = _drive(chaser, arm, "obsw.capture.impedance", matrix=True, rate=key)
    fingers = _drive(chaser, capture.fingers, "obsw.capture.gripper.gain_N_s_m", rate=key)
    k = capture.gripper.gain_N_s_m
    at_grasp = q.copy()
    at_grasp[list(led.numbers)] = capture.pose_si()
    loops = [
        (
            held,
            _loop(built, q, held, _diagonal(capture.joint_hold.kp, capture.joint_hold.kd, held)),
        ),
        (fingers, _loop(built, q, fingers, _diagonal(0.0, k, fingers))),
        (led, _loop(built, at_grasp, led, _impedance(built, at_grasp, led, capture))),
    ]
    sampled = [
        (drive, loop._replace(period=period, late=late, corner=corner)) for drive, loop in loops
    ]
    return [each for drive, loop in sampled for each in _stability_problems(loop, drive)]


def _drive(
    chaser: CraftDescription,
    arms: Sequence[str],
    gains: str,
    *,
    matrix: bool = False,
    rate: str = CONTROL_RATE,
) -> Drive:
    all_joints = [(each.name, joint) for each in chaser.jointed for joint in each.arm.joints]
    own = [(i, joint) for i, (arm, joint) in enumerate(all_joints) if arm in arms]
    return Drive(gains, matrix, rate, tuple(i for i, _ in own), tuple(joint for _, joint in own))


def _start(chaser: CraftDescription) -> np.ndarray:
    return np.concatenate([mounted.q for mounted in chaser.jointed])


def _diagonal(kp: object, kd: object, drive: Drive) -> tuple[np.ndarray, np.ndarray]:
    """Gains of joints that are controlled one by one."""
    n = len(drive.joints)
    stiffness, damping = (np.broadcast_to(np.asarray(each, float), n) for each in (kp, kd))
    return np.diag(stiffness), np.diag(damping)


def _impedance(
    built: Built, q: np.ndarray, drive: Drive, capture: Capture
) -> tuple[np.ndarray, np.ndarray]:
    """Gains of the joints from those of the end effector, Jᵀ K J, without the friction that is made
    up for."""
    tree = Tree(built.plant.chaser, built.plant.chaser_topology)
    here, body = stance(tree, q), drive.numbers[-1] + 1
    arm = next(each.arm for each in built.chaser.arms if each.name == capture.arm)
    columns = [BASE_DOF + number for number in drive.numbers]
    J = jacobian(tree, here, body, here.p[body] + here.R[body] @ arm.p_JE)[:, columns]
    soft = capture.impedance
    along, about = [soft.stiffness_N_m] * 3, [soft.stiffness_N_m_rad] * 3
    damping = [soft.damping_N_s_m] * 3 + [soft.damping_N_m_s_rad] * 3
    made_up = soft.friction_share * np.diag([joint.viscous for joint in drive.joints])
    return J.T @ np.diag(along + about) @ J, J.T @ np.diag(damping) @ J - made_up


def _loop(
    built: Built, q: np.ndarray, drive: Drive, gains: tuple[np.ndarray, np.ndarray]
) -> JointLoop:
    """The loop of some joints, all others free, without a period yet."""
    tree = Tree(built.plant.chaser, built.plant.chaser_topology)
    own = BASE_DOF + np.array(drive.numbers, dtype=int)
    mobility = np.linalg.inv(mass_matrix(tree, stance(tree, q)))[np.ix_(own, own)]
    friction = np.diag([joint.viscous for joint in drive.joints])
    return JointLoop(np.linalg.inv(mobility), friction, *gains, period=0.0)


def _stability_problems(loop: JointLoop, drive: Drive) -> list[Problem]:
    """What to do about a loop that is unstable, if it is."""
    if not drive.joints or _is_stable(loop):
        return []
    worst = _worst_joint(loop)
    lower, share = _cure(loop, drive, worst)
    faster = _largest(
        lambda part: _is_stable(loop._replace(period=part * loop.period)), LEAST_PERIOD
    )
    cures = [lower] if lower else []
    cures += [f"raise {drive.rate} above {_up(1.0 / (faster * loop.period)):g}"] if faster else []
    inertia = 1.0 / np.linalg.inv(loop.M)[worst, worst]
    ratio = loop.Kd[worst, worst] * loop.period / inertia
    text = f"{', or '.join(cures) or 'choose other gains'}: {LIMIT_CYCLE} of joint "
    text += f"{drive.joints[worst].name!r}, "
    text += (
        f"whose kd T/I is {ratio:.3g} and may be {_down(share * ratio):g}"
        if share
        else ("which is too stiff for its damping")
    )
    text += f", with T = {loop.period:g} s and I = {inertia:.3g} "
    text += "kg" if drive.joints[worst].prismatic else "kg m2"
    return [(tuple(drive.gains.split(".")), text)]


def _cure(loop: JointLoop, drive: Drive, worst: int) -> tuple[str, float | None]:
    """By which gain the loop becomes stable, in words; and the share of the damping that is left
    then, None where damping is not the cause."""
    unit = "N s/m" if drive.joints[worst].prismatic else "N m s/rad"
    alone = np.ones(len(loop.M))
    if not drive.matrix:

        def with_less(part: float) -> JointLoop:
            alone[worst] = part
            return loop._replace(Kd=alone * loop.Kd)

        share = _largest(lambda part: _is_stable(with_less(part)))
        if share:
            maximum = _down(share * loop.Kd[worst, worst])
            return (
                f"lower it below {maximum:g} {unit} for joint {drive.joints[worst].name!r}",
                share,
            )
    share = _largest(lambda part: _is_stable(loop._replace(Kd=part * loop.Kd)))
    if share:
        maximum = _down(share * loop.Kd[worst, worst])
        here = (
            "" if drive.matrix else f", {maximum:g} {unit} for joint {drive.joints[worst].name!r}"
        )
        what = "its damping" if drive.matrix else "it"
        return f"lower {what} to {_down(share):g} of its value{here}", share
    share = _largest(lambda part: _is_stable(loop._replace(Kp=part * loop.Kp)))
    if share:
        return f"lower the stiffness to {_down(share):g} of its value", None
    share = _largest(lambda part: _is_stable(loop._replace(Kp=part * loop.Kp, Kd=part * loop.Kd)))
    return (
        f"lower damping and stiffness to {_down(share):g} of their values" if share else "",
        share,
    )


def _is_stable(loop: JointLoop) -> bool:
    return growth(loop) <= 1.0 + GROWS


def _worst_joint(loop: JointLoop) -> int:
    """The joint that has most of the fastest growing motion's energy."""
    matrix, n = cycle_matrix(loop), len(loop.M)
    if not np.isfinite(matrix).all():
        return int(np.argmax(np.diag(loop.Kd) / np.diag(loop.M)))
    values, vectors = np.linalg.eig(matrix)
    rates = vectors[n : 2 * n, np.argmax(np.abs(values))]
    return int(np.argmax(np.diag(loop.M) * np.abs(rates) ** 2))


def _largest(stable: Callable[[float], bool], least: float = LEAST_GAIN) -> float | None:
    """The largest share below 1 that is stable, to three digits; None if none down to `least`."""
    high = 1.0
    while not stable(0.5 * high):
        high *= 0.5
        if high < least:
            return None
    low = 0.5 * high
    while high > 1.001 * low:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if stable(middle) else (low, middle)
    return low


def _down(x: float) -> float:
    """To three digits: what a message recommends must be accepted."""
    unit = 10.0 ** (math.floor(math.log10(x)) - 2)
    return math.floor(x / unit) * unit


def _up(x: float) -> float:
    unit = 10.0 ** (math.floor(math.log10(x)) - 2)
    return math.ceil(x / unit) * unit
