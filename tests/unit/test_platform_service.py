"""Wheels and thrusters together: what was asked for is what acts."""

import numpy as np
import pytest
from tests.bus_rows import measured
from tests.laws.plants import wheel
from tests.laws.written import written
from tests.unit.test_jets import corners

import proxops
from proxops.assembly.platform import platform_of
from proxops.bus.bus import bus_of, command_fields
from proxops.onboard.functions.allocation import thrusters, wheels
from proxops.onboard.functions.allocation.allocate import (
    FIELDS,
    NEXT_PERIOD,
    PULSE_FORCE,
    PULSE_TORQUE,
    AllocationInputs,
    AllocationOutputs,
    Platform,
    allocate,
    monitor_fields,
    start,
)
from proxops.onboard.functions.allocation.within_bounds import HIGH

PERIOD, CYCLE = 0.1, 0.005  # [s]
THRUST, SHORTEST = 10.0, 0.01  # of a corner's thrusters [N, s]
ARM = 2  # joints before the wheels
MOST = 20.0  # of a wheel [N m]: more than the pulses' torque is ever off by


class Base:
    """A base with thrusters and wheels, whose services are asked for the same again and again."""

    def __init__(self, axes: np.ndarray, unloading: float = np.inf) -> None:
        made = [wheel(axis, max_torque=MOST) for axis in axes]
        self.platform = Platform(
            thrusters.build(corners(), PERIOD), wheels.build(made, unloading, CYCLE), CYCLE, CYCLE
        )
        self.axes, self.n = axes, len(axes)
        self.state = start(self.platform)
        joints, names = ARM + self.n, tuple(str(i) for i in range(len(corners())))
        seen = [each for each in measured(joints, len(corners())).layout if each.name != "t"]
        arm, turning = ("a", "b"), tuple(str(i) for i in range(self.n))
        told = (*FIELDS, *monitor_fields(names))
        bus = bus_of(seen, (), told, command_fields(arm, turning, names, ()))
        self.inputs, self.outputs = bus.views(AllocationInputs), bus.views(AllocationOutputs)
        self.cycles = 0
        self.pushes = np.full(len(corners()), THRUST)  # [N]

    @property
    def rates(self) -> np.ndarray:
        """Of the wheels [rad/s]."""
        return self.inputs.encoders_qd[ARM:]

    def cycle(self, wrench: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What valves, then what wheels push the base with (6,), (3,)."""
        seen, valves, motors = self.inputs, self.outputs.valves, self.outputs.wheels
        seen.t[0] = self.cycles * CYCLE
        seen.base_force[:], seen.base_torque[:] = wrench[:3], wrench[3:]
        written(allocate)(self.platform, self.state, seen, self.outputs)
        # All of them push as they are told
        seen.telemetry_t[0], seen.telemetry_count[0] = seen.t[0] + CYCLE, self.cycles + 1
        seen.telemetry_impulse[:] += CYCLE * self.pushes * valves
        self.rates[:] += CYCLE * motors / self.platform.wheels.inertia
        self.cycles += 1
        return valves @ self.platform.jets.wrenches, -motors @ self.axes

    def period(self, wrench: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The means over a period of pulses."""
        done = [self.cycle(wrench) for _ in range(round(PERIOD / CYCLE))]
        return np.mean([one[0] for one in done], axis=0), np.mean([one[1] for one in done], axis=0)


AXES = [np.zeros((0, 3)), np.eye(3)]


@pytest.mark.parametrize("axes", AXES, ids=["thrusters", "wheels"])
@pytest.mark.parametrize("seed", range(3))
def test_on_average_the_base_gets_the_wrench_that_was_asked_for(axes, seed: int) -> None:
    """Force by thrusters, torque by both, in 4 s."""
    wrench = np.random.default_rng(seed).uniform(-1, 1, 6) * [12.0, 12.0, 12.0, 2.0, 2.0, 2.0]
    base, periods = Base(axes), 40
    given = np.zeros(6)
    for _ in range(periods):
        pulses, turning = base.period(wrench)
        given += pulses / periods
        given[3:] += turning / periods
    # along and about an axis eight thrusters push, of which each may owe a pulse; effort weighs
    # 1e-4 against the squares of columns of 10 N
    owed = 8 * THRUST * SHORTEST / (periods * PERIOD)
    assert given == pytest.approx(wrench, abs=owed + 2e-3 * np.abs(wrench).max())


@pytest.mark.parametrize("seed", range(3))
def test_wheels_make_up_for_what_the_pulses_of_a_period_are_off_by(seed: int) -> None:
    """In every period, not on average only, whatever force is asked for meanwhile."""
    rng = np.random.default_rng(seed)
    wrench = np.concatenate([rng.uniform(-6.0, 6.0, 3), rng.uniform(-0.1, 0.1, 3)])
    base = Base(np.eye(3))
    for _ in range(10):
        _, turning = base.period(wrench)
        off = wrench[3:] - base.state.notes[PULSE_TORQUE : PULSE_TORQUE + 3]
        assert np.abs(off).max() > 0.1  # short pulses, kept for later
        assert turning == pytest.approx(off, abs=1e-12)


def test_what_is_noted_as_pushing_is_what_burns() -> None:
    """The navigation is told the mean force of each period; valves round a pulse to half a turn."""
    rng = np.random.default_rng(4)
    base, rounding = Base(np.eye(3)), 0.5 * CYCLE / PERIOD * THRUST
    burnt, noted = np.zeros((2, 20, 6))
    for i in range(20):
        wrench = rng.uniform(-1, 1, 6) * [15.0, 15.0, 15.0, 1.0, 1.0, 1.0]
        burnt[i], _ = base.period(wrench)
        noted[i] = base.state.notes[PULSE_FORCE : PULSE_FORCE + 6]
    assert np.abs(burnt[:, :3]).max() > 10.0
    # along and about an axis eight thrusters push, with levers below a metre
    assert np.abs(burnt - noted).max() < 8 * rounding
    assert np.abs(burnt.mean(axis=0) - noted.mean(axis=0)).max() < 8 * rounding / 20


def test_unloading_slows_wheels_down_by_pulses_and_leaves_the_base_alone() -> None:
    """Ω falls by e⁻ᵗ/ᵀ."""
    base = Base(np.eye(3), unloading=2.0)
    first = np.array([100.0, -60.0, 30.0])
    base.rates[:] = first
    impulse = np.zeros(3)
    for _ in range(20):  # 2 s
        pulses, turning = base.period(np.zeros(6))
        impulse += PERIOD * (pulses[3:] + turning)
    # A period of 0.1 s instead of none: 0.95²⁰ instead of e⁻¹.  Eight thrusters may owe a pulse.
    owed = 8 * THRUST * SHORTEST
    least = owed / base.platform.wheels.inertia[0]
    assert base.rates == pytest.approx(first * 0.95**20, abs=least)
    assert np.abs(impulse).max() < owed


def test_periods_of_pulses_are_all_alike_though_times_are_rounded() -> None:
    """Sums of 0.1 s are not where multiples of 5 ms are: 3 * 0.1 > 60 * 0.005."""
    base = Base(np.zeros((0, 3)))
    begins = []
    for cycle in range(round(30 * PERIOD / CYCLE)):
        before = base.state.notes[NEXT_PERIOD]
        base.cycle(np.zeros(6))
        if base.state.notes[NEXT_PERIOD] != before:
            begins.append(cycle)
    assert set(np.diff(begins)) == {round(PERIOD / CYCLE)}


def test_without_one_of_the_thrusters_the_others_push_and_do_not_turn_the_base() -> None:
    """All but one of 24, of which the missing one was to push most; guidance and control hear."""
    wrench = np.array([20.0, 5.0, -5.0, 0.0, 0.0, 0.0])
    base = Base(np.zeros((0, 3)))
    base.cycle(wrench)
    dead = int(np.argmax(base.state.jets.shares))
    base.pushes[dead] = 0.0
    for _ in range(20):
        base.period(wrench)
    assert base.outputs.allocation_verdict[dead] == 1.0
    assert base.outputs.allocation_verdict.sum() == base.outputs.allocation_findings[0] == 1.0
    assert base.outputs.allocation_authority[0] == base.platform.jets.authority[dead] < 1.0
    given = np.mean([base.period(wrench)[0] for _ in range(20)], axis=0)
    # 20 periods, in which each of eight thrusters along or about an axis may owe a pulse
    owed = 8 * THRUST * SHORTEST / (20 * PERIOD)
    assert given == pytest.approx(wrench, abs=owed + 0.02 * 20.0)


@pytest.mark.parametrize("lost", range(0, 12, 2))  # the other of each pair is its mirror image
def test_without_any_one_of_its_thrusters_the_approach_pushes_and_does_not_turn(lost: int) -> None:
    """Two thrusters of 1 N push along each axis.  Where one is left it pushes half as much, and
    others hold the attitude; where they are to push too, the attitude comes before the force."""
    jets = platform_of(proxops.load("approach-1km")).jets
    own = jets.wrenches[lost, :3]
    for wanted in (0.8 * own, *(1.6 * (own + np.eye(3)[i]) for i in range(3) if own[i] == 0.0)):
        state, wrench = thrusters.at_rest(jets), np.append(wanted, np.zeros(3))
        state.bounds[lost, HIGH] = 0.0
        written(thrusters.share_out_reduced)(jets, state, wrench)
        found = state.shares @ jets.wrenches
        # 0.8 N are there, with 0.02 of rounding and effort; 1 N at most, and what is wanted where
        # canted brakes push along this axis too
        assert 0.78 < found[:3] @ own <= max(1.0, wanted @ own)
        assert np.linalg.norm(found[3:]) <= 0.051 * jets.lever * np.linalg.norm(wrench[:3])
