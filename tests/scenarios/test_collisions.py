"""Parts that meet where nothing joins them are events that fail a run; those that are meant to
touch are not."""

import math
from typing import Any

import numpy as np
import pytest

import proxops
from proxops.physics.flexible.beam import deflection
from proxops.results.run import Event, Run

STEP = 0.01  # at which the loop looks [s]
SPEED = 1.3  # of the chaser, along x [m/s]
SEARCH = 1e-7  # a distance of less counts as none [m], see core.spatial.convex
BUS = {"kind": "box", "size_m": [2.0, 2.0, 2.0]}
STILL = {
    "chaser.arms": {}, "obsw.joints": {}, "requirements": {},
    "chaser.p_HC_m": [-4.0, 0.0, 0.0], "chaser.v_HC_m_s": [SPEED, 0.0, 0.0],
    "chaser.q_NC": [1.0, 0.0, 0.0, 0.0], "chaser.w_NC_C_deg_s": [0.0, 0.0, 0.0],
    "target.q_NT": [1.0, 0.0, 0.0, 0.0], "target.w_NT_T_deg_s": [0.0, 0.0, 0.0],
    "chaser.shapes": {"bus": BUS}, "target.shapes": {"bus": BUS},
}  # fmt: skip
PAD = {
    "pads": {"on": "chaser", "centres_m": [[1.0, 0.0, 0.0]]},
    "face": {"on": "target", "p_m": [-1.0, 0.0, 0.0], "normal": [-1.0, 0.0, 0.0]},
    "normal": {"kind": "spring", "stiffness_N_m": 2000.0, "damping_N_s_m": 100.0},
}


def fly(
    changes: dict[str, Any], duration: float, rate: float = 10.0, name: str = "free-tumble"
) -> Run:
    time = {
        "duration_s": duration,
        "control_rate_hz": 1.0 / STEP,
        "record_rate_hz": rate,
        "phases": {"only": {"until_s": duration, "step_s": STEP}},
    }
    return proxops.simulate(proxops.load(name).replace(STILL | {"time": time} | changes))


def collisions(run: Run) -> list[Event]:
    return [event for event in run.events if event.name == "collision"]


def only_collision(run: Run) -> Event:
    found = collisions(run)
    assert len(found) == 1, found
    return found[0]


def soon_after(t: float, speed: float = SPEED) -> Any:
    """The instant at which the loop looks next, the distance being found to SEARCH."""
    return pytest.approx(t + 0.5 * STEP, abs=0.5 * STEP + SEARCH / speed)


def test_two_buses_that_fly_through_each_other_collide_once_and_fail() -> None:
    """4 m less half of each bus, at a constant speed; they overlap for 3.1 s."""
    run = fly({}, 6.0)
    event = only_collision(run)
    assert event.detail == "chaser.shapes.bus meets target.shapes.bus"
    assert event.t_s == soon_after((4.0 - 2.0) / SPEED)
    assert run.outcome == "failed"
    assert not run.summary()["passed"]


def test_collisions_may_be_only_reported() -> None:
    run = fly({"collisions": "report"}, 2.0)
    assert len(collisions(run)) == 1
    assert (run.outcome, run.headline, run.mood) == (
        "passed", "no requirements with 1 collision", "warn",
    )  # fmt: skip


def test_requirements_count_collisions() -> None:
    demand = {
        "event": "collision", "measure": "count", "comparison": "<=", "limit": 0.0, "unit": "1",
    }  # fmt: skip
    run = fly({"requirements": {"none": demand}, "collisions": "report"}, 2.0)
    assert (run.requirements[0].value, run.outcome) == (1.0, "failed")


def test_parts_that_overlap_at_the_start_collide_there() -> None:
    run = fly({"chaser.p_HC_m": [-1.5, 0.0, 0.0]}, 1.0)
    assert [event.t_s for event in collisions(run)] == [0.0]


