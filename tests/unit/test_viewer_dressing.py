"""Bodies made of triangles, details of spacecraft, and cameras that stay out of them."""

import math
from pathlib import Path

import numpy as np
import pytest
from tests.unit.viewer_cases import short_run

import proxops
from proxops.assembly.geometry import hub_solids
from proxops.core.description import ShapeDescription
from proxops.scenario.schema.port import depth_inside
from proxops.viewer.bodies import body_of
from proxops.viewer.cameras import Framing, Obstacle, View, place_in, places_of, view_of
from proxops.viewer.framing import bending_for, enlarged, held
from proxops.viewer.hardware import hardware_of
from proxops.viewer.parts import scene_of
from proxops.viewer.playback import Playback
from proxops.viewer.pose import HERE, Pose, vector
from proxops.viewer.poses import CHASER, TARGET
from proxops.viewer.scene import Look, seen_from
from proxops.viewer.server import start, stop
from proxops.viewer.shapes import way_out
from proxops.viewer.stage import Stage, corner_for

UP = np.array([0.0, 0.0, 1.0])


def volume(shape: ShapeDescription) -> float:
    """By the divergence theorem: positive only where all faces are seen from outside."""
    vertices, faces = body_of(shape, 200)
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    return float((a * np.cross(b, c)).sum() / 6.0)


@pytest.mark.parametrize(
    ("kind", "size", "expected"),
    [
        ("box", (1.0, 2.0, 3.0), 6.0),
        ("cylinder", (0.5, 0.5, 2.0), 0.5 * math.pi),
        ("ring", (1.0, 0.5, 2.0), 1.5 * math.pi),
        ("cone", (1.0, 0.5, 3.0), math.pi * (1.0 + 0.5 + 0.25)),
        ("sphere", (1.0, 1.0, 1.0), 4.0 / 3.0 * math.pi),
    ],
)
def test_a_body_has_its_volume_inside_its_faces(kind, size, expected):
    shape = ShapeDescription(kind, size, HERE.p, HERE.q, (0, 0, 0))
    assert volume(shape) == pytest.approx(expected, rel=1e-3)  # of 200 sides: 2e-4


def test_rings_and_cones_count_as_the_cylinders_that_hold_them():
    ring = {"kind": "ring", "radius_m": 0.6, "inner_radius_m": 0.5, "length_m": 0.1}
    cone = {"kind": "cone", "radius_m": 0.1, "top_radius_m": 0.3, "length_m": 0.2}
    scenario = proxops.load("free-tumble").replace({"target.shapes": {"ring": ring, "cone": cone}})
    shapes = scenario.mission.target.shapes
    found = [solid.shape for solid in hub_solids("target", shapes)]
    assert [each.kind for each in found] == ["cylinder", "cylinder"]
    assert [each.size for each in found] == [(0.6, 0.6, 0.1), (0.3, 0.3, 0.2)]
    assert depth_inside(shapes["ring"], (0.0, 0.0, 0.0)) == pytest.approx(-0.5)
    assert depth_inside(shapes["ring"], (0.55, 0.0, 0.0)) == pytest.approx(0.05)
    assert depth_inside(shapes["cone"], (0.0, 0.15, 0.0)) == pytest.approx(0.05)


def test_a_ring_without_a_wall_is_rejected():
    ring = {"kind": "ring", "radius_m": 0.5, "inner_radius_m": 0.5, "length_m": 0.1}
    with pytest.raises(proxops.ProxopsError, match="inner_radius_m must be smaller than radius_m"):
        proxops.load("free-tumble").replace({"target.shapes": {"ring": ring}})


def test_a_camera_is_never_in_a_body_nor_behind_one():
    """A point before a wall: the side that is seen best without it is the wall's."""
    across = np.array([[0.0, 1.0, 0.0]])
    free = Framing(np.zeros((1, 3)), 0.5, across, np.array([1.0, 0.0, 0.0]), TARGET)
    eye = np.array(view_of(free, UP, 1.0).position)
    half = np.array([0.1, 5.0, 5.0])
    middle = 0.6 * np.sign(eye[0])
    wall = Obstacle(HERE._replace(p=(float(middle), 0.0, 0.0)), half)
    assert wall.hides(eye, np.zeros(3))
    kept = np.array(view_of(free._replace(obstacles=(wall,)), UP, 1.0).position)
    assert not wall.hides(kept, 0.25 * kept / np.linalg.norm(kept))
    around = Obstacle(HERE._replace(p=(float(eye[0]), float(eye[1]), float(eye[2]))), np.ones(3))
    assert around.within(eye, 0.0)
    moved = np.array(view_of(free._replace(obstacles=(around,)), UP, 1.0).position)
    assert not around.within(moved, 0.0)


