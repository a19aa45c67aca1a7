"""What both robots do before and after a run: planned within all limits, and let through."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from proxops.assembly.cell import build_cell
from proxops.assembly.facility import load_facility
from proxops.assembly.procedure import parked, setting_of
from proxops.core.errors import InputError, StoppedError
from proxops.facility.common.force_sensor import ForceSensor
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import Pair, Shape, at_rest, build
from proxops.facility.robot_cell.fence import NAMES
from proxops.facility.robot_cell.industrial.forward import BASE, FLANGE, FRAMES, link_frames
from proxops.facility.robot_cell.procedure import plan, route
from proxops.facility.robot_cell.procedure.drive import drive, site_of
from proxops.facility.robot_cell.procedure.parting import overlaps_along
from proxops.facility.robot_cell.procedure.profile import Pace, run_up, travel
from proxops.facility.robot_cell.procedure.route import closest, find_route, is_clear
from proxops.facility.robot_cell.procedure.tare import mean_noise
from proxops.facility.robot_cell.procedure.withdraw import drawn_back
from proxops.facility.robot_cell.rods import pieces, rods_of
from proxops.plant import layout
from proxops.scenario.load import load

H = 0.004  # of commands [s]
STEP = 0.001  # of the cell [s]
ROUNDING = 4.0 * 8.0 * 2.2e-16 / H**3  # of a third difference of angles below 8 rad [rad/s3]
PREPARED = ["park", "move to start", "tare", "engage"]


@cache
def touching(representation="relative", mission="touch"):
    """A mission on `oos-sim`, made ready: stages, setting, start."""
    facility = load_facility("oos-sim").facility
    made = build_cell(load(mission), facility, representation)
    sent = made.state.memory.sent
    return made, setting_of(made, facility, STEP), (sent[of.Q].copy(), sent[of.V].copy())


@pytest.fixture
def sent(monkeypatch):
    """All that was sent, in the order of its being sent."""
    tables = []

    def noted(site, arm, commands, press, out):
        driven = drive(site, arm, commands, press, out)
        tables.append(out[: driven.cycles].copy())
        return driven

    monkeypatch.setattr(plan, "drive", noted)
    return tables


def pace_of(rng):
    speed = rng.uniform(0.3, 3.0, 12)
    return Pace(speed, speed / rng.uniform(0.2, 2.0, 12), speed / rng.uniform(0.01, 1.0, 12), H)


def shares(rows, pace):
    """Largest differences of commands, each as a share of its limit."""
    return [
        np.abs(np.diff(rows, n=order, axis=0) / pace.period**order / limit).max()
        for order, limit in enumerate((pace.speed, pace.acceleration, pace.jerk), start=1)
    ]


def check_limits(rows, guard):
    """No difference of what is sent exceeds what the guard's table has."""
    axes = guard.axes
    for order, column in enumerate((of.SPEED, of.ACCELERATION, of.JERK), start=1):
        over = np.abs(np.diff(rows, n=order, axis=0)) / H**order - axes[:, column]
        assert over.max() <= ROUNDING
    assert (rows >= axes[:, of.LOWER]).all()
    assert (rows <= axes[:, of.UPPER]).all()


