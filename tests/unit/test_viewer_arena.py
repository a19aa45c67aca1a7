"""The arena of a rehearsal: vehicles as the facility's file has them, the orbit straight above."""

import math

import numpy as np
import pytest
from tests.unit.flight_cases import ERROR, HOVER, LANDS_S, OFF, PUSHED, STATES, flight
from tests.unit.viewer_cases import short_run

from proxops.facility.arena.memory import LANDING
from proxops.physics.multirotor.wake import jet
from proxops.viewer.arena import MODES, arena, flight_facts, flight_state, room_of
from proxops.viewer.cameras import view_of
from proxops.viewer.draw import _lay
from proxops.viewer.hardware import hardware_of
from proxops.viewer.laboratory import facts_of, framings_of, placed, scale_of, state_of
from proxops.viewer.panel import states_text
from proxops.viewer.parts import scene_of, up_of
from proxops.viewer.playback import Playback
from proxops.viewer.plots import curves_of
from proxops.viewer.pose import Pose
from proxops.viewer.poses import CHASER, CRAFTS, TARGET, vehicle_frame
from proxops.viewer.scene import Look, Moment, Solid, Surface, Trail, seen_from
from proxops.viewer.track import POINTS, Track


def looked_at(run):
    hardware = hardware_of(run.provenance, run.signals())
    scene, playback = scene_of(hardware), Playback(hardware, run.rows)
    return hardware, scene, playback, placed(hardware, scene, playback, Look())


def named(found, kind):
    return {thing.name: thing for thing in found if isinstance(thing, kind)}


@pytest.mark.parametrize(("up", "scale"), [("z", 1.0), ("x", 1.0), ("y", 0.5)])
def test_every_vehicle_is_straight_below_the_hub_that_it_stands_for(up, scale):
    run = flight(up, scale)
    _, _, playback, look = looked_at(run)
    for t in (0.0, playback.end):
        _, poses = playback.at(t)
        seen = seen_from(poses, look)
        for craft, hub, off in zip(CRAFTS, (TARGET, CHASER), (np.zeros(3), OFF), strict=True):
            shift = np.subtract(seen[hub].p, seen[vehicle_frame(craft)].p) + off
            np.testing.assert_allclose(shift[:2], 0.0, atol=1e-9)
            assert shift[2] > 0.5
            upright = seen[vehicle_frame(craft)].rotate((0.0, 0.0, 1.0))
            np.testing.assert_allclose(upright, [0.0, 0.0, 1.0], atol=1e-9)  # hovers level


def test_rotors_are_discs_where_the_facility_has_them_tilted_about_their_arms():
    hardware, *_ = looked_at(flight())
    given = hardware.arena.file.vehicle
    solids = named(arena(hardware), Solid)
    for number in range(6):
        disc = solids[f"cell/chaser's vehicle/rotor-{number}"].shape
        motor = solids[f"cell/chaser's vehicle/motor-{number}"].shape
        assert disc.size[0] == pytest.approx(0.5 * given.propeller_m)
        axis = np.array(Pose(disc.p, disc.q).rotate((0.0, 0.0, 1.0)))
        assert math.degrees(math.acos(axis[2])) == pytest.approx(given.alpha_deg)
        angle = number * math.pi / 3.0
        arm = np.array([math.cos(angle), math.sin(angle), 0.0])
        assert axis @ arm == pytest.approx(0.0, abs=1e-12)
        # neighbours lean to opposite sides
        beside = np.array([-math.sin(angle), math.cos(angle), 0.0])
        side = -math.sin(math.radians(given.alpha_deg)) * (-1.0) ** number
        assert axis @ beside == pytest.approx(side)
        # the motor's axis passes through the rotor's place
        hub = np.array(motor.p) - (np.array(motor.p) - given.arm_m * arm) @ axis * axis
        np.testing.assert_allclose(hub, given.arm_m * arm, atol=1e-12)


def test_a_wake_reaches_from_the_rotors_to_the_floor_and_can_be_hidden():
    hardware, _, playback, look = looked_at(flight())
    row, poses = playback.at(0.0)
    moment = Moment(row, seen_from(poses, look), look)
    wake = named(arena(hardware), Surface)["cell/chaser's vehicle/wake"]
    vertices = wake.vertices(moment)
    height = poses[vehicle_frame("chaser")].p[2]
    assert vertices[:, 2].min() == pytest.approx(-height, abs=0.006)  # rounded to 1 cm
    blown = jet(6, 0.5 * hardware.arena.file.vehicle.propeller_m)
    radius = np.hypot(vertices[:, 0], vertices[:, 1])
    assert radius.min() == pytest.approx(blown.width)
    assert radius.max() == pytest.approx(blown.width + blown.spread * height, abs=1e-3)
    assert wake.shown(Look())
    assert not wake.shown(Look(wakes=False))


