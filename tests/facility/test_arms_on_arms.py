"""Fingers on an arm in the lab: where they are, what they weigh, what is guarded and refused."""

from dataclasses import replace

import numpy as np
import pytest

import proxops
from proxops import plant
from proxops.assembly.build import build
from proxops.assembly.cell import build_cell
from proxops.assembly.facility import fit_out, load_facility
from proxops.assembly.facility_fit import (
    reject_unfit,
    reject_unknown_work,
    reject_unloaded_wrist,
)
from proxops.assembly.touching_body import touched_body
from proxops.core.description import MountedArm
from proxops.facility.robot_cell.arms import (
    apparent_inertias,
    arm_frames,
    links_of,
    moved_loads,
    posed,
)
from proxops.facility.robot_cell.contact_wrench import ALL_BODIES, counts
from proxops.facility.robot_cell.industrial.robot import MASS
from proxops.plant import contact_array
from proxops.scenario.schema.passivity import Passivity
from tests.facility.grip_cases import ASIDE, gripping, on_boss
from tests.laws.plants import arm, rotation, solid

WRIST = 7  # number of the arm's last link
TARGETS = "mock-up of the target's robot"


def cut_in_two(seed=5):
    """An arm of five joints, and the same with its last two as an arm on the first three."""
    rng = np.random.default_rng(seed)
    whole = arm(rng, 5)
    R, p = rotation(rng), rng.uniform(-0.3, 0.3, 3)
    X_EA = rotation(rng), rng.uniform(-0.3, 0.3, 3)
    q, root = rng.uniform(-1.0, 1.0, 5), solid(rng, 2.0, 0.1)
    upper = replace(whole, joints=whole.joints[:3], R_JE=rotation(rng), p_JE=rng.uniform(-1, 1, 3))
    R_JA, p_JA = upper.R_JE @ X_EA[0], upper.p_JE + upper.R_JE @ X_EA[1]
    third, fourth = whole.joints[2:4]
    third = replace(third, link=third.link.joined(root.seen_from(R_JA, p_JA)))
    moved = replace(fourth, R_PJ=R_JA @ fourth.R_PJ, p_PJ=p_JA + R_JA @ fourth.p_PJ)
    one = replace(whole, joints=(*whole.joints[:2], third, moved, whole.joints[4]))
    lower = replace(whole, joints=whole.joints[3:], root=root)
    halves = (
        MountedArm("upper", upper, R, p, q[:3], q[:3]),
        MountedArm("lower", lower, *X_EA, q[3:], q[3:], mounted_on="upper"),
    )
    return MountedArm("main", one, R, p, q, q), halves


def test_an_arm_cut_in_two_stands_weighs_and_moves_the_same_in_the_lab():
    """Rounding of a dozen products of numbers up to ten."""
    main, halves = cut_in_two()
    whole, found = arm_frames([main])["main"], arm_frames(halves)
    joints = (*found["upper"][1:-1], *found["lower"][1:])
    for X, Y in zip(whole[1:], joints, strict=True):
        assert np.allclose(X.R, Y.R, rtol=0.0, atol=1e-13)
        assert np.allclose(X.p, Y.p, rtol=0.0, atol=1e-13)
    for one, other in zip(moved_loads([main]), moved_loads(halves), strict=True):
        assert other.mass == pytest.approx(one.mass, rel=1e-14)
        assert np.allclose(other.com, one.com, rtol=0.0, atol=1e-13)
        assert np.allclose(other.inertia, one.inertia, rtol=0.0, atol=1e-12)
    assert apparent_inertias(halves) == pytest.approx(apparent_inertias([main]), rel=1e-12)
    weighed = [sum(link.mass * link.com for link in links_of(arms)) for arms in ([main], halves)]
    assert weighed[1] == pytest.approx(weighed[0], abs=1e-12)


def test_joints_given_in_one_row_go_to_their_arms():
    main, halves = cut_in_two()
    other = posed(halves, main.q[::-1])
    assert [each.q.tolist() for each in other] == [main.q[:1:-1].tolist(), main.q[1::-1].tolist()]


def test_a_mast_on_an_arm_touches_with_that_arms_last_link():
    """It has no joint of its own, so its pads are on the link that carries it."""
    _, (upper, lower) = cut_in_two()
    mast = replace(lower.arm, joints=(), R_JE=np.eye(3), p_JE=np.array([0.0, 0.0, 0.2]))
    arms = upper, replace(lower, arm=mast, q=np.zeros(0), qd=np.zeros(0))
    built = build(gripping())
    contact = replace(built.contacts[0], arm="lower")  # its pad is at E
    made = plant.build(replace(built.chaser, arms=arms), built.target, None, [contact])
    assert made.contacts[0, contact_array.BODY] == len(upper.q)
    pad = made.contacts[0, contact_array.PAD : contact_array.PAD + 3]
    frames = arm_frames(arms)
    X_CB = frames["upper"][-2]
    assert X_CB.R @ pad + X_CB.p == pytest.approx(frames["lower"][-1].p, abs=1e-13)


