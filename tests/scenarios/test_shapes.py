"""What the shipped missions draw agrees with what they simulate."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pytest

from proxops.assembly.build import build
from proxops.assembly.geometry import shapes_of
from proxops.core.description import ShapeDescription
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.plant import layout
from proxops.scenario.load import load
from proxops.scenario.schema import Chaser, Mission, Target
from proxops.scenario.schema.contact import CHASER, TARGET, Face
from proxops.scenario.shipped import shipped

MISSIONS = sorted(shipped())
NEAR = 0.05  # what is bolted on may stand off or sink in by so much [m]
FLUSH = 1e-6  # hand-typed lengths have six digits or so [m]

Shapes = Mapping[str, ShapeDescription]


def rotation(q: tuple[float, ...]) -> np.ndarray:
    return np.array(quat_to_rotation.py_func(q)).reshape(3, 3)


def distance(shape: ShapeDescription, points: np.ndarray) -> np.ndarray:
    """Signed distance of points (n, 3) in the hub's frame from a shape [m], negative inside.

    Of how far a point is beyond each pair of faces, d: |max(d, 0)| + min(max d, 0).  A cylinder has
    two such numbers, across and along; so has a cone, whose radius grows along its axis.
    """
    local = (points - shape.p) @ rotation(shape.q)
    if shape.kind == "sphere":
        return np.asarray(np.linalg.norm(local, axis=1) - shape.size[0])
    if shape.kind in ("cylinder", "cone"):
        share = np.clip(local[:, 2] / shape.size[2] + 0.5, 0.0, 1.0)  # of the way from -z to +z
        radius = shape.size[0] + share * (shape.size[1] - shape.size[0])
        across = np.linalg.norm(local[:, :2], axis=1) - radius
        beyond = np.column_stack([across, np.abs(local[:, 2]) - 0.5 * shape.size[2]])
    else:
        beyond = np.abs(local) - 0.5 * np.array(shape.size)
    outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
    return np.asarray(outside + np.minimum(beyond.max(axis=1), 0.0))


def off_surface(shapes: Shapes, point: tuple[float, ...]) -> float:
    """Distance of a point from the nearest surface of any shape [m]."""
    return min(abs(float(distance(each, np.array([point]))[0])) for each in shapes.values())


def surface(shape: ShapeDescription) -> np.ndarray:
    """Points on a shape's surface (of a box, also inside) in the hub's frame, edges included."""
    side = np.linspace(-1.0, 1.0, 17)
    grid = np.stack(np.meshgrid(side, side, side), axis=-1).reshape(-1, 3)
    if shape.kind in ("cylinder", "sphere"):
        turns = np.linspace(0.0, 2.0 * np.pi, 49)
        u, v = (each.ravel() for each in np.meshgrid(turns, side))
        rim = np.sqrt(1.0 - v**2) if shape.kind == "sphere" else np.ones_like(v)
        tube = np.column_stack([rim * np.cos(u), rim * np.sin(u), v])
        lids = [
            np.column_stack([np.abs(v) * np.cos(u), np.abs(v) * np.sin(u), np.copysign(1.0, v)])
        ]
        grid = np.vstack([tube, *(lids if shape.kind == "cylinder" else [])])
    half = np.array(shape.size) * (0.5 if shape.kind in ("box", "panel") else 1.0)
    half[2] = shape.size[2] * (1.0 if shape.kind == "sphere" else 0.5)
    return np.asarray(shape.p + (half * grid) @ rotation(shape.q).T)


def bolted(mission: Mission) -> Iterator[tuple[Chaser | Target, str, tuple[float, ...]]]:
    """Every point that the simulation puts onto a hub: craft, what it is, where."""
    crafts = {CHASER: mission.chaser}
    for name, contact in mission.contacts.items():
        pads, face = contact.pads, contact.other
        if pads.arm is None:
            for centre in pads.centres_m:
                yield crafts.get(pads.on, mission.target), f"pad of {name}", centre
        if face.arm is None and isinstance(face, Face):
            yield crafts.get(face.on, mission.target), f"face of {name}", face.p_m
    for name, arm in mission.chaser.arms.items():
        if arm.mounted_on is None:
            yield mission.chaser, f"base of {name}", arm.p_CA_m
    for craft in (mission.chaser, mission.target):
        for name, appendage in craft.appendages.items():
            yield craft, f"root of {name}", appendage.root()[0]
    for name, hold in mission.holds.items():
        yield mission.target, f"point of {name}", hold.p_TB_m
    if "grapple" in mission.target.model_fields_set:
        yield mission.target, "grapple", mission.target.grapple.p_TG_m
    if mission.robot and mission.robot.probe:
        yield mission.target, "probed point", mission.robot.probe.p_TA_m


def relative_pose(name: str) -> tuple[np.ndarray, np.ndarray]:
    """R_TC and p_TC at the start."""
    built = build(load(name))
    hubs = (layout.slices(built.plant).target, layout.slices(built.plant).chaser)
    (p_T, R_T), (p_C, R_C) = (
        (y[layout.P : layout.P + 3], rotation(tuple(y[layout.Q : layout.Q + 4])))
        for y in (built.y[part] for part in hubs)
    )
    return R_T.T @ R_C, R_T.T @ (p_C - p_T)


@pytest.mark.parametrize("name", MISSIONS)
def test_what_the_simulation_puts_on_a_hub_is_on_the_surface_that_is_drawn(name: str) -> None:
    mission = load(name).mission
    assert mission.chaser.shapes
    assert mission.target.shapes
    for craft, what, point in bolted(mission):
        assert off_surface(shapes_of(craft), point) <= NEAR, f"{name}: {what} at {point}"


ENGINE = 50.0  # [N]: nozzles of smaller thrusters are not drawn, they sit on the surface


@pytest.mark.parametrize("name", MISSIONS)
def test_thrusters_are_in_their_nozzles(name: str) -> None:
    chaser = load(name).mission.chaser
    for thruster in chaser.thrusters.values():
        point = np.array([thruster.p_C_m])
        if thruster.thrust_N < ENGINE:
            assert off_surface(shapes_of(chaser), thruster.p_C_m) <= NEAR
            continue
        nozzles = [each for each in shapes_of(chaser).values() if each.kind in ("cylinder", "cone")]
        near = [each for each in nozzles if distance(each, point)[0] <= 0.0]
        assert len(near) == 1
        # along the thrust
        assert abs(rotation(near[0].q)[:, 2] @ thruster.direction_C) == pytest.approx(1.0)


def gaps_of_contacts(mission: Mission, R_TC: np.ndarray, p_TC: np.ndarray) -> list[float]:
    """How far the chaser's pads are from the target's faces [m], negative where they press."""
    gaps = []
    for contact in mission.contacts.values():
        pads, face = contact.pads, contact.other
        if pads.arm is None and isinstance(face, Face):
            assert (pads.on, face.on) == (CHASER, TARGET)
            centres = np.array(pads.centres_m) @ R_TC.T + p_TC
            gaps += list((centres - face.p_m) @ face.normal - pads.radius_m)
    return gaps


@pytest.mark.parametrize("name", MISSIONS)
def test_the_two_spacecraft_are_as_near_as_their_contacts_and_overlap_nowhere_else(
    name: str,
) -> None:
    mission = load(name).mission
    R_TC, p_TC = relative_pose(name)
    chaser, target = shapes_of(mission.chaser).values(), shapes_of(mission.target).values()
    gaps = [distance(b, surface(a) @ R_TC.T + p_TC).min() for a in chaser for b in target]
    gaps += [distance(a, (surface(b) - p_TC) @ R_TC).min() for a in chaser for b in target]
    meant = gaps_of_contacts(mission, R_TC, p_TC)
    if meant:
        assert min(gaps) == pytest.approx(min(meant), abs=FLUSH)
    else:
        assert min(gaps) >= -FLUSH


def test_distances_are_those_of_the_shapes() -> None:
    """By hand: off an edge, the nearest face from inside, and every surface at zero."""
    turn = (0.5, 0.5, 0.5, 0.5)  # x to y to z to x: the cylinder lies along x
    p, grey = (1.0, 0.0, 0.0), (0, 0, 0)
    box = ShapeDescription("box", (2.0, 4.0, 6.0), p, (1.0, 0.0, 0.0, 0.0), grey)
    rod = ShapeDescription("cylinder", (1.0, 1.0, 4.0), p, turn, grey)
    ball = ShapeDescription("sphere", (2.0, 2.0, 2.0), p, turn, grey)
    points = np.array([[5.0, 5.0, 0.0], [1.0, 0.5, 0.0], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(distance(box, points), [np.hypot(3.0, 3.0), -1.0, -1.0])
    np.testing.assert_allclose(distance(rod, points), [np.hypot(2.0, 4.0), -0.5, -1.0])
    np.testing.assert_allclose(distance(ball, points), [np.hypot(4.0, 5.0) - 2.0, -1.5, -2.0])
    for shape in (rod, ball):
        np.testing.assert_allclose(distance(shape, surface(shape)), 0.0, atol=1e-12)
    on_box = distance(box, surface(box))
    assert on_box.max() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", MISSIONS)
def test_nothing_that_is_simulated_depends_on_what_is_drawn(name: str) -> None:
    """But for the recorded clearance and collisions, which are of what is drawn."""
    scenario = load(name).replace({"dispersions": {}})  # which may move what is drawn
    bare = build(scenario.replace({"chaser.shapes": {}, "target.shapes": {}}))
    whole = build(scenario)
    assert len(whole.ports.outline.shapes) > len(bare.ports.outline.shapes) == 0
    blind = whole._replace(
        ports=whole.ports._replace(outline=bare.ports.outline),
        chaser=replace(whole.chaser, shapes=()),
        target=replace(whole.target, shapes=()),
    )
    # the stages as text, arrays bit by bit
    with np.printoptions(override_repr=lambda a: f"{a.dtype}{a.shape}{a.tobytes().hex()}"):
        assert repr(bare) == repr(blind)
