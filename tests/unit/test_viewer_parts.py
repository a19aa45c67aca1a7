"""What a scene holds follows from the scenario."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.viewer_cases import short_run

import proxops
from proxops.assembly.bend import STATIONS
from proxops.scenario.shipped import shipped, shipped_arms
from proxops.viewer.framing import bending_for, enlarged, framings, newtons_per_metre, takes_part
from proxops.viewer.hardware import hardware_of
from proxops.viewer.parts import scene_of
from proxops.viewer.playback import Playback
from proxops.viewer.pose import HERE
from proxops.viewer.poses import CHASER, TARGET, effector_frame
from proxops.viewer.scene import Arrows, Look, Moment, Solid, Surface, as_drawn, seen_from

TETRAHEDRON = """v 0 0 0
v 2 0 0
v 0 4 0
v 0 0 6
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
"""


def scene(name, **how):
    run = short_run(name, **how)
    hardware = hardware_of(run.provenance, run.signals())
    return hardware, scene_of(hardware), Playback(hardware, run.rows)


def things(found, kind):
    return {thing.name: thing for thing in found.things if isinstance(thing, kind)}


@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_shipped_mission_has_a_scene_whose_frames_have_poses(name):
    _, found, playback = scene(name, duration=0.1, rate=10.0)
    poses = seen_from(playback.at(0.0)[1], Look())
    moment = Moment(playback.rows[0], poses, Look())
    for solid in things(found, Solid).values():
        assert solid.frame in poses
    for surface in things(found, Surface).values():
        assert surface.vertices(moment).shape == (surface.faces.max() + 1, 3)
    names = [thing.name for thing in found.things]
    assert len(names) == len(set(names))


def test_the_arrow_of_a_contact_is_its_force_on_the_target_to_scale():
    hardware, found, playback = scene("deorbit-friction")
    row, poses = playback.at(playback.end)
    look = Look(newtons_per_metre=250.0)
    moment = Moment(row, seen_from(poses, look), look)
    ((start, tip),) = things(found, Arrows)["contacts/ring/total"].ends(moment)
    force = np.array(poses[TARGET].rotate(tuple(hardware.of("contacts.ring.f", row))))
    np.testing.assert_allclose(250.0 * (tip - start), force, rtol=1e-9)
    assert force[0] > 100.0  # the chaser pushes along x
    pads = things(found, Arrows)["contacts/ring/pads"].ends(moment)
    lengths = np.linalg.norm(pads[:, 1] - pads[:, 0], axis=1)
    np.testing.assert_allclose(250.0 * lengths, hardware.of("contacts.ring.f_n", row), rtol=1e-9)
    # all push the same way as the whole
    assert ((pads[:, 1] - pads[:, 0]) @ force > 0.0).all()


def test_a_jet_points_against_its_thrust_and_is_as_long_as_it_is_strong():
    hardware, found, playback = scene("deorbit-friction")
    row, poses = playback.at(playback.end)
    plume = things(found, Surface)["chaser/thrusters/main"]
    full = plume.vertices(Moment(row, poses, Look()))
    ends = np.array([plume.X_FB.act(tuple(corner)) for corner in full])
    direction = ends[1:].mean(axis=0) - ends[0]
    assert direction[0] < 0.0  # the engine pushes along +x of the hub
    half = row.copy()
    half[hardware.columns["chaser.thrusters.thrust"]] *= 0.5
    np.testing.assert_allclose(plume.vertices(Moment(half, poses, Look())), 0.5 * full)


def test_appendages_that_bend_enough_are_drawn_as_they_are_and_others_exaggerated():
    _, found, playback = scene("flexible-symmetric")
    assert bending_for(found, playback) == 1.0
    quiet = playback.rows * np.where(np.arange(playback.rows.shape[1]) == 0, 1.0, 1e-3)
    playback.rows = quiet
    assert bending_for(found, playback) > 100.0


def test_an_onlooker_is_not_framed_and_one_who_takes_part_is():
    hardware, found, playback = scene("flexible-symmetric")
    assert not takes_part(hardware, found, playback)
    assert next(iter(framings(hardware, found, playback, Look()))) == TARGET
    hardware, found, playback = scene("free-tumble")
    assert next(iter(framings(hardware, found, playback, Look()))) == "both"


def pressing_from(name, contact, row):
    """Subject, scene and film in which that contact presses from a row on."""
    hardware, found, playback = scene(name)
    playback.rows = playback.rows.copy()
    playback.rows[:, hardware.columns[f"contacts.{contact}.f"]] = 0.0
    playback.rows[row:, hardware.columns[f"contacts.{contact}.f"]] = -3.0
    return hardware, found, playback


@pytest.mark.parametrize(
    ("mission", "contact", "arm"), [("touch", "tip", "main"), ("envisat-capture", "left", "left")]
)
def test_the_contact_camera_holds_the_pads_where_they_are_as_they_first_press(
    mission, contact, arm
):
    hardware, found, playback = pressing_from(mission, contact, 40)
    framed = framings(hardware, found, playback, Look())["contact"]

    def pads(row):
        placed = seen_from(playback.at(playback.rows[row, 0])[1], Look())[effector_frame(arm)]
        return np.array([placed.act(tuple(pad)) for pad in hardware.contacts[0].pads])

    np.testing.assert_allclose(framed.points, pads(40), atol=1e-9)
    assert np.abs(pads(40) - pads(0)).max() > 1e-3  # at the start they are elsewhere
    assert framed.follow == TARGET
    playback.rows[:, hardware.columns[f"contacts.{contact}.f"]] = 0.0  # it never does
    never = framings(hardware, found, playback, Look())["contact"]
    np.testing.assert_allclose(never.points, pads(0), atol=1e-9)


@pytest.mark.parametrize("name", ["touch", "envisat-capture", "contact-bounce"])
def test_a_scene_opens_with_both_spacecraft_and_all_arms(name):
    hardware, found, playback = scene(name)
    first = next(iter(framings(hardware, found, playback, Look()).items()))
    poses = seen_from(playback.at(0.0)[1], Look(follow=TARGET))
    assert first[0] in ("both", "orbit")
    low, high = first[1].points.min(axis=0), first[1].points.max(axis=0)
    for frame in (CHASER, TARGET, *(each for each in poses if each.startswith(f"{CHASER}/"))):
        place = np.array(poses[frame].p)
        assert (low - 1e-9 <= place).all(), frame
        assert (place <= high + 1e-9).all(), frame


def test_spacecraft_far_apart_are_drawn_larger():
    near, far = scene("free-tumble"), scene("fly-around", duration=100.0, rate=0.1)
    assert enlarged(near[0], near[1], near[2], Look()) == Look()
    assert enlarged(far[0], far[1], far[2], Look()).size > 2.0


def test_spacecraft_are_drawn_less_large_the_nearer_they_are_and_touch_true_to_scale():
    hardware, found, playback = scene("fly-around", duration=100.0, rate=0.1)
    look = enlarged(hardware, found, playback, Look())
    poses = playback.at(0.0)[1]
    reach = max(found.reach(craft) for craft in (CHASER, TARGET))
    for apart in (0.0, 0.3 * look.near, 3.4 * look.near, 1e3 * look.near):
        x, y, z = poses[TARGET].p
        near = poses | {CHASER: poses[CHASER]._replace(p=(x + apart, y, z))}
        size = as_drawn(look, near).size
        assert 1.0 <= size <= look.size
        assert size == 1.0 or 2.0 * size * reach < apart  # neither reaches into the other
    assert size == look.size
    assert as_drawn(Look(size=3.0), poses).size == 3.0  # as the onlooker wants it


def test_a_close_up_holds_both_spacecraft_as_they_are_drawn_then():
    hardware, found, playback = scene("fly-around", duration=100.0, rate=0.1)
    look = enlarged(hardware, found, playback, Look())
    for t in (0.0, 100.0):
        poses = playback.at(t)[1]
        drawn = replace(as_drawn(look, poses), near=0.0)
        points = framings(hardware, found, playback, look, t)["close-up"].points
        seen = seen_from(poses, drawn)
        for craft in (CHASER, TARGET):
            corner = seen[craft].act(tuple(drawn.size * found.outlines[craft][0]))
            assert np.linalg.norm(points - corner, axis=1).min() < 1e-9
    assert "close-up" not in framings(hardware, found, playback, Look())


def test_the_scale_of_forces_makes_the_usual_one_as_long_as_the_smaller_spacecraft():
    hardware, found, playback = scene("deorbit-friction")
    scale = newtons_per_metre(hardware, found, playback.rows)
    largest = np.linalg.norm(hardware.of("contacts.ring.f", playback.rows), axis=1).max()
    assert 0.3 < largest / scale / found.reach(CHASER) <= 1.1


def test_a_mesh_is_drawn_with_its_scale_and_one_that_is_gone_is_named(tmp_path):
    file = tmp_path / "bus.obj"
    file.write_text(TETRAHEDRON)
    run = short_run("free-tumble")
    shape = {"kind": "mesh", "file": str(file), "scale": 0.5}
    scenario = proxops.load("free-tumble").replace({"target.shapes": {"bus": shape}})
    drawn = replace(run, provenance=run.provenance | {"scenario": scenario.to_dict()})
    hardware = hardware_of(drawn.provenance, drawn.signals())
    mesh = things(scene_of(hardware), Surface)["target/hub/bus"]
    corners = mesh.vertices(Moment(run.rows[0], {"": HERE}, Look()))
    np.testing.assert_allclose(corners.max(axis=0), [1.0, 2.0, 3.0])
    assert hardware.unread_meshes() == []
    gone = scenario.to_dict()
    gone["mission"]["target"]["shapes"]["bus"]["file"] = str(tmp_path / "gone.obj")
    hardware = hardware_of({"scenario": gone}, run.signals())
    assert hardware.unread_meshes() == ["gone.obj"]
    assert "target/hub/bus" not in things(scene_of(hardware), Surface)


def test_an_arm_is_drawn_with_the_meshes_of_its_file_while_they_are_those_of_the_run(tmp_path):
    text = shipped_arms()["space-arm"].read_text("utf-8")
    start, end = text.index("<visual>"), text.index("</visual>")
    mesh = '<visual><geometry><mesh filename="package://meshes/link.obj"/></geometry>'
    (tmp_path / "urdf").mkdir()
    (tmp_path / "urdf" / "arm.urdf").write_text(text[:start] + mesh + text[end:])
    file = tmp_path / "meshes" / "link.obj"
    file.parent.mkdir()
    file.write_text(TETRAHEDRON)
    urdf = {"chaser.arms.main.urdf": str(tmp_path / "urdf" / "arm.urdf")}
    stored = proxops.load("free-tumble").replace(urdf).to_dict()
    run = short_run("free-tumble")
    hardware = hardware_of({"scenario": stored}, run.signals())
    drawn = [name for name in things(scene_of(hardware), Surface) if "/arms/" in name]
    assert drawn == ["chaser/arms/main/0/0"]
    assert hardware.unread_meshes() == []
    moved = file.with_name("moved.obj")
    file.rename(moved)
    stored = json.loads(json.dumps(stored).replace(str(file), str(moved)))
    moved.write_text(TETRAHEDRON + "# another\n")
    hardware = hardware_of({"scenario": stored}, run.signals())
    assert not [name for name in things(scene_of(hardware), Surface) if "/arms/" in name]
    assert hardware.unread_meshes() == ["moved.obj"]


def test_a_recording_from_elsewhere_draws_no_file_of_this_machine(tmp_path):
    """It may name any file, but knows the hash of none that it has not."""
    file, secret = tmp_path / "bus.obj", tmp_path / "secret.obj"
    file.write_text(TETRAHEDRON)
    secret.write_text(TETRAHEDRON + "# ours\n")
    run = short_run("free-tumble")
    shape = {"kind": "mesh", "file": str(file)}
    sent = proxops.load("free-tumble").replace({"target.shapes": {"bus": shape}}).to_dict()
    stolen = json.loads(json.dumps(sent).replace(str(file), str(secret)))
    texts = {name: text for name, text in sent["files"].items() if name != str(file)}
    older = sent | {"files": texts}  # recorded before hashes were
    assert str(file) in sent["files"]
    assert str(secret) in stolen["files"]
    for scenario, name in ((stolen, "secret.obj"), (older, "bus.obj")):
        hardware = hardware_of({"scenario": scenario}, run.signals())
        assert hardware.unread_meshes() == [name]
        assert "target/hub/bus" not in things(scene_of(hardware), Surface)


def test_a_strip_has_a_station_for_every_part_of_its_bend():
    _, found, _ = scene("flexible-symmetric")
    surfaces = things(found, Surface).items()
    strips = [each for name, each in surfaces if "appendages" in name and "cells" not in name]
    assert {each.faces.max() + 1 for each in strips} == {4 * STATIONS}