def test_a_way_from_rest_to_rest_is_as_quick_as_one_limit_allows_and_exceeds_none():
    """Differences are means of derivatives over up to three cycles: of a law that lasts T they
    fall short of the peak by a share of some 10 h/T, which is below 5 % here."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        start, end, pace = *rng.uniform(-2.0, 2.0, (2, 12)), pace_of(rng)
        rows = np.vstack([np.tile(start, (3, 1)), travel(start, end, pace)])
        assert 0.95 < max(shares(rows, pace)) <= 1.0 + 1e-6
        assert np.array_equal(rows[-1], end)
        assert np.array_equal(rows[-1], rows[-3])


def test_a_run_up_arrives_with_position_and_speed_of_the_start_and_no_acceleration():
    rng = np.random.default_rng(2)
    for _ in range(20):
        q, pace = rng.uniform(-2.0, 2.0, 12), pace_of(rng)
        qd = rng.uniform(-0.9, 0.9, 12) * pace.speed
        rows = run_up(q, qd, pace, 0.3)
        whole = np.vstack([np.tile(rows[0], (3, 1)), rows])
        assert max(shares(whole, pace)) <= 1.0 + 1e-6
        assert np.array_equal(rows[-1], q)
        steady = np.diff(rows[-1 - round(0.3 / H) :], axis=0) / H
        assert steady == pytest.approx(np.tile(qd, (len(steady), 1)), abs=1e-9)


@pytest.mark.parametrize("representation", ["relative", "absolute"])
def test_every_state_is_let_through_and_the_run_begins_without_a_step(sent, representation):
    made, setting, (q, qd) = touching(representation)
    states = plan.prepare(setting, q, qd)
    assert [state.name for state in states] == PREPARED
    assert {state.verdict for state in states} == {"passed"}
    ends = [state.start_s + state.lasts_s for state in states]
    assert ends == pytest.approx([*(state.start_s for state in states[1:]), 0.0], abs=1e-9)
    rows = np.vstack([np.tile(setting.park, (3, 1)), *sent[1:]])  # the first looks for a stop
    check_limits(rows, made.cell.guard)
    assert rows[-1] == pytest.approx(q, abs=1e-9)
    assert np.diff(rows[-3:], axis=0) / H == pytest.approx(np.tile(qd, (2, 1)), abs=1e-9)
    assert states[2].lasts_s == pytest.approx(setting.tare)


def test_a_retreat_opens_the_distance_of_the_mock_ups_first_and_ends_in_park(sent):
    made, setting, _ = touching("absolute")
    states = plan.put_away(setting, made.state.memory, 8.0)
    assert [(state.name, state.verdict) for state in states] == [
        ("stop", "passed"),
        ("retreat", "passed"),
    ]
    assert states[0].start_s == 8.0
    assert states[1].start_s == pytest.approx(8.0 + states[0].lasts_s)
    check_limits(np.vstack(sent), made.cell.guard)
    retreat = sent[1]
    assert np.array_equal(retreat[-1], setting.park)
    still = ~np.diff(retreat, axis=0).any(axis=1)
    moves = np.flatnonzero(~still)[0]
    first = retreat[: moves + np.flatnonzero(still[moves:])[0] + 1]  # until they stand again
    apart = np.linalg.norm(np.subtract(*flanges(made.cell, first)), axis=1)
    assert (np.diff(apart) >= -1e-12).all()
    assert apart[-1] == pytest.approx(apart[0] + 0.1, abs=1e-6)


@pytest.mark.parametrize("bound", ["hold arm is closed", "contact ring is glued on"])
def test_what_joins_the_mock_ups_is_not_torn_by_a_retreat(sent, bound):
    made, setting, _ = touching("absolute")
    stop, retreat = plan.put_away(setting, made.state.memory, 8.0, (bound,))
    assert (stop.name, stop.verdict) == ("stop", "passed")
    assert (retreat.verdict, retreat.lasts_s) == (f"by hand: {bound}", 0.0)
    assert len(sent) == 1


def test_force_sensors_are_tared_with_the_mock_ups_apart(sent):
    """The run begins 5 mm deep; what is tared there would count the press as zero."""
    _, setting, (q, qd) = touching("relative", "contact-rig")
    plan.prepare(setting, q, qd)
    tare, engage = sent[3:]
    assert overlaps(setting, q[np.newaxis]) == pytest.approx(0.005, abs=1e-9)
    assert not overlaps(setting, np.vstack([*sent[1:4]])).any()
    assert overlaps(setting, engage)[-1] == pytest.approx([0.005], abs=1e-9)
    assert not np.diff(tare, axis=0).any()
    apart = setting.apart()
    there = closest(site_of(apart.cell, q=tare[0]), apart.arm, tare[0], tare[0])
    assert there.slack > 0.0


def overlaps(setting, rows):
    found = np.empty((len(rows), len(setting.cell.plant.contacts)))
    overlaps_along(site_of(setting.cell, q=rows[0]), setting.arm, rows, found)
    return found


def test_pads_on_the_way_are_as_deep_as_the_plant_has_them():
    """The pad of `contact-rig` is on the line z of both spacecraft, which the lab only places."""
    made, setting, (q, _) = touching("relative", "contact-rig")
    y, parts = made.state.y, layout.slices(made.cell.plant)
    apart = np.linalg.norm(y[parts.target][:3] - y[parts.chaser][:3])
    depth = 0.88 + 0.02 + 0.6 - apart
    assert overlaps(setting, q[np.newaxis]) == pytest.approx(depth, abs=1e-9)


@pytest.mark.parametrize("mission", ["touch", "contact-rig"])
def test_what_is_to_part_the_mock_ups_must_not_bring_them_closer(monkeypatch, sent, mission):
    """Drawn back the other way, into the target, a retreat is left to somebody's hands."""
    made, setting, (q, _) = touching("relative", mission)
    back = next(drawn_back(site_of(setting.cell, q=q), q))
    monkeypatch.setattr(plan, "drawn_back", lambda site, q: iter([q - (back - q)]))
    stop, retreat = plan.put_away(setting, made.state.memory, 8.0)
    assert stop.verdict == "passed"
    assert retreat.verdict.startswith("by hand: on retraction, ")
    assert "deeper" in retreat.verdict or "closer" in retreat.verdict
    assert len(sent) == 1


