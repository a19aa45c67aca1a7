"""Bodies pushed together by engines that obey the rule never part."""

import math

import numpy as np
import pytest

from proxops.actuators import thrusters
from proxops.core.description import ThrusterDescription
from proxops.core.jit import kernel
from proxops.onboard.functions.boost import separation_rule
from proxops.onboard.functions.boost.engines import (
    ENGINE_WIDTH,
    LEFT,
    MEMORY_WIDTH,
    ON,
    RAMP,
    SHORTEST,
    SINCE,
    THRUST,
    WISH,
)
from proxops.onboard.functions.boost.separation_rule import move_valves, restrain
from proxops.physics.contact.step_down import least_force_after

CHASER, TARGET = 1200.0, 8200.0
MASS = CHASER * TARGET / (CHASER + TARGET)
SHARE = TARGET / (CHASER + TARGET)
STIFFNESS = 1e8
OMEGA = math.sqrt(STIFFNESS / MASS)
FINE = 40  # instants a tick at which the force is looked at
TICKS = 400


@kernel
def decide(rule, engine_data, memory, x, x_rate):
    """`restrain` and `move_valves`, callable from Python."""
    restrain(rule, engine_data, memory, x, x_rate)
    move_valves(engine_data, memory)


@kernel
def obey(engine_data, memory):
    """`move_valves`, callable from Python."""
    move_valves(engine_data, memory)


@kernel
def push(engines, valves, hardware, motion, y):
    """Advances (x, ẋ) by a tick; returns the least force at its fine instants [N]."""
    phi, gamma, forces, dt, wrench = motion
    least = math.inf
    for _ in range(FINE):
        for i in range(wrench.shape[0]):
            wrench[i] = 0.0
        thrusters.fire(engines, valves, hardware, dt, wrench)
        x, v = y[0], y[1]
        for i in range(2):
            y[i] = phi[i, 0] * x + phi[i, 1] * v + gamma[i] * wrench[0]
        least = min(least, forces[0] * y[0] + forces[1] * y[1])
    return least


