"""Fields: named numbers and arrays side by side, and named tuples of views of them."""

from typing import NamedTuple

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.bus.bus import bus_of, command_fields, ideal_fields
from proxops.bus.fields import Field, Fields, Layout, blank, views
from proxops.core.errors import InputError
from proxops.onboard.function import Function
from proxops.onboard.schedule import check_writers

FIELDS = (
    Field("t", "s"),
    Field("gyro.w", "rad/s", "C", (3,)),
    Field("star.q", "1", "C to N, wxyz", (4,), start=(1.0, 0.0, 0.0, 0.0)),
    Field("star.count"),
    Field("table", "m", shape=(2, 3)),
    Field("holds", shape=(2,), parts=("left", "far-right")),
    Field("nobody", shape=(0,)),
    Field("last", start=(7.0,)),
)


class Seen(NamedTuple):
    """In another order, of two arrays."""

    gyro_w: np.ndarray
    t: np.ndarray
    asked: np.ndarray


# --- layout --------------------------------------------------------------------------------------


def test_fields_stand_side_by_side_in_their_order():
    layout = Layout(FIELDS)
    places = [layout.where(each.name) for each in layout]
    assert [each.name for each in layout] == [each.name for each in FIELDS]
    assert [(each.start, each.stop) for each in places] == [
        (0, 1), (1, 4), (4, 8), (8, 9), (9, 15), (15, 17), (17, 17), (17, 18),
    ]  # fmt: skip
    assert [each.stop - each.start for each in places] == [each.size for each in FIELDS]
    assert layout.size == 18


def test_a_field_is_found_by_its_name_and_by_the_name_in_a_tuple():
    layout = Layout(FIELDS)
    assert layout.where("gyro.w") == layout.where("gyro_w") == slice(1, 4)
    assert "gyro.w" in layout
    assert "gyro_w" in layout
    assert "gyro" not in layout


def test_parts_of_a_field_are_found_by_their_names():
    layout = Layout(FIELDS)
    assert layout.where("holds.left") == slice(15, 16)
    assert layout.where("holds_far_right") == layout.where("holds.far-right") == slice(16, 17)
    assert [each.name for each in layout].count("holds.left") == 0  # no field of its own


def test_an_array_begins_with_zeros_or_what_its_fields_say():
    made = Layout(FIELDS).array()
    assert made.dtype == np.float64
    assert np.flatnonzero(made).tolist() == [4, 17]
    assert made[[4, 17]].tolist() == [1.0, 7.0]


@pytest.mark.parametrize("name", ["gyro.w", "gyro_w"])
def test_two_fields_of_one_name_are_rejected(name):
    """Nor may they differ by a dot only: a named tuple could not tell them apart."""
    with pytest.raises(InputError, match=f"two fields are called '{name}'; rename one of them"):
        Layout([*FIELDS, Field(name)])


def test_a_field_that_there_is_not_is_told_with_the_nearest():
    with pytest.raises(InputError, match=r"no field 'gyro\.v'; did you mean 'gyro\.w'"):
        Layout(FIELDS).where("gyro.v")
    with pytest.raises(InputError, match=r"no field 'star\.cuont'; did you mean 'star\.count'"):
        blank(Layout(FIELDS))["star.cuont"]


# --- views ---------------------------------------------------------------------------------------


def test_a_named_tuple_has_views_of_the_fields_that_its_names_say():
    fields, others = blank(Layout(FIELDS)), blank(Layout([Field("asked", shape=(2,))]))
    seen = views(Seen, fields, others)
    fields.array[:] = np.arange(18.0)
    others.array[:] = (30.0, 40.0)
    assert (seen.gyro_w.tolist(), seen.t.tolist()) == ([1.0, 2.0, 3.0], [0.0])
    assert seen.asked.tolist() == [30.0, 40.0]
    seen.gyro_w[1] = -1.0
    assert fields.array[2] == -1.0
    assert fields["gyro.w"].tolist() == [1.0, -1.0, 3.0]


