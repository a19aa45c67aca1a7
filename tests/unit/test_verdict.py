"""Ledger, requirements and outcome, from rows alone."""

from dataclasses import replace

import numpy as np
import pytest

import proxops
from proxops.assembly.build import build
from proxops.results import warnings
from proxops.results.advice import NO_STEP, TOO_LONG, TOO_MANY, advice
from proxops.results.ledger import audit
from proxops.results.requirements import measure
from proxops.results.rows import Rows
from proxops.results.run import Event, Ledger, Signal
from proxops.results.verdict import judge
from proxops.scenario.schema import Requirement as Demand

SCENARIO = proxops.load("free-tumble").replace(
    {
        "time": {
            "duration_s": 1.0,
            "control_rate_hz": 500.0,
            "record_rate_hz": 10.0,
            "phases": {
                "first": {"until_s": 0.4, "step_s": 0.002},
                "second": {"until_s": 1.0, "step_s": 0.002},
            },
        },
        "requirements": {},
    }
)


@pytest.fixture(scope="module")
def run():
    return proxops.simulate(SCENARIO)


def demand(**changes):
    made = {
        "signal": "x",
        "measure": "max-norm",
        "comparison": "<=",
        "limit": 5.0,
        "unit": "m",
    }
    return Demand(**(made | changes))


def with_signal(run, samples):
    """The run with one vector signal x [m] alone."""
    samples = np.asarray(samples, dtype=float)
    t = np.linspace(0.0, 1.0, len(samples))
    rows = np.column_stack([t, samples])
    return replace(run, table=(Signal("x", "m", "H", (samples.shape[1],)),), rows=rows)


SAMPLES = [[3.0, -4.0], [0.0, 1.0], [-6.0, 8.0], [1.0, 2.0], [-3.0, 0.5]]


@pytest.mark.parametrize(
    ("kind", "component", "value"),
    [
        ("max-norm", None, 10.0),
        ("min-norm", None, 1.0),
        ("final-norm", None, np.hypot(3.0, 0.5)),
        ("max-abs", None, 8.0),
        ("final-abs", None, 3.0),
        ("max", 0, 3.0),
        ("min", 0, -6.0),
        ("final", 0, -3.0),
        ("max-abs", 1, 8.0),
    ],
)
def test_measures(run, kind, component, value):
    asked = demand(measure=kind, component=component)
    assert measure(with_signal(run, SAMPLES), "x", asked, True).value == pytest.approx(value)


def test_a_window_limits_what_is_measured(run):
    seen = measure(with_signal(run, SAMPLES), "x", demand(from_s=0.75, to_s=1.0), True)
    assert seen.value == pytest.approx(np.hypot(3.0, 0.5))


PEAKS = [[50.0], [2.0], [11.0], [12.0], [4.0]]


@pytest.mark.parametrize(("start", "value"), [(0.0, 12.0), (0.25, 12.0), (0.75, 4.0), (1.0, 3.0)])
def test_peaks_since_the_row_before_count_from_the_second_row_of_a_window_on(run, start, value):
    """Of the first row only what it shows itself: its peak may have been before the window."""
    shown = with_signal(run, np.hstack([SAMPLES, PEAKS]))
    table = (Signal("x", "m", "H", (2,)), Signal("x_peak", "m", "", ()))
    seen = measure(replace(shown, table=table), "x", demand(from_s=start), True)
    assert seen.value == pytest.approx(value, abs=0.05)


def test_units_convert_the_value_and_margins_are_positive_when_met(run):
    short = measure(with_signal(run, SAMPLES), "x", demand(limit=1200.0, unit="cm"), True)
    assert (short.value, short.margin, short.status) == (
        pytest.approx(1000.0),
        pytest.approx(200.0),
        "passed",
    )
    far = measure(with_signal(run, SAMPLES), "x", demand(comparison=">=", limit=12.0), True)
    assert (far.margin, far.status) == (pytest.approx(-2.0), "failed")


def test_in_a_run_cut_short_a_window_can_fail_but_not_pass(run):
    cut = with_signal(run, SAMPLES)
    assert measure(cut, "x", demand(limit=20.0), False).status == "not-reached"
    assert measure(cut, "x", demand(limit=5.0), False).status == "failed"
    assert measure(cut, "x", demand(limit=20.0, to_s=0.5), False).status == "passed"
    assert measure(cut, "x", demand(from_s=3.0), False).value is None
    assert measure(cut, "x", demand(measure="final-norm"), False).status == "not-reached"


@pytest.mark.parametrize(
    ("signal", "residual"),
    [
        ("ledger.momentum", "momentum_residual"),
        ("ledger.impulse", "momentum_residual"),
        ("ledger.angular_momentum", "angular_momentum_residual"),
        ("ledger.kinetic_energy", "energy_residual"),
        ("ledger.work_motors", "energy_residual"),
    ],
)
def test_the_ledger_opens_when_anything_in_it_is_off(run, signal, residual):
    assert audit(run).closed
    rows = run.rows.copy()
    column = 1 + sum(
        item.width for item in run.table[: [item.name for item in run.table].index(signal)]
    )
    rows[-1, column] += 0.1
    opened = audit(replace(run, rows=rows))
    assert not opened.closed
    assert getattr(opened, residual) > 1e-6
    assert judge(SCENARIO, run.table, rows).outcome == "invalid"


