"""What a berthing's software believes and shall do, from the scenario as its operators know it."""

import math

import numpy as np

from proxops.arm_paths.arm import arm_of
from proxops.arm_paths.time_law import MotionTable
from proxops.assembly.capture import pose_row, target_hub
from proxops.assembly.planned_paths import hardware_of, planned
from proxops.core.description import CraftDescription
from proxops.core.errors import InputError
from proxops.core.frame import frame
from proxops.onboard.functions.berthing import parameters as made
from proxops.onboard.functions.capture.arm_impedance import Stiffness
from proxops.physics.grip import Clamps, motor_torque, required_force
from proxops.physics.multibody.tree import Tree
from proxops.scenario.load import Scenario
from proxops.scenario.schema import berthing as given
from proxops.scenario.schema.arm_leg import ArmLeg
from proxops.scenario.schema.gripper import Gripper
from proxops.scenario.schema.plan import Plan

_TASKS = {
    "grapple": made.GRAPPLE,
    "carry": made.FOLLOW,
    "move-arm": made.FOLLOW,
    "latch": made.LATCH,
    "release": made.UNLATCH,
    "retreat": made.RETREAT,
}


def berthing_of(known: Scenario, berthing: given.Berthing) -> made.Berthing:
    """The berthing of a scenario, `known` being it as it is believed to be."""
    mission = known.mission
    hardware = hardware_of(known, berthing)
    chaser, _, bodies, arm = hardware
    plan = mission.obsw.plan
    assert plan is not None  # the schema saw to it
    tables = {name: planned(known, berthing, name, hardware) for name in berthing.paths}
    paths, table = _stored(tables)
    legs, leg_holds = _legs(plan, list(tables), list(mission.holds))
    grapple, camera = mission.target.grapple, mission.sensors.camera
    _, com, _ = target_hub(bodies)
    n, own = len(arm.joints), berthing.joints
    return made.Berthing(
        belief=made.Belief(
            chaser=Tree(bodies.chaser, bodies.chaser_topology),
            target_com=com,
            effector=pose_row(arm.X_JE),
            effector_body=arm.first + n,
            grapple=pose_row(frame(grapple.p_TG_m, grapple.q_TG)),
            grasp=pose_row(frame(berthing.p_GE_m, berthing.q_GE)),
            camera=pose_row(frame(camera.p_CK_m, camera.q_CK)),
            ports=_ports(known),
        ),
        legs=legs,
        leg_holds=leg_holds,
        latched=np.array([float(name in berthing.latched) for name in mission.holds]),
        paths=paths,
        table=table,
        joints=np.arange(arm.first, arm.first + n),
        kp=np.broadcast_to(np.asarray(own.kp, dtype=float), n).copy(),
        kd=np.broadcast_to(np.asarray(own.kd, dtype=float), n).copy(),
        loose=own.loose,
        arrived=own.arrived_rad,
        gripper=_gripper(known, berthing, chaser),
        triggers=made.Triggers(
            berthing.triggers.place_m,
            berthing.triggers.angle_rad,
            berthing.triggers.settle_s,
            int(berthing.triggers.kind == "latched"),
        ),
        impedance=Stiffness(
            berthing.impedance.stiffness_N_m,
            berthing.impedance.damping_N_s_m,
            berthing.impedance.stiffness_N_m_rad,
            berthing.impedance.damping_N_m_s_rad,
        ),
        limits=made.Limits(
            force=berthing.max_force_N,
            torque=berthing.max_torque_N_m,
            overload=berthing.overload_s,
            behind=own.behind_rad,
            behind_time=0.5,
            slip=berthing.slip_m,
            slip_time=1.0,
            unseen=berthing.unseen_s,
            start=berthing.limits.start_rad,
            unready=berthing.unready_s,
        ),
        pregrasp=berthing.pregrasp_m,
        reach_time=berthing.reach_s,
        final_time=berthing.final_s,
        ready=berthing.ready_s,
        retry=berthing.retry_s,
        brakes=int(berthing.brakes),
        retreat=berthing.retreat_m,
    )


