"""Which body of the chaser a mission touches the target with."""

from proxops.assembly.build import Built
from proxops.physics.multibody.tree import stands_on
from proxops.plant import contact_array, hold_array


def touched_body(built: Built) -> int:
    """Number of the chaser's body that contacts and holds touch: 0 is the hub, then come the
    links.  Where they touch several, the last one that carries all of these, as that of an arm
    carries the fingers on it, and the hub all arms.  Where nothing touches, the one that carries
    the first end effector, or the hub.

    One wrench is measured, on the target, and its opposite acts on the chaser as a whole.  To its
    momentum ḣ = ad_Vᵀ h + F only the sum F matters, joints being measured, so one body may stand
    for all that stand on it.
    """
    bodies = touched_bodies(built)
    common = min(bodies, default=0)
    while not all(is_carried(built, body, common) for body in bodies):
        common -= 1
    return common if bodies else max(0, int(built.ports.effector_body[0]))


def touched_bodies(built: Built) -> set[int]:
    """Numbers of all bodies of the chaser that contacts and holds touch."""
    touched = built.plant.contacts[:, contact_array.BODY], built.plant.holds[:, hold_array.BODY]
    return {int(body) for rows in touched for body in rows}


def is_carried(built: Built, body: int, carrier: int) -> bool:
    """Whether a body of the chaser is another, or stands on it."""
    return bool(stands_on.py_func(built.plant.chaser_topology, body, carrier))
