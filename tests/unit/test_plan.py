"""The mode manager: conditions, settling times, time-outs, ways out, and what is said of them."""

import numpy as np
import pytest
from tests.laws.written import written

from proxops.bus.bus import bus_of
from proxops.bus.fields import Field
from proxops.core.errors import InputError
from proxops.onboard.function import Function, nothing
from proxops.onboard.functions.plan import conditions, function
from proxops.onboard.functions.plan.legs import FLY_TO, REST, RUN, LegDescription, legs_of
from proxops.onboard.schedule import own_periods

FIELDS = (
    Field("orbital.p_HC", "m", "H", (3,)),
    Field("control.position_error", "m"),
    Field("control.attitude_error", "rad"),
    Field("guidance.nodes"),
    Field("guidance.failures"),
    *function.FIELDS,
)


FUNCTIONS = [
    Function("navigation", None, nothing(), nothing(), writes=()),
    Function(
        "base_control",
        None,
        nothing(),
        nothing(),
        period=5,
        writes=("base_force", "base_torque"),
        any_period=True,
    ),
    Function("capture", None, nothing(), nothing(), writes=("base_force", "joints")),
    Function("look", None, nothing(), nothing(), writes=()),
]


class Flown:
    """A plan on a bus of its own, run once a second."""

    def __init__(self, *legs: LegDescription) -> None:
        self.bus = bus_of((), (), FIELDS, ())
        self.legs = legs_of(legs, self.bus)
        self._made = function.function(self.legs, self.bus, 10**9)
        self.activity = np.ones(len(FUNCTIONS))
        self.periods = own_periods(FUNCTIONS)
        function.linked(self._made, self.legs, FUNCTIONS, self.activity, self.periods)
        self._describe = self._made.changes[0].describe
        self.said: list[tuple[float, str, str]] = []

    def run(self, t: float, **values: float) -> str:
        """Name of the leg after a cycle at the time t [s], the errors being these."""
        self.bus.measurements["t"][0] = t
        for name, value in values.items():
            self.bus.estimates[f"control.{name}"][0] = value
        before = self.bus.estimates["plan.leg"][0]
        made = self._made
        assert written(function.step)(made.params, made.memory, made.inputs, made.outputs) == 0
        now = self.bus.estimates["plan.leg"][0]
        if now != before:
            self.said.append((t, *self._describe(now, self.bus.estimates["plan.reason"])))
        return self.legs.names[int(now)]


ARRIVE = LegDescription(
    "arrive", FLY_TO, until=("control.position_error < 1 m", "control.attitude_error < 0.5 deg"),
    settle=10.0, abort_if=("control.position_error > 50 m",), timeout=100.0, next="done",
    abort_leg="away", place=(0.0, -10.0, 0.0), duration=60.0,
)  # fmt: skip
DONE = LegDescription("done", REST)
AWAY = LegDescription("away", REST)


def test_a_leg_ends_once_all_conditions_have_held_for_the_settling_time_without_a_break():
    plan = Flown(ARRIVE, DONE, AWAY)
    wide, small = 0.02, np.radians(0.4)
    assert plan.run(0.0, position_error=9.0, attitude_error=wide) == "arrive"
    assert plan.run(5.0, position_error=0.5, attitude_error=wide) == "arrive"
    assert plan.run(20.0, position_error=0.5, attitude_error=wide) == "arrive"
    assert plan.run(21.0, position_error=0.5, attitude_error=small) == "arrive"
    assert plan.run(29.0, position_error=0.5, attitude_error=small) == "arrive"
    assert plan.run(29.5, position_error=2.0, attitude_error=small) == "arrive"  # a break
    assert plan.run(30.0, position_error=0.5, attitude_error=small) == "arrive"
    assert plan.run(39.0, position_error=0.5, attitude_error=small) == "arrive"
    assert plan.run(39.5, position_error=0.5, attitude_error=small) == "done"
    assert [(t, name) for t, name, _ in plan.said] == [(0.0, "arrive"), (39.5, "done")]
    # the last one that did not hold has decided
    assert plan.said[-1][2] == (
        "obsw.plan: arrive is done: control.position_error 0.5 m, limit < 1 m"
    )


def test_a_leg_that_lasts_too_long_takes_its_way_out_and_says_what_was_not_fulfilled():
    plan = Flown(ARRIVE, DONE, AWAY)
    for t in (0.0, 50.0, 99.0):
        assert plan.run(t, position_error=0.5, attitude_error=np.radians(0.7)) == "arrive"
    assert plan.run(100.0, position_error=0.5, attitude_error=np.radians(0.7)) == "away"
    assert plan.said[-1][2] == (
        "obsw.plan: arrive timed out after 100 s, not fulfilled: "
        "control.attitude_error 0.7 deg, limit < 0.5 deg"
    )


def test_a_condition_that_aborts_does_so_at_once_and_before_all_others():
    plan = Flown(ARRIVE, DONE, AWAY)
    plan.run(0.0, position_error=20.0, attitude_error=0.0)
    assert plan.run(100.0, position_error=51.0, attitude_error=0.0) == "away"
    assert plan.said[-1][2] == (
        "obsw.plan: arrive aborted: control.position_error 51 m, limit > 50 m"
    )
    assert plan.run(1e6, position_error=0.0, attitude_error=0.0) == "away"  # it stays


def test_what_is_not_a_number_ends_no_leg_and_aborts_it_where_it_is_watched():
    plan = Flown(ARRIVE, DONE, AWAY)
    plan.run(0.0, position_error=0.5, attitude_error=np.nan)
    assert plan.run(50.0, position_error=0.5, attitude_error=np.nan) == "arrive"
    assert plan.run(51.0, position_error=np.nan, attitude_error=0.0) == "away"