def test_a_fast_thin_body_is_seen_between_two_rows() -> None:
    """50 mm of plate and 10 mm of fin at 5 m/s overlap for 12 ms, in the middle between rows."""
    thin = {
        "chaser.shapes": {"fin": {"kind": "box", "size_m": [0.01, 1.0, 1.0]}},
        "target.shapes": {"plate": {"kind": "box", "size_m": [0.05, 1.0, 1.0]}},
        "chaser.p_HC_m": [-12.5, 0.0, 0.0],
        "chaser.v_HC_m_s": [5.0, 0.0, 0.0],
    }
    run = fly(thin, 3.0, rate=1.0)
    assert run["relative.clearance"][1].min() > 1.0
    event = only_collision(run)
    assert event.t_s == soon_after((12.5 - 0.03) / 5.0, 5.0)
    assert run.outcome == "failed"


def test_a_near_miss_is_none() -> None:
    run = fly({"chaser.p_HC_m": [-4.0, 2.001, 0.0]}, 6.0)
    assert run["relative.clearance"][1].min() == pytest.approx(1e-3, abs=SEARCH)
    assert not collisions(run)
    assert run.outcome == "passed"


def test_a_blade_that_comes_round_meets_once_each_time() -> None:
    """A blade through the target's centre turns once in 2 s past a ball: every second one end meets
    it, when the angle left is asin((ball's radius + half the blade's width)/distance)."""
    turning = {
        "target.w_NT_T_deg_s": [0.0, 0.0, 180.0],
        "target.inertia_kg_m2": [[100.0, 0.0, 0.0], [0.0, 100.0, 0.0], [0.0, 0.0, 100.0]],
        "target.shapes": {"blade": {"kind": "box", "size_m": [0.1, 4.0, 0.1]}},
        "chaser.shapes": {"ball": {"kind": "sphere", "radius_m": 0.1}},
        "chaser.p_HC_m": [-1.5, 0.0, 0.0],
        "chaser.v_HC_m_s": [0.0, 0.0, 0.0],
    }
    first = (90.0 - np.degrees(np.arcsin(0.15 / 1.5))) / 180.0
    rim = np.radians(180.0) * 1.5
    times = [event.t_s for event in collisions(fly(turning, 4.0))]
    assert times == [soon_after(first + turn, rim) for turn in range(4)]


def test_every_two_parts_that_meet_are_one_event() -> None:
    """Two boxes side by side on each: four pairs, of which two meet."""
    cube, sides = {"kind": "box", "size_m": [1.0, 1.0, 1.0]}, {"left": 1.0, "right": -1.0}
    both = {name: cube | {"p_CB_m": [0.0, y, 0.0]} for name, y in sides.items()}
    theirs = {name: cube | {"p_TB_m": [0.0, y, 0.0]} for name, y in sides.items()}
    run = fly({"chaser.shapes": both, "target.shapes": theirs}, 4.0)
    assert sorted(event.detail for event in collisions(run)) == [
        "chaser.shapes.left meets target.shapes.left",
        "chaser.shapes.right meets target.shapes.right",
    ]


def test_a_declared_contact_is_no_collision() -> None:
    run = fly({"contacts": {"bumper": PAD}}, 3.0)
    assert [event.name for event in run.events if event.name == "touch-down"]
    assert run["relative.clearance"][1].min() == 0.0
    assert not collisions(run)
    assert run.outcome == "passed"


