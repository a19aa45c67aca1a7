"""From a scenario and a facility to the stages of a rehearsal."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from proxops import plant
from proxops.assembly.as_published import start_published
from proxops.assembly.build import Built, build
from proxops.assembly.calibration import sensed_at, sensing_of
from proxops.assembly.facility import Robots, fit_out, start_pose
from proxops.assembly.facility_steps import refuse_uneven_steps
from proxops.assembly.nominal import UNFORCED, NominalChoice, nominal_of, target_state
from proxops.assembly.robot import step_of
from proxops.assembly.touching_body import is_carried, touched_body
from proxops.core.description import ContactDescription, CraftDescription
from proxops.core.errors import InputError
from proxops.core.frame import Frame, frame, rotation_of
from proxops.facility.common.force_sensor import WRENCH, ForceSensor
from proxops.facility.common.guard.build import GuardDescription, Shape, in_motion
from proxops.facility.common.guard.build import build as build_guard
from proxops.facility.common.guard.table import CUES, Given
from proxops.facility.common.passivity.chain import Chain, reading_age
from proxops.facility.common.representation import FIXED_ON_TARGET, NominalState, Representation
from proxops.facility.rendered.build import whole_steps
from proxops.facility.robot_cell.arms import NOTHING, moved_loads
from proxops.facility.robot_cell.as_published import AsPublished
from proxops.facility.robot_cell.compliance import light_damping
from proxops.facility.robot_cell.fence import Fence, Tool, fence
from proxops.facility.robot_cell.guarded import ARM, ARM_FRAMES, Rules
from proxops.facility.robot_cell.industrial.jacobian import speeds_for
from proxops.facility.robot_cell.industrial.kr120 import KR120
from proxops.facility.robot_cell.industrial.robot import POSE_WIDTH, Placement
from proxops.facility.robot_cell.industrial.robot import build as build_robot
from proxops.facility.robot_cell.industrial.track import starts
from proxops.facility.robot_cell.rods import rods_of
from proxops.facility.robot_cell.rows import CHASER, FLANGE, PAIR, TARGET, WRIST
from proxops.facility.robot_cell.servo import JOINTS, Servo, moving
from proxops.facility.robot_cell.stage import Cell, CellRoom, CellState
from proxops.physics.flexible.linear import Lag
from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import OFFSET, ROTATION, SCRATCH_WIDTH
from proxops.physics.relative.motion import STATE_WIDTH
from proxops.physics.relative.nominal import Nominal
from proxops.physics.relative.nominal_build import from_samples
from proxops.plant import layout
from proxops.plant.build import quiet_drive, start_state, workspace
from proxops.plant.measured_arm import start_measured
from proxops.scenario.load import Scenario
from proxops.scenario.schema.facility import Facility
from proxops.scenario.schema.robot import Sensor

HZ = 2.0 * math.pi
REPRESENTATIONS = ("relative", "absolute", "target-fixed")


Hardware = tuple[CraftDescription, Sequence[ContactDescription]]  # the chaser, and what touches


class Made(NamedTuple):
    """The stages of a rehearsal, and the start."""

    built: Built  # in orbit: knows no contacts
    touching: Built  # as the scenario has it
    cell: Cell
    guarded: GuardDescription
    state: CellState
    room: CellRoom
    representation: Representation
    nominal: NominalState
    z: np.ndarray
    qdd: np.ndarray
    spins: np.ndarray
    published: AsPublished


def build_cell(
    scenario: Scenario,
    facility: Facility,
    representation: str,
    nominal: NominalChoice = UNFORCED,
) -> Made:
    """A scenario on a facility."""
    touching = build(scenario)
    refuse_unfit(touching)
    refuse_deaf_wrist(touching, facility)
    refuse_uneven_steps(scenario, facility)
    bare = plant.build(touching.chaser, touching.target, None)._replace(orbit=touching.plant.orbit)
    y = touching.y[: layout.slices(bare).size].copy()
    ports = touching.ports._replace(chaser_energy=np.zeros(1))
    built = touching._replace(plant=bare, ports=ports, y=y, contacts=(), holds=())
    shows = represent(built, representation, start_pose(facility, scenario), nominal)
    room = workspace(bare)
    z = y.copy()
    start_measured(bare, y, z, room.scratch)
    nominal_state, motions = start_nominal(built, shows.nominal), _start_motions(built, shows)
    published = start_published(built, shows, nominal_state.y, motions)
    cell, guarded, state = _cell(scenario, facility, touching, motions)
    return Made(
        built,
        touching,
        cell,
        guarded,
        state,
        _room(cell),
        shows,
        nominal_state,
        z,
        np.zeros(len(bare.chaser_topology)),
        np.array([wheel.speed + wheel.axis @ built.chaser.w for wheel in built.chaser.wheels]),
        published,
    )


def refuse_unfit(built: Built) -> None:
    """Refuses a scenario that no facility can show."""
    touched_body(built)
    if built.ports.measured_contact[0] >= 0:
        raise InputError(
            "obsw.boost.separation_rule: a rehearsal does not measure the compression of pads"
        )
    if built.chaser.appendages:
        raise InputError(
            "chaser.appendages: a rehearsal knows none on the chaser, only on the target"
        )


def refuse_deaf_wrist(built: Built, facility: Facility) -> None:
    """Refuses to feel contact by a wrist that it does not pass."""
    touched, wrist = touched_body(built), int(built.ports.effector_body[0])
    passes = is_carried(built, touched, wrist) if wrist > 0 else touched == wrist
    if facility.felt_by == "wrist" and not passes:
        hub = "hub" if built.chaser.arms else "hub, which has no arm"
        where = "other arm" if touched > 0 else hub
        raise InputError(
            f"felt_by: the wrist does not feel what touches the chaser's {where}; flange does"
        )


def check_representation(name: str) -> None:
    """Refuses what is none of REPRESENTATIONS."""
    if name not in REPRESENTATIONS:
        raise InputError(f"representation {name!r}: possible are {', '.join(REPRESENTATIONS)}")


def represent(
    built: Built, name: str, X_LM: Frame, choice: NominalChoice = UNFORCED
) -> Representation:
    """One of REPRESENTATIONS, beginning with the target at that pose in the lab; the relative one
    takes the nominal motion that is chosen."""
    check_representation(name)
    if name == "absolute":
        still = np.concatenate([target_state(built)[: layout.V], np.zeros(6), [0.0]])
        nominal = from_samples(still[np.newaxis], built.plant.orbit)
    else:
        nominal = nominal_of(choice if name == "relative" else UNFORCED, built)
    return Representation(nominal, FIXED_ON_TARGET if name == "target-fixed" else 0, X_LM.row())


def start_nominal(built: Built, nominal: Nominal) -> NominalState:
    """M at the start: where the target is."""
    given = nominal.samples[0, :STATE_WIDTH].copy() if len(nominal.samples) else None
    return NominalState(
        target_state(built) if given is None else given,
        np.zeros(STATE_WIDTH),
        np.zeros((STAGE_ROWS, STATE_WIDTH)),
        np.zeros((1, SCRATCH_WIDTH)),
    )


def _cell(
    scenario: Scenario, facility: Facility, touching: Built, motions: np.ndarray
) -> tuple[Cell, GuardDescription, CellState]:
    step = step_of(scenario)
    rigid: CraftDescription = replace(touching.target, appendages=())
    grounded = replace(touching.chaser, wheels=())
    bodies = plant.build(grounded, rigid, None, touching.contacts, touching.holds)
    y = start_state(bodies, grounded, rigid)
    parts = layout.slices(bodies)
    for hub, row in ((parts.chaser, CHASER), (parts.target, TARGET)):
        y[hub.start : hub.start + layout.JOINTS] = motions[row]
    sensors = _sensor(facility.flange_sensor, step), _sensor(facility.wrist_sensor, step)
    longest = max(sensor.delay // sensor.every + 2 for sensor in sensors)
    servo = _servo(facility, step)
    robots = fit_out(facility, scenario) if facility.robots else _none()
    q, qd = _joints(robots, motions) if facility.robots else (np.zeros(JOINTS), np.zeros(JOINTS))
    hardware = touching.chaser, touching.contacts
    guarded = _guarded(facility, robots, hardware, servo.cycle * step)
    guard = build_guard(guarded)
    joints, last = len(bodies.chaser_topology), max(0, int(touching.ports.effector_body[0]))
    beyond = [NOTHING, *moved_loads(touching.chaser.arms)]
    axes = slice(len(guarded.axes))  # none without robots
    cell = Cell(
        bodies,
        0 if facility.robots else 1,
        servo,
        *robots,
        *sensors,
        FLANGE if facility.felt_by == "flange" else WRIST,
        guard,
        _rules(facility, touching, bodies),
        sensing_of(facility, robots, last, beyond[last]),
    )
    state = CellState(
        np.zeros(1, dtype=np.int64),
        y,
        motions,
        moving(servo, q, qd, step),
        in_motion(guard, q[axes], qd[axes], ARM_FRAMES + joints),
        Given(q.copy(), np.zeros(ARM + joints), np.zeros(CUES)),
        np.zeros((PAIR, WRENCH)),
        np.zeros((PAIR, longest, WRENCH)),
        np.zeros((PAIR, WRENCH)),
        np.zeros(WRENCH),
        sensed_at(motions),
    )
    return cell, guarded, state


def _room(cell: Cell) -> CellRoom:
    joints = len(cell.plant.chaser_topology)
    return CellRoom(
        workspace(cell.plant),
        quiet_drive(cell.plant),
        np.zeros((PAIR, layout.JOINTS)),
        np.zeros((joints, POSE_WIDTH)),
        np.zeros(BASE_DOF + joints),
        np.zeros(joints),
    )


def _guarded(
    facility: Facility, robots: Robots, hardware: Hardware, period: float
) -> GuardDescription:
    chaser, contacts = hardware
    given = facility.guard
    if facility.robots is None:  # nothing to stop, whatever the period
        return GuardDescription((), period, given.oldest_s, longest_stop=period)
    corners = None
    if given.p_min_m is not None and given.p_max_m is not None:
        corners = np.array(given.p_min_m), np.array(given.p_max_m)
    limits = Fence(
        given.felt_force_N,
        given.felt_torque_N_m,
        given.clearance_m,
        given.oldest_s,
        corners,
        given.acceleration_override,
        given.arm_clearance_m,
    )
    carried = facility.robots.target, facility.robots.chaser
    one, other = (Tool(np.array(each.p_KM_m), each.mock_up.radius_m) for each in carried)
    other = replace(other, rods=rods_of(contacts, robots.chaser))
    return fence((robots.target, robots.chaser), (one, other), chaser, limits, period)


def guarded_shapes(facility: Facility, robots: Robots, hardware: Hardware) -> tuple[Shape, ...]:
    """The capsules that the guard of a facility keeps apart."""
    return _guarded(facility, robots, hardware, 1.0).shapes  # whatever the period is


def _rules(facility: Facility, touching: Built, bodies: plant.Plant) -> Rules:
    given = facility.guard
    links = bodies.chaser[1:]
    mounts = [
        Frame(row[ROTATION:OFFSET].reshape(3, 3), row[OFFSET : OFFSET + 3]).row() for row in links
    ]
    emergency = given.emergency_stop_at_s
    return Rules(
        np.array(mounts).reshape(-1, POSE_WIDTH),
        light_damping(touching.chaser.arms, given.arm_settles_s),
        given.speed_override,
        math.inf if emergency is None else emergency,
    )


def _start_motions(built: Built, shows: Representation) -> np.ndarray:
    """How the hubs move in the lab at the start (2, 13)."""
    parts = layout.slices(built.plant)
    hubs = [
        built.y[part.start : part.start + layout.JOINTS] for part in (parts.target, parts.chaser)
    ]
    M = start_nominal(built, shows.nominal).y
    X_LM = frame(shows.X_LM[:3], shows.X_LM[3:])
    return np.array([_shown(X_LM, M, hub) for hub in hubs])


def _shown(X_LM: Frame, M: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Motion in the lab of a hub B with M as nominal, both (p, q, v, w) in O."""
    X_OM, X_OB = (frame(y[: layout.Q], y[layout.Q : layout.V]) for y in (M, B))
    X_MB = X_OM.inverse() @ X_OB
    w_M, w_B = M[layout.W :], B[layout.W :]
    v = X_OM.R.T @ (B[layout.V : layout.W] - M[layout.V : layout.W]) - np.cross(w_M, X_MB.p)
    w = w_B - X_MB.R.T @ w_M
    return np.concatenate([(X_LM @ X_MB).row(), X_LM.R @ v, w])


