"""Scenarios that no facility can show, or not this one."""

from proxops.assembly.build import Built
from proxops.assembly.touching_body import is_carried, touched_body
from proxops.core.errors import InputError
from proxops.plant.phase_switch import switches
from proxops.scenario.schema.facility import Facility


def reject_unfit(built: Built) -> None:
    """Refuses a scenario that no facility can show."""
    touched_body(built)
    if switches(built.plant):
        raise InputError("orbit.inside: leave it out; a rehearsal has all orbital terms everywhere")
    if built.ports.measured_contact[0] >= 0:
        raise InputError(
            "obsw.boost.separation_rule: a rehearsal does not measure the compression of pads"
        )
    for arm in built.chaser.stowed:
        raise InputError(
            f"chaser.arms.{arm.name}.brakes: leave it out: a facility has the arm with its joints"
        )
    if built.chaser.appendages:
        raise InputError(
            "chaser.appendages: a rehearsal knows none on the chaser, only on the target"
        )


def reject_deaf_wrist(built: Built, facility: Facility) -> None:
    """Refuses to feel contact by a wrist that it does not pass."""
    touched, wrist = touched_body(built), int(built.ports.effector_body[0])
    passes = is_carried(built, touched, wrist) if wrist > 0 else touched == wrist
    if facility.felt_by == "wrist" and not passes:
        hub = "hub" if built.chaser.arms else "hub, which has no arm"
        where = "other arm" if touched > 0 else hub
        raise InputError(
            f"felt_by: the wrist does not feel what touches the chaser's {where}; flange does"
        )
