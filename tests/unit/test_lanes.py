"""Our own forward dynamics in SIMD lanes, several cases at once, equals each case alone."""

import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from benchmarks.peers.model import space_arm, tumbling
from benchmarks.peers.proxops_peer import TARGET, describe
from scipy.spatial.transform import Rotation

from proxops.core.by_address import JIT_IS_OFF
from proxops.core.jit import helper, part
from proxops.core.lanes.arrays import LaneArray, PinnedLanes, lanes_of
from proxops.core.lanes.branches import forget, let_lead, parted, take_parted
from proxops.core.lanes.by_case import each_case
from proxops.core.lanes.compiled import lane_kernel
from proxops.core.select import select
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_exp,
    quat_from_rotation,
    quat_log,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import get3, put3
from proxops.physics.multibody.entry import Loads, Motion, forward_dynamics
from proxops.physics.multibody.tree import Tree, scratch_for
from proxops.plant.build import build

pytestmark = pytest.mark.skipif(JIT_IS_OFF, reason="lanes exist in compiled code only")

WIDTH = 4  # doubles in a register of AVX2; the code for 8 differs in this number alone
WITHIN = 1e-12  # relative: fused operations round elsewhere, sine and cosine are polynomials


class Job(NamedTuple):
    """What forward dynamics is called with."""

    tree: Tree
    motion: Motion
    loads: Loads
    nu_rate: np.ndarray
    scratch: np.ndarray


_in_a_kernel = helper(forward_dynamics.py_func)


@lane_kernel
def in_lanes(job):
    """The same source as of one case."""
    _in_a_kernel(job.tree, job.motion, job.loads, job.nu_rate, job.scratch)


class Turned(NamedTuple):
    """A rotation vector, and what comes of it and back."""

    r: np.ndarray
    q: np.ndarray
    again: np.ndarray
    back: np.ndarray


@lane_kernel
def turn_and_back(values):
    """Rotation vector to quaternion, to matrix, to quaternion, to rotation vector."""
    q = quat_exp(get3(values.r, 0))
    put4(values.q, 0, quat_positive(q))
    again = quat_from_rotation(quat_to_rotation(q))
    put4(values.again, 0, again)
    put3(values.back, 0, quat_log(get4(values.again, 0)))


@lane_kernel
def branch_on(values):
    """Two numbers of each case, compared in a branch."""
    if values.twist[0] < values.twist[1]:
        values.twist[0] = 1.0


@lane_kernel
def branch_behind(values, lane):
    """Likewise, behind a lane that leads; which lanes are parted from it, a bit each."""
    let_lead(lane)
    if values.twist[0] < values.twist[1]:
        values.twist[0] = 1.0
    let_lead(0)
    return take_parted()


@lane_kernel
def combine(values):
    """Two tests, both of which, or one of which, hold."""
    first, second = values.q[0] > 0.0, values.q[1] > 0.0
    values.twist[0] = select(first & second, 1.0, 0.0)
    values.twist[1] = select(first | second, 1.0, 0.0)


@part
def put_in_place(where, array):
    """Puts a number where each case has the place of it."""
    array[int(where[0])] = 1.0


each_case(put_in_place)


@lane_kernel
def put_in_places(values):
    """In all cases."""
    put_in_place(values.q, values.twist)


def case(number: int) -> Job:
    """The arm tumbling: with masses, joints, rates and torques of its own."""
    chain = space_arm(7)
    state, rng = tumbling(chain), np.random.default_rng(number)
    plant = build(describe(chain, state), TARGET, None)
    tree = Tree(plant.chaser * (1.0 + 0.1 * rng.random()), plant.chaser_topology)
    motion = Motion(rng.normal(size=6), rng.uniform(-3.0, 3.0, 7), rng.normal(size=7))
    loads = Loads(rng.normal(size=7), rng.normal(size=(8, 6)))
    return Job(tree, motion, loads, np.zeros(13), scratch_for(tree))


@pytest.mark.slow  # compiles for lanes: three CPU seconds
def test_forward_dynamics_in_lanes_equals_each_case_alone() -> None:
    cases = [case(number) for number in range(WIDTH)]
    group = lanes_of(cases)
    forget()
    in_lanes(PinnedLanes(group))
    for lane, alone in enumerate(cases):
        forward_dynamics(*alone)
        scale = np.abs(alone.nu_rate).max()
        assert group.nu_rate.case(lane) == pytest.approx(alone.nu_rate, rel=0.0, abs=WITHIN * scale)
    assert not parted()