def test_a_retreat_that_the_guard_does_not_release_is_left_to_somebodys_hands():
    _, setting, (q, _) = touching()
    light = [
        replace(row, maximum=1.0) if row.kind == "flange force" else row
        for row in setting.guarded.watched
    ]
    guarded = replace(setting.guarded, watched=tuple(light))
    weak = replace(setting, guarded=guarded, cell=setting.cell._replace(guard=build(guarded)))
    (retreat,) = plan.put_away(weak, at_rest(weak.cell.guard, q, 64), 8.0)
    assert retreat.verdict.startswith("by hand: flange force of the target's robot")


@pytest.mark.parametrize(
    ("pressed", "verdicts"),
    [
        (8.02, ["emergency stop", "passed"]),
        (9.5, ["passed", "by hand: emergency stop"]),
        (60.0, ["passed", "passed"]),
    ],
)
def test_a_button_pressed_after_the_run_is_heard_in_the_state_it_falls_into(
    sent, pressed, verdicts
):
    made, setting, _ = touching("absolute")
    states = plan.put_away(replace(setting, emergency=pressed), made.state.memory, 8.0)
    assert [state.verdict for state in states] == verdicts
    if pressed == 9.5:
        ends = states[1].start_s + states[1].lasts_s
        assert 9.5 < ends < 10.0
        assert np.array_equal(sent[-1][-1], sent[-1][-2])
        assert not np.array_equal(sent[-1][-1], setting.park)


def flanges(cell, rows):
    """Where both flanges are (2, n, 3) [m]."""
    frames = np.empty((FRAMES, 7))
    found = []
    for which, robot in enumerate((cell.target_robot, cell.chaser_robot)):
        here = []
        for row in rows:
            link_frames(robot, row[6 * which :][:6].copy(), frames)
            here.append(frames[FLANGE, :3].copy())
        found.append(here)
    return np.array(found)


def test_a_rehearsal_is_put_away_by_hand_where_the_guard_would_not_release_it():
    _, setting, (q, _) = touching()
    close = with_pillar(setting, flanges(setting.cell, [q])[1, 0], 0.3)
    memory = at_rest(close.cell.guard, q, 64)
    (retreat,) = plan.put_away(close, memory, 8.0)
    assert retreat.verdict.startswith("by hand: no clear path")
    assert "pillar" in retreat.between
    assert retreat.lasts_s == 0.0


def with_pillar(setting, place, radius):
    """The setting with a ball of that radius in the lab that the chaser's robot keeps clear of."""
    frames = np.empty((FRAMES, 7))
    link_frames(setting.cell.target_robot, np.zeros(6), frames)
    x, y, z = place - frames[BASE, :3]
    end = (-x, -y, z)  # the target's robot looks along -x
    moving = [f"{part} of {NAMES[1]}" for part in ("hand", "mock-up", "forearm")]
    guarded = replace(
        setting.guarded,
        shapes=(*setting.guarded.shapes, Shape("pillar", BASE, (end, end), radius)),
        pairs=(*setting.guarded.pairs, *(Pair(name, "pillar", 0.05) for name in moving)),
    )
    return replace(setting, guarded=guarded, cell=setting.cell._replace(guard=build(guarded)))


def halfway(setting, q):
    """The chaser's flange on half of the straight way to park."""
    return flanges(setting.cell, [0.5 * (q + setting.park)])[1, 0]


