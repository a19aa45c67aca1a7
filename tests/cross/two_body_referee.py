"""Two rigid bodies pressed together by a thruster, integrated by hand: a referee for the plant.

Newton and Euler for each body in inertial axes, nothing shared with the package.  Every element
between the bodies is evaluated from the world positions and velocities of the two points it joins,
and acts on both bodies at the same point.

Frames: S and T sit in chaser and target and coincide at the start, origin in the contact plane on
the thrust axis, x along the thrust.  The deviation is where the target's centre of mass stands off
that axis.  Pads are points of S that press on the plane x = 0 of T, along the normal of T.
"""

from typing import NamedTuple

import numpy as np

CHASER_INERTIA = np.array([[650.0, -10.0, 22.0], [-10.0, 950.0, -4.0], [22.0, -4.0, 950.0]])
TARGET_INERTIA = np.diag([10000.0, 226000.0, 228000.0])  # its own axes, before the yaw


def yawed(inertia, angle):
    """The same inertia after the body has turned about z."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return R @ inertia @ R.T


class Case(NamedTuple):
    """What is simulated; defaults are the published study's."""

    deviation: tuple[float, float] = (0.35, 0.35)  # of the target's centre of mass, y and z [m]
    thrust: float = 1500.0  # [N], along x of S through the chaser's centre of mass
    chaser_mass: float = 1200.0  # [kg]
    target_mass: float = 8200.0  # [kg]
    chaser_com: float = -1.225  # on x [m]
    target_com: float = 5.0  # on x [m]
    chaser_inertia: np.ndarray = CHASER_INERTIA
    target_inertia: np.ndarray = yawed(TARGET_INERTIA, np.pi / 2.0)  # in T
    radius: float = 0.8  # of the hexagon [m]
    phase: float = 0.0  # of its first pad from y towards z [rad]
    pads: int = 6
    stiffness: float = 1e4  # of each pad [N/m]
    damping: float = 3e3  # of each pad [N s/m]
    pulls: bool = True  # bilateral pads
    lock: tuple[float, float, float] = (0.0, 0.0, 0.0)  # y, z [N/m], about x [N m/rad], axes of S
    lock_damping: tuple[float, float, float] = (0.0, 0.0, 0.0)
    robot: tuple[float, float, float] = (0.0, 0.0, 0.0)  # damping along x, y, z of S [N s/m]
    grasp: tuple[float, float, float] = (0.0, 2.5, 2.0)  # fixed in T [m]
    settled: bool = False  # start with pads already compressed as for a centred thrust


STIFF_LOCK = {"lock": (1e6, 1e6, 1e6), "lock_damping": (1e4, 1e4, 1e4)}


class History(NamedTuple):
    """Samples over time; forces act on the target, in T."""

    t: np.ndarray
    pads: np.ndarray  # normal force of each, positive when compressed (n, pads) [N]
    lock: np.ndarray  # force y, z [N] and torque x [N m] of the lock (n, 3)
    robot: np.ndarray  # force (n, 3) [N]
    robot_torque: np.ndarray  # about the origin of T (n, 3) [N m]
    deviation: np.ndarray  # target's centre of mass from the thrust axis, y and z of S (n, 2) [m]
    roll: np.ndarray  # of T in S about x [rad]
    rate: np.ndarray  # of the chaser, its axes (n, 3) [rad/s]
    normal: np.ndarray  # sum of the pads [N]


def rotation(q):
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def cross(a, b):
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def quaternion_rate(q, w):
    a, v = q[0], q[1:]
    return 0.5 * np.concatenate([[-v @ w], a * w + cross(v, w)])


def start(case):
    """Positions, attitudes, velocities and rates of both; T where S is."""
    y = np.zeros(26)
    y[0] = case.chaser_com
    y[3] = y[16] = 1.0
    y[13:16] = case.target_com, *case.deviation
    if case.settled:
        share = case.target_mass / (case.target_mass + case.chaser_mass)
        y[13] -= share * case.thrust / (case.pads * case.stiffness)
    return y


