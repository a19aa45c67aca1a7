"""What the operator of a flight commands: hold, return, land; dry runs with one vehicle."""

import os

import numpy as np
import pytest

import proxops
from proxops.assembly.arena import change_arena, load_arena
from proxops.core.errors import InputError, ProxopsError, StoppedError
from proxops.facility.arena.guard import NOTHING, REASON
from proxops.facility.arena.legs import CLIMB, ROOM, _corner, _nearest, returning
from proxops.facility.arena.operator import HOLD, LAND, RETURN, Operator
from proxops.facility.arena.procedure import prepare, put_away
from proxops.terminal.operator import TypedCommands
from tests.facility.arena_cases import circle
from tests.facility.test_arena_link import Linked
from tests.facility.test_remote_vehicles import Remote

SHORT = {"time.duration_s": 4.0, "time.phases.circle.until_s": 4.0}
TIMES, TARGETS = circle(30.0, turns=0.7)


def rehearsed(changes, link=None, operator=None, scenario=SHORT):
    arena = change_arena(load_arena("flight-arena"), changes)
    mission = proxops.load("arena-circle").replace(scenario)
    return proxops.rehearse(mission, arena.to_dict(), link=link, operator=operator)


def names(run):
    return [state.name for state in run.procedure]


def state_of(run, name):
    return next(state for state in run.procedure if state.name == name)


def test_vehicles_hold_and_return_when_the_script_says_so_over_the_link():
    run = rehearsed({"operator.hold_at_s": 1.0, "operator.return_at_s": 5.0}, link="virtual")
    assert names(run) == [
        "audit", "arm", "take off", "move to start", "engage", "run",
        "stop", "hold", "return", "land", "disarm",
    ]  # fmt: skip
    assert {state.verdict for state in run.procedure if state.name != "run"} == {"passed"}
    assert (run.outcome, state_of(run, "run").verdict) == ("stopped", "the operator commands: hold")
    assert run.events[-1].t_s == pytest.approx(1.0, abs=1e-9)
    assert state_of(run, "return").start_s == pytest.approx(5.0, abs=1e-6)
    assert state_of(run, "return").clearance_m >= 0.395


class Flight(Linked):
    """In the air without a link, from the floor on."""

    def __init__(self, **changes):
        super().__init__(link=False, targets=TARGETS, **changes)
        self.before = prepare(self.lab, self.drawn)
        self.took_off = self.lab.home.copy()

    def put_away(self, operator=None, commanded=None, is_pressed=lambda: False):
        return put_away(self.lab, self.drawn, None, False, operator, commanded, is_pressed)


def test_both_stand_still_while_they_hold_and_land_where_they_took_off():
    flight, seen = Flight(), []

    def asked(t):
        seen.append(flight.lab.flight.y[:, :6].copy())
        return RETURN if len(seen) == 12 else None

    after = flight.put_away(Operator(asked=asked), HOLD)
    assert [state.name for state in after] == ["stop", "hold", "return", "land"]
    assert {state.verdict for state in after} == {"passed"}
    held = np.array(seen[4:])  # 2 s after the stop
    assert np.abs(held[:, :, :3] - held[0, :, :3]).max() < 0.05
    landed = flight.lab.flight.y[:, :3]
    assert np.abs(landed[:, :2] - flight.took_off[:, :2]).max() < 0.15
    assert landed[:, 2] == pytest.approx(0.0, abs=1e-9)


def test_the_button_pressed_in_a_hold_lands_both_at_once():
    flight, asked = Flight(), []
    live = Operator(asked=lambda t: asked.append(t))
    after = flight.put_away(live, HOLD, lambda: len(asked) >= 4)
    assert [state.name for state in after] == ["stop", "hold", "emergency stop", "land"]
    assert after[1].lasts_s == pytest.approx(2.0, abs=0.1)  # four times asked
    assert flight.lab.flight.y[:, 2] == pytest.approx(0.0, abs=1e-9)


def test_the_button_pressed_on_the_way_back_lands_both_where_they_are():
    flight, looks = Flight(), []

    def is_pressed():
        looks.append(flight.lab.flight.y[:, :3].copy())
        return len(looks) > 8

    after = flight.put_away(None, RETURN, is_pressed)
    assert [state.name for state in after] == ["stop", "return", "emergency stop", "land"]
    assert after[1].verdict == "broken off by the operator"
    assert after[1].lasts_s < 5.0
    assert np.abs(flight.lab.flight.y[:, :2] - looks[8][:, :2]).max() < 1.0


