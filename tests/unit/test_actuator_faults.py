"""Scripted faults of actuators: what arrives late, what stays closed, what is held."""

import numpy as np
import pytest

import proxops
from proxops import InputError
from proxops.actuators import faults as law
from proxops.actuators import thrusters
from proxops.actuators.faults import (
    DEAD,
    HELD,
    LATE,
    OPEN,
    STUCK,
    WEAK,
    FaultDescription,
    build,
    start,
)
from proxops.assembly.build import build as build_scenario
from proxops.core.jit import kernel

PERIOD = 0.01
NS = 10_000_000  # of it
STEP = 0.001  # [s], of brakes


@kernel
def delivered(faults, state, now, asked):
    """`deliver`, callable from Python."""
    law.deliver(faults, state, now, asked)


@kernel
def braked(faults, state, now, joints, given):
    """`brake`, likewise."""
    law.brake(faults, state, now, joints, given)


@kernel
def failed(faults, now, burns, share):
    """`fail_valves`, likewise."""
    law.fail_valves(faults, now, PERIOD, burns, share)


@kernel
def isolated(state, commands, burns):
    """`isolate`, likewise."""
    thrusters.isolate(state, commands, burns)


def arrivals(faults, cycles):
    """Which turn's command has arrived in every turn, counted from 1."""
    state = start(faults, 1)
    found = []
    for turn in range(cycles):
        delivered(faults, state, turn * NS, np.array([turn + 1.0]))
        found.append(int(state.arrived[0]))
    return found


def test_commands_arrive_at_once_without_a_fault():
    assert arrivals(build([], PERIOD), 5) == [1, 2, 3, 4, 5]


def test_a_late_command_waits_its_turns_and_the_last_to_arrive_stays_meanwhile():
    late = FaultDescription(LATE, 3, 4 * NS, 9 * NS)
    # asked for in turns 5 to 9; from turn 10 on newer ones overtake those still on their way
    assert arrivals(build([late], PERIOD), 12) == [1, 2, 3, 4, 4, 4, 4, 5, 6, 10, 11, 12]


def test_nothing_has_arrived_before_the_first_late_command_has():
    late = FaultDescription(LATE, 2, 0, 9 * NS)
    assert arrivals(build([late], PERIOD), 5) == [0, 0, 1, 2, 3]


def test_the_later_of_two_delays_counts():
    late = [FaultDescription(LATE, cycles, 2 * NS, 99 * NS) for cycles in (1, 2)]
    assert arrivals(build(late, PERIOD), 6) == [1, 2, 2, 2, 3, 4]


def burns_of(fault, cycles=6, asked=0.5):
    """Burns of three thrusters and the shares of their thrust, cycle by cycle."""
    faults, found = build([fault], PERIOD), []
    for turn in range(cycles):
        burns, share = np.full(3, asked * PERIOD), np.zeros(3)
        failed(faults, turn * NS, burns, share)
        found.append((burns / PERIOD, share))
    return np.array(found)


@pytest.mark.parametrize(("kind", "burnt"), [(DEAD, 0.0), (OPEN, 1.0)])
def test_a_stuck_valve_stays_so_in_its_stretch_of_time_and_no_other_does(kind, burnt):
    found = burns_of(FaultDescription(kind, 1, 2 * NS, 4 * NS))
    shall = np.full((6, 3), 0.5)
    shall[2:4, 1] = burnt
    np.testing.assert_allclose(found[:, 0], shall)
    assert (found[:, 1] == 1.0).all()


def test_a_weak_thruster_gives_its_share_in_its_stretch_of_time_and_no_other_does():
    found = burns_of(FaultDescription(WEAK, 2, 2 * NS, 4 * NS, numbers=(0.9, 0.0, 0.0)))
    shall = np.ones((6, 3))
    shall[2:4, 2] = 0.9
    np.testing.assert_array_equal(found[:, 1], shall)
    np.testing.assert_allclose(found[:, 0], 0.5)


def test_an_isolation_valve_stays_closed_once_it_was_commanded():
    state = thrusters.start(thrusters.Thrusters(np.zeros((2, thrusters.TABLE_WIDTH))))
    found = []
    for command in ([0.0, 0.0], [0.0, 1.0], [0.0, 0.0]):
        burns = np.full(2, PERIOD)
        isolated(state, np.array(command), burns)
        found.append(burns.tolist())
    assert found == [[PERIOD, PERIOD], [PERIOD, 0.0], [PERIOD, 0.0]]


def brake_on(load, max_effort, rate, inertia=2.0, cycles=2000, kind=STUCK):
    """Positions of a joint [rad] that moves at a rate as its brake closes, under a load [N m] that
    its motor bears."""
    faults = build([FaultDescription(kind, 0, 0, 10**18, rotor=2.0, max_effort=max_effort)], STEP)
    state = start(faults, 1)
    q, qd, given = np.array([0.7]), np.array([rate]), np.array([-load])
    found = []
    for turn in range(cycles):
        braked(faults, state, turn, (q, qd), given)
        a = (given[0] + load) / inertia
        q += qd * STEP + 0.5 * a * STEP**2  # exact for a torque that stays until the next turn
        qd += a * STEP
        found.append(q[0])
    return np.array(found)