def test_rotations_of_any_kind_share_their_lanes() -> None:
    # within the series; a rotation by almost π about each axis, which its largest component decides
    kinds = [(2e-4, -1e-4, 3e-4), (3.1, 0.1, -0.2), (0.1, 3.1, 0.2), (-0.1, 0.2, 3.1)]
    cases = [Turned(np.array(each), np.zeros(4), np.zeros(4), np.zeros(3)) for each in kinds]
    group = lanes_of(cases)
    forget()
    turn_and_back(PinnedLanes(group))
    assert not parted()
    for lane, each in enumerate(cases):
        x, y, z, w = Rotation.from_rotvec(each.r).as_quat(canonical=True)
        for quaternion in (group.q, group.again):
            assert quaternion.case(lane) == pytest.approx([w, x, y, z], rel=0.0, abs=4e-16)
        assert group.back.case(lane) == pytest.approx(each.r, rel=0.0, abs=2e-15)


@pytest.mark.parametrize(
    ("second", "expected"), [((1.0,) * WIDTH, False), ((1.0, 1.0, 1.0, -1.0), True)]
)
def test_a_branch_on_which_lanes_differ_is_noted(second: tuple[float, ...], expected: bool) -> None:
    nothing = np.zeros(0)
    group = lanes_of([Motion(np.array([0.0, each]), nothing, nothing) for each in second])
    forget()
    branch_on(PinnedLanes(group))
    assert parted() == expected


@pytest.mark.parametrize(("lane", "others", "goes"), [(0, 0b1000, True), (3, 0b0111, False)])
def test_lanes_go_the_way_of_the_one_that_leads(lane: int, others: int, goes: bool) -> None:
    nothing, second = np.zeros(0), (1.0, 1.0, 1.0, -1.0)
    group = lanes_of([Motion(np.array([0.0, each]), nothing, nothing) for each in second])
    forget()
    assert branch_behind(PinnedLanes(group), lane) == others
    assert np.all(group.twist.data[0] == goes)


def test_tests_of_lanes_combine_without_a_branch() -> None:
    tests = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
    group = lanes_of([Motion(np.zeros(2), np.array(each), np.zeros(0)) for each in tests])
    forget()
    combine(PinnedLanes(group))
    assert group.twist.data.tolist() == [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]]
    assert not parted()


def test_what_is_called_case_by_case_has_places_of_its_own() -> None:
    places = [0.0, 2.0, 1.0, 2.0]
    group = lanes_of([Motion(np.zeros(3), np.array([each]), np.zeros(0)) for each in places])
    forget()
    put_in_places(PinnedLanes(group))
    assert group.twist.data.argmax(axis=0).tolist() == places
    assert not parted()


def test_views_of_the_same_array_stay_views_in_lanes() -> None:
    arrays = [np.arange(6.0) + number for number in range(WIDTH)]
    whole, view = lanes_of([Loads(each, each[2:4]) for each in arrays])
    assert isinstance(view, LaneArray)
    view.data[0] = -1.0
    assert np.all(whole.data[2] == -1.0)


AFTER_SCALAR_CODE = """
from typing import NamedTuple
import numpy as np
from proxops.core.jit import kernel

class Pair(NamedTuple):
    a: np.ndarray
    b: np.ndarray

def put_less(pair):
    if pair.a[0] <= pair.b[0]:
        pair.b[0] = 2.0

kernel(put_less)(Pair(np.zeros(1), np.ones(1)))
from proxops.core.lanes.arrays import PinnedLanes, lanes_of
from proxops.core.lanes.compiled import lane_kernel

@lane_kernel
def in_lanes(pair):
    if pair.a[0] <= pair.b[0]:
        pair.b[0] = 2.0

group = lanes_of([Pair(np.zeros(1), np.ones(1))] * 4)
in_lanes(PinnedLanes(group))
print(group.b.case(3).tolist())
"""


def test_lanes_compile_in_a_process_that_has_compiled_scalar_code_before(tmp_path):
    script = tmp_path / "later.py"
    script.write_text(AFTER_SCALAR_CODE, encoding="utf-8")
    fresh = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    fresh["XDG_CACHE_HOME"] = str(tmp_path)  # where nothing is compiled yet
    said = subprocess.run([sys.executable, script], capture_output=True, text=True, env=fresh)
    assert said.stdout == "[2.0]\n", said.stderr[-2000:]