def test_one_more_field_moves_the_others_and_views_follow():
    moved = Fields(Layout([Field("new", shape=(5,)), *FIELDS]), np.arange(23.0))
    seen = views(Seen, moved, blank(Layout([Field("asked")])))
    assert (seen.gyro_w.tolist(), seen.t.tolist()) == ([6.0, 7.0, 8.0], [5.0])


def test_a_name_that_no_source_has_is_told_with_its_tuple_and_the_nearest():
    others = blank(Layout([Field("asks", shape=(2,))]))
    with pytest.raises(InputError, match="Seen: there is no field 'asked'; did you mean 'asks'"):
        views(Seen, blank(Layout(FIELDS)), others)


def test_what_only_some_may_write_is_read_by_all():
    fields = blank(Layout(FIELDS))
    shown = fields.only(["gyro.w"])
    shown["gyro.w"][:] = 2.0
    assert fields["gyro.w"].tolist() == shown["gyro.w"].tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        shown["star.q"][0] = 0.0
    fields["star.q"][0] = 0.5  # for others it stays as it was
    assert shown["star.q"][0] == 0.5


# --- bus -----------------------------------------------------------------------------------------


def test_a_bus_has_the_time_and_commands_by_the_names_of_what_obeys_them():
    commanded = command_fields(("arm.a", "arm.b"), ("w",), ("jet",), ("left",))
    bus = bus_of([Field("star.q", shape=(4,))], ideal_fields(3), [], commanded)
    assert bus.measurements.layout.where("t") == slice(0, 1)
    assert bus.commands.layout.where("joints.arm.b") == slice(8, 9)
    assert bus.commands["joints_arm_b"].size == 1
    motors = bus.commands.layout
    assert motors.where("joints").stop == motors.where("wheels").start  # actuators take both
    assert [each.size for each in (bus.ideal["ideal.q"], bus.ideal["ideal.qd"])] == [3, 3]


# --- who writes what -----------------------------------------------------------------------------


class Time(NamedTuple):
    t: np.ndarray


class Looks(NamedTuple):
    t: np.ndarray
    base_force: np.ndarray


class Pushes(NamedTuple):
    base_force: np.ndarray
    push_mode: np.ndarray


class Turns(NamedTuple):
    base_torque: np.ndarray


class Pulls(NamedTuple):
    pull_mode: np.ndarray
    base_force: np.ndarray


def test_two_functions_that_command_the_same_field_are_rejected_with_both_names():
    functions = [
        Function("push", None, Time, Pushes),
        Function("turn", None, Time, Turns),
        Function("pull", None, Time, Pulls),
    ]
    check_writers(functions[:2])
    with pytest.raises(InputError) as rejected:
        check_writers(functions)
    assert str(rejected.value) == (
        "obsw: push and pull both command base_force; leave one of them out"
    )


def test_a_function_that_reads_what_it_writes_may_follow_another():
    """As a check does, that puts back what was commanded before."""
    functions = [Function("push", None, Time, Pushes), Function("check", None, Looks, Pulls)]
    check_writers(functions)


def test_what_is_declared_counts_where_views_are_ready():
    """A user's function."""
    ready = Function("own", None, Time, None, writes=("base_force",))
    assert ready.written == ("base_force",)
    with pytest.raises(InputError, match="push and own both command base_force"):
        check_writers([Function("push", None, Time, Pushes), ready])


@pytest.mark.parametrize("mission", ["envisat-capture", "envisat-push", "fly-around"])
def test_functions_of_shipped_missions_read_and_write_what_the_bus_has(mission):
    onboard = build(proxops.load(mission)).onboard
    check_writers(onboard.functions)
    made = [field.attribute for each in onboard.functions for field in each.fields]
    for each in onboard.functions:
        onboard.bus.views(each.inputs)
        onboard.bus.views(each.outputs)
        assert {field.attribute for field in each.fields} <= set(each.written)
    estimates = [each.attribute for each in onboard.bus.estimates.layout]
    # navigation asks whether a berthing leaves the target alone, where there is none too
    lone = {"berthing_target_free"} - set(made)
    assert sorted(made) == sorted(set(estimates) - lone)