def test_the_name_of_a_spacecraft_stands_where_the_way_up_leaves_it():
    hub = HERE, np.array([1.0, 1.0, 2.0])
    beside = HERE._replace(p=(5.0, 0.0, 9.0)), np.array([1.0, 1.0, 9.0])  # higher, but not above
    turned = Pose((0.0, 0.0, 2.0), (math.cos(0.25 * math.pi), math.sin(0.25 * math.pi), 0.0, 0.0))
    boxes = [hub, beside, (turned, np.array([0.1, 3.0, 0.1]))]  # its y is z of the hub
    assert way_out(boxes[:2], (0.0, 0.0, 1.0)) == pytest.approx(2.0)
    assert way_out(boxes, (0.0, 0.0, 1.0)) == pytest.approx(5.0)
    assert way_out(boxes, (-0.6, 0.0, 0.8)) == pytest.approx(1.0 / 0.6)
    assert way_out([beside], (0.0, 0.0, -1.0)) == 0.0


def test_the_axes_stand_in_a_corner_where_nothing_comes():
    view = View((3.0, -8.0, 2.0), (1.0, 0.0, 0.5), (0.0, 0.0, 1.0))
    lower_left, lower_right = ((-0.86, -0.7), (0.7, -0.7))
    for corner in (lower_left, lower_right, (0.0, 0.0)):
        point = place_in(view, *corner)
        assert places_of(point[None], view)[0] == pytest.approx(corner)
        expected = lower_right if corner == lower_left else lower_left
        assert corner_for(view, point[None]) == expected


@pytest.mark.parametrize("name", ["envisat-capture", "touch", "deorbit-boost"])
def test_no_camera_of_a_shipped_mission_opens_inside_a_spacecraft(name):
    run = short_run(name)
    hardware = hardware_of(run.provenance, run.signals())
    server = start("127.0.0.1", 0, name)
    try:
        stage = Stage(server, hardware, Playback(hardware, run.rows))
        for framing in stage.framings.values():
            eye = np.array(view_of(framing, stage.scene.up, 1.12).position)
            assert len(framing.obstacles) > 1
            assert not any(each.within(eye, 0.0) for each in framing.obstacles)
    finally:
        stop(server)


def test_spacecraft_drawn_larger_stay_within_the_keep_out_zone():
    drift = Path(__file__).parents[2] / "examples" / "drift.toml"
    far = {"chaser.p_HC_m": [0.0, -1000.0, 0.0], "requirements": {}}
    run = proxops.simulate(proxops.load(drift).replace(far))
    hardware = hardware_of(run.provenance, run.signals())
    scene, playback = scene_of(hardware), Playback(hardware, run.rows)
    size = enlarged(hardware, scene, playback, Look()).size
    largest = size * max(scene.reach(CHASER), scene.reach(TARGET))
    assert size > 1.0
    assert largest <= 0.5 * hardware.scenario.mission.zones.keep_out_m


def test_what_hardly_bends_is_drawn_as_it_is():
    run = short_run("flexible-symmetric")
    hardware = hardware_of(run.provenance, run.signals())
    scene = scene_of(hardware)
    columns = hardware.columns["target.appendages.left.q_f"]
    other = hardware.columns["target.appendages.right.q_f"]
    rows = run.rows.copy()
    for factor, drawn in ((1e-9, False), (1e-3, True)):
        rows[:, columns] = rows[:, other] = 0.0
        rows[:, columns.start] = factor
        assert (bending_for(scene, Playback(hardware, rows)) > 1.0) == drawn


def test_what_is_framed_holds_the_links_of_the_arms():
    run = short_run("touch")
    hardware = hardware_of(run.provenance, run.signals())
    scene, playback = scene_of(hardware), Playback(hardware, run.rows)
    points = held(scene, playback, Look(), CHASER, CHASER)
    seen = seen_from(playback.at(0.0)[1], Look(follow=CHASER))
    links = [frame for frame in scene.outlines if frame.startswith(f"{CHASER}/arms/main/")]
    assert len(links) > 5
    for frame in links:
        corner = np.array(seen[frame].act(vector(scene.outlines[frame][0])))
        assert np.linalg.norm(points - corner, axis=1).min() < 1e-9
    target = held(scene, playback, Look(), TARGET, TARGET)
    assert len(target) < len(points)  # arms are the chaser's
