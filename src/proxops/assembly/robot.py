"""From a scenario with a robot to the facility, and to the plant with the body it renders."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from proxops import plant
from proxops.assembly.build import Built, build
from proxops.assembly.describe import describe
from proxops.core.description import AppendageDescription, RigidInertia
from proxops.core.random_rows import FACILITY, RandomRows, generator
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.passivity.late_spring import mass_at, touch_problem
from proxops.facility.rendered import build as facility
from proxops.facility.rendered.lab import RenderedLab
from proxops.facility.rendered.mock_up import bolted
from proxops.facility.rendered.probe import Probe, no_probe
from proxops.facility.rendered.rendering import Rendering, State
from proxops.physics.flexible.linear import flexible
from proxops.physics.flexible.table import start_of
from proxops.plant import layout
from proxops.plant.outline import outline
from proxops.scenario import schema
from proxops.scenario.load import Scenario
from proxops.scenario.schema.base import Problem

HZ = 2.0 * math.pi


class Lab(NamedTuple):
    """The stages of a scenario with a robot, and the start."""

    given: Built  # with all appendages modelled
    built: Built  # the plant's target is the modelled body
    rendering: Rendering
    state: State
    carried: tuple[AppendageDescription, ...]  # real appendages on the flange


def build_lab(scenario: Scenario) -> Lab:
    """The facility of a scenario that has a robot, with L where O is."""
    robot = scenario.mission.robot
    assert robot is not None
    given = built = build(scenario)
    carried: tuple[AppendageDescription, ...] = ()
    if robot.renders == "hub":
        carried = built.target.appendages
        built = _with_bare_hub(built)
    y = built.y[layout.slices(built.plant).target]
    R = np.array(quat_to_rotation.py_func(y[layout.Q : layout.Q + 4])).reshape(3, 3)
    motion = np.concatenate([y[layout.V : layout.V + 3], R @ y[layout.W : layout.W + 3]])
    probe = no_probe()
    if robot.probe is not None:
        probe = probe_before(robot.probe, y[layout.P : layout.P + 3], R)
    model = facility.build(bolted(carried), probe, describe_robot(robot), step_of(scenario))
    state = facility.start(model, y[layout.P : layout.V], motion, start_of(carried))
    return Lab(given, built, model, state, carried)


def in_loop(made: Lab, seed: int, draws: int) -> tuple[RenderedLab, RandomRows]:
    """What the loop takes of it, with room for so many draws of random numbers at once."""
    rows = RandomRows(draws, (generator(seed, FACILITY), (WRENCH,)))
    lab = RenderedLab(
        model=made.rendering,
        state=made.state,
        workspace=facility.workspace_for(made.state),
        outputs=facility.quiet_outputs(),
        motion=np.zeros(WRENCH),
        draws=rows.rows,
        drawn=rows.used,
    )
    return lab, rows


def light_targets(scenario: Scenario) -> list[Problem]:
    """Why the scenario's robot cannot render the target stably, with real appendages on its hub or
    while the probe pushes it; empty if it can."""
    robot = scenario.mission.robot
    if robot is None:
        return []
    _, target, _ = describe(scenario)
    hub = RigidInertia(target.mass, np.zeros(3), target.inertia)
    step = step_of(scenario)
    model = facility.build(bolted(()), no_probe(), describe_robot(robot), step)
    loop = facility.loop_of(model, step)
    problems: list[Problem] = []
    if robot.renders == "hub" and target.appendages:
        text = facility.too_light(flexible(hub, target.appendages), loop)
        problems += [] if text is None else [(("robot",), text)]
    if robot.probe is not None:
        for appendage in target.appendages:
            hub = hub.joined(appendage.rigid)
        R = np.array(quat_to_rotation.py_func(target.q_N)).reshape(3, 3)
        probe = probe_before(robot.probe, np.zeros(3), R)
        effective_mass = mass_at(hub, probe.point, R.T @ probe.along)
        text = touch_problem(effective_mass, loop, probe.stiffness, probe.damping)
        problems += [] if text is None else [(("robot", "probe"), text)]
    return problems


def step_of(scenario: Scenario) -> float:
    """The plant's step [s], the same in every phase of a scenario with a robot; of paces the
    shortest."""
    time = scenario.mission.time
    steps = list(time.steps_s.values())
    return min(steps) if time.paces else steps[0]


def describe_robot(robot: schema.Robot) -> facility.RobotDescription:
    """The robot in SI units."""
    sensor = robot.sensor
    return facility.RobotDescription(
        order=0 if robot.bandwidth_hz is None else robot.order,
        bandwidth=HZ * (robot.bandwidth_hz or 0.0),
        damping=robot.damping_ratio,
        delay=robot.delay_s,
        control_period=1.0 / robot.control_rate_hz if robot.control_rate_hz else 0.0,
        sensor=facility.SensorDescription(
            bandwidth=HZ * (sensor.filter_hz or 0.0),
            period=1.0 / sensor.rate_hz if sensor.rate_hz else 0.0,
            delay=sensor.delay_s,
            bias=np.array([*sensor.bias_N, *sensor.bias_N_m]),
            noise=np.array([*sensor.noise_N, *sensor.noise_N_m]),
        ),
    )


def _with_bare_hub(built: Built) -> Built:
    """The same start with a target whose appendages are not modelled: its hub stands and moves as
    it does with them."""
    rigid = tuple(each for each in built.target.shapes if not each.appendage)
    hub = replace(built.target, appendages=(), shapes=rigid)
    bare = plant.build(built.chaser, hub, None, built.contacts, built.holds)
    bare = bare._replace(orbit=built.plant.orbit)
    parts = layout.slices(built.plant)
    of_hub = built.y[parts.target][: layout.JOINTS]
    y = [built.y[parts.chaser], of_hub, built.y[parts.ledger.start :]]
    ports = built.ports._replace(outline=outline(built.chaser, hub, bare))
    return built._replace(plant=bare, ports=ports, y=np.concatenate(y), target=hub)


def probe_before(given: schema.Probe, p_LT: np.ndarray, R_LT: np.ndarray) -> Probe:
    """The probe before a mock-up with that pose at the start."""
    point, along = np.array(given.p_TA_m), np.array(given.direction_L)
    along /= np.linalg.norm(along)
    return Probe(
        point,
        along,
        float(along @ (p_LT + R_LT @ point)) - given.gap_m,
        given.start_s,
        given.speed_m_s,
        given.travel_m,
        given.hold_s,
        given.stiffness_N_m,
        given.damping_N_s_m,
    )