SMALL = {**PAD, "face": {**PAD["face"], "half_sizes_m": [0.1, 0.1], "along": [0.0, 1.0, 0.0]}}
BEHIND = {**SMALL, "face": {**SMALL["face"], "p_m": [1.0, 0.0, 0.0], "normal": [1.0, 0.0, 0.0]}}
LATCH = {"p_TB_m": [-1.0, 0.0, 0.0], "stiffness_N_m": [1e3] * 3, "damping_N_s_m": [10.0] * 3}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"contacts": {"one": SMALL}, "chaser.p_HC_m": [-4.0, 1.5, 0.0]}, "beside the face"),
        ({"contacts": {"one": BEHIND}}, "the face is on the far side"),
        ({"holds": {"latch": LATCH | {"from_s": 100.0}}}, "it never closes"),
        ({"holds": {"latch": LATCH | {"commanded": True}}}, "nobody commands it"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_shapes_that_meet_elsewhere_than_their_contact_or_hold_collide(changes, why) -> None:
    run = fly(changes, 2.0)
    event = only_collision(run)
    assert event.t_s == soon_after((4.0 - 2.0) / SPEED)
    assert run.outcome == "failed"


def test_buses_that_a_hold_has_joined_are_let_go_without_a_collision() -> None:
    """50 mm into each other at the start, held for 0.1 s, then they drift apart at 20 mm/s: while
    they still overlap after the hold has opened, that is no collision."""
    latch = LATCH | {"from_s": 0.0, "until_s": 0.1}
    near = {"chaser.p_HC_m": [-1.95, 0.0, 0.0], "chaser.v_HC_m_s": [-0.02, 0.0, 0.0]}
    run = fly({"holds": {"latch": latch}, **near}, 3.0, rate=1.0 / STEP)
    assert [event.name for event in run.events if event.name.startswith("hold-")] == [
        "hold-closes", "hold-opens",
    ]  # fmt: skip
    t, clear = run["relative.clearance"]
    assert clear[t == 2.0] == 0.0 < clear[-1]
    assert not collisions(run)


@pytest.mark.parametrize("touches", [False, True])
def test_shapes_that_leave_the_face_of_their_contact_sideways_collide(touches) -> None:
    """A pad flies along its face at 0.3 m/s and comes over the edge after 0.33 s; the bus that
    carries it goes on sinking at 20 mm/s beside the face: 10 mm later that is a collision, whether
    the pad has touched the face before or not."""
    begun = -1.9995 if touches else -2.008
    soft = {**SMALL, "normal": {"kind": "spring", "stiffness_N_m": 1.0, "damping_N_s_m": 0.0}}
    slides = {"chaser.p_HC_m": [begun, 0.0, 0.0], "chaser.v_HC_m_s": [0.02, 0.3, 0.0]}
    run = fly({"contacts": {"one": soft}, **slides}, 2.0)
    assert ("touch-down" in [event.name for event in run.events]) == touches
    event = only_collision(run)
    over = 0.1 / 0.3
    assert over + 0.4 < event.t_s < over + 0.6  # 10 mm, and 10 mm of the way between two looks
    assert run.outcome == "failed"


def test_a_tool_that_goes_through_the_grasp_point_of_a_hold_that_nobody_closes_collides() -> None:
    """At the grasp point it may touch what carries that; 10 mm deeper it may not."""
    hold = {
        "arm": "main", "p_TB_m": [-2.9, 0.0, 0.0], "commanded": True,
        "stiffness_N_m": [1e3] * 3, "damping_N_s_m": [10.0] * 3,
    }  # fmt: skip
    short = {"duration_s": 3.0, "phases": {"touch": {"until_s": 3.0, "step_s": 0.001}}}
    changes = {"contacts": {}, "requirements": {}, "holds": {"grip": hold}}
    changes |= {f"time.{key}": value for key, value in short.items()}
    run = proxops.simulate(proxops.load("touch").replace(changes))
    met = [event.detail for event in collisions(run)]
    assert met == ["chaser.arms.main tool meets target.shapes.plate"]
    assert run.outcome == "failed"


def test_a_declared_contact_means_no_other_pair() -> None:
    """A mast 0.5 m before the bus that carries the pad meets the target's bus before it."""
    mast = {"kind": "box", "size_m": [1.0, 0.1, 0.1], "p_CB_m": [1.0, 0.0, 0.5]}
    changes = {"contacts": {"bumper": PAD}, "chaser.shapes": {"bus": BUS, "mast": mast}}
    event = only_collision(fly(changes, 3.0))
    assert event.detail == "chaser.shapes.mast meets target.shapes.bus"
    assert event.t_s == soon_after((4.0 - 1.5 - 1.0) / SPEED)


def test_a_part_that_is_to_be_touched_is_no_collision() -> None:
    other = {
        "ring": BUS | {"exclude_from_clearance": True},
        "far": BUS | {"p_TB_m": [50.0, 0.0, 0.0]},
    }
    run = fly({"target.shapes": other}, 3.0)
    assert (collisions(run), run.outcome) == ([], "passed")


def test_a_link_of_an_arm_meets_the_target() -> None:
    """The arm of free-tumble along x, at rest on the chaser: its last link comes first."""
    mission = proxops.load("free-tumble")
    arm = mission.to_dict()["mission"]["chaser"]["arms"]["main"] | {"q_deg": [0.0] * 7}
    run = fly({"chaser.arms": {"main": arm}, "chaser.p_HC_m": [-7.0, 0.0, 0.0]}, 3.0)
    assert collisions(run)
    first, clear = collisions(run)[0], run["relative.clearance"][1]
    assert first.detail == "chaser.arms.main tool meets target.shapes.bus"
    # nothing acts, so that everything flies on as it was
    assert first.t_s == soon_after(clear[0] / SPEED)
    assert run.outcome == "failed"


@pytest.mark.parametrize("q_f", [0.0, -0.2])
def test_an_array_is_hit_where_it_is_bent(q_f: float) -> None:
    """A ball comes along x to the last stretch of a beam that goes along y and starts bent along x;
    so light and slow that it stands as it started."""
    length, middle = 4.0, 22 / 24
    beam = {
        "kind": "beam", "mass_kg": 1e-3, "length_m": length, "EI_N_m2": 1e-9, "damping_ratio": 0.0,
        "shapes": 1, "axes": "y", "q_f_m": [q_f],
        "p_TB_m": [0.0, 1.0, 0.0], "q_TB": [math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)],
    }  # fmt: skip
    changes = {
        "target.appendages": {"array": beam},
        "chaser.shapes": {"ball": {"kind": "sphere", "radius_m": 0.1}},
        "chaser.p_HC_m": [-2.0, 1.0 + middle * length, 0.0],
        "chaser.v_HC_m_s": [1.0, 0.0, 0.0],
    }
    run = fly(changes, 4.0)
    bent = -q_f * float(deflection(1, np.array([middle * length]), length)[0])
    apart = run["relative.p_CT"][1][0, 0] + bent - 0.1 - 0.5 * 0.012 * length
    event = only_collision(run)
    assert event.detail == "chaser.shapes.ball meets target.appendages.array"
    # by its own bending it moves 1e-6 of its length in this time
    assert event.t_s == soon_after(apart, 1.0)
    assert run.outcome == "failed"


