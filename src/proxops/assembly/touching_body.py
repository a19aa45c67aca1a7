"""Which body of the chaser a mission touches the target with."""

from proxops.assembly.build import Built
from proxops.core.errors import InputError
from proxops.physics.multibody.tree import stands_on
from proxops.plant import contact_array, hold_array


def touched_body(built: Built) -> int:
    """Number of the chaser's body that contacts and holds touch: 0 is the hub, then come the
    links.  Where they touch several links, the last one that carries all of these, as that of an
    arm carries the fingers on it.  Where nothing touches, the one that carries the first end
    effector, or the hub.

    One felt wrench cannot be split between bodies.  To the chaser's momentum only the sum matters,
    so a link may stand for those on it; the hub is refused to stand for arms, whose motion the
    energy at the port would then miss.
    """
    contacts = [(f"contacts.{each.name}", each.arm) for each in built.contacts]
    holds = [(f"holds.{each.name}", each.arm) for each in built.holds]
    rows = built.plant.contacts
    bodies = {int(body) for body in rows[:, contact_array.BODY]}
    bodies |= {int(body) for body in built.plant.holds[:, hold_array.BODY]}
    common = min(bodies, default=0)
    while not all(is_carried(built, body, common) for body in bodies):
        common -= 1
    if common == 0 and len(bodies) > 1:
        found = (
            f"{name} on {f'arm {arm}' if arm else 'the hub'}" for name, arm in contacts + holds
        )
        raise InputError(
            "contacts, holds: a rehearsal feels one wrench, which it cannot split between bodies "
            f"of the chaser; found {', '.join(found)}"
        )
    return common if bodies else max(0, int(built.ports.effector_body[0]))


def is_carried(built: Built, body: int, carrier: int) -> bool:
    """Whether a body of the chaser is another, or stands on it."""
    return bool(stands_on.py_func(built.plant.chaser_topology, body, carrier))
