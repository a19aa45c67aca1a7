"""From descriptions to the arrays that kernels read."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from proxops.core.description import (
    ContactDescription,
    CraftDescription,
    GearsDescription,
    HoldDescription,
    MountedArm,
    OrbitDescription,
    RigidInertia,
)
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.physics.flexible.table import centre_shift, modes_of, start_of
from proxops.physics.multibody import tree as columns
from proxops.physics.multibody.tree import Tree, body_row
from proxops.physics.orbit import reference
from proxops.plant import contact_array, hold_array, layout, model
from proxops.plant.frames import enter_from_hill
from proxops.plant.interface import Pair, interface
from proxops.plant.mobility import stance
from proxops.plant.model import Plant
from proxops.plant.mounting import seat_of

# Speed at which Coulomb friction of a joint is mostly developed [rad/s or m/s]: slow against any
# commanded motion, yet integrable at a millisecond with the inertias of a space arm's joints.
COULOMB_SPEED = 2e-3


def build(
    chaser: CraftDescription,
    target: CraftDescription,
    orbit: OrbitDescription | None,
    contacts: Sequence[ContactDescription] = (),
    holds: Sequence[HoldDescription] = (),
) -> Plant:
    """The plant that a scenario describes."""
    sky = np.zeros(reference.ORBIT_WIDTH)
    if orbit is not None:
        sky[reference.MU] = orbit.mu
        sky[reference.R0 : reference.R0 + 3] = orbit.R
        sky[reference.V0 : reference.V0 + 3] = orbit.V
        sky[reference.INSIDE] = orbit.inside
        sky[reference.DROP] = reference.DROPS[orbit.drop]
        sky[reference.EXCHANGE] = reference.EXCHANGES[orbit.exchange]
    apart = Plant(
        *_tree(chaser),
        modes_of(chaser.appendages),
        *_tree(target),
        modes_of(target.appendages),
        sky,
        np.zeros((0, contact_array.CONTACT_WIDTH)),
        np.zeros((0, hold_array.HOLD_WIDTH)),
        np.zeros(model.ENTRIES_SIZE, dtype=np.int64),
    )
    if not contacts and not holds:
        return apart
    rows, held = interface(chaser, _seen_at_start(apart, chaser, target), contacts, holds)
    return apart._replace(contacts=rows, holds=held)


def _seen_at_start(apart: Plant, chaser: CraftDescription, target: CraftDescription) -> Pair:
    """The chaser as the target sees it at the start."""
    y, parts = start_state(apart, chaser, target), layout.slices(apart)
    (R_OC, p_OC), (R_OT, p_OT) = (_pose(y[part]) for part in (parts.chaser, parts.target))
    tree = Tree(apart.chaser, apart.chaser_topology)
    q = np.concatenate([np.zeros(0), *(mounted.q for mounted in chaser.jointed)])
    return Pair(
        tree,
        stance(tree, q),
        Tree(apart.target, apart.target_topology),
        R_OT.T @ R_OC,
        R_OT.T @ (p_OC - p_OT),
    )


def _pose(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    R = np.array(quat_to_rotation.py_func(tuple(y[layout.Q : layout.Q + 4]))).reshape(3, 3)
    return R, y[layout.P : layout.P + 3]


def start_state(plant: Plant, chaser: CraftDescription, target: CraftDescription) -> np.ndarray:
    """The state at the start.  The target's p_H and v_H are those of hub and appendages together,
    since the reference orbit goes through its whole centre of mass."""
    parts = layout.slices(plant)
    y = np.zeros(parts.size)
    y[parts.chaser] = _start(chaser)
    y[parts.target] = _start(target)
    enter_from_hill(plant, y)
    _move_to_centre(plant, y[parts.target])
    return y


def _move_to_centre(plant: Plant, y: np.ndarray) -> None:
    """Puts the target's centre of mass where its hub stands, and gives it the hub's velocity.

    p_OT -= R_OT c,   v_OT -= R_OT (w × c + Ṡ/m),   with c of hub and deflected appendages, hub axes
    """
    hub = plant.target[0]
    eta, eta_rate = y[layout.JOINTS :].reshape(2, -1)  # a target has no joints
    shift, shift_rate = (centre_shift(plant.target_modes, each) for each in (eta, eta_rate))
    mass = hub[columns.MASS]
    c = hub[columns.COM : columns.COM + 3] + shift / mass
    w = y[layout.W : layout.W + 3]
    R_OT, _ = _pose(y)
    y[layout.P : layout.P + 3] -= R_OT @ c
    y[layout.V : layout.V + 3] -= R_OT @ (np.cross(w, c) + shift_rate / mass)


def _tree(craft: CraftDescription) -> Tree:
    bodies = [body_row(_with_wheels(craft))]
    topology: list[tuple[int, int]] = []
    tips: dict[str, int] = {}
    for mounted in craft.jointed:
        parent, seat = tips.get(mounted.mounted_on, 0), seat_of(craft, mounted)
        for index, joint in enumerate(mounted.arm.joints):
            last = index == len(mounted.arm.joints) - 1
            row = body_row(carrying(craft, mounted) if last else joint.link)
            R, p = joint.R_PJ, joint.p_PJ
            if index == 0:
                R, p = seat.R @ R, seat.p + seat.R @ p
            row[columns.ROTATION : columns.ROTATION + 9] = R.ravel()
            row[columns.OFFSET : columns.OFFSET + 3] = p
            row[columns.ROTOR] = joint.rotor_inertia
            row[columns.VISCOUS] = joint.viscous
            row[columns.COULOMB] = joint.coulomb
            row[columns.COULOMB_SPEED] = COULOMB_SPEED
            row[columns.LOWER] = joint.lower
            row[columns.UPPER] = joint.upper
            row[columns.STOP_STIFFNESS] = joint.stop_stiffness
            row[columns.STOP_DAMPING] = joint.stop_damping
            topology.append((parent, columns.PRISMATIC if joint.prismatic else columns.REVOLUTE))
            if all(mounted is not each for each in craft.arms):
                row[: columns.ROTATION], topology[-1] = _about_axis(joint.link), (0, columns.WHEEL)
            if joint.gears is not None:
                _mesh(row, joint.gears, tips)
            parent = len(bodies)
            bodies.append(row)
        tips[mounted.name] = parent
    return Tree(
        np.array(bodies),
        np.array(topology, dtype=np.int64).reshape(-1, columns.TOPOLOGY_WIDTH),
    )


def _mesh(row: np.ndarray, gears: GearsDescription, tips: dict[str, int]) -> None:
    """Writes the gears that drive a joint; the arm that drives comes before it."""
    row[columns.DRIVER] = tips[gears.driver]
    row[columns.DRIVER_RADIUS] = gears.driver_radius
    row[columns.GEAR_RADIUS] = gears.own_radius
    row[columns.MESH_STIFFNESS] = gears.stiffness
    row[columns.MESH_DAMPING] = gears.damping
    row[columns.BACKLASH] = gears.backlash
    row[columns.EFFICIENCY] = gears.efficiency


def carrying(craft: CraftDescription, mounted: MountedArm) -> RigidInertia:
    """An arm's last link with the roots of the arms that stand on it, in its own frame."""
    link = mounted.arm.joints[-1].link
    for each in craft.arms:
        if each.mounted_on == mounted.name:
            seat = seat_of(craft, each)
            link = link.joined(each.arm.root.seen_from(seat.R, seat.p))
    return link


