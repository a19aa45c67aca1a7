"""Which body of the chaser a mission touches the target with."""

from proxops.core.errors import InputError
from proxops.plant import contact_table, hold_table
from proxops.scenario.build import Built


def touched_body(built: Built) -> int:
    """Number of the chaser's body that contacts and holds touch: 0 is the hub, then come the
    links.  Where nothing touches, the one that carries the first end effector, or the hub.

    One felt wrench cannot be split between bodies, so contacts on several are refused.
    """
    contacts = [(f"contacts.{each.name}", each.arm) for each in built.contacts]
    holds = [(f"holds.{each.name}", each.arm) for each in built.holds]
    rows = built.plant.contacts
    bodies = {int(body) for body in rows[:, contact_table.BODY]}
    bodies |= {int(body) for body in built.plant.holds[:, hold_table.BODY]}
    if len(bodies) > 1:
        told = (f"{name} on {f'arm {arm}' if arm else 'the hub'}" for name, arm in contacts + holds)
        raise InputError(
            "contacts, holds: a rehearsal feels one wrench, which it cannot split between bodies "
            f"of the chaser; found {', '.join(told)}"
        )
    if bodies:
        return bodies.pop()
    return max(0, int(built.ports.effector_body[0]))
