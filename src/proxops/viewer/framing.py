"""What is worth seeing of a run: the camera buttons, and how large things are drawn."""

import math
from dataclasses import replace

import numpy as np

from proxops.core.description import ContactDescription
from proxops.viewer.cameras import Framing, Obstacle
from proxops.viewer.hardware import Hardware
from proxops.viewer.playback import Playback
from proxops.viewer.pose import Pose, vector
from proxops.viewer.poses import CHASER, GRAPPLE, TARGET, Poses, effector_frame
from proxops.viewer.scene import Look, Scene, as_drawn, seen_from

_FAR = 12.0  # distance, in reaches of the larger spacecraft, from which they are drawn larger
_SHARE = 0.2  # of the distance that the larger one then reaches
_SAMPLES = 40  # instants of a run that a view of both is made for
_IN_ZONE = 0.5  # of the keep-out zone that a spacecraft drawn larger may reach over
_VISIBLE = 0.03  # bending that needs no exaggeration, of an appendage's length
_NONE = 3e-5  # bending that is none worth seeing, of its length
_WANTED = 0.15  # bending that exaggeration is to give
MAX_BENDING = 1000.0
LONGEST_IN_CELL = 1.0  # [m]
CLOSE_UP = "close-up"  # camera on both spacecraft as they are now

AROUND_PADS, AROUND_ARM = 0.3, 0.9  # least that is shown around a contact [m]


def takes_part(hardware: Hardware, scene: Scene, playback: Playback) -> bool:
    """Whether the chaser does anything but look on."""
    if (
        hardware.chaser.arms
        or hardware.contacts
        or hardware.thrusters
        or hardware.chaser.appendages
    ):
        return True
    return bool(np.ptp(_path(hardware, playback), axis=0).max() > scene.reach(CHASER))


def enlarged(hardware: Hardware, scene: Scene, playback: Playback, look: Look) -> Look:
    """The look with spacecraft so large that they show in a view of both, where they are far apart;
    the larger one then reaches over a share of the distance, at every instant, and never beyond a
    share of the keep-out zone."""
    if not takes_part(hardware, scene, playback):
        return look
    extent = float(np.linalg.norm(_path(hardware, playback), axis=1).max())
    reach = max(scene.reach(craft) for craft in (CHASER, TARGET))
    if extent < _FAR * reach:
        return look
    near = reach / _SHARE
    size = extent / near
    zones = hardware.scenario.mission.zones
    if zones is not None:
        size = min(size, _IN_ZONE * zones.keep_out_m / reach)
    return replace(look, size=float(max(1, int(size))), near=near)


def bending_for(scene: Scene, playback: Playback) -> float:
    """How many times as much appendages are drawn bent, so that it shows; once where they hardly
    bend at all."""
    largest = max((sway(playback.rows) for sway in scene.sways), default=0.0)
    if largest < _NONE or largest >= _VISIBLE:
        return 1.0
    return min(nice(_WANTED / largest), MAX_BENDING)


def newtons_per_metre(hardware: Hardware, scene: Scene, rows: np.ndarray) -> float:
    """Scale of force arrows: the largest usual force is as long as the smaller spacecraft, and not
    longer than fits between two robots."""
    names = [f"contacts.{each.name}.f" for each in hardware.contacts]
    norms = [
        np.linalg.norm(hardware.of(name, rows), axis=1) for name in names if hardware.has(name)
    ]
    forces = np.concatenate(norms) if norms else np.zeros(0)
    forces = forces[forces > 0.0]
    if not len(forces):
        return 1.0
    usual = float(np.quantile(forces, 0.98))
    length = min(scene.reach(craft) for craft in (CHASER, TARGET))
    if hardware.rehearsed:
        length = min(length, LONGEST_IN_CELL)
    return nice_above(usual / length)


def framings(
    hardware: Hardware, scene: Scene, playback: Playback, look: Look, t: float = 0.0
) -> dict[str, Framing]:
    """What each camera button shows when it is pressed at a time [s]; the first is the start."""
    found = _framings(hardware, scene, playback, look, t)
    touch = playback.rows[_first_touch(hardware, playback), 0] if hardware.contacts else 0.0
    clear = {}
    for name, each in found.items():
        poses = playback.at(float(touch) if name == "contact" else t)[1]
        seen_so = as_drawn(replace(look, follow=each.follow), poses)
        clear[name] = each._replace(obstacles=_obstacles(scene, poses, seen_so))
    return clear


def _obstacles(scene: Scene, poses: Poses, look: Look) -> tuple[Obstacle, ...]:
    """The boxes around all shapes, as they are drawn."""
    seen = seen_from(poses, look)
    found = []
    for frame, blocks in scene.blocks.items():
        for X_FB, half in blocks:
            placed = Pose(vector(look.size * np.array(X_FB.p)), X_FB.q)
            found.append(Obstacle(seen[frame] @ placed, look.size * half))
    return tuple(found)


def _framings(
    hardware: Hardware, scene: Scene, playback: Playback, look: Look, t: float
) -> dict[str, Framing]:
    """The same, whatever is in the way."""
    poses = playback.at(0.0)[1]
    whole, now = look, playback.at(t)[1]
    look = replace(as_drawn(look, now), near=0.0)
    lying = _bending(hardware, poses)
    front = _unit(_path(hardware, playback)[0])
    beside = np.vstack([front, *lying])
    name = "both" if hardware.orbit is None else "orbit"
    both = np.vstack([held(scene, playback, whole, craft, TARGET) for craft in (TARGET, CHASER)])
    across = np.vstack([_directions_across(_path(hardware, playback)), *lying])
    overview = Framing(both, 0.0, across, front, TARGET)
    found = {name: overview} if takes_part(hardware, scene, playback) else {}
    for craft in (TARGET, CHASER):
        points = held(scene, playback, look, craft, craft)
        found[craft] = Framing(points, 0.0, beside, front, craft)
    if whole.near > 0.0:
        found[CLOSE_UP] = _close_up(scene, now, lying, look)
    if hardware.contacts:
        row = _first_touch(hardware, playback)
        then = playback.at(playback.rows[row, 0])[1]
        aside = np.vstack([_unit(_path(hardware, playback)[row]), *_bending(hardware, then)])
        found["contact"] = _contact(hardware.contacts[0], then, aside, look)
    elif hardware.chaser.arms:
        found["contact"] = _grasp(hardware, poses, beside, look)
    found.setdefault(name, overview)
    return found


