"""Cases in SIMD lanes: the same verdicts as in scalar code, and for each case the same bits
whichever others it is flown with."""

from collections.abc import Sequence

import numpy as np
import pytest

import proxops
from proxops.core.by_address import JIT_IS_OFF
from proxops.core.errors import InputError
from proxops.results.run import COLLIDES, Run

pytestmark = [
    pytest.mark.slow,  # compiles the loop for lanes
    pytest.mark.skipif(JIT_IS_OFF, reason="lanes exist in compiled code only"),
]

LANES = 4
SEEDS = range(1, 1 + LANES)  # of these three are too fast
# Of a signal's scale: fused operations round elsewhere, and sine and cosine are polynomials;
# in three seconds of a tumble that is amplified little
WITHIN = 1e-11
DISPERSIONS = {
    "mass": {"key": "chaser.mass_kg", "scale": 0.1},
    "inertia": {"key": "target.inertia_kg_m2", "scale": 0.1},
    "tumble": {"key": "target.w_NT_T_deg_s", "scale": 0.2},
    "place": {"key": "chaser.p_HC_m", "shift": 0.5},
}


@pytest.fixture(scope="module")
def tumble() -> proxops.Scenario:
    slow = {
        "signal": "target.w_NT_T",
        "measure": "max-norm",
        "comparison": "<=",
        "limit": 2.76,  # as it is undispersed: some cases fail
        "unit": "deg/s",
    }
    short = {
        "time.duration_s": 3.0,
        "time.phases": {"drift": {"until_s": 3.0, "step_s": 0.001}},
        "requirements": {"slow": slow},
    }
    return proxops.load("free-tumble").replace(short | {"dispersions": DISPERSIONS})


@pytest.fixture(scope="module")
def cases(tumble) -> list[proxops.Scenario]:
    return [tumble.dispersed(seed) for seed in SEEDS]


def flown(cases: Sequence[proxops.Scenario]) -> list[Run]:
    from proxops.sim.lanes.flight import Case, Flight

    return Flight(LANES).fly([Case(each) for each in cases])


@pytest.fixture(scope="module")
def together(cases) -> list[Run]:
    return flown(cases)


def assert_as_in_scalar_code(run: Run, case: proxops.Scenario) -> None:
    alone = proxops.simulate(case)
    assert run.outcome == alone.outcome
    assert [each.status for each in run.requirements] == [
        each.status for each in alone.requirements
    ]
    assert [(each.name, each.detail) for each in run.events] == [
        (each.name, each.detail) for each in alone.events
    ]
    assert run.ledger.closed == alone.ledger.closed
    for signal in alone.signals():
        t, values = alone[signal.name]
        scale = max(1.0, float(np.abs(values).max(initial=0.0)))
        assert np.array_equal(run[signal.name][0], t)
        assert np.abs(run[signal.name][1] - values).max(initial=0.0) < WITHIN * scale, signal.name


def test_verdicts_events_and_signals_are_those_of_scalar_code(together, cases) -> None:
    for run, case in zip(together, cases, strict=True):
        assert_as_in_scalar_code(run, case)
    assert {each.outcome for each in together} == {"passed", "failed"}
    assert all(each.provenance["lanes"] == LANES for each in together)


def test_a_case_comes_to_the_same_bits_alone_and_with_any_others(together, cases) -> None:
    backwards = flown(cases[::-1])[::-1]
    three = flown(cases[1:])
    for lane, run in enumerate(together):
        assert backwards[lane].hash == run.hash
        assert lane == 0 or three[lane - 1].hash == run.hash
    assert proxops.simulate(cases[2], lanes=LANES).hash == together[2].hash


def test_what_happens_to_one_case_happens_to_it_alone(cases) -> None:
    """One that is struck by the target: from then on its whole numbers are others."""
    struck = cases[1].replace({"chaser.p_HC_m": [-6.5, 0.4, -0.2], "chaser.v_HC_m_s": [1.0, 0, 0]})
    runs = flown([cases[0], struck, cases[2], cases[3]])
    for run, case in zip(runs, [cases[0], struck, *cases[2:]], strict=True):
        assert_as_in_scalar_code(run, case)
    assert [COLLIDES in {each.name for each in run.events} for run in runs] == [
        False, True, False, False,
    ]  # fmt: skip


def test_a_case_that_cannot_go_on_ends_alone(cases) -> None:
    spun = cases[1].replace({"chaser.w_NC_C_deg_s": [1e5, 1e5, 0.0]})
    given = [spun, cases[0], cases[2]]
    runs = flown(given)
    assert runs[0].outcome == "invalid"
    for run, case in zip(runs, given, strict=True):
        alone = proxops.simulate(case)
        assert (run.outcome, run.events) == (alone.outcome, alone.events)


def test_a_campaign_in_lanes_has_the_cases_of_single_runs(tumble, together, tmp_path) -> None:
    campaign = proxops.campaign(
        tumble, range(1, 3 + LANES), lanes=LANES, workers=1, out=tmp_path / "kept"
    )
    assert [each["hash"] for each in campaign.cases[:LANES]] == [each.hash for each in together]
    assert campaign.provenance["lanes"] == LANES
    again = proxops.campaign(tumble, SEEDS, workers=1)
    assert [each["passed"] for each in again.cases] == [
        each["passed"] for each in campaign.cases[:LANES]
    ]


@pytest.mark.parametrize(
    ("mission", "lanes", "words"),
    [
        ("free-tumble", 3, "must be 4 or 8, found 3"),
        ("berthing", 4, "has paces, or ends on an event, which is not flown in lanes"),
        ("deorbit-release", 4, "has boost on board"),
    ],
)
def test_what_is_not_flown_in_lanes_is_refused_in_words(mission, lanes, words) -> None:
    with pytest.raises(InputError, match=words):
        proxops.campaign(proxops.load(mission), range(4), lanes=lanes)


def test_a_rehearsal_is_not_flown_in_lanes(tumble) -> None:
    with pytest.raises(InputError, match="rehearsal"):
        proxops.campaign(tumble, range(4), "ideal", lanes=LANES)


def test_workers_of_a_scheduler_fly_no_lanes(tumble) -> None:
    with pytest.raises(InputError, match="workers of a scheduler fly each case by itself"):
        proxops.campaign(tumble, range(4), lanes=LANES, scheduler="tcp://127.0.0.1:1")