def with_contact(name, contact):
    return build(gripping(**{f"contacts.{name}": contact}))


def on_hub():
    """A pad of the hub at the boss."""
    contact = on_boss("", -1.0)
    del contact["pads"]["arm"]
    return contact


def test_fingers_touch_for_the_link_that_carries_them():
    both = build(gripping())
    assert {int(row[contact_array.BODY]) for row in both.plant.contacts} == {WRIST + 1, WRIST + 2}
    assert touched_body(both) == WRIST
    assert touched_body(with_contact("palm", on_boss("main", -1.0))) == WRIST
    assert touched_body(build(gripping(**{"contacts.right": None}))) == WRIST + 1


def test_holds_are_touched_as_well():
    latch = {"p_TB_m": [-2.95, 0.0, 0.0], "stiffness_N_m": [1.0, 1.0, 1.0], "from_s": 0.0}
    assert touched_body(build(gripping(holds={"latch": latch}))) == 0


@pytest.mark.parametrize(
    ("on", "through", "felt"),
    [
        (WRIST + 1, WRIST, True),
        (WRIST + 2, WRIST, True),
        (WRIST, WRIST, True),
        (WRIST, WRIST + 1, False),
        (WRIST + 2, WRIST + 1, False),
        (0, WRIST, False),
        (WRIST + 1, 0, False),
        (0, 0, True),
        (WRIST + 1, ALL_BODIES, True),
    ],
)
def test_a_link_feels_what_touches_it_and_all_that_stands_on_it(on, through, felt):
    assert counts.py_func(build(gripping()).plant, on, through) == felt


def test_the_hub_stands_for_itself_and_for_arms_but_not_where_energy_scales_wrenches():
    both = with_contact("bus", on_hub())
    assert touched_body(both) == 0
    reject_unfit(both)
    kept = load_facility("oos-sim").facility
    reject_unknown_work(both, kept)
    kept = kept.model_copy(update={"passivity": Passivity(wrench=True)})
    reject_unknown_work(build(gripping()), kept)
    with pytest.raises(proxops.InputError, match=r"passivity\.wrench: take passivity\.twist"):
        reject_unknown_work(both, kept)


def test_the_wrist_feels_what_touches_fingers_and_not_another_arm():
    facility = load_facility("oos-sim").facility.model_copy(update={"feedback_sensor": "wrist"})
    reject_unloaded_wrist(build(gripping()), facility)
    reject_unloaded_wrist(build(gripping(**{"contacts.right": None})), facility)
    other = {"urdf": "finger", "p_CA_m": [1.0, 0.0, 0.5], "q": [0.0]}
    contacts = {"probe": on_boss("probe", -1.0)}
    with pytest.raises(proxops.InputError, match="other arm"):
        reject_unloaded_wrist(
            build(gripping(**{"chaser.arms.probe": other, "contacts": contacts})), facility
        )


def test_the_flange_and_the_wrist_carry_the_fingers_too():
    """A kilogram each, housing and finger."""
    lab = load_facility("oos-sim").facility
    bare, gripper = proxops.load("touch"), gripping()
    loads = [fit_out(lab, each).chaser.load[MASS] for each in (bare, gripper)]
    assert loads[1] - loads[0] == pytest.approx(2.0, abs=1e-12)
    tools = [
        build_cell(each, lab, "relative").cell.sensing.tools[0, 1, MASS] for each in (bare, gripper)
    ]
    assert tools[1] - tools[0] == pytest.approx(2.0, abs=1e-12)


def test_fingers_are_guarded_like_the_arms_last_links_and_reach_farther():
    lab = load_facility("oos-sim").facility
    bare, gripper = (
        build_cell(each, lab, "relative").guarded for each in (proxops.load("touch"), gripping())
    )
    kept = {(pair.first, pair.second) for pair in gripper.pairs}
    assert {(p.first, p.second) for p in bare.pairs} < kept
    for finger in ("left.slide", "right.slide"):
        assert (finger, "hand of the target's robot") in kept
        assert (finger, "forearm of the chaser's robot") in kept
        assert (finger, "the floor") in kept
        assert (finger, TARGETS) not in kept
    # the rail beside E, the stroke and the pad ahead of the joint
    more = ASIDE + 0.06 + 0.06
    reaches = [each.axes[-1].reach for each in (bare, gripper)]
    assert reaches[1] - reaches[0] == pytest.approx(more, abs=1e-12)
