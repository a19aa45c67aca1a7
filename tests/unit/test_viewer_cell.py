"""The cell of a rehearsal: drawn as the guard sees it, the orbit above it as the lab shows it."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.rehearsal_cases import BRAKES_S, STANDS_S, rehearsal
from tests.unit.viewer_cases import short_run

from proxops.assembly.facility import load_facility
from proxops.viewer.cell import cell, guard_state, sides
from proxops.viewer.framing import framings
from proxops.viewer.hardware import hardware_of
from proxops.viewer.laboratory import scale_of
from proxops.viewer.orbit_above_cell import cell_framings, stand_above
from proxops.viewer.parts import scene_of
from proxops.viewer.playback import Playback
from proxops.viewer.plots import curves_of
from proxops.viewer.pose import HERE, Pose, back
from proxops.viewer.poses import (
    CELL_CHASER,
    CELL_TARGET,
    CHASER,
    NOMINAL,
    TARGET,
    effector_frame,
)
from proxops.viewer.scene import Arrows, Look, Moment, Solid, Surface, seen_from
from proxops.viewer.shapes import capsule


@pytest.fixture
def seen():
    """Subject, scene, film and look of the rehearsal."""
    return looked_at(rehearsal())


def looked_at(run):
    hardware = hardware_of(run.provenance, run.signals())
    scene, playback = scene_of(hardware), Playback(hardware, run.rows)
    return hardware, scene, playback, stand_above(hardware, hardware.cell, scene, playback, Look())


def things(found, kind):
    return {thing.name: thing for thing in found if isinstance(thing, kind)}


def test_a_pose_and_its_way_back_are_nowhere():
    X = Pose((1.0, -2.0, 0.5), (0.5, 0.5, -0.5, 0.5))
    p, q = X @ back(X)
    np.testing.assert_allclose(p, HERE.p, atol=1e-15)
    np.testing.assert_allclose(q, HERE.q, atol=1e-15)


def test_the_orbit_is_straight_above_the_cell_and_turned_alike(seen):
    hardware, _, playback, look = seen
    for t in (0.0, playback.end):
        poses = seen_from(playback.at(t)[1], look)
        shift = np.subtract(poses[CHASER].p, poses[CELL_CHASER].p)
        np.testing.assert_allclose(shift[:2], 0.0, atol=1e-9)
        assert shift[2] > sides(hardware.cell)[1, 2]
        assert abs(np.dot(poses[CHASER].q, poses[CELL_CHASER].q)) == pytest.approx(1.0)
        assert abs(np.dot(poses[TARGET].q, poses[CELL_TARGET].q)) == pytest.approx(1.0)


def test_nothing_of_the_orbit_reaches_into_the_cell(seen):
    hardware, scene, playback, look = seen
    poses = seen_from(playback.at(0.5)[1], look)
    for craft in (CHASER, TARGET):
        lowest = min(poses[craft].act(tuple(point))[2] for point in scene.outlines[craft])
        assert lowest > sides(hardware.cell)[1, 2]


def test_robots_in_a_cell_without_sides_stand_on_a_floor_too():
    run = rehearsal()
    made = deepcopy(run.provenance)
    made["facility"]["file"]["guard"] |= {"p_min_m": None, "p_max_m": None}
    hardware = hardware_of(made, run.signals())
    assert sides(hardware.cell) is None
    found = {thing.name: thing for thing in cell(hardware)}
    slab = found["cell/floor"].shape
    assert slab.p[2] + 0.5 * slab.size[2] <= 0.0
    robots = hardware.cell.facility.robots
    for robot in (robots.target, robots.chaser):
        apart = np.abs(np.array(robot.p_LB_m[:2]) - slab.p[:2])
        assert (apart + 1.0 <= 0.5 * np.array(slab.size[:2]) + 1e-12).all()
    assert scale_of(hardware).endswith("squares of 1 m")


def test_robots_are_drawn_as_the_capsules_that_the_guard_keeps_apart(seen):
    hardware, scene, *_ = seen
    solids = things(scene.things, Solid)
    shapes = [shape for shape in hardware.guarded() if " of the " in shape.name]
    assert len(shapes) == 12
    for shape in shapes:
        own = [each for name, each in solids.items() if name.startswith(f"cell/{shape.name}/")]
        balls = [each.shape for each in own if each.shape.kind == "sphere"]
        assert {ball.p for ball in balls} == set(shape.ends)
        assert {each.shape.size[0] for each in own} == {shape.radius}


def test_a_capsule_s_cylinder_reaches_from_end_to_end():
    ends = ((0.0, 0.0, 0.3), (0.4, -0.2, 1.0))
    (cylinder,) = [each for each in capsule(ends, 0.1, (0, 0, 0)) if each.kind == "cylinder"]
    half = 0.5 * cylinder.size[2]
    placed = Pose(cylinder.p, cylinder.q)
    np.testing.assert_allclose(placed.act((0.0, 0.0, -half)), ends[0], atol=1e-12)
    np.testing.assert_allclose(placed.act((0.0, 0.0, half)), ends[1], atol=1e-12)
    assert [each.kind for each in capsule((ends[0], ends[0]), 0.1, (0, 0, 0))] == ["sphere"]


def test_only_what_is_near_the_flange_is_built_in_the_lab(seen):
    names = set(things(seen[1].things, Solid)) | set(things(seen[1].things, Surface))
    assert {f"{CELL_TARGET}/hub/plate", f"{CELL_TARGET}/hub/ring"} <= names
    assert f"{CELL_CHASER}/hub/plate" in names
    assert not {f"{CELL_TARGET}/hub/bus", f"{CELL_TARGET}/hub/array"} & names
    assert f"{TARGET}/hub/bus" in names  # but it is in orbit


def test_the_felt_force_points_as_it_acts_on_the_mock_up_and_is_to_scale(seen):
    hardware, scene, playback, look = seen
    row, poses = playback.at(0.0)
    row = row.copy()
    row[hardware.columns["lab.measured_wrench"]] = [10.0, 0.0, -5.0, 0.0, 0.0, 0.0]
    look = replace(look, newtons_per_metre=20.0)
    arrow = things(scene.things, Arrows)["cell/felt"]
    ((start, tip),) = arrow.ends(Moment(row, seen_from(poses, look), look))
    force = poses[CELL_TARGET].rotate((10.0, 0.0, -5.0))
    np.testing.assert_allclose(20.0 * (tip - start), force, atol=1e-9)
    effector = effector_frame("main", CELL_CHASER)
    np.testing.assert_allclose(tip, poses[effector].p, atol=1e-9)


def test_the_guard_is_told_in_a_word_at_every_instant(seen):
    hardware, _, playback, _ = seen
    words = [guard_state(hardware)(playback.at(t)[0])[0] for t in (0.0, BRAKES_S, STANDS_S, 1.0)]
    assert words == ["running", "braking", "stopped", "stopped"]
    plain = hardware_of(short_run("touch").provenance, short_run("touch").signals())
    assert guard_state(plain)(playback.rows[0])[0] == ""
    assert cell(plain) == []


def test_cameras_look_at_both_first_and_at_orbit_cell_and_contact(seen):
    hardware, scene, playback, look = seen
    found = cell_framings(hardware, scene, playback, look)
    assert list(found) == ["both", "orbit", "cell", "contact", "cell contact"]
    assert {framing.follow for framing in found.values()} == {NOMINAL}
    _, high = sides(hardware.cell)
    assert found["cell"].points[:, 2].max() < high[2]
    assert found["orbit"].points[:, 2].min() > high[2]
    assert "cell" not in framings(hardware, scene, playback, Look())


def test_the_panel_plots_how_near_axes_are_to_their_limits(seen):
    hardware, _, playback, _ = seen
    titles = [curves.title for curves in curves_of(hardware, playback.rows)]
    assert "least axis margin [deg]" in titles


def test_a_facility_of_another_version_is_left_out_and_the_orbit_still_drawn():
    run = rehearsal()
    given = {"name": "old", "file": {"nobody": "knows"}}
    hardware = hardware_of({**run.provenance, "facility": given}, run.signals())
    assert hardware.cell is None
    assert things(scene_of(hardware).things, Solid)


@pytest.mark.parametrize("facility", ["oos-sim", "ideal"])
def test_a_chaser_without_an_arm_is_seen_by_what_it_touches_with(facility):
    run = rehearsal("contact-rig", "probe")
    provenance = {**run.provenance, "facility": load_facility(facility).to_dict()}
    hardware, scene, playback, look = looked_at(replace(run, provenance=provenance))
    names = set(things(scene.things, Solid))
    assert {f"{CELL_CHASER}/hub/probe", "cell/probe/pad-0"} <= names
    assert not {f"{CELL_CHASER}/hub/bus", f"{CELL_CHASER}/hub/left"} & names
    pads = hardware.contacts[0].pads
    found = cell_framings(hardware, scene, playback, look)
    for name, hub in (("contact", CHASER), ("cell contact", CELL_CHASER)):
        at_start = seen_from(playback.at(0.0)[1], look)[hub].act(tuple(pads[0]))
        np.testing.assert_allclose(found[name].points[0], at_start, atol=1e-9)
    assert found["cell"].points.shape[1] == 3
