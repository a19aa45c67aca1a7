"""Contact against a second model: two Newton-Euler bodies on rotation matrices, integrated by SciPy
to 1e-11 with located events; friction's stretch is an integral of the slip there."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.laws.touching import Pair, body, closings, contact, openings

from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.physics.contact.normal import HUNT_CROSSLEY
from proxops.plant import layout
from proxops.plant.contact_array import LONGEST_STEP
from proxops.plant.step_length import MAX_PACE, PACE

PADS = np.array([[1.0, 0.4, 0.1], [1.02, -0.3, 0.35], [0.99, -0.2, -0.4]])
NORMAL = np.array([-1.0, 0.0, 0.0])


class Referee:
    """State: p, v, R (nine), h about the centre (inertial axes) of both, then stretches in T."""

    def __init__(self, given, crafts):
        self.given, self.crafts = given, crafts
        self.closed = [False] * len(given.pads)

    def split(self, s):
        bodies = []
        for number, craft in enumerate(self.crafts):
            part = s[18 * number : 18 * number + 18]
            R = part[6:15].reshape(3, 3)
            w = R @ np.linalg.solve(craft.inertia, R.T @ part[15:18])
            bodies.append((part[:3], part[3:6], R, w))
        return bodies

    def meet(self, bodies, pad):
        (p, v, R, w), (P, V, S, W) = bodies
        n = S @ self.given.normal
        centre = p + R @ self.given.pads[pad]
        point = centre - self.given.radius * n
        depth = n @ (P + S @ self.given.centre - point)
        slip = v + np.cross(w, point - p) - V - np.cross(W, point - P)
        return depth, n, point, slip

    def normal_force(self, depth, rate):
        g = self.given
        if g.law == HUNT_CROSSLEY:
            return g.stiffness * max(depth, 0.0) ** g.exponent * (1.0 + g.damping * rate)
        return g.stiffness * depth + g.damping * rate

    def rates(self, t, s):
        bodies = self.split(s)
        out = np.zeros_like(s)
        total, torques = np.zeros(3), [np.zeros(3), np.zeros(3)]
        for pad, closed in enumerate(self.closed):
            if not closed:
                continue
            depth, n, point, slip = self.meet(bodies, pad)
            f = self.normal_force(depth, -n @ slip) * n
            flat = slip - n * (n @ slip)
            if self.given.mu_static > 0.0:
                xi = s[36 + 3 * pad : 39 + 3 * pad]
                S = bodies[1][2]
                f = f - self.given.grip_stiffness * (S @ xi) - self.given.grip_damping * flat
                out[36 + 3 * pad : 39 + 3 * pad] = S.T @ flat
            total += f
            for number in (0, 1):
                torques[number] += (1, -1)[number] * np.cross(point - bodies[number][0], f)
        for number, (craft, (_, v, R, w)) in enumerate(zip(self.crafts, bodies, strict=True)):
            part = out[18 * number : 18 * number + 18]
            part[:3], part[3:6] = v, (1, -1)[number] * total / craft.mass
            part[6:15] = (np.cross(w, R.T).T).ravel()
            part[15:18] = torques[number]
        return out

    def sound(self, pad):
        def event(t, s):
            depth, n, _, slip = self.meet(self.split(s), pad)
            return min(depth, self.normal_force(depth, -n @ slip)) if self.closed[pad] else depth

        event.terminal = True
        event.direction = -1.0 if self.closed[pad] else 1.0
        return event

    def fly(self, s, until):
        t, events = 0.0, []
        while t < until:
            watched = [self.sound(pad) for pad in range(len(self.closed))]
            run = solve_ivp(
                self.rates, (t, until), s, "DOP853", events=watched, rtol=1e-11, atol=1e-14,
                max_step=0.01,
            )  # fmt: skip
            t, s = run.t[-1], run.y[:, -1].copy()
            for pad, when in enumerate(run.t_events):
                if len(when):
                    self.closed[pad] = not self.closed[pad]
                    s[36 + 3 * pad : 39 + 3 * pad] = 0.0
                    events.append((t, pad, self.closed[pad]))
        return s, events


LAWS = {
    "spring": {"stiffness": 8e4, "damping": 0.0},
    "damped": {"stiffness": 8e4, "damping": 600.0},
    "hunt": {"law": HUNT_CROSSLEY, "stiffness": 2e6, "exponent": 1.5, "depth": 5e-3,
             "damping": 0.8},
    # sticks all the time: what slides has closed forms of its own
    "sticking": {"stiffness": 8e4, "damping": 600.0, "mu_static": 1e6, "mu_kinetic": 1e6,
                 "grip_stiffness": 5e4, "grip_damping": 300.0},
}  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
def test_three_pads_bounce_as_in_a_model_written_another_way(law):
    inertias = (
        np.array([[60.0, 4.0, -3.0], [4.0, 80.0, 2.0], [-3.0, 2.0, 70.0]]),
        np.diag([200.0, 260.0, 180.0]),
    )
    crafts = (
        body(
            300.0, inertias[0], p_H=np.array([-1.05, 0.1, 0.2]),
            v_H=np.array([0.15, 0.01, -0.02]), w=np.array([0.03, -0.05, 0.04]),
        ),
        body(500.0, inertias[1], w=np.array([-0.02, 0.03, 0.02])),
    )  # fmt: skip
    given = contact(PADS, radius=0.02, normal=NORMAL, **LAWS[law])
    pair = Pair(*crafts, (given,))
    pair.plant.contacts[:, LONGEST_STEP] *= 0.6 * PACE / MAX_PACE  # |s| h is 0.03 at most
    pair.go(0.8, 0.005)
    referee = Referee(given, crafts)
    s = np.zeros(36 + 3 * len(PADS))
    for number, craft in enumerate(crafts):
        part = s[18 * number : 18 * number + 18]
        part[:3], part[3:6], part[6:15] = craft.p_H, craft.v_H, np.eye(3).ravel()
        part[15:18] = craft.inertia @ craft.w
    s, events = referee.fly(s, 0.8)
    assert len(events) == len(pair.events) >= 4
    for (t, pad, closed), (t_ours, row, ours) in zip(events, pair.events, strict=True):
        assert (pad, closed) == (row, ours)
        assert t_ours == pytest.approx(t, abs=1e-6)
    for number, y in enumerate((pair.chaser, pair.target)):
        part = s[18 * number : 18 * number + 18]
        R = np.array(quat_to_rotation.py_func(tuple(y[layout.Q :][:4])))
        # |s| h = 0.03 errs by 7e-9 a radian, the stretch of a step by the square of its turn
        assert y[layout.P :][:3] == pytest.approx(part[:3], abs=1e-7)
        assert y[layout.V :][:3] == pytest.approx(part[3:6], abs=1e-6)
        assert np.abs(R - part[6:15]).max() < 1e-6
    assert closings(pair)
    assert openings(pair)