def test_the_way_back_goes_round_the_other_vehicle():
    half = {"time.duration_s": 16.0, "time.phases.circle.until_s": 16.0}
    run = rehearsed({"operator.return_at_s": 15.0}, scenario=half)
    p = run["lab.p_LCl"][1]
    centre = run["lab.p_LTl"][1][0]
    across = 0.5 * (p[0] + p[-1]) - centre
    assert np.hypot(*across[:2]) < 0.2  # straight back, they would collide
    back = state_of(run, "return")
    assert (back.verdict, names(run)[-1]) == ("passed", "land")
    assert back.clearance_m > 0.395


def test_ways_back_are_straight_at_first_and_the_others_go_round():
    here, home = np.zeros((2, 2, 16))
    here[:, 9] = home[:, 9] = 1.0  # level
    here[:, 2] = home[:, 2] = 3.0
    here[1, 0], home[1, 0] = -1.8, 1.8
    ways, apart, h = list(returning(here, home, 1.38, 0.02)), [], 0.02
    for way in ways:
        assert np.array_equal(way[0], here)
        assert np.array_equal(way[-1], home)
        assert np.abs(np.diff(way[:, :, :3], axis=0)).max() < 1.001 * CLIMB * h
        apart.append(np.hypot(*(way[:, 1, :2] - way[:, 0, :2]).T).min())
    assert len(ways) == 7
    assert apart[:2] == pytest.approx([0.0, 0.0], abs=0.1)  # together, or one after the other
    # tangents on either side of the one that stands, which a corner farther out would only lengthen
    assert apart[2:4] == pytest.approx([ROOM * 1.38] * 2, abs=1e-3)
    corners = [way[np.abs(way[:, 1, 1]).argmax(), 1, :3] for way in ways[2:4]]
    half = 0.5 * (np.pi - 2.0 * np.arccos(ROOM * 1.38 / 1.8))
    far = ROOM * 1.38 / np.cos(half)
    assert np.array(corners) == pytest.approx(np.array([[0, -far, 3], [0, far, 3]]), abs=1e-9)


def test_a_corner_lies_where_both_tangents_touch_the_circle():
    rng = np.random.default_rng(3)
    for _ in range(200):
        other, here, there = rng.uniform(-3.0, 3.0, (3, 3))
        radius, found = 0.5, []
        if min(np.hypot(*(each - other)[:2]) for each in (here, there)) < radius:
            continue
        for side in (1, -1):
            corner = _corner(here, there, other, radius, side)
            if _nearest(here, there, other) < radius and np.isfinite(corner).all():
                found.append(corner)
                assert _nearest(here, corner, other) == pytest.approx(radius, abs=1e-9)
                assert _nearest(corner, there, other) == pytest.approx(radius, abs=1e-9)
        if len(found) == 2:  # one on each side of the straight way
            way, (one, two) = (there - here)[:2], ((each - here)[:2] for each in found)
            assert np.cross(way, one) * np.cross(way, two) < 0.0


def test_without_a_way_back_both_land_where_they_are():
    flight = Flight()
    flight.lab.home[0, 0] = 15.0  # beyond a wall
    here = flight.lab.flight.y[:, :2].copy()
    after = flight.put_away(commanded=RETURN)
    assert after[1].verdict == (
        "landed where they are: no stop from there: x of the target's vehicle would come to "
        "9.314 m, limit 9.305 m"
    )
    assert np.abs(flight.lab.flight.y[:, :2] - here).max() < 1.0
    assert flight.lab.ended[REASON] == NOTHING


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"operator.land_at_s": 1.0}, ["run", "stop", "land"]),
        ({"operator.hold_at_s": 1.0}, ["run", "stop", "hold", "land"]),
        ({"operator.return_at_s": 9.0}, ["run", "stop", "hold", "return", "land"]),  # after its end
        ({}, ["run", "stop", "land"]),
    ],
)
def test_what_follows_a_run(changes, expected):
    run = rehearsed(changes)
    assert names(run)[3:] == expected
    ended_early = any(value < 4.0 for value in changes.values())
    assert run.outcome == ("stopped" if ended_early else "passed")


