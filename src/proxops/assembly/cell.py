"""From a scenario and a facility to the stages of a rehearsal."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from proxops import plant
from proxops.assembly.build import Built, build
from proxops.assembly.calibration import sensed_at, sensing_of
from proxops.assembly.cell_guard import guard_of, rules_of
from proxops.assembly.cell_signals import force_sensor_of, servo_of
from proxops.assembly.facility import Robots, fit_out, start_pose
from proxops.assembly.facility_fit import (
    reject_unfit,
    reject_unknown_work,
    reject_unloaded_wrist,
)
from proxops.assembly.facility_steps import reject_uneven_steps
from proxops.assembly.nominal import UNFORCED, NominalChoice
from proxops.assembly.representation import represent, start_motions, start_nominal
from proxops.assembly.robot import step_of
from proxops.assembly.start_poses import grapple_note
from proxops.core.description import CraftDescription
from proxops.core.errors import InputError
from proxops.core.frame import rotation_of
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard.build import GuardDescription, in_motion
from proxops.facility.common.guard.build import build as build_guard
from proxops.facility.common.guard.table import CUES, Given
from proxops.facility.common.representation import NominalState, Representation
from proxops.facility.common.rows import CHASER, FLANGE, PAIR, TARGET, WRIST
from proxops.facility.robot_cell.arms import NOTHING, moved_loads
from proxops.facility.robot_cell.cell import Cell, CellState, CellWorkspace
from proxops.facility.robot_cell.guarded import ARM, ARM_FRAMES
from proxops.facility.robot_cell.industrial.jacobian import speeds_for
from proxops.facility.robot_cell.industrial.kr120 import KR120
from proxops.facility.robot_cell.industrial.robot import POSE_WIDTH, Placement
from proxops.facility.robot_cell.industrial.robot import build as build_robot
from proxops.facility.robot_cell.industrial.track import shortfall, starts
from proxops.facility.robot_cell.servo import JOINTS, moving
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.plant import layout
from proxops.plant.build import start_state
from proxops.plant.measured_state import PosedArm, arm_of, start_measured
from proxops.plant.workspace import quiet_drive, workspace
from proxops.scenario.load import Scenario
from proxops.scenario.schema.facility import Facility


class Made(NamedTuple):
    """The stages of a rehearsal, and the start."""

    built: Built  # in orbit: knows no contacts
    touching: Built  # as the scenario has it
    cell: Cell
    guarded: GuardDescription
    state: CellState
    workspace: CellWorkspace
    representation: Representation
    nominal: NominalState
    z: np.ndarray
    arm: PosedArm
    qdd: np.ndarray
    spins: np.ndarray


def build_cell(
    scenario: Scenario,
    facility: Facility,
    representation: str,
    nominal: NominalChoice = UNFORCED,
) -> Made:
    """A scenario on a facility."""
    touching = build(scenario)
    reject_unfit(touching, scenario.mission.on_ground)
    reject_unloaded_wrist(touching, facility)
    reject_unknown_work(touching, facility)
    reject_uneven_steps(scenario, facility)
    bare = plant.build(touching.chaser, touching.target, None)._replace(orbit=touching.plant.orbit)
    y = touching.y[: layout.slices(bare).size].copy()
    ports = touching.ports._replace(chaser_energy=np.zeros(1))
    built = touching._replace(plant=bare, ports=ports, y=y, contacts=(), holds=())
    shows = represent(built, representation, start_pose(facility, scenario), nominal)
    z, arm = y.copy(), arm_of(bare)
    start_measured(bare, y, z, arm)
    nominal_state, motions = start_nominal(built, shows.nominal), start_motions(built, shows)
    cell, guarded, state = _cell(scenario, facility, touching, motions)
    return Made(
        built=built,
        touching=touching,
        cell=cell,
        guarded=guarded,
        state=state,
        workspace=_cell_workspace(cell),
        representation=shows,
        nominal=nominal_state,
        z=z,
        arm=arm,
        qdd=np.zeros(len(bare.chaser_topology)),
        spins=np.array([each.speed + each.axis @ built.chaser.w for each in built.chaser.wheels]),
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
    sensors = (
        force_sensor_of(facility.flange_sensor, step),
        force_sensor_of(facility.wrist_sensor, step),
    )
    longest = max(sensor.delay // sensor.every + 2 for sensor in sensors)
    servo = servo_of(facility, step)
    robots = fit_out(facility, scenario) if facility.robots else _none()
    q, qd = np.zeros(JOINTS), np.zeros(JOINTS)
    if facility.robots:
        q, qd = _joints(robots, motions, scenario)
    hardware = touching.chaser, touching.contacts
    guarded = guard_of(facility, robots, hardware, servo.cycle * step)
    guard = build_guard(guarded)
    joints, last = len(bodies.chaser_topology), max(0, int(touching.ports.effector_body[0]))
    beyond = [NOTHING, *moved_loads(touching.chaser.arms)]
    axes = slice(len(guarded.axes))  # none without robots
    cell = Cell(
        plant=bodies,
        ideal=0 if facility.robots else 1,
        servo=servo,
        target_robot=robots.target,
        chaser_robot=robots.chaser,
        flange=sensors[FLANGE],
        wrist=sensors[WRIST],
        feedback_sensor=FLANGE if facility.feedback_sensor == "flange" else WRIST,
        guard=guard,
        rules=rules_of(facility, touching, bodies),
        sensing=sensing_of(facility, robots, last, beyond[last]),
    )
    state = CellState(
        clock=np.zeros(1, dtype=np.int64),
        y=y,
        motions=motions,
        axes=moving(servo, q, qd, step),
        memory=in_motion(guard, q[axes], qd[axes], ARM_FRAMES + joints),
        given=Given(q.copy(), np.zeros(ARM + joints), np.zeros(CUES)),
        filtered=np.zeros((PAIR, WRENCH)),
        samples=np.zeros((PAIR, longest, WRENCH)),
        readings=np.zeros((PAIR, WRENCH)),
        wrench=np.zeros(WRENCH),
        sensed=sensed_at(motions),
    )
    return cell, guarded, state


def _cell_workspace(cell: Cell) -> CellWorkspace:
    joints = len(cell.plant.chaser_topology)
    return CellWorkspace(
        work=workspace(cell.plant),
        drive=quiet_drive(cell.plant),
        arriving=np.zeros((PAIR, layout.JOINTS)),
        links=np.zeros((joints, POSE_WIDTH)),
        loads=np.zeros(BASE_DOF + joints),
        still=np.zeros(joints),
    )


def _none() -> Robots:
    """Robots that stand for none: kernels want two."""
    nobody = build_robot(KR120, Placement())
    return Robots(nobody, nobody)


def _joints(
    robots: Robots, motions: np.ndarray, scenario: Scenario
) -> tuple[np.ndarray, np.ndarray]:
    """Joints and their speeds (12,) of both robots that show the motions at the start."""
    q, qd = [], []
    for name, robot, motion in zip(("target", "chaser"), robots, motions, strict=True):
        pose = motion[: layout.V]
        found = starts(robot, pose)
        if not found:
            note = grapple_note(scenario) or (
                "proxops check with --optimise-start looks for a start that it reaches"
            )
            raise InputError(f"the {name}'s robot: the start is {shortfall(robot, pose)}; {note}")
        R = rotation_of(pose[layout.Q :])
        twist = np.concatenate([R.T @ motion[layout.V : layout.W], motion[layout.W :]])
        q.append(found[0])
        qd.append(np.array(speeds_for(robot, found[0], pose, twist)))
    return np.concatenate(q), np.concatenate(qd)