def test_a_leg_begins_without_what_guidance_did_in_the_one_before():
    plan = Flown(ARRIVE, DONE, AWAY)
    plan.run(0.0, position_error=9.0, attitude_error=0.0)
    plan.bus.estimates["guidance.failures"][0], plan.bus.estimates["guidance.nodes"][0] = 5.0, 40.0
    plan.run(1.0, position_error=9.0, attitude_error=0.0)
    assert plan.bus.estimates["guidance.failures"][0] == 5.0
    assert plan.run(2.0, position_error=99.0, attitude_error=0.0) == "away"
    assert plan.bus.estimates["guidance.failures"][0] == 0.0
    assert plan.bus.estimates["guidance.nodes"][0] == 0.0


def test_a_leg_without_conditions_lasts_for_its_settling_time():
    wait = LegDescription("wait", REST, settle=30.0, timeout=100.0, next="done", abort_leg="done")
    plan = Flown(wait, DONE)
    assert [plan.run(t) for t in (2.0, 31.0, 32.0)] == ["wait", "wait", "done"]
    assert plan.said[-1][2] == "obsw.plan: wait is done"


def test_a_leg_without_a_place_keeps_where_it_begins():
    plan = Flown(LegDescription("keep", REST), DONE)
    plan.bus.estimates["orbital.p_HC"][:] = 1.0, -20.0, 3.0
    plan.run(0.0)
    plan.bus.estimates["orbital.p_HC"][:] = 0.0
    plan.run(1.0)
    assert plan.bus.estimates["plan.place"].tolist() == [1.0, -20.0, 3.0]


def test_functions_run_in_the_legs_that_name_them_and_control_rests_where_they_fly_the_base():
    look = LegDescription("see", RUN, settle=5.0, next="hold", runs=("look",))
    hold = LegDescription("hold", REST, settle=5.0, next="take")
    take = LegDescription("take", RUN, runs=("capture", "look"))
    plan = Flown(look, hold, take)
    found = {plan.run(t): plan.activity.tolist() for t in (0.0, 5.0, 10.0)}
    assert found == {
        "see": [1.0, 1.0, 0.0, 1.0],
        "hold": [1.0, 1.0, 0.0, 0.0],
        "take": [1.0, 0.0, 1.0, 1.0],
    }
    with pytest.raises(
        InputError, match=r"legs.see.runs: there is no function 'lok' on board; did"
    ):
        Flown(LegDescription("see", RUN, runs=("lok",)))


@pytest.mark.parametrize(
    ("text", "p", "is_so"),
    [
        ("orbital.p_HC <= 5 m", (3.0, 4.0, 0.0), True),
        ("orbital.p_HC < 5 m", (3.0, 4.0, 0.0), False),
        ("orbital.p_HC >= 5 m", (3.0, 4.0, 0.0), True),
        ("orbital.p_HC > 5 m", (3.0, 4.0, 0.0), False),
        ("orbital.p_HC < 4.99 m", (3.0, 4.0, 0.0), False),
        ("orbital.p_HC[1] > -30 m", (0.0, -29.0, 0.0), True),
        ("orbital.p_HC[1] > -30 m", (0.0, -31.0, 0.0), False),
        ("orbital.p_HC[0]<=2e-1 km", (199.0, 9e9, 0.0), True),
    ],
)
def test_a_condition_is_about_a_norm_or_a_component(text, p, is_so):
    bus = bus_of((), (), FIELDS, ())
    bus.estimates["orbital.p_HC"][:] = p
    row = np.array(conditions.read_condition(text, bus, "here").row)
    value = written(conditions.value_of)(row, bus.measurements.array, bus.estimates.array)
    assert bool(written(conditions.holds)(row, value)) is is_so


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("near enough", "here: must be like \"control.position_error < 1 m\"; found 'near enough'"),
        ("control.postion_error < 1 m", "did you mean 'control.position_error'?"),
        ("control.position_error < 1 s", "control.position_error is in m or mm or cm or km"),
        ("control.attitude_error < 1", "control.attitude_error is in rad or mrad or deg"),
        ("orbital.p_HC[3] < 1 m", "orbital.p_HC has 3 components, found [3]"),
        ("orbital.p_HC < e m", "'e' is not a number"),
    ],
)
def test_a_condition_that_means_nothing_is_rejected_with_its_place(text, words):
    with pytest.raises(InputError) as error:
        conditions.read_condition(text, bus_of((), (), FIELDS, ()), "here")
    assert str(error.value).startswith("here: ")
    assert words in str(error.value)


def test_a_leg_changes_periods_and_the_next_one_has_their_own_again():
    slow = LegDescription("slow", REST, settle=5.0, next="done", periods=(("base_control", 20),))
    plan = Flown(slow, DONE)
    assert plan.periods.tolist() == [1, 5, 1, 1]
    plan.run(0.0)
    assert plan.periods.tolist() == [1, 20, 1, 1]
    assert plan.run(5.0) == "done"
    assert plan.periods.tolist() == [1, 5, 1, 1]


@pytest.mark.parametrize("name", ["navigation", "base_contro"])
def test_a_leg_that_changes_a_period_that_stays_is_rejected_with_those_that_do_not(name):
    wrong = LegDescription("slow", REST, periods=((name, 20),))
    words = rf"legs.slow.periods_s.{name}: a leg may change the periods of guidance, base_control"
    with pytest.raises(InputError, match=words):
        Flown(wrong)