def _with_wheels(craft: CraftDescription) -> RigidInertia:
    """The whole hub with its wheels, but for what they have about their axes."""
    hub = whole_hub(craft)
    for wheel in craft.wheels:
        seat = wheel.mounted()
        rotor = seat.arm.joints[0].link
        across = replace(rotor, inertia=rotor.inertia * np.diag([1.0, 1.0, 0.0]))
        hub = hub.joined(across.seen_from(seat.R_CA, seat.p_CA))
    return hub


def _about_axis(rotor: RigidInertia) -> np.ndarray:
    """The columns of a wheel's own inertia."""
    alone = RigidInertia(0.0, np.zeros(3), rotor.inertia * np.diag([0.0, 0.0, 1.0]))
    return body_row(alone)[: columns.ROTATION]


def whole_hub(craft: CraftDescription) -> RigidInertia:
    """The hub with the arms' root links and the undeflected appendages bolted to it, about the
    hub's own centre of mass."""
    hub = RigidInertia(craft.mass, np.zeros(3), craft.inertia)
    for mounted in craft.arms:
        if not mounted.mounted_on:
            hub = hub.joined(mounted.arm.root.seen_from(mounted.R_CA, mounted.p_CA))
    for appendage in craft.appendages:
        hub = hub.joined(appendage.rigid)
    return hub


def _start(craft: CraftDescription) -> np.ndarray:
    """A spacecraft's part of the state, its position and velocity still in the Hill frame."""
    joints = [each.q for each in craft.jointed] + [each.qd for each in craft.jointed]
    modes = [*start_of(craft.appendages)]
    return np.concatenate([craft.p_H, craft.q_N, craft.v_H, craft.w, *joints, *modes])
