"""Captures in SIMD lanes: contacts, a hold, sensors, navigation and thrusters, with the verdicts of
scalar code, and for each case the same bits whichever others it is flown with.

Noise and friction amplify rounding: without fused multiply-add, scalar code as well comes to other
digits of forces, but to the same verdict.
"""

from collections.abc import Sequence

import pytest

import proxops
from proxops.core.by_address import JIT_IS_OFF
from proxops.results.run import Run

pytestmark = [
    pytest.mark.slow,  # compiles the loop for lanes
    pytest.mark.skipif(JIT_IS_OFF, reason="lanes exist in compiled code only"),
]

LANES = 4
SEEDS = range(3)  # fewer than there are lanes


@pytest.fixture(scope="module")
def cases() -> list[proxops.Scenario]:
    capture = proxops.load("envisat-capture")
    return [capture.dispersed(seed) for seed in SEEDS]


def flown(cases: Sequence[proxops.Scenario]) -> list[Run]:
    from proxops.sim.lanes.flight import Case, Flight

    return Flight(LANES).fly([Case(each) for each in cases])


@pytest.fixture(scope="module")
def together(cases) -> list[Run]:
    return flown(cases)


def verdict(run: Run) -> tuple[object, ...]:
    statuses = [(each.name, each.status) for each in run.requirements]
    return run.outcome, statuses, run.ledger.closed, len(run.warnings)


def test_dispersed_captures_have_the_verdicts_of_scalar_code(together, cases) -> None:
    for run, case in zip(together, cases, strict=True):
        alone = proxops.simulate(case)
        assert verdict(run) == verdict(alone)
        assert {each.name for each in run.events} == {each.name for each in alone.events}
        assert "hold-closes" in {each.name for each in run.events}


def test_a_capture_comes_to_the_same_bits_alone_and_with_any_others(together, cases) -> None:
    backwards = flown(cases[::-1])[::-1]
    assert [each.hash for each in backwards] == [each.hash for each in together]
    assert proxops.simulate(cases[1], lanes=LANES).hash == together[1].hash