def test_a_way_that_is_blocked_is_gone_round(sent):
    _, setting, (q, qd) = touching()
    blocked = with_pillar(setting, halfway(setting, q), 0.1)
    site = site_of(blocked.cell, q=q)
    straight = closest(site, blocked.arm, setting.park, q)
    assert straight.slack < 0.0
    assert "pillar" in plan.gap_of(blocked, straight.slack, straight.which)[1]
    found = find_route(site, blocked.arm, setting.park, q)
    assert len(found.points) > 1
    assert is_clear(site, blocked.arm, (setting.park, *found.points))
    states = plan.prepare(blocked, q, qd)
    assert {state.verdict for state in states} == {"passed"}
    check_limits(np.vstack(sent[1:]), blocked.cell.guard)


def test_a_way_that_is_nowhere_clear_is_refused_with_the_pair_and_the_place(monkeypatch):
    _, setting, (q, qd) = touching()
    blocked = with_pillar(setting, halfway(setting, q), 0.3)
    monkeypatch.setattr(route, "routes", lambda _, end: [(end,)])
    with pytest.raises(
        InputError, match=r"no clear path .* pillar come to .* least 0\.050 m, after"
    ):
        plan.prepare(blocked, q, qd)


def test_a_park_that_is_too_close_is_refused_and_named():
    _, setting, (q, qd) = touching()
    blocked = with_pillar(setting, flanges(setting.cell, [setting.park])[1, 0], 0.1)
    says = r"in park .* and pillar are -?0\.\d+ m apart.* change park_deg"
    with pytest.raises(InputError, match=says):
        plan.prepare(blocked, q, qd)


def test_a_start_without_a_stop_is_refused_before_anything_moves(sent):
    made, setting, (q, qd) = touching()
    q, qd = q.copy(), qd.copy()
    q[0], qd[0] = made.cell.guard.axes[0, of.UPPER] - 0.01, 1.0
    with pytest.raises(InputError, match=r"cannot begin .*: no stop from there: axis 1 of the tar"):
        plan.prepare(setting, q, qd)
    assert len(sent) == 1


def test_a_start_that_is_too_close_is_refused_with_the_pair():
    _, setting, (q, qd) = touching()
    close = with_pillar(setting, flanges(setting.cell, [q])[1, 0] + [0.0, 0.0, 0.3], 0.1)
    with pytest.raises(
        InputError, match=r"cannot begin at its start pose: .* and pillar 0 m apart, least 0\.05 m"
    ):
        plan.prepare(close, q, qd)


def test_an_emergency_stop_on_the_way_to_the_start_ends_in_one_within_the_hard_limits(sent):
    made, setting, (q, qd) = touching()
    with pytest.raises(
        StoppedError, match="move to start: emergency stop; both robots stand"
    ) as no:
        plan.prepare(replace(setting, emergency=-5.0), q, qd)
    assert no.value.exit_code == 4
    rows, axes = np.vstack(sent[1:]), made.cell.guard.axes
    jerk = np.abs(np.diff(rows, n=3, axis=0)) / H**3
    assert (jerk <= axes[:, of.HARD_JERK] + ROUNDING).all()
    assert np.array_equal(rows[-1], rows[-2])
    moving = np.flatnonzero(np.diff(rows, axis=0).any(axis=1))
    lasts = 0.5 + sum(len(part) for part in sent[2:]) * H
    assert lasts < 3.0  # of a way that takes four seconds
    assert len(moving) * H < lasts - 0.4


def test_random_starts_are_prepared_within_all_limits_or_refused_with_a_name(sent):
    made, setting, (q, _) = touching()
    rng = np.random.default_rng(5)
    refused = []
    for _ in range(8):
        sent.clear()
        start = q + rng.uniform(-0.4, 0.4, 12) * np.tile([1.0, 0.4, 0.4, 1.0, 1.0, 1.0], 2)
        speeds = rng.uniform(-0.2, 0.2, 12)
        try:
            states = plan.prepare(setting, start, speeds)
        except InputError as error:
            refused.append(str(error))
            continue
        assert {state.verdict for state in states} == {"passed"}
        rows = np.vstack([np.tile(setting.park, (3, 1)), *sent[1:]])
        check_limits(rows, made.cell.guard)
        assert np.diff(rows[-3:], axis=0) / H == pytest.approx(np.tile(speeds, (2, 1)), abs=1e-9)
    assert len(refused) <= 4
    assert all("robot" in text for text in refused)


