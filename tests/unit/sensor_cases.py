"""Sensors asked tick after tick, by tests."""

import math

import numpy as np
from scipy.spatial.transform import Rotation

from proxops import sensors
from proxops.bus.truth import CHASER, HUB_WIDTH, TARGET, P, Q, Truth, W
from proxops.sensors import SensorsDescription, draws
from proxops.sensors.stage import sense

JOINTS = 2
THRUSTERS = 2
PUSH = 10.0  # [N]
TICK = 1_000_000  # [ns]
NS_PER_S = 1e9


def truth_at(now, *, w=(0.0, 0.0, 0.0), p_CT=(0.0, 0.0, 5.0), wrench=0.0, q=0.0, qd=0.0, late=0.0):
    """The chaser at the origin, turning evenly from the identity, the target at rest beside it; its
    commands are late by that [s], and its thrusters push with 10 and 11 N."""
    hubs = np.zeros((2, HUB_WIDTH))
    angle = np.linalg.norm(w) * now / NS_PER_S
    axis = np.array(w) / (np.linalg.norm(w) or 1.0)
    hubs[CHASER, Q : Q + 4] = [math.cos(0.5 * angle), *(math.sin(0.5 * angle) * axis)]
    hubs[CHASER, W : W + 3] = w
    hubs[TARGET, P : P + 3] = p_CT
    hubs[TARGET, Q] = 1.0
    wrenches = np.broadcast_to(np.asarray(wrench, dtype=float), 6).copy()
    arm = np.full(JOINTS, q), np.full(JOINTS, qd)
    return Truth(now, hubs, *arm, wrenches, late, PUSH + np.arange(THRUSTERS))


def rows_of(ticks, seed=0):
    """The start's row of random numbers, then one for each call."""
    width = draws.width(JOINTS) + draws.telemetry_width(THRUSTERS)
    return np.random.default_rng(seed).standard_normal((ticks + 1, width))


def watched(given, ticks, truth=truth_at, tick=TICK, rows=None):
    """What is seen at 0, 1, ... ticks, a row each."""
    rows = rows_of(ticks) if rows is None else rows
    model = sensors.build(SensorsDescription(**given), JOINTS, THRUSTERS, tick)
    state, seen = sensors.start(model, rows[0]), sensors.blank(JOINTS, THRUSTERS)
    found = np.zeros((ticks, len(seen)))
    for k in range(ticks):
        sense(model, state, truth(k * tick), rows[k + 1], seen)
        found[k] = seen
    return found


def turn_between(q, r):
    """Rotation vectors [rad] from attitudes q to attitudes r, (n, 4) or (4,)."""
    first, second = (Rotation.from_quat(each, scalar_first=True) for each in (q, r))
    return (first.inv() * second).as_rotvec()