@pytest.mark.parametrize("row", range(1, 11))
def test_a_ledger_is_judged_alike_in_pieces(run, row, monkeypatch):
    """Of a long run, block by block: whatever is off in whichever row."""
    monkeypatch.setattr("proxops.results.rows.IN_MEMORY", 0)
    monkeypatch.setattr("proxops.results.rows.BLOCK", 8 * run.rows.shape[1] * 3)
    rows = run.rows.copy()
    rows[row, 1:] *= 1.0 + 1e-3
    spilled = Rows(rows.shape[1])
    spilled.append(rows)
    assert not audit(replace(run, rows=rows)).closed
    assert audit(replace(run, rows=spilled.settled())) == audit(replace(run, rows=rows))


@pytest.mark.parametrize("start", [0.0, 0.25, 0.4, 0.75])
@pytest.mark.parametrize("stop", [None, 0.8])
@pytest.mark.parametrize("kind", ["max-norm", "min-norm", "final-norm", "max-abs", "lowest"])
def test_a_requirement_is_judged_alike_in_pieces(run, kind, start, stop, monkeypatch):
    """Of a long run, block by block, wherever its window begins and ends."""
    shown = with_signal(run, np.hstack([3 * SAMPLES, 3 * PEAKS]))
    table = (Signal("x", "m", "H", (2,)), Signal("x_peak", "m", "", ()))
    monkeypatch.setattr("proxops.results.rows.IN_MEMORY", 0)
    monkeypatch.setattr("proxops.results.rows.BLOCK", 8 * shown.rows.shape[1] * 2)
    spilled = Rows(shown.rows.shape[1])
    spilled.append(shown.rows)
    asked = demand(measure=kind, from_s=start, to_s=stop)
    whole, pieces = (
        measure(replace(shown, table=table, rows=rows), "x", asked, True)
        for rows in (shown.rows, spilled.settled())
    )
    assert len(list(spilled.blocks())) > 5
    assert whole == pieces


@pytest.mark.parametrize(
    ("ledger", "rigid", "step", "cure"),
    [
        (Ledger(1e-12, 1e-12, 1e-5, False), True, 1e-3, TOO_LONG),
        (Ledger(1e-12, 1e-7, 1e-9, False), True, 1e-3, TOO_LONG),
        (Ledger(1e-7, 1e-12, 1e-9, False), False, 1e-3, TOO_LONG),
        (Ledger(1e-7, 1e-7, 1e-9, False), True, 1e-3, NO_STEP),
        (Ledger(2e-9, 1e-12, 1e-9, False), False, 1e-8, TOO_MANY),
        (Ledger(2e-9, 1e-12, 1e-5, False), False, 1e-8, TOO_LONG),
        (Ledger(1e-12, 1e-12, 1e-9, True), False, 1e-3, ""),
    ],
)
def test_a_shorter_step_is_advised_only_where_it_can_help(run, ledger, rigid, step, cure):
    """Not against rounding, 2e-8 of 1e8 steps, nor for the momentum of bodies without joints."""
    mission = run.provenance["scenario"]["mission"]
    time = mission["time"] | {"phases": {"only": {"until_s": 1.0, "step_s": step, "substeps": 1}}}
    scenario = {"scenario": {"mission": mission | {"time": time}}}
    table = tuple(each for each in run.table if not (rigid and ".arms." in each.name))
    found = advice(replace(run, ledger=ledger, table=table, provenance=scenario))
    assert found.endswith(cure)
    assert bool(found) == bool(cure)


@pytest.mark.parametrize(
    "time", [5, {"phases": [1]}, {"phases": {"a": 5}}, {"phases": {"a": {"step_s": 0}}}, None]
)
def test_an_open_ledger_of_a_damaged_recording_has_its_advice(run, time):
    opened = replace(run, ledger=Ledger(1e-12, 1e-12, 1e-5, False))
    for scenario in ({"mission": {"time": time}}, {"mission": time}, time):
        assert advice(replace(opened, provenance={"scenario": scenario})).endswith(TOO_LONG)


def test_outcomes_tell_cut_short_interrupted_and_faulty_apart(run):
    assert judge(SCENARIO, run.table, run.rows).outcome == "passed"
    part = run.rows[:7]
    for few in (run.rows[:0], run.rows[:1]):  # no change to explain
        assert not audit(replace(run, rows=few)).closed
        assert judge(SCENARIO, run.table, few).outcome == "cut-short"
    assert judge(SCENARIO, run.table, part).outcome == "cut-short"
    stopped = Event(0.6, "interrupted", "by the user")
    assert judge(SCENARIO, run.table, part, (stopped,)).outcome == "interrupted"
    broken = Event(0.6, "fault", "not finite")
    assert judge(SCENARIO, run.table, part, (broken,)).outcome == "invalid"


def test_phases_end_where_the_run_does(run):
    whole = judge(SCENARIO, run.table, run.rows)
    assert [(p.name, p.start_s, p.end_s) for p in whole.phases] == [
        ("first", 0.0, 0.4),
        ("second", 0.4, 1.0),
    ]
    early = judge(SCENARIO, run.table, run.rows[:4])
    assert [(p.name, p.end_s) for p in early.phases] == [("first", pytest.approx(0.3))]


def test_a_scenario_that_was_built_is_judged_without_building_it_again(monkeypatch):
    """A joint loop with gains that do not do is found in what was built."""
    scenario = proxops.load("touch").replace({"obsw.joints.main.kd": [1e6] * 7})
    anew = warnings.foreseen(scenario)
    assert anew
    built = build(scenario)
    monkeypatch.setattr(warnings, "build", lambda _: pytest.fail("it is built again"))
    assert warnings.foreseen(scenario, built) == anew