class Case:
    """Engines, damping, clock, wishes and a start, drawn from a seed."""

    def __init__(self, seed, ramps):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 9))
        self.zeta = rng.choice([0.0, 0.02, rng.uniform(0.0, 1.0), 1.0])
        self.damping = 2.0 * self.zeta * MASS * OMEGA
        self.period = rng.uniform(0.05, 3.0) / OMEGA
        self.engine_data = np.zeros((n, ENGINE_WIDTH))
        self.engine_data[:, THRUST] = 375.0 if seed % 2 else rng.uniform(100.0, 500.0, n)
        self.engine_data[:, SHORTEST] = rng.integers(0, 4)
        self.ramp = rng.uniform(0.0, 0.1) / OMEGA if ramps else 0.0
        self.engine_data[:, RAMP] = self.ramp
        self.full = self.engine_data[:, THRUST].sum()
        # wishes last for a while; the last are those of all engines
        held = np.repeat(rng.integers(0, 2, (TICKS // 8, n)), 8, axis=0)
        self.wishes = np.vstack([held, np.zeros((TICKS // 4, n))]).astype(float)
        self.left = rng.uniform(1.0, 100.0, (len(self.wishes), n))
        # pushed by all, swinging at any phase, as far as it can without parting
        phase, swing = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(0.0, 0.9)
        load = SHARE * self.full
        self.start = np.array([1.0 + swing * math.cos(phase), swing * math.sin(phase) * OMEGA])
        self.start *= load / STIFFNESS
        if self._least(self.start, load) <= 0.05 * load:
            self.start = np.array([load / STIFFNESS, 0.0])

    def _least(self, y, load):
        return least_force_after(load, *y, MASS, STIFFNESS, self.damping)

    def transition(self):
        """y(t + fine step) = Φ y + Γ · thrust, from the series of the matrix exponential."""
        dt = self.period / FINE
        A = np.zeros((3, 3))
        A[0, 1] = 1.0
        A[1] = -STIFFNESS / MASS, -self.damping / MASS, SHARE / MASS
        term = total = np.eye(3)
        for k in range(1, 20):
            term = term @ A * (dt / k)
            total = total + term
        return total[:2, :2].copy(), total[:2, 2].copy()

    def least(self, with_rule):
        """Least force over the case over the load of all engines [-], and how often engines went
        off."""
        rule = separation_rule.build(
            (CHASER, TARGET), STIFFNESS, self.damping, 1e-3 * SHARE * self.full, self.period
        )
        memory = np.zeros((len(self.engine_data), MEMORY_WIDTH))
        memory[:, ON] = 1.0
        memory[:, SINCE] = 1e9
        engines = thrusters.build(
            [
                ThrusterDescription(
                    "", np.zeros(3), np.array([1.0, 0.0, 0.0]), f, self.ramp, self.ramp, 0.0
                )
                for f in self.engine_data[:, THRUST]
            ]
        )
        hardware = thrusters.start(engines)
        hardware.level[:] = self.engine_data[:, THRUST]
        hardware.valve[:] = thrusters.OPEN
        per_y = np.array([STIFFNESS, self.damping])
        motion = (*self.transition(), per_y, self.period / FINE, np.zeros(6))
        y, least, offs = self.start.copy(), math.inf, 0
        for wish, left in zip(self.wishes, self.left, strict=True):
            before = memory[:, ON].copy()
            memory[:, WISH], memory[:, LEFT] = wish, left
            if with_rule:
                decide(rule, self.engine_data, memory, y[0], y[1])
            else:
                obey(self.engine_data, memory)
            offs += int(np.sum(before > memory[:, ON]))
            valves = memory[:, ON] * self.period
            least = min(least, push(engines, valves, hardware, motion, y))
        return least / (SHARE * self.full), offs


@pytest.mark.parametrize("ramps", [False, True], ids=["steps", "ramps"])
def test_engines_that_obey_the_rule_never_part_the_bodies_and_others_do(ramps):
    """Up to eight engines, damping from none to critical, clocks fast and slow, any phase."""
    switched = 0
    for seed in range(60):
        case = Case(seed, ramps)
        least, offs = case.least(with_rule=True)
        # the rule keeps 1e-3; the force is linear, so what is left is rounding
        assert least > 0.999e-3, f"seed {seed}, zeta {case.zeta}"
        switched += offs
        assert case.least(with_rule=False)[0] < 0.0
    assert switched > 800  # it forbids no more than it must


def memory_of(wishes, left):
    memory = np.zeros((len(wishes), MEMORY_WIDTH))
    memory[:, ON] = 1.0
    memory[:, SINCE] = 1e9
    memory[:, WISH] = wishes
    memory[:, LEFT] = left
    return memory


def settled(engines, wishes, left, zeta=0.0, shortest=0.0):
    """Engines left on, of equal ones settled at full thrust."""
    engine_data = np.zeros((engines, ENGINE_WIDTH))
    engine_data[:, THRUST] = 375.0
    engine_data[:, SHORTEST] = shortest
    rule = separation_rule.build((CHASER, TARGET), STIFFNESS, 2.0 * zeta * MASS * OMEGA, 1.0, 1e-3)
    memory = memory_of(wishes, left)
    decide(rule, engine_data, memory, engines * 375.0 * SHARE / STIFFNESS, 0.0)
    return memory


@pytest.mark.parametrize(("zeta", "off"), [(0.0, 1), (0.02, 2), (0.5, 3)])
def test_of_four_settled_engines_as_many_go_off_as_damping_allows(zeta, off):
    """Undamped 4 to 2 just touches zero; 4 to 1 needs 0.445; 4 to 0 always parts."""
    memory = settled(4, np.zeros(4), np.full(4, 9.0), zeta)
    assert np.sum(memory[:, ON] == 0.0) == off


def test_the_engine_with_the_most_off_time_left_goes_first_and_pays_for_it():
    memory = settled(4, np.array([0.0, 0.0, 1.0, 0.0]), np.array([5.0, 8.0, 9.0, 7.0]))
    assert memory[:, ON].tolist() == [1.0, 0.0, 1.0, 1.0]
    assert memory[:, LEFT].tolist() == [5.0, 7.0, 9.0, 7.0]


def test_a_valve_within_its_minimum_pulse_is_not_counted_on():
    """Two engines that cannot come on again yet do not let a third go off."""
    engine_data = np.zeros((4, ENGINE_WIDTH))
    engine_data[:, THRUST] = 375.0
    engine_data[:, SHORTEST] = 10.0
    rule = separation_rule.build((CHASER, TARGET), STIFFNESS, 0.0, 1.0, 1e-3)
    for since, goes in ((3.0, False), (30.0, True)):
        memory = memory_of(np.array([1.0, 1.0, 0.0, 1.0]), np.ones(4))
        memory[:2, ON] = 0.0
        memory[:2, SINCE] = since
        decide(rule, engine_data, memory, 2.0 * 375.0 * SHARE / STIFFNESS, 0.0)
        assert (memory[2, ON] == 0.0) == goes
