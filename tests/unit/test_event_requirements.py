"""Requirements that count events, or look at all components."""

from dataclasses import replace

import numpy as np
import pytest

import proxops
from proxops.results.requirements import check_demands, measure
from proxops.results.run import Event, Ledger, Run, Signal
from proxops.results.verdict import judge
from proxops.scenario.schema import Requirement as Demand

COUNT = {
    "event": "separation",
    "measure": "count",
    "comparison": "<=",
    "limit": 1,
    "unit": "1",
}
SIGNAL = {
    "signal": "x",
    "measure": "highest",
    "comparison": "<=",
    "limit": 5.0,
    "unit": "m",
}
SAMPLES = np.array([[3.0, -4.0], [0.0, 1.0], [-6.0, 2.0], [1.0, 2.0], [-3.0, 0.5]])
EVENTS = tuple(Event(t, "separation", "contacts.ring: no pad touches") for t in (0.25, 0.5, 0.9))


@pytest.fixture
def run():
    rows = np.column_stack([np.linspace(0.0, 1.0, len(SAMPLES)), SAMPLES])
    table = (Signal("x", "m", "H", (2,)),)
    ledger = Ledger(0.0, 0.0, 0.0, True)
    return Run("by hand", {}, table, rows, EVENTS, (), (), ledger, "passed")


@pytest.mark.parametrize(
    ("window", "count"),
    [({}, 3), ({"from_s": 0.3}, 2), ({"to_s": 0.5}, 2), ({"from_s": 0.95}, 0)],
)
def test_events_are_counted_within_the_window_ends_included(run, window, count):
    found = measure(run, "few", Demand(**(COUNT | window)), True)
    assert (found.value, found.margin) == (count, 1 - count)
    assert found.passed == (count <= 1)


def test_events_of_other_kinds_do_not_count(run):
    assert measure(run, "none", Demand(**(COUNT | {"event": "touch-down"})), True).value == 0.0


@pytest.mark.parametrize(
    ("kind", "count"),
    [("hold-closes", 3), ("hold-closes:soft", 2), ("hold-closes:hard", 1), ("hold-closes:so", 0)],
)
def test_events_of_one_hold_are_named_with_it(run, kind, count):
    closings = (
        Event(0.1, "hold-closes", "holds.soft"),
        Event(0.2, "hold-closes", "holds.soft: offset 3 of at most 20 mm"),
        Event(0.3, "hold-closes", "holds.hard: offset 1 of at most 2 mm"),
        Event(0.4, "hold-opens", "holds.soft"),
    )
    latched = replace(run, events=closings)
    assert measure(latched, "x", Demand(**(COUNT | {"event": kind})), True).value == count
    edge = Demand(**(SIGNAL | {"from_event": "hold-closes:hard"}))
    assert measure(latched, "x", edge, True).value == 2.0  # rows from 0.5 s on


def test_the_time_of_an_event_is_its_first_within_the_window(run):
    first = Demand(**(COUNT | {"measure": "time", "limit": 0.4, "unit": "s"}))
    assert (measure(run, "when", first, True).value, measure(run, "when", first, True).passed) == (
        0.25,
        True,
    )
    later = Demand(**(COUNT | {"measure": "time", "limit": 0.4, "unit": "s", "from_s": 0.3}))
    assert measure(run, "when", later, True).status == "failed"
    never = Demand(**(COUNT | {"event": "grasp", "measure": "time", "unit": "s"}))
    assert measure(run, "when", never, True).status == "not-reached"


@pytest.mark.parametrize(
    ("window", "value"),
    [
        ({"to_event": "separation"}, 3.0),  # rows at 0 and 0.25 s
        ({"from_event": "separation"}, 2.0),
        ({"from_s": 0.1, "to_event": "separation"}, 1.0),
        ({"to_event": "grasp"}, None),
        ({"from_event": "grasp"}, None),
    ],
)
def test_a_window_may_begin_and_end_with_the_first_event_of_a_kind(run, window, value):
    found = measure(run, "x", Demand(**(SIGNAL | window)), True)
    assert found.value == value
    assert found.status == ("not-reached" if value is None else "passed")


def test_in_a_run_cut_short_too_many_fail_and_few_are_not_enough(run):
    def status(**changes):
        return measure(run, "few", Demand(**(COUNT | changes)), False).status

    assert status() == "failed"
    assert status(limit=3) == "not-reached"
    assert status(limit=3, to_s=1.0) == "passed"


@pytest.mark.parametrize(("kind", "value"), [("highest", 3.0), ("lowest", -6.0)])
def test_highest_and_lowest_are_of_all_components_with_their_signs(run, kind, value):
    assert measure(run, "x", Demand(**(SIGNAL | {"measure": kind})), True).value == value
    late = measure(run, "x", Demand(**(SIGNAL | {"measure": kind, "from_s": 0.7})), True)
    assert late.value == {"highest": 2.0, "lowest": -3.0}[kind]


