"""The true state as recordings show it: one row of named signals."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import ContactDescription, CraftDescription, HoldDescription
from proxops.core.jit import helper, part
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_from_rotation,
    quat_inverse,
    quat_mul,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import add, get3, mul, mul_t, put3, sub
from proxops.physics.flexible.modes import PER_ETA, mode_count
from proxops.physics.integrate.rk4 import K
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import MASS, Tree, has_gears, joint_count, load3, load_mat
from proxops.plant import layout
from proxops.plant.clearance import Outline, clearance, target_seen
from proxops.plant.ledger import tally
from proxops.plant.model import Craft
from proxops.plant.observe_interface import interface_count, put_interface
from proxops.plant.phase_switch import ANGULAR, IMPULSE, WORK, has_switch, shown_in_hill
from proxops.plant.stowed import is_stowed

# Entries of Ports.poses: quaternion, then position
EFFECTOR = 0  # end effector on its link
GRAPPLE = 7  # grapple point on the target
POSES_SIZE = 14


class Ports(NamedTuple):
    """The two frames that a capture brings together, and the contact that is measured."""

    effector_body: np.ndarray  # body that carries the first arm's end effector, -1 without an arm
    measured_contact: np.ndarray  # whose compression on-board software sees, -1 for none
    poses: np.ndarray
    wheels: np.ndarray  # how many of the last joints are wheels
    chaser_energy: np.ndarray  # 1: counted by the ledger; 0: not known, its arm is a real one
    outline: Outline  # what stays clear of each other


def signals(
    chaser: CraftDescription,
    target: CraftDescription,
    contacts: Sequence[ContactDescription] = (),
    holds: Sequence[HoldDescription] = (),
    switches: bool = False,
) -> list[tuple[str, str, str, tuple[int, ...]]]:
    """Name, unit, axes and shape of everything `observe` writes, in its order; `switches` where
    the plant has a phase switch."""
    rows: list[tuple[str, str, str, tuple[int, ...]]] = []
    for craft, X in (("chaser", "C"), ("target", "T")):
        rows += [
            (f"{craft}.p_H{X}", "m", "H", (3,)),
            (f"{craft}.v_H{X}", "m/s", "H", (3,)),
            (f"{craft}.q_N{X}", "1", f"{X} to N, wxyz", (4,)),
            (f"{craft}.w_N{X}_{X}", "rad/s", X, (3,)),
            (f"{craft}.p_H{X}cm", "m", "H", (3,)),
        ]
    rows += [
        ("relative.p_CT", "m", "C", (3,)),
        ("relative.q_CT", "1", "T to C, wxyz", (4,)),
        ("relative.w_CT_C", "rad/s", "C", (3,)),
    ]
    for quantity, revolute, prismatic in (("q", "rad", "m"), ("qd", "rad/s", "m/s")):
        for mounted in chaser.arms:
            unit = mounted.arm.unit(revolute, prismatic)
            if not is_stowed(chaser, mounted.name):
                rows.append((f"chaser.arms.{mounted.name}.{quantity}", unit, "", mounted.q.shape))
    rows += [(f"chaser.wheels.{wheel.name}.speed", "rad/s", "", ()) for wheel in chaser.wheels]
    for craft, described in (("chaser", chaser), ("target", target)):
        for appendage in described.appendages:
            name = f"{craft}.appendages.{appendage.name}.q_f"
            rows.append((name, appendage.unit, "", (len(appendage.modes),)))
    rows += [
        ("ledger.momentum", "N s", "N", (3,)),
        ("ledger.angular_momentum", "N m s", "N, about O", (3,)),
        ("ledger.kinetic_energy", "J", "", ()),
        ("ledger.sum_momentum", "N s", "", ()),
        ("ledger.sum_angular_momentum", "N m s", "", ()),
        ("ledger.sum_impulse", "N s", "", ()),
        ("ledger.sum_angular_impulse", "N m s", "", ()),
        ("ledger.impulse", "N s", "N", (3,)),
        ("ledger.angular_impulse", "N m s", "N, about O", (3,)),
        ("ledger.work_tide", "J", "", ()),
        ("ledger.work_applied", "J", "", ()),
        ("ledger.work_motors", "J", "", ()),
        ("ledger.work_friction", "J", "", ()),
        ("ledger.work_stops", "J", "", ()),
        ("ledger.work_springs", "J", "", ()),
        ("ledger.work_dampers", "J", "", ()),
        ("ledger.work_contact_springs", "J", "", ()),
        ("ledger.work_contact_dampers", "J", "", ()),
        ("ledger.work_contact_friction", "J", "", ()),
        ("ledger.work_holds", "J", "", ()),
    ]
    if any(joint.gears is not None for each in chaser.arms for joint in each.arm.joints):
        rows += [(f"ledger.work_{each}", "J", "", ()) for each in ("gear_springs", "gear_losses")]
    if switches:
        rows.append(("ledger.work_switch", "J", "", ()))
    rows += interface_signals(contacts, holds)
    if chaser.arms:
        rows.append(("relative.p_GE", "m", "G", (3,)))
    if chaser.shapes and target.shapes:
        rows.append(("relative.clearance", "m", "", ()))
    return rows


def interface_signals(
    contacts: Sequence[ContactDescription], holds: Sequence[HoldDescription]
) -> list[tuple[str, str, str, tuple[int, ...]]]:
    """The same of everything `put_interface` writes."""
    rows: list[tuple[str, str, str, tuple[int, ...]]] = []
    rows += [(f"contacts.{each.name}.f", "N", "T", (3,)) for each in contacts]
    for quantity, unit in (("f_n", "N"), ("f_t", "N"), ("cone", "1"), ("gap", "m")):
        rows += [
            (f"contacts.{each.name}.{quantity}", unit, "", (len(each.pads),)) for each in contacts
        ]
    for each in holds:
        rows += [
            (f"holds.{each.name}.f", "N", "T", (3,)),
            (f"holds.{each.name}.t", "N m", "T", (3,)),
        ]
    for each in holds:
        if each.port is not None:
            rows += [
                (f"holds.{each.name}.p_BA", "m", "B", (3,)),
                (f"holds.{each.name}.angle", "rad", "", ()),
                (f"holds.{each.name}.speed", "m/s", "", ()),
                (f"holds.{each.name}.rate", "rad/s", "", ()),
                (f"holds.{each.name}.attempt", "m,rad,m/s,rad/s", "", (4,)),
            ]
    return rows


@helper
def put_vector(row, cursor, a):
    """Writes a vector; returns the next free place."""
    put3(row, cursor, a)
    return cursor + 3


@helper
def _put4(row, cursor, q):
    """Writes a quaternion; returns the next free place."""
    put4(row, cursor, q)
    return cursor + 4


@helper
def put1(row, cursor, x):
    """Writes a number; returns the next free place."""
    row[cursor] = x
    return cursor + 1


@part
def put_array(row, cursor, values):
    """Writes an array; returns the next free place."""
    for i in range(values.shape[0]):
        row[cursor + i] = values[i]
    return cursor + values.shape[0]


@part
def _put_modes(modes, eta, row, cursor):
    """Writes modal coordinates as users know them; returns the next free place."""
    for mode in range(mode_count(modes)):
        row[cursor + mode] = eta[mode] * modes[mode + 1, PER_ETA]
    return cursor + mode_count(modes)


@part
def _put_craft(plant, both, t, y, com, row, cursor):
    """Writes what a recording holds of one spacecraft's motion; `both` is the plant's state."""
    p_H, v_H = shown_in_hill(plant, both, t, get3(y, layout.P), get3(y, layout.V))
    com_H, _ = shown_in_hill(plant, both, t, com, get3(y, layout.V))
    cursor = put_vector(row, cursor, p_H)
    cursor = put_vector(row, cursor, v_H)
    cursor = _put4(row, cursor, get4(y, layout.Q))
    cursor = put_vector(row, cursor, get3(y, layout.W))
    return put_vector(row, cursor, com_H)


@part
def put_relative(chaser, target, row, cursor):
    """Writes the target's motion as seen from the chaser."""
    R_OC = quat_to_rotation(get4(chaser, layout.Q))
    R_OT = quat_to_rotation(get4(target, layout.Q))
    w_CT_C = sub(mul_t(R_OC, mul(R_OT, get3(target, layout.W))), get3(chaser, layout.W))
    q_CT = quat_mul(quat_inverse(get4(chaser, layout.Q)), get4(target, layout.Q))
    cursor = put_vector(
        row, cursor, mul_t(R_OC, sub(get3(target, layout.P), get3(chaser, layout.P)))
    )
    cursor = _put4(row, cursor, quat_positive(q_CT))
    return put_vector(row, cursor, w_CT_C)


