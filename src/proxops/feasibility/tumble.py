"""Whether on-board software can follow the target's tumble: its forecast, reported as margins."""

from dataclasses import dataclass

import numpy as np

from proxops.assembly.capture import capture_of
from proxops.feasibility.margins import Standing
from proxops.onboard.functions.capture.cycle import Capture
from proxops.onboard.functions.capture.forecast import Forecast, foresee_from
from proxops.onboard.functions.capture.modes import HIDDEN, REASONS, TOO_FAST, TOO_SLOW
from proxops.onboard.functions.capture.relative_state import RelativeState
from proxops.onboard.functions.capture.trajectory import PATH_WIDTH
from proxops.physics.multibody.tree import scratch_for
from proxops.results.run import Run
from proxops.scenario.load import Scenario

WHERE = "on board"
FASTEST = np.radians(100.0)  # of a target whose tumble limits nothing [rad/s]
HALVINGS = 40


@dataclass(frozen=True)
class Begin:
    """A capture as it begins."""

    t: float  # [s]
    relative: RelativeState
    q: np.ndarray  # joints, wheels last

    def scaled(self, factor: float) -> "Begin":
        """With a target that turns so many times as fast."""
        return Begin(
            self.t, self.relative._replace(w_T=tuple(factor * x for x in self.relative.w_T)), self.q
        )


def begin_of(run: Run, params: Capture) -> Begin | None:
    """The relative motion as the capture of a run began, or was given up instead."""
    t, storage = run["obsw.storage"]
    aborts = [event.t_s for event in run.events if event.name == "abort"]
    row = int(np.searchsorted(t, aborts[0])) if aborts else len(t)
    row = min(row, int(np.argmax(storage > 0.0)) if (storage > 0.0).any() else row)
    if row >= len(t) - 1:
        return None
    p, q_CT = run["relative.p_CT"][1], run["relative.q_CT"][1]
    w_C = run["chaser.w_NC_C"][1][row]
    around = slice(max(row - 1, 0), row + 2)
    seen = np.gradient(p[around], t[around], axis=0)[row - around.start]  # in C, which turns
    joints = [run[name][1][row] for name in run if _is_joints(name)]
    q = np.zeros(len(params.belief.chaser.topology))
    arms = np.concatenate([np.atleast_1d(each) for each in joints])
    q[: len(arms)] = arms
    return Begin(
        float(t[row]),
        RelativeState(
            (_floats(q_CT[row]), _floats(p[row])),
            _floats(seen + np.cross(w_C, p[row])),
            _floats(w_C),
            _floats(run["target.w_NT_T"][1][row]),
        ),
        q,
    )


def forecast(params: Capture, begin: Begin) -> Forecast:
    """What on-board software foresees as it begins there."""
    trajectories = np.zeros(PATH_WIDTH), np.zeros(PATH_WIDTH)
    joints = begin.q, np.zeros_like(begin.q)
    scratch = scratch_for(params.belief.chaser)
    return Forecast(
        *foresee_from(
            params.belief, params.plan, begin.relative, joints, begin.t, trajectories, scratch
        )
    )


def tumble_margins(run: Run, scenario: Scenario) -> tuple[Standing, ...]:
    """How the bounds stand that keep a capture from beginning, and the fastest tumble about the
    target's axis that the base can follow; none where nothing captures."""
    capture = scenario.mission.obsw.capture
    if capture is None:
        return ()
    params = capture_of(scenario.believed, capture)
    begin = begin_of(run, params)
    if begin is None:
        return ()
    found = forecast(params, begin)
    rate = float(np.linalg.norm(begin.relative.w_T))
    clear = 1.0 - found.min_distance / max(found.passes, 1e-9)
    rows = [
        _upper_bound("force to follow the target", found.force, found.max_force, "N", found.when),
        _upper_bound("base synchronous", found.settles, found.in_time, "s", found.settles),
        Standing(
            WHERE, "distance from the target", found.passes, found.min_distance, "m", clear, begin.t
        ),
    ]
    if rate > 0.0:
        max_rate = greatest_rate(params, begin)
        rows.append(_upper_bound("tumble about this axis", rate, max_rate, "rad/s", begin.t))
    return tuple(rows)


def greatest_rate(params: Capture, begin: Begin) -> float:
    """At which the target may turn about its axis so that the base can still follow [rad/s]."""
    rate = float(np.linalg.norm(begin.relative.w_T))
    low, high = 0.0, FASTEST / rate
    for _ in range(HALVINGS):
        factor = 0.5 * (low + high)
        found = forecast(params, begin.scaled(factor))
        low, high = (factor, high) if found.force <= found.max_force else (low, factor)
    return low * rate


def not_begun(rows: tuple[Standing, ...]) -> str | None:
    """Why on-board software does not begin the capture, None if it does."""
    if not rows or all(row.margin >= 0.0 for row in rows[:3]):
        return None
    worst = next(i for i, row in enumerate(rows) if row.margin < 0.0)
    text = REASONS[(TOO_FAST, TOO_SLOW, HIDDEN)[worst]]
    reason = text.format(value=rows[worst].value, bound=rows[worst].bound)
    return f"on-board software does not begin the capture: {reason}"


def _upper_bound(name: str, value: float, bound: float, unit: str, t: float) -> Standing:
    return Standing(WHERE, name, value, bound, unit, 1.0 - value / bound, t)


def _is_joints(name: str) -> bool:
    head, _, last = name.rpartition(".")
    return head.startswith("chaser.arms.") and last == "q"


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(float(x) for x in values)
