"""What is recorded of the orbit beside a rehearsal: the same signals at the same instants."""

from types import SimpleNamespace

import numpy as np
import pytest

from proxops.assembly.facility import load_facility
from proxops.facility.robot_cell.industrial.kr120 import KR120
from proxops.results.axis_use import axes_of
from proxops.results.run import Ledger, Run, Signal
from proxops.sim.orbit_reference import WithOrbitReference, orbit_of

P_CT = Signal("relative.p_CT", "m", "C", (3,))
SPEED = Signal("chaser.v_HC", "m/s", "H", (3,))
CLOSED = Ledger(0.0, 0.0, 0.0, True)


def run_of(t, table, *columns, provenance=None):
    rows = np.column_stack([t, *columns])
    return Run("made-up", provenance or {}, table, rows, (), (), (), CLOSED, "passed")


def in_orbit(t):
    """Its position tells the time."""
    return run_of(t, (P_CT, SPEED), np.outer(t, [1.0, 2.0, 3.0]), np.zeros((len(t), 3)))


class Rehearsal(SimpleNamespace):
    """Hands its rows over in two pieces, as a simulation does."""

    scenario, kernels, provenance, signals = None, "rehearsal", {}, (P_CT,)

    def run(self, sink, progress, stop):
        made = run_of(self.t, (P_CT,), np.zeros((len(self.t), 3)))
        if sink is not None:
            sink.write(made.rows[:2])
            sink.write(made.rows[2:])
        return made


def test_every_row_has_the_orbit_at_its_own_instant_in_the_run_and_in_the_recording():
    # sums of periods differ in their last bits
    t = np.cumsum(np.full(5, 0.1)) - 0.1
    pieces = []
    whole = WithOrbitReference(Rehearsal(t=t), in_orbit(np.arange(9) * 0.1))
    run = whole.run(SimpleNamespace(write=pieces.append))
    assert [signal.name for signal in run.signals()] == ["relative.p_CT", "orbit.relative.p_CT"]
    assert whole.signals == run.signals()
    np.testing.assert_allclose(run["orbit.relative.p_CT"][1], np.outer(t, [1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(np.vstack(pieces), run.rows)
    found = orbit_of(run)
    np.testing.assert_array_equal(found["relative.p_CT"][1], run["orbit.relative.p_CT"][1])


def test_where_the_orbit_has_no_row_the_one_before_stands():
    run = WithOrbitReference(
        Rehearsal(t=np.array([-0.1, 0.0, 0.15])), in_orbit(np.arange(2) * 0.1)
    ).run()
    assert run["orbit.relative.p_CT"][1][:, 0].tolist() == [0.0, 0.0, 0.1]


def test_a_recording_without_the_orbit_has_none():
    assert orbit_of(in_orbit(np.arange(3.0))) is None


def test_the_axis_nearest_to_its_limit_comes_first_with_what_is_left_and_when():
    t = np.arange(5) * 0.5
    middle = 0.5 * (np.array(KR120.lower) + np.array(KR120.upper))
    q = np.tile(middle, (5, 1))
    q[:, 1] = KR120.upper[1] - np.array([0.5, 0.4, 0.3, 0.4, 0.5])
    facility = {"name": "lab", "file": load_facility("oos-sim").facility.model_dump(mode="json")}
    signals = tuple(
        Signal(f"lab.robots.{name}.q", "rad", "", (6,)) for name in ("target", "chaser")
    )
    run = run_of(t, signals, q, np.tile(middle, (5, 1)), provenance={"facility": facility})
    axes = axes_of(run)
    assert (axes[0].robot, axes[0].number, axes[0].at_s) == ("target", 2, 1.0)
    assert axes[0].least == pytest.approx(0.3)
    assert axes[0].margin == pytest.approx(0.6 / (KR120.upper[1] - KR120.lower[1]))
    assert axes[0].fastest == pytest.approx(0.2 / KR120.speed[1])
    assert [axis.margin for axis in axes[1:]] == pytest.approx([1.0] * 11)
    assert axes_of(in_orbit(t)) == []
