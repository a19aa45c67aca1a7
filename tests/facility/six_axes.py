"""A six-axis robot of the 120 kg class in NumPy, for two of them to hold one body."""

import numpy as np

DEGREE = np.pi / 180.0
# Lengths [m], speeds and what follows from them as in data sheets of that class; full speed within
# 0.4 s (the wrist 0.3 s) and full acceleration within 0.1 s
A1, D1, A2, A3, D4, D6 = 0.350, 0.675, 1.150, -0.041, 1.000, 0.215
SPEED = DEGREE * np.array([136.0, 130.0, 120.0, 292.0, 258.0, 284.0])
ACCELERATION = SPEED / np.array([0.4, 0.4, 0.4, 0.3, 0.3, 0.3])
JERK = ACCELERATION / 0.1
LOWER = DEGREE * np.array([-185.0, -140.0, -120.0, -350.0, -125.0, -350.0])
UPPER = DEGREE * np.array([185.0, -5.0, 155.0, 350.0, 125.0, 350.0])
AXES = ("z", "y", "y", "x", "y", "x")
STEPS = np.array(
    [[0.0, 0.0, D1], [A1, 0.0, 0.0], [A2, 0.0, 0.0], [D4, 0.0, A3], [0.0] * 3, [D6, 0.0, 0.0]]
)


def turn(axis, angle):
    """Rotation about one of the coordinate axes."""
    c, s = np.cos(angle), np.sin(angle)
    i = "xyz".index(axis)
    R = np.eye(3)
    j, k = (i + 1) % 3, (i + 2) % 3
    R[j, j], R[j, k], R[k, j], R[k, k] = c, -s, s, c
    return R


def flange(base, q):
    """R, p of the flange in the lab, x out of it, and the Jacobian [v; w] of p."""
    R, p = base
    axes, points = [], []
    for name, step, angle in zip(AXES, STEPS, q, strict=True):
        p = p + R @ step
        axes.append(R[:, "xyz".index(name)])
        points.append(p)
        R = R @ turn(name, angle)
    J = [np.concatenate([np.cross(a, p - o), a]) for a, o in zip(axes, points, strict=True)]
    return R, p, np.array(J).T


def exp(w):
    """Rotation by the vector w [rad]."""
    angle = np.linalg.norm(w)
    if angle == 0.0:
        return np.eye(3)
    x, y, z = w / angle
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def joints_for(base, R, p, q):
    """Joints [rad] near q that bring the flange to (R, p), by Newton's method."""
    for _ in range(12):
        R_now, p_now, J = flange(base, q)
        E = R @ R_now.T
        w = 0.5 * np.array([E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]])
        error = np.concatenate([p - p_now, w])
        q = q + np.linalg.solve(J, error)
        if np.abs(error).max() < 1e-13:
            break
    return q