def evaluate(case, y):
    """Rate of the state and the forces between the bodies."""
    p_s, q_s, v_s, w_s = y[0:3], y[3:7], y[7:10], y[10:13]
    p_t, q_t, v_t, w_t = y[13:16], y[16:20], y[20:23], y[23:26]
    R_s, R_t = rotation(q_s), rotation(q_t)
    W_s, W_t = R_s @ w_s, R_t @ w_t
    com_s = np.array([case.chaser_com, 0.0, 0.0])
    com_t = np.array([case.target_com, *case.deviation])
    o_s, o_t = p_s - R_s @ com_s, p_t - R_t @ com_t  # origins of S and T
    total = {"f": np.zeros(3), "t_s": np.zeros(3), "t_t": np.zeros(3)}

    def act(force, at):
        """A force on the target at a point, and its reaction on the chaser at the same point."""
        total["f"] += force
        total["t_t"] += cross(at - p_t, force)
        total["t_s"] -= cross(at - p_s, force)

    def slip(at):
        """Velocity of the target's material relative to the chaser's at a point."""
        return v_t + cross(W_t, at - p_t) - v_s - cross(W_s, at - p_s)

    normal = R_t[:, 0]
    angle = case.phase + 2.0 * np.pi / case.pads * np.arange(case.pads)
    ring = case.radius * np.array([0.0 * angle, np.cos(angle), np.sin(angle)]).T
    at = o_s + ring @ R_s.T
    gap = (o_t - at) @ normal
    opening = (v_t - v_s + cross(W_t, (at - p_t).T).T - cross(W_s, (at - p_s).T).T) @ normal
    pads = -(case.stiffness * gap + case.damping * opening)
    if not case.pulls:
        pads = np.where(gap < 0.0, np.maximum(pads, 0.0), 0.0)
    total["f"] += normal * pads.sum()
    total["t_t"] += cross(pads @ (at - p_t), normal)
    total["t_s"] -= cross(pads @ (at - p_s), normal)

    away = R_s.T @ (o_t - o_s)
    drift = R_s.T @ slip(o_t)
    relative = R_s.T @ R_t
    roll = np.arctan2(relative[2, 1] - relative[1, 2], relative[1, 1] + relative[2, 2])
    turning = (R_s.T @ (W_t - W_s))[0]
    k, d = case.lock, case.lock_damping
    held = np.array([0.0, -k[0] * away[1] - d[0] * drift[1], -k[1] * away[2] - d[1] * drift[2]])
    act(R_s @ held, o_t)
    twist = -k[2] * roll - d[2] * turning
    total["t_t"] += R_s[:, 0] * twist
    total["t_s"] -= R_s[:, 0] * twist

    at = o_t + R_t @ np.array(case.grasp)
    robot = -R_s @ (np.array(case.robot) * (R_s.T @ slip(at)))
    act(robot, at)

    push = R_s @ np.array([case.thrust, 0.0, 0.0])
    I_s, I_t = case.chaser_inertia, case.target_inertia
    rate = np.concatenate(
        [
            v_s,
            quaternion_rate(q_s, w_s),
            (push - total["f"]) / case.chaser_mass,
            np.linalg.solve(I_s, R_s.T @ total["t_s"] - cross(w_s, I_s @ w_s)),
            v_t,
            quaternion_rate(q_t, w_t),
            total["f"] / case.target_mass,
            np.linalg.solve(I_t, R_t.T @ total["t_t"] - cross(w_t, I_t @ w_t)),
        ]
    )
    seen = {
        "pads": pads,
        "lock": np.array([*(R_t.T @ R_s @ held)[1:], twist]),
        "robot": R_t.T @ robot,
        "robot_torque": R_t.T @ cross(at - o_t, robot),
        "deviation": (R_s.T @ (p_t - o_s))[1:],
        "roll": roll,
        "rate": w_s,
        "normal": float(np.sum(pads)),
    }
    return rate, seen


def simulate(case, duration, dt=0.01, until=None):
    """RK4 with a fixed step; ends early when until(seen) holds."""
    y, times, rows = start(case), [], []
    for i in range(round(duration / dt) + 1):
        k1, seen = evaluate(case, y)
        times.append(i * dt)
        rows.append(seen)
        if until is not None and until(i * dt, seen):
            break
        k2, _ = evaluate(case, y + 0.5 * dt * k1)
        k3, _ = evaluate(case, y + 0.5 * dt * k2)
        k4, _ = evaluate(case, y + dt * k3)
        y = y + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        for at in (3, 16):
            y[at : at + 4] /= np.linalg.norm(y[at : at + 4])
    return History(np.array(times), *(np.array([row[key] for row in rows]) for key in rows[0]))