def test_a_rehearsal_sees_the_collision_too() -> None:
    """A wall 15 mm before the plate that is to be touched: with ideal carriers the arm's tool meets
    it as in orbit."""
    wall = {"kind": "box", "size_m": [0.01, 0.4, 0.4], "p_TB_m": [-2.92, 0.0, 0.0]}
    scenario = proxops.load("touch").replace({"target.shapes.wall": wall})
    orbit, lab = proxops.simulate(scenario), proxops.rehearse(scenario, facility="ideal")
    for run in (orbit, lab):
        event = only_collision(run)
        assert event.detail == "chaser.arms.main tool meets target.shapes.wall"
        t, clear = run["relative.clearance"]
        met = t[np.argmax(clear == 0.0)]
        assert met - 1.0 / 200.0 < event.t_s <= met + 1e-9
        assert run.outcome == "failed"
    plain = proxops.rehearse(proxops.load("touch"), facility="ideal")
    assert (collisions(plain), plain.outcome) == ([], "passed")


def test_a_rehearsal_sees_a_tool_that_misses_the_face_of_its_contact() -> None:
    """The plate is touched beside the face that would push, in orbit and in the lab, whose contacts
    are those of the mock-ups."""
    beside = {
        "contacts.tip.face.p_m": [-2.9, 0.3, 0.0],
        "contacts.tip.face.half_sizes_m": [0.1, 0.1],
    }
    scenario = proxops.load("touch").replace(beside)
    for run in (proxops.simulate(scenario), proxops.rehearse(scenario, facility="ideal")):
        first = collisions(run)[0]
        assert first.detail == "chaser.arms.main tool meets target.shapes.plate"
        assert run.outcome == "failed"