def _sensor(given: Sensor, step: float) -> ForceSensor:
    return ForceSensor(
        HZ * (given.filter_hz or 0.0),
        max(1, whole_steps("sensor period", 1.0 / given.rate_hz if given.rate_hz else 0.0, step)),
        whole_steps("sensor delay", given.delay_s, step),
        np.array([*given.bias_N, *given.bias_N_m]),
        np.array([*given.noise_N, *given.noise_N_m]),
    )


def chain_of(facility: Facility, step: float) -> Chain:
    """What a contact's force passes until the carriers answer it: models take readings over in
    every step [s]; commands that are met when they are as old as the delay cost no more."""
    sensor = facility.flange_sensor if facility.felt_by == "flange" else facility.wrist_sensor
    reads, servo = _sensor(sensor, step), _servo(facility, step)
    lags = facility.robots is not None and servo.corner > 0.0
    return Chain(
        reading_age(reads, 1) * step,
        Lag(reads.corner, 1) if reads.corner > 0.0 else None,
        step,
        servo.delay * step if facility.robots else 0.0,
        Lag(servo.corner, 2, servo.damping) if lags else None,
    )


def _servo(facility: Facility, step: float) -> Servo:
    rate, given = facility.command_rate_hz, facility.servo
    cycle = max(1, whole_steps("command period", 1.0 / rate if rate else 0.0, step))
    delay = whole_steps("servo.delay_s", given.delay_s, step)
    if facility.robots and delay < cycle:
        raise InputError(
            f"servo.delay_s: {given.delay_s:g} s is less than a command period of "
            f"{cycle * step:g} s, which a robot needs to move from one command to the next"
        )
    return Servo(HZ * (given.bandwidth_hz or 0.0), given.damping_ratio, delay, cycle)


def _none() -> Robots:
    """Robots that stand for none: kernels want two."""
    nobody = build_robot(KR120, Placement())
    return Robots(nobody, nobody)


def _joints(robots: Robots, motions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joints and their speeds (12,) of both robots that show the motions at the start."""
    q, qd = [], []
    for name, robot, motion in zip(("target", "chaser"), robots, motions, strict=True):
        pose = motion[: layout.V]
        found = starts(robot, pose)
        if not found:
            raise InputError(f"the {name}'s robot does not reach the start: see proxops check")
        R = rotation_of(pose[layout.Q :])
        twist = np.concatenate([R.T @ motion[layout.V : layout.W], motion[layout.W :]])
        q.append(found[0])
        qd.append(np.array(speeds_for(robot, found[0], pose, twist)))
    return np.concatenate(q), np.concatenate(qd)