def test_an_operator_is_asked_twice_a_second():
    asked = []

    def operator(t):
        asked.append(t)
        return LAND if t > 1.9 else None

    run = rehearsed({}, operator=operator)
    assert asked == pytest.approx([0.5, 1.0, 1.5, 2.0], abs=1e-6)
    assert run.outcome == "stopped"


def test_an_answer_that_is_no_command_is_named():
    with pytest.raises(InputError, match="command hold, return, land or None, found 'up'"):
        rehearsed({}, operator=lambda t: "up")


def test_robot_cells_have_no_such_operator():
    with pytest.raises(InputError, match="operator: leave out"):
        proxops.rehearse(proxops.load("touch"), "oos-sim", operator=lambda t: None)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"operator.hold_at_s": 5.0, "operator.return_at_s": 4.0}, "must be after hold_at_s"),
        ({"operator.land_at_s": 5.0, "operator.return_at_s": 4.0}, "vehicles land anyway"),
        ({"operator.hold_at_s": -1.0}, "hold_at_s"),
        ({"flies": "nobody"}, "flies"),
    ],
)
def test_scripts_that_cannot_be_are_rejected(changes, words):
    with pytest.raises(ProxopsError, match=words):
        change_arena(load_arena("flight-arena"), changes)


def test_typed_lines_are_commands_and_nothing_waits_for_them(capsys):
    read, write = os.pipe()
    with os.fdopen(read) as lines, os.fdopen(write, "w") as typing:
        typed = TypedCommands(lines)
        assert typed(0.0) is None
        for line, command in (("Hold\n", HOLD), ("up\n", None), ("\n", None), ("return\n", RETURN)):
            typing.write(line)
            typing.flush()
            assert typed(1.0) == command
    assert "'up' is no command: type hold, return or land" in capsys.readouterr().err


@pytest.mark.parametrize("link", [None, "virtual"])
def test_in_a_dry_run_one_vehicle_flies_and_the_other_stands(link):
    run = rehearsed({"flies": "chaser"}, link=link)
    assert run.outcome == "passed"
    assert [event.detail for event in run.events if event.name == "dry-run"] == [
        "only the chaser's vehicle flies; the other stands on the floor"
    ]
    assert (run["lab.p_LTl"][1][:, 2] == 0.0).all()
    assert (run["lab.vehicles.target.thrust"][1] == 0.0).all()
    assert run["lab.vehicles.chaser.error"][1].max() < 0.06
    flight = [each.name for each in run.requirements if each.name.startswith("flight")]
    assert flight == ["flight: error of the chaser's vehicle"]
    assert {state.verdict for state in run.procedure} == {"passed"}
    assert [each.vehicle for each in run.links] == ([] if link is None else ["chaser"])


def test_a_dry_run_returns_too_and_guards_both_as_if_they_flew():
    flight = Flight(flies="chaser")
    assert {state.verdict for state in flight.put_away(commanded=RETURN)} == {"passed"}
    flight = Flight(flies="target")
    flight.lab.home[1, 0] = 15.0
    assert "chaser's vehicle" in flight.put_away(commanded=RETURN)[1].verdict


def only_the_chaser(arena):
    return arena._replace(flies=np.array([0, 1]))


def test_the_vehicle_that_stands_is_never_armed_over_a_wire():
    remote = Remote(changed=only_the_chaser)
    states = remote.begin()
    assert {state.verdict for state in states} == {"passed"}
    remote.fly(TARGETS[:100])
    put_away(remote.lab, remote.drawn, remote.link)
    assert remote.other.vehicles[0].calls == []
    assert remote.other.vehicles[1].calls[-2:] == ["land", "disarm"]


def test_nobody_takes_off_beside_a_vehicle_that_stands_where_nobody_sees_it():
    remote = Remote(changed=only_the_chaser)
    remote.other.seen = (1,)
    with pytest.raises(StoppedError, match=r"put vehicle 1, which stands, where motion capture"):
        remote.begin()
    assert remote.other.vehicles[1].calls == []


def test_a_link_that_fails_while_both_hold_ends_the_hold():
    remote = Remote()
    remote.begin()

    def broken(*_):
        raise RuntimeError("no carrier")

    def asked(_):
        remote.link.vehicles.fly = broken

    with pytest.raises(RuntimeError, match="no carrier"):
        put_away(remote.lab, remote.drawn, remote.link, False, Operator(asked=asked), HOLD)