@pytest.mark.parametrize("inertia", [2.0, 20.0])
def test_a_stuck_joint_comes_to_rest_where_it_was_but_for_its_load_on_the_spring(inertia):
    q = brake_on(load=5.0, max_effort=300.0, rate=0.1, inertia=inertia)
    stiffness = 2.0 * (law.REACH / STEP) ** 2
    # ten times the rotor's inertia makes it swing at 16 rad/s with a damping of 0.3: of 6 mrad,
    # e^(-16 * 0.3 * 1.5) = 8e-4 is left in the last half second
    assert q[-500:] == pytest.approx(0.7 + 5.0 / stiffness, abs=1e-5)


def test_a_brake_that_closes_as_the_power_goes_bears_what_the_motor_bore():
    q = brake_on(load=5.0, max_effort=300.0, rate=0.0, kind=HELD)
    assert q == pytest.approx(0.7, abs=1e-12)


def test_a_brake_slips_under_more_than_it_bears():
    held, slips = brake_on(4.9, 5.0, 0.0), brake_on(5.2, 5.0, 0.0)
    assert abs(held[-1] - 0.7) < 5e-3
    # a = (5.2 - 5.0)/2.0 from the instant on at which the spring is at its limit: within 0.1 s of
    # the start, a twentieth of the way from 1 s to 2 s
    assert slips[-1] - slips[-1001] == pytest.approx(0.1 * (2.0**2 - 1.0**2) / 2.0, rel=0.1)


def test_an_arm_without_power_is_braked_with_all_that_it_carries():
    """The arm's seven joints, the gripper's motor and both clamps; wheels stand elsewhere."""
    loss = {"kind": "power-loss", "arm": "main", "from_s": 40.0}
    scenario = proxops.load("berthing").replace({"faults": {"power": loss}})
    table = build_scenario(scenario).faults.table
    assert table[:, law.NUMBER].tolist() == list(range(10))
    assert set(table[:, law.KIND]) == {HELD}
    only = scenario.replace({"faults.power.arm": "motor"})
    assert build_scenario(only).faults.table[:, law.NUMBER].tolist() == [7]


def test_on_board_software_knows_of_no_fault():
    scenario = proxops.load("envisat-capture")
    struck = scenario.replace(
        {
            "faults.a": {"kind": "dead-thruster", "thruster": "ppp_x"},
            "faults.b": {"kind": "stuck-joint", "arm": "main", "joint": "elbow_pitch"},
            "faults.c": {"kind": "late-commands", "delay_s": 0.1},
        }
    )
    assert len(build_scenario(struck).faults.table) == 3
    knows, shall_know = (build_scenario(each).onboard.functions for each in (struck, scenario))
    for one, other in zip(knows, shall_know, strict=True):
        assert str(one.params) == str(other.params)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ({"kind": "dead-thruster", "thruster": "ppp_q"}, "thruster: .*'ppp_q'.*ppp_z"),
        ({"kind": "stuck-joint", "arm": "mian", "joint": "elbow_pitch"}, "arm: .*'mian'.*main"),
        ({"kind": "stuck-joint", "arm": "main", "joint": "elbow"}, "joint: .*'elbow'.*elbow_pitch"),
        ({"kind": "power-loss", "arm": "mian"}, "arm: .*'mian'.*main"),
        ({"kind": "late-commands", "delay_s": 0.0005}, "delay_s: 0.0005 s is not a whole number"),
        ({"kind": "late-commands", "delay_s": 0.1, "from_s": 3.0, "until_s": 2.0}, "until_s: 2 s"),
        ({"kind": "late-commands", "delay_s": 0.1, "from_s": 1e4}, "from_s: 10000 s .*duration_s"),
        ({"kind": "stuck-open-thruster", "thruster": "ppp_q"}, "thruster: .*'ppp_q'.*ppp_z"),
        ({"kind": "weak-thruster", "thruster": "ppp_z", "share": 1.5}, "share: .*1.5"),
        ({"kind": "target-manoeuvre", "delta_v_H_m_s": [0.1, 0.0, 0.0]}, "until_s: say when"),
        ({"kind": "guidance-failure", "mode": "nan"}, "kind: there is no guidance"),
        ({"kind": "tired-pilot"}, "late-commands"),
    ],
)
def test_a_fault_of_what_does_not_exist_is_refused_with_its_place_and_near_names(fault, says):
    with pytest.raises(InputError, match=rf"faults\.odd.*{says}"):
        proxops.load("envisat-capture").replace({"faults.odd": fault})