def _legs(plan: Plan, paths: list[str], holds: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """What the arm does in each leg of the plan, and with which holds."""
    rows = np.zeros((len(plan.legs), made.LEG_WIDTH))
    leg_holds = np.zeros((len(plan.legs), len(holds)))
    for i, leg in enumerate(plan.legs.values()):
        if not isinstance(leg, ArmLeg):
            continue
        opens = leg.does == "release" and not leg.holds
        rows[i, made.TASK] = made.OPEN_GRIPPER if opens else _TASKS[leg.does]
        rows[i, made.PATH] = paths.index(leg.path) if leg.path else 0
        leg_holds[i] = [float(name in leg.holds) for name in holds]
    return rows, leg_holds


def _ports(known: Scenario) -> np.ndarray:
    """Where holds close, and from where; not of holds without a port."""
    rows = np.full((len(known.mission.holds), made.PORT_WIDTH), np.inf)
    for row, hold in zip(rows, known.mission.holds.values(), strict=True):
        if hold.port is None or hold.envelope is None:
            continue
        X_CA, X_TB = frame(hold.port.p_CA_m, hold.port.q_CA), frame(hold.p_TB_m, hold.q_TB)
        row[: made.OFFSET] = np.concatenate([pose_row(X_CA), pose_row(X_TB)])
        row[made.OFFSET :] = hold.envelope.offset_m, math.radians(hold.envelope.angle_deg)
    return rows


def _gripper(
    known: Scenario, berthing: given.Berthing, chaser: CraftDescription
) -> made.GripperDrive:
    gripper, grip = known.mission.chaser.grippers[berthing.gripper], berthing.grip
    first = {name: arm_of(chaser, name).first for name in (gripper.motor, *gripper.clamps)}
    ratio = gripper.clamp_teeth[0] / gripper.motor_teeth
    force = required_force(grip.mass_kg, grip.acceleration_m_s2, grip.safety, grip.mu)
    clamps = Clamps(ratio, grip.lever_m, math.radians(grip.angle_deg))
    torque = motor_torque(clamps, force) / gripper.efficiency
    effort = float(arm_of(chaser, gripper.motor).effort[0])
    if torque > effort:
        raise InputError(
            f"obsw.berthing.grip: takes {torque:.4g} N m of the motor {gripper.motor!r}, which has "
            f"{effort:g} N m; let the mass be accelerated by less, or count on more friction"
        )
    _reject_misfits(gripper, grip, berthing, chaser)
    left, right = gripper.clamps
    return made.GripperDrive(
        motor=first[gripper.motor],
        left=first[left],
        right=first[right],
        torque=torque,
        speed=grip.speed_rad_s,
        gain=grip.gain_N_m_s_rad,
        ramp=grip.ramp_s,
        travel=ratio * math.radians(grip.clamp_deg - berthing.open_deg),
        opened=ratio * math.radians(berthing.open_deg),
        size=math.radians(grip.clamp_deg),
        tolerance=math.radians(grip.tolerance_deg),
        stands=grip.stands_rad_s,
        settle=grip.settle_s,
        touch=grip.touch_N,
    )


def _reject_misfits(
    gripper: Gripper, grip: given.Grip, berthing: given.Berthing, chaser: CraftDescription
) -> None:
    """Refuses a grip that the gripper's motor, gears or clamps do not allow."""
    problems = []
    if len(set(gripper.clamp_teeth)) > 1:
        z2, z3 = gripper.clamp_teeth
        problems.append(f"grip: clamps of {z2} and {z3} teeth do not close alike; give both one")
    fastest = float(arm_of(chaser, gripper.motor).speed[0])
    if grip.speed_rad_s > fastest:
        text = f"grip.speed_rad_s: {grip.speed_rad_s:g} is more than the motor's {fastest:g} rad/s"
        problems.append(text)
    for name in gripper.clamps:
        clamp = arm_of(chaser, name)
        for key, degrees in (("open_deg", berthing.open_deg), ("grip.clamp_deg", grip.clamp_deg)):
            q = math.radians(degrees)
            if not clamp.lower[0] < q < clamp.upper[0]:
                low, high = (math.degrees(float(each[0])) for each in (clamp.lower, clamp.upper))
                text = f"{degrees:g} is beyond the stops of {name!r}, {low:.4g} and {high:.4g} deg"
                problems.append(f"{key}: {text}")
    if problems:
        raise InputError("\n".join(f"obsw.berthing.{each}" for each in problems))


def _stored(tables: dict[str, MotionTable]) -> tuple[np.ndarray, np.ndarray]:
    """All paths in one table, and where each begins."""
    rows, paths, first = [], [], 0
    for table in tables.values():
        rows.append(np.hstack([table.q, table.qd]))
        paths.append((float(first), float(len(table.q)), table.step))
        first += len(table.q)
    if not rows:
        return np.zeros((0, made.PATH_WIDTH)), np.zeros((0, 0))
    return np.array(paths), np.ascontiguousarray(np.vstack(rows))