def test_the_way_flown_is_drawn_in_the_arena_and_that_of_the_orbit_above_it():
    run = flight("x", 0.5)
    hardware, scene, playback, look = looked_at(run)
    track = Track(hardware, playback.rows)
    flown, count = track.path("lab.p_LCl", 0.5, look)
    np.testing.assert_array_equal(flown[-1], run["lab.p_LCl"][1][-1])
    assert 0 < count < len(flown)
    above, _ = track.path("chaser.p_HC", 0.5, look)
    # as `seen_from` has it
    np.testing.assert_allclose(
        above[-1], seen_from(playback.at(playback.end)[1], look)[CHASER].p, atol=1e-12
    )
    trails = named(scene.things, Trail)
    assert not trails["trails/cell/chaser"].ahead


def test_panel_and_plots_have_gap_error_thrust_margin_and_what_the_vehicles_do():
    run = flight()
    hardware, _, playback, _ = looked_at(run)
    facts = flight_facts(hardware)(playback.at(0.0)[0])
    gap = run["lab.gap"][1].ravel()
    assert facts[0] == f"gap between tips {gap[0]:.3f} m"
    # 10.05 N at most, 0.1 N at least
    margin = min(HOVER - 0.1, 10.05 - HOVER)
    assert facts[2] == (
        f"chaser's vehicle flying, error {1e3 * ERROR:.1f} mm, thrust margin {margin:.2f} N"
    )
    at_last = flight_facts(hardware)(playback.at(playback.end)[0])
    assert at_last[2].startswith("chaser's vehicle landing")
    assert at_last[2].endswith(f"margin {10.05 - PUSHED:.2f} N")
    state = flight_state(hardware)
    assert state(playback.at(LANDS_S - 0.1)[0])[0] == "flying"
    assert state(playback.at(playback.end)[0]) == MODES[LANDING]
    assert state_of(hardware)(playback.at(0.0)[0])[:2] == ("vehicles", "flying")
    titles = [curves.title for curves in curves_of(hardware, playback.rows)]
    assert titles == ["error of the vehicles [mm]", "gap between tips [m]", "thrust margin [N]"]


def test_the_state_that_the_facility_is_in_stands_in_brackets():
    assert states_text(STATES, 0.1) == "take off 8.0 s, [run 0.2 s], land 6.0 s"
    assert states_text((), 0.0) == ""


def test_vehicles_and_orbit_are_framed_whole_and_neither_hides_the_other():
    run = flight()
    hardware, scene, playback, look = looked_at(run)
    found = framings_of(hardware, scene, playback, look)
    assert list(found) == ["both", "orbit", "vehicles", "arena"]
    np.testing.assert_array_equal(up_of(hardware), [0.0, 0.0, 1.0])
    view = view_of(found["both"], scene.up, 1.1)
    away = np.subtract(view.position, view.look_at)
    away /= np.linalg.norm(away)
    upwards = np.array([0.0, 0.0, 1.0]) - away[2] * away
    vehicles, orbit = found["vehicles"].points @ upwards, found["orbit"].points @ upwards
    assert vehicles.max() < orbit.min()
    corners = room_of(hardware.arena)
    assert (found["arena"].points.min(axis=0) <= corners[0]).all()
    assert "5x faster" in scale_of(hardware)


def test_runs_of_another_kind_have_no_arena():
    run = short_run("arena-approach", 1.0, 10.0)
    hardware = hardware_of(run.provenance, run.signals())
    assert hardware.arena is None
    assert arena(hardware) == []
    assert facts_of(hardware)(run.rows[0]) == []


def test_a_line_that_grows_always_has_as_many_strokes():
    class Line:
        visible = False
        points = np.zeros(0)

    line = Line()
    for count in (2, 50, POINTS + 1):
        way = np.cumsum(np.ones((count, 3)), axis=0)
        _lay(line, way, True)
        assert line.points.shape == (POINTS, 2, 3)
        np.testing.assert_array_equal(line.points[count - 2], way[-2:])
        np.testing.assert_array_equal(line.points[-1, 1], way[-1])