def nice(value: float) -> float:
    """The largest of 1, 2, 5, 10, 20, ... that is not above a value, at least 1."""
    if value < 1.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value) + 1e-12)
    return power * max(step for step in (1.0, 2.0, 5.0) if step * power <= value * (1.0 + 1e-9))


def nice_above(value: float) -> float:
    """The smallest of ..., 0.5, 1, 2, 5, 10, ... that is not below a positive value."""
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1.0, 2.0, 5.0, 10.0)
    return power * next(step for step in steps if step * power >= value * (1.0 - 1e-9))


def _path(hardware: Hardware, playback: Playback) -> np.ndarray:
    """From the target's hub to the chaser's, in H (n, 3) [m]."""
    return np.asarray(
        hardware.of("chaser.p_HC", playback.rows) - hardware.of("target.p_HT", playback.rows)
    )


def held(scene: Scene, playback: Playback, look: Look, craft: str, follow: str) -> np.ndarray:
    """Every point (n, 3) where a spacecraft comes, seen from what is followed [m]; what is in a lab
    belongs to the target."""
    seen_so = replace(look, follow=follow)
    times = np.linspace(0.0, playback.end, _SAMPLES)
    return np.vstack([_extent(scene, playback.at(float(t))[1], seen_so, craft) for t in times])


def _extent(scene: Scene, poses: Poses, look: Look, craft: str) -> np.ndarray:
    """Points (n, 3) that hold a spacecraft as it is drawn at an instant, in the scene [m]."""
    look = as_drawn(look, poses)
    seen = seen_from(poses, look)
    points = [
        seen[frame].act(vector(look.size * p))
        for frame, outline in scene.outlines.items()
        if (frame == CHASER or frame.startswith(f"{CHASER}/")) == (craft == CHASER)
        for p in outline
    ]
    return np.array([*points, *(X.p for name, X in seen.items() if name.startswith(f"{craft}/"))])


def _close_up(scene: Scene, now: Poses, lying: list[np.ndarray], look: Look) -> Framing:
    """Both spacecraft as they are now."""
    so = replace(look, follow=TARGET)
    points = np.vstack([_extent(scene, now, so, craft) for craft in (TARGET, CHASER)])
    between = _unit(np.subtract(now[CHASER].p, now[TARGET].p))
    return Framing(points, 0.0, np.vstack([between, *lying]), between, TARGET)


def _directions_across(path: np.ndarray) -> np.ndarray:
    """The directions that a path (n, 3) is to be seen across.  Where one spacecraft goes around the
    other, the plane of it matters more than the line between them."""
    middle = path.mean(axis=0)
    around = np.linalg.norm(middle) < 0.5 * np.linalg.norm(path, axis=1).max()
    _, spread, axes = np.linalg.svd(path - middle if around else path, full_matrices=False)
    weight = 2.0 if around else 1.0
    return np.asarray((weight * spread / max(float(spread.max()), 1e-9))[:, None] * axes)


def _first_touch(hardware: Hardware, playback: Playback) -> int:
    """Number of the row in which the contact that is framed first presses; 0 if it never does."""
    name = f"contacts.{hardware.contacts[0].name}.f"
    if not hardware.has(name):
        return 0
    return int(np.argmax(np.abs(hardware.of(name, playback.rows)).max(axis=1) > 0.0))


def _contact(contact: ContactDescription, poses: Poses, beside: np.ndarray, look: Look) -> Framing:
    """The pads of a contact, and as much around them."""
    if contact.pads_on_chaser:
        frame = effector_frame(contact.arm) if contact.arm else CHASER
    else:
        frame = TARGET
    placed = seen_from(poses, look)[frame]
    pads = np.array([placed.act(vector(pad)) for pad in contact.pads])
    spread = float(np.linalg.norm(pads - pads.mean(axis=0), axis=1).max())
    least = AROUND_ARM if contact.arm else AROUND_PADS
    return Framing(pads, max(spread, 10.0 * contact.radius, least), beside, beside[0], TARGET)


def _grasp(hardware: Hardware, poses: Poses, beside: np.ndarray, look: Look) -> Framing:
    """End effector and grapple point."""
    seen = seen_from(poses, look)
    ends = [seen[effector_frame(hardware.chaser.arms[0].name)].p, seen[GRAPPLE].p]
    gap = math.dist(*ends)
    return Framing(np.array(ends), max(0.15 * gap, 0.3), beside, beside[0], TARGET)


def _bending(hardware: Hardware, poses: Poses) -> list[np.ndarray]:
    """Where appendages lie and where they bend to, at the start."""
    found: list[np.ndarray] = []
    for frame, craft in ((TARGET, hardware.target), (CHASER, hardware.chaser)):
        for appendage in craft.appendages:
            directions = [appendage.rigid.com, *(mode.e for mode in appendage.modes[:4])]
            found += [np.array(poses[frame].rotate(vector(_unit(each)))) for each in directions]
    return found


def _unit(v: np.ndarray) -> np.ndarray:
    return np.asarray(v / max(float(np.linalg.norm(v)), 1e-12))
