"""Scenarios that no facility can show, or not this one."""

from proxops.assembly.build import Built
from proxops.assembly.touching_body import is_carried, touched_bodies, touched_body
from proxops.core.errors import InputError
from proxops.plant.phase_switch import switches
from proxops.scenario.schema.facility import Facility
from proxops.scenario.schema.robot import OnGround


def reject_unfit(built: Built, instead: OnGround | None = None) -> None:
    """Refuses a scenario that no facility can show, and names what one shows instead."""
    found = _unfit(built)
    if not found:
        return
    if instead is not None:
        found.insert(
            0,
            f"rehearse {instead.mission} on {instead.facility}, made from this mission: "
            f"{instead.because}",
        )
    raise InputError("\n  ".join(found))


def _unfit(built: Built) -> list[str]:
    """What no facility can show."""
    found = [
        f"chaser.arms.{arm.name}.brakes: leave it out: a facility has the arm with its joints"
        for arm in built.chaser.stowed
    ]
    if switches(built.plant):
        found.append("orbit.inside: leave it out; a rehearsal has all orbital terms everywhere")
    if built.ports.measured_contact[0] >= 0:
        found.append(
            "obsw.boost.separation_rule: a rehearsal does not measure the compression of pads"
        )
    if built.chaser.appendages:
        found.append("chaser.appendages: a rehearsal knows none on the chaser, only on the target")
    return found


def reject_unknown_work(built: Built, facility: Facility) -> None:
    """Refuses to scale measured wrenches by an energy that leaves out what arms do."""
    if facility.passivity.wrench and len(touched_bodies(built)) > 1 and touched_body(built) == 0:
        raise InputError(
            "passivity.wrench: take passivity.twist: this mission touches the target with hub and "
            "arm, or with several arms, and their motors' work counts as energy of the contact"
        )


def reject_unloaded_wrist(built: Built, facility: Facility) -> None:
    """Rejects a wrist sensor that contact does not load."""
    touched, wrist = touched_body(built), int(built.ports.effector_body[0])
    passes = is_carried(built, touched, wrist) if wrist > 0 else touched == wrist
    if facility.feedback_sensor == "wrist" and not passes:
        hub = "hub" if built.chaser.arms else "hub, which has no arm"
        where = "other arm" if touched > 0 else hub
        raise InputError(
            "feedback_sensor: the wrist does not measure what touches the chaser's "
            f"{where}; flange does"
        )