def test_pairs_with_the_arm_keep_the_arms_clearance_and_all_others_the_robots():
    made, setting, _ = touching()
    links = {pair.first for pair in made.guarded.pairs if pair.first.startswith("main.")}
    assert len(links) == 7
    least = {pair.first in links: set() for pair in made.guarded.pairs}
    for pair in made.guarded.pairs:
        least[pair.first in links].add(pair.least)
    assert least == {True: {0.02}, False: {0.05}}
    more = len(setting.apart().guarded.pairs) - len(made.guarded.pairs)
    assert more == 2  # the last two links and the target's mock-up


def test_every_pad_on_the_hub_is_inside_a_shape_of_which_only_the_tip_may_touch():
    made, setting, _ = touching("relative", "contact-rig")
    shapes = {shape.name: shape for shape in made.guarded.shapes}
    rod, tip = (f"mock-up's probe{part} of the chaser's robot" for part in ("", " tip"))
    assert shapes[rod].ends[0] == (0.0, 0.0, 0.0)
    assert shapes[rod].ends[1] == shapes[tip].ends[0]
    assert shapes[tip].ends[1] == pytest.approx((0.0, 0.0, 0.05 + 0.88))
    assert shapes[tip].frame == FRAMES + FLANGE
    met = {(pair.first, pair.second) for pair in made.guarded.pairs}
    target = "mock-up of the target's robot"
    assert (rod, target) in met
    assert (tip, target) not in met
    others = {second for first, second in met if first == rod} - {target}
    assert others == {second for first, second in met if first == tip}
    assert {"the floor", "hand of the target's robot", "upper arm of the chaser's robot"} <= others
    reach = made.cell.guard.axes[6:, of.REACH].min()
    assert reach >= 0.93 + shapes[tip].radius
    assert (tip, target) == [(p.first, p.second) for p in setting.apart().guarded.pairs][-1]


def test_a_pad_on_the_target_is_met_by_a_rod_to_the_hubs_face_and_a_short_rod_is_all_tip():
    made, _, _ = touching("relative", "contact-rig")
    (contact,) = made.touching.contacts
    face = replace(contact, pads_on_chaser=False, centre=np.array([0.0, 0.0, 0.1]))
    (rod,) = rods_of([face, replace(contact, arm="main")], made.cell.chaser_robot)
    assert rod.p_K == pytest.approx([0.0, 0.0, 0.15])
    assert [piece.touches for piece in pieces(rod, 0.05)] == [True]
    assert [piece.touches for piece in pieces(rod, 0.02)] == [False, True]


@pytest.mark.parametrize("change", [{"settle": 1e9}, {"speed": 1e-12}, {"tare": math.inf}])
def test_states_that_would_take_for_ever_are_refused(change):
    _, setting, (q, qd) = touching()
    with pytest.raises(InputError, match=r"more than 1000000 commands, one every 0\.004 s"):
        plan.prepare(replace(setting, **change), q, qd)


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("guard", "emergency_stop_at_s", -1e308),
        ("guard", "speed_override", 1e-300),
        ("guard", "acceleration_override", 1e-300),
        ("servo", "bandwidth_hz", 1e-6),
        ("servo", "damping_ratio", 1e-6),
    ],
)
def test_a_facility_that_would_never_get_anywhere_is_refused_by_its_key(section, key, value):
    stored = load_facility("oos-sim").to_dict()
    stored["file"][section][key] = value
    with pytest.raises(InputError, match=rf"{section}\.{key}: must be"):
        load_facility(stored)


def test_a_tare_is_as_good_as_the_mean_of_its_readings():
    """The mean of n readings is off by σ/√n; six components are within five of these."""
    sensor = ForceSensor(0.0, 2, 0, np.full(6, 3.0), np.full(6, 0.4))
    rng = np.random.default_rng(3)
    left = mean_noise(sensor, 2.0, STEP, rng)
    sigma = 0.4 / np.sqrt(1000.0)
    assert np.abs(left).max() < 5.0 * sigma
    assert np.sqrt(np.mean(left**2)) > 0.3 * sigma


def test_a_park_outside_an_axis_is_refused_by_its_key():
    made, _, _ = touching()
    facility = load_facility("oos-sim").facility
    robots = facility.robots
    away = robots.chaser.model_copy(update={"park_deg": (0.0, 10.0, 120.0, 0.0, 0.0, 0.0)})
    robots = robots.model_copy(update={"chaser": away})
    with pytest.raises(InputError, match=r"robots\.chaser\.park_deg: axis 2 at 10 deg; possible"):
        parked(made, facility.model_copy(update={"robots": robots}))