@part
def impulses(plant, y):
    """Impulse and angular impulse of all sources [N s, N m s]."""
    ledger = y[layout.ledger_start(plant) :]
    tide, applied = get3(ledger, layout.TIDE_IMPULSE), get3(ledger, layout.APPLIED_IMPULSE)
    impulse = add(tide, applied)
    tide, applied = get3(ledger, layout.TIDE_ANGULAR), get3(ledger, layout.APPLIED_ANGULAR)
    angular = add(tide, applied)
    if has_switch(plant):
        memory = y[layout.switch_start(plant) :]
        impulse = add(impulse, get3(memory, IMPULSE))
        angular = add(angular, get3(memory, ANGULAR))
    return impulse, angular


@part
def _put_ledger(ledger, given, chaser, target, energy, row, cursor):
    """Writes what moves and what the sources gave."""
    cursor = put_vector(row, cursor, add(chaser.momentum, target.momentum))
    cursor = put_vector(row, cursor, add(chaser.angular, target.angular))
    cursor = put1(row, cursor, energy)
    cursor = put1(row, cursor, chaser.sum_momentum + target.sum_momentum)
    cursor = put1(row, cursor, chaser.sum_angular + target.sum_angular)
    cursor = put1(row, cursor, ledger[layout.SUM_IMPULSE])
    cursor = put1(row, cursor, ledger[layout.SUM_ANGULAR])
    cursor = put_vector(row, cursor, given[0])
    cursor = put_vector(row, cursor, given[1])
    return put_array(row, cursor, ledger[layout.TIDE_WORK : layout.GEAR_SPRING_WORK])