SCENARIO = proxops.load("free-tumble").replace(
    {
        "time": {
            "duration_s": 0.1,
            "control_rate_hz": 500.0,
            "record_rate_hz": 10.0,
            "phases": {"only": {"until_s": 0.1, "step_s": 0.002}},
        },
        "requirements": {},
    }
)


@pytest.mark.parametrize(
    ("demand", "says"),
    [
        (SIGNAL | {"measure": "count"}, "measure: events are counted or have a time, and only"),
        (COUNT | {"measure": "highest"}, "measure: events are counted or have a time, and only"),
        (
            SIGNAL | {"from_s": 1.0, "from_event": "grasp"},
            "from_event: give from_s or from_event, not both",
        ),
        (COUNT | {"signal": "relative.p_CT"}, "signal: give one, not both"),
        (
            {key: value for key, value in COUNT.items() if key != "event"},
            "signal: missing; give a signal, or an event",
        ),
        (SIGNAL | {"component": 0}, "component: 'highest' is of the whole signal"),
        (COUNT | {"component": 0}, "component: 'count' is of the whole signal"),
    ],
)
def test_a_requirement_without_sense_is_refused_with_its_place(demand, says):
    with pytest.raises(proxops.InputError) as caught:
        SCENARIO.replace({"requirements": {"odd": demand}})
    assert f"requirements.odd.{says}" in str(caught.value)


FLOWN = {"obsw": {"controller": {"name": "Mine", "modes": ["waiting", "holding"]}}}


@pytest.mark.parametrize(
    ("changes", "demand", "says"),
    [
        ({}, {"event": "seperation"}, "event: unknown 'seperation'; did you mean 'separation'?"),
        ({}, {"to_event": "gasp"}, "to_event: unknown 'gasp'; did you mean 'grasp'?"),
        (
            {},
            {"event": "holding"},
            "event: give --controller if it is a mode of yours; unknown 'ho",
        ),
        ({}, {"event": "mode-2"}, "event: give --controller if it is a mode of yours; unknown 'mo"),
        (FLOWN, {"event": "holdin"}, "event: unknown 'holdin'; did you mean 'holding'?"),
        (FLOWN, {"from_event": "weighting"}, "from_event: unknown 'weighting'; did you mean 'wait"),
        (FLOWN, {"event": "mode-x"}, "event: unknown 'mode-x'"),
    ],
)
def test_an_event_that_nobody_emits_is_refused_once_the_controller_is_known(changes, demand, says):
    odd = SCENARIO.replace(changes | {"requirements": {"odd": COUNT | demand}})
    with pytest.raises(proxops.InputError) as caught:
        check_demands(odd, ())
    assert f"requirements.odd.{says}" in str(caught.value)


@pytest.mark.parametrize("event", ["waiting", "holding", "mode-7", "controller-motors", "warning"])
def test_modes_and_findings_of_a_controller_are_events(event):
    demands = {
        "often": COUNT | {"event": event},
        "then": COUNT | {"event": "warning", "from_event": event, "to_event": event},
    }
    check_demands(SCENARIO.replace(FLOWN | {"requirements": demands}), ())


def test_a_count_has_no_unit():
    odd = SCENARIO.replace({"requirements": {"odd": COUNT | {"unit": "m"}}})
    with pytest.raises(proxops.InputError) as caught:
        check_demands(odd, ())
    assert "requirements.odd.unit: 'm' does not fit a count; possible: 1" in str(caught.value)


def test_warnings_of_the_verdict_count_too():
    """A satellite that spins too fast for its beams, 0.5 rad/s of 3, is warned about."""
    many = COUNT | {"event": "warning", "comparison": ">="}
    time = SCENARIO.mission.time.model_dump(exclude_none=True)
    bent = {f"target.appendages.{side}.q_f_m": [0.01, 0.0] for side in ("left", "right")}
    changes = {"time": time, "requirements": {"many": many}} | bent
    calm = proxops.load("flexible-symmetric").replace(changes)
    spinning = calm.replace({"target.w_NT_T_deg_s": [0.0, 0.0, 30.0]})
    for scenario, count, outcome in ((calm, 0.0, "failed"), (spinning, 1.0, "passed")):
        run = proxops.simulate(scenario)
        assert run.requirements[0].value == count
        assert [event.name for event in run.events].count("warning") == count
        assert run.outcome == outcome


def test_of_events_that_are_lost_none_is_counted():
    """A recording that was cut keeps rows, not events."""
    scenario = SCENARIO.replace({"requirements": {"few": COUNT}})
    run = proxops.simulate(scenario)
    assert run.outcome == "passed"
    lost = judge(scenario, run.table, run.rows, events=None)
    assert [(item.value, item.status) for item in lost.requirements] == [(None, "not-reached")]
    assert lost.outcome == "cut-short"