@part
def _grapple_gap(ports, chaser, target, scratch):
    """p_GE: the end effector as seen from the grapple frame [m]."""
    body = ports.effector_body[0]
    on_hub = (
        quat_from_rotation(load_mat(scratch, body, at.R)),
        load3(scratch, body, at.P),
    )
    X_BE = (get4(ports.poses, EFFECTOR), get3(ports.poses, EFFECTOR + 4))
    X_TG = (get4(ports.poses, GRAPPLE), get3(ports.poses, GRAPPLE + 4))
    X_OC = (get4(chaser, layout.Q), get3(chaser, layout.P))
    X_OT = (get4(target, layout.Q), get3(target, layout.P))
    X_OE = compose(compose(X_OC, on_hub), X_BE)
    return compose(inverse(compose(X_OT, X_TG)), X_OE)[1]


@part
def observe(plant, ports, work, y, t, row):
    """Writes the signals of `signals` into a row; returns the next free place."""
    chaser = y[: layout.target_start(plant)]
    target = y[layout.target_start(plant) : layout.ledger_start(plant)]
    bodies = plant.chaser.shape[0]
    chaser_craft = Craft(Tree(plant.chaser, plant.chaser_topology), plant.chaser_modes)
    target_craft = Craft(Tree(plant.target, plant.target_topology), plant.target_modes)
    spare = work.stages[K]
    chaser_tally = tally(chaser_craft, chaser, spare, work.scratch[:bodies])
    target_tally = tally(target_craft, target, spare, work.scratch[bodies:])
    cursor = _put_craft(plant, y, t, chaser, chaser_tally.com, row, 0)
    cursor = _put_craft(plant, y, t, target, target_tally.com, row, cursor)
    cursor = put_relative(chaser, target, row, cursor)
    rates = layout.JOINTS + joint_count(chaser_craft.tree)
    cursor = put_array(row, cursor, chaser[layout.JOINTS : rates - ports.wheels[0]])
    cursor = put_array(row, cursor, chaser[rates : layout.modes_start(chaser_craft)])
    cursor = _put_modes(plant.chaser_modes, chaser[layout.modes_start(chaser_craft) :], row, cursor)
    cursor = _put_modes(plant.target_modes, target[layout.modes_start(target_craft) :], row, cursor)
    ledger = y[layout.ledger_start(plant) : layout.contacts_start(plant)]
    energy = chaser_tally.energy * ports.chaser_energy[0] + target_tally.energy
    given = impulses(plant, y)
    cursor = _put_ledger(ledger, given, chaser_tally, target_tally, energy, row, cursor)
    if has_gears(plant.chaser):
        cursor = put_array(row, cursor, ledger[layout.GEAR_SPRING_WORK :])
    if has_switch(plant):
        cursor = put1(row, cursor, y[layout.switch_start(plant) + WORK])
    if interface_count(plant) > 0:
        cursor = put_interface(plant, y, work.scratch, row, cursor)
    if ports.effector_body[0] >= 0:
        cursor = put_vector(row, cursor, _grapple_gap(ports, chaser, target, work.scratch[:bodies]))
    if ports.outline.shapes.shape[0] > 0:
        etas = (
            chaser[layout.modes_start(chaser_craft) : layout.mode_rates(chaser_craft)],
            target[layout.modes_start(target_craft) : layout.mode_rates(target_craft)],
        )
        X_CT = target_seen(chaser, target)
        cursor = put1(row, cursor, clearance(ports.outline, X_CT, etas, work.scratch[:bodies]))
    return cursor


@part
def put_impulse(bodies, impulse, row, end):
    """Writes the impulse of each thruster [N s] and Σ ∫ F dt / m, m of the whole chaser [m/s];
    returns the next free place."""
    mass, total = 0.0, 0.0
    for body in range(bodies.shape[0]):
        mass += bodies[body, MASS]
    for i in range(impulse.shape[0]):
        total += impulse[i]
    end = put_array(row, end, impulse)
    return put1(row, end, total / mass)
