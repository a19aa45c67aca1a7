"""From recorded rows to verdicts: ledger, requirements, outcome."""

import math
import platform
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from proxops.assembly.build import build
from proxops.assembly.flexible_limits import TIP, open_modes, tip_limits
from proxops.assembly.joint_loops import LIMIT_CYCLE, unstable_loops
from proxops.assembly.limits import coarse_steps, slow_contacts, spin_limits
from proxops.assembly.robot import light_targets
from proxops.core.errors import InputError
from proxops.core.text import nearest
from proxops.core.units import UNITS
from proxops.results.run import COLLIDES, Event, Ledger, Phase, Requirement, Run, Signal
from proxops.scenario.fault_injection import told_faults
from proxops.scenario.load import Scenario
from proxops.scenario.problems import shown_path
from proxops.scenario.schema import Requirement as Demand
from proxops.scenario.schema.requirement import event_problems

MOMENTUM_CLOSED = 1e-9  # of the largest Σ m|v|, at their lever arms, and of all impulses
ENERGY_CLOSED = 1e-6  # of the largest kinetic energy plus absolute work
# Every step rounds where a force acts by 1e-16 of its distance from the origin, a displacement that
# no work knows of.  In 1e7 steps that adds up to 1e-12 |p||f| at most as a random walk: the energy
# balance is not judged more sharply, ENERGY_CLOSED of this share of |p||f|.
UNSEEN = 1e-6
DEEP = 1e-6  # [m] of overlap at the start beyond which a contact was not meant to just touch
ROUNDING = 2.2e-16  # of a balance, that one step can leave
OPEN_LEDGER = "The ledger is open, so nothing else of this run counts.  "
TOO_LONG = (
    "Most often a step_s is too long for the gains, stops or friction acting: try half of it, or "
    "substeps."
)
TOO_MANY = (
    "Rounding alone may leave this much after so many steps, and shorter ones make it worse: try a "
    "longer step_s, or a shorter run."
)
NO_STEP = (
    "Rigid bodies keep their momentum whatever the step, so no step_s closes it: please report "
    "this run as a defect of proxops."
)
SOURCES_OF_WORK = (
    "tide",
    "applied",
    "motors",
    "friction",
    "stops",
    "springs",
    "dampers",
    "contact_springs",
    "contact_dampers",
    "contact_friction",
    "holds",
)


def judge(
    scenario: Scenario,
    table: tuple[Signal, ...],
    rows: np.ndarray,
    events: tuple[Event, ...] | None = (),
) -> Run:
    """The run with its verdicts, from its rows and the events seen on the way; None where those are
    lost, as of a recording that was cut: then nothing that counts them is decided."""
    time = scenario.mission.time
    complete = len(rows) == 1 + time.duration_ns // time.record_ns
    end = float(rows[-1, 0]) if len(rows) else 0.0
    bare = Run(
        scenario.name, provenance(scenario), table, rows, events or (), _phases(scenario, end), (),
        Ledger(np.inf, np.inf, np.inf, False), "invalid",
    )  # fmt: skip
    starts = [Event(phase.start_s, "phase", f"{phase.name} begins") for phase in bare.phases]
    struck = [Event(t, "fault-injected", text) for t, text in told_faults(scenario.mission)]
    starts += [event for event in struck if event.t_s <= end]
    told = sorted((*starts, *warnings(scenario, bare), *bare.events), key=lambda event: event.t_s)
    run = replace(bare, events=tuple(told), ledger=audit(bare))
    requirements = tuple(
        measure(run, name, demand, complete)
        if demand.signal is not None or events is not None
        else _not_reached(name, demand)
        for name, demand in scenario.mission.requirements.items()
    )
    happened = {event.name for event in told}
    if (judged(run) and not run.ledger.closed) or "fault" in happened:
        outcome = "invalid"
    elif "interrupted" in happened:
        outcome = "interrupted"
    elif "stopped" in happened:
        outcome = "stopped"
    elif not complete or events is None:
        outcome = "cut-short"
    else:
        outcome = "passed" if all(item.passed for item in requirements) else "failed"
        outcome = "failed" if collided(run) else outcome
    return replace(run, requirements=requirements, outcome=outcome)


def collided(run: Run) -> Event | None:
    """The first collision of a run that collisions are to fail."""
    if _provided(run, "collisions") == "report":
        return None
    return next((event for event in run.events if event.name == COLLIDES), None)


def warnings(scenario: Scenario, run: Run) -> list[Event]:
    """Where the run goes beyond what its models are good for, each kind where it first does."""
    found = [Event(0.0, "warning", text) for text in foreseen(scenario)]
    found += [*_bent_beams(scenario, run), *_deep_starts(scenario, run)]
    for limit in spin_limits(scenario):
        t, samples = run[limit.signal]
        rates = np.linalg.norm(samples, axis=1)
        beyond = np.flatnonzero(rates > limit.rate)
        if len(beyond):
            text = f"{limit.signal} reaches {rates.max():.4g} rad/s; the beam {limit.beam}, first "
            text += f"mode at {limit.frequency:.4g} rad/s, is well described up to a tenth of that"
            found.append(Event(float(t[beyond[0]]), "warning", text))
    return found


def foreseen(scenario: Scenario) -> list[str]:
    """Warnings that are known before the run."""
    mission = scenario.mission
    faults = [*coarse_steps(scenario), *open_modes(scenario, ENERGY_CLOSED)]
    faults += light_targets(scenario)
    if mission.contacts or mission.holds or mission.obsw.joints or mission.obsw.capture:
        built = build(scenario)
        faults += [*slow_contacts(scenario, built), *unstable_loops(scenario, built)]
    return [f"{shown_path(path)}: {text}" for path, text in faults]


def limit_cycles(run: Run) -> list[str]:
    """Warnings of joints whose motors swing between their limits."""
    return [event.detail for event in run.warnings if LIMIT_CYCLE in event.detail]


def _bent_beams(scenario: Scenario, run: Run) -> list[Event]:
    """Beams whose tip goes further than linear bending describes."""
    found = []
    for limit in tip_limits(scenario):
        if limit.signal not in run:  # its appendages are real ones
            continue
        t, q_f = run[limit.signal]
        tip = np.linalg.norm(q_f @ limit.tips.T, axis=1) / limit.length
        beyond = np.flatnonzero(tip > TIP)
        if len(beyond):
            text = f"{limit.path}: its tip deflects by {tip.max():.3g} of its length, "
            text += f"{limit.length:g} m; linear bending describes it up to {TIP:g}"
            found.append(Event(float(t[beyond[0]]), "warning", text))
    return found


def _deep_starts(scenario: Scenario, run: Run) -> list[Event]:
    """Contacts that start compressed: they give energy that nobody put in."""
    found = []
    for name, contact in scenario.mission.contacts.items():
        touches = run[f"contacts.{name}.f_n"][1][:1] > 0.0  # not where it is beside the face
        deepest = -run[f"contacts.{name}.gap"][1][:1].min(initial=0.0, where=touches)
        if deepest > DEEP and not getattr(contact.normal, "bilateral", False):
            text = f"contacts.{name}: starts {1e3 * deepest:.4g} mm deep, as if pressed together"
            found.append(Event(0.0, "warning", text))
    return found


def provenance(scenario: Scenario) -> dict[str, Any]:
    """What it takes to make the same bits again."""
    case = {"dispersed": scenario.case.seed} if scenario.case else {}
    return {
        "scenario": scenario.to_dict(),
        "seed": scenario.mission.seed,
        **case,
        "versions": {
            "proxops": version("proxops"),
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "numba": version("numba"),
            "machine": platform.machine(),
        },
    }


def judged(run: Run) -> bool:
    """Whether its rows tell anything about its ledger: changes are from the first one on."""
    return len(run.rows) > 1


def advice(run: Run) -> str:
    """What to do about a run that is invalid: about a limit cycle first, then about a ledger that
    is open, where no fault has told its own reason; empty where there is nothing to say."""
    ended = any(event.name == "fault" for event in run.events)
    first = limit_cycles(run)[:1] if run.outcome == "invalid" else []
    rest = [] if ended or run.ledger.closed or not judged(run) else [OPEN_LEDGER + _cure(run)]
    return "  ".join([*(f"Look here first: {text}." for text in first), *rest])


def _cure(run: Run) -> str:
    """What may close the ledger of a run: a shorter step only where that can help."""
    momentum, _, _ = found = balances(run.ledger)
    rounded = ROUNDING * _steps(run)
    if all(each.closed or each.residual <= rounded for each in found):
        return TOO_MANY
    moves_within = any(
        part in signal.name for signal in run.table for part in (".arms.", ".wheels.", ".append")
    )
    return TOO_LONG if momentum.closed or moves_within else NO_STEP


def _steps(run: Run) -> float:
    """How many steps a run took, about; none where its provenance does not say."""
    phases = _provided(run, "time", "phases")
    steps = [
        _number(phase.get("step_s")) / max(1.0, _number(phase.get("substeps")))
        for phase in (phases.values() if isinstance(phases, Mapping) else ())
        if isinstance(phase, Mapping)
    ]
    shortest = min((step for step in steps if step > 0.0), default=math.inf)
    return float(run.rows[-1, 0]) / shortest


def _provided(run: Run, *keys: str) -> object:
    """What the mission of a run has there, by its provenance, which may be a damaged one."""
    found: object = run.provenance
    for key in ("scenario", "mission", *keys):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def audit(run: Run) -> Ledger:
    """How well the sources explain momentum, angular momentum and energy, at every row; not closed
    where there are too few of them to judge."""
    if not judged(run):
        return Ledger(0.0, 0.0, 0.0, False)
    momentum, angular, energy = (float(each.max()) for each in residuals(run))
    closed = momentum <= MOMENTUM_CLOSED and angular <= MOMENTUM_CLOSED and energy <= ENERGY_CLOSED
    return Ledger(momentum, angular, energy, bool(closed))


def residuals(run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the sources leave unexplained of momentum, angular momentum and energy at every row (n,)
    [-]: |change - sum of sources| over the largest sum of magnitudes.

    Magnitudes are those of what moves and of all that acted, at their distances from the origin:
    forces that cancel, and bodies that fly through the origin, leave the rounding of their size.
    """
    momentum = _unexplained(run, "momentum", "impulse")
    angular = _unexplained(run, "angular_momentum", "angular_impulse")
    energy = run["ledger.kinetic_energy"][1]
    works = np.array([run[f"ledger.work_{source}"][1] for source in SOURCES_OF_WORK])
    missing = np.abs(energy - energy[0] - works.sum(axis=0))
    scale = float((energy + np.abs(works).sum(axis=0)).max())
    t, acted = run["ledger.sum_angular_impulse"]
    moments = np.diff(acted) / np.diff(t)  # Σ |p||f|, mean from row to row [N m]
    return momentum, angular, _relative(missing, max(scale, UNSEEN * float(moments.max())))


def _unexplained(run: Run, kept: str, given: str) -> np.ndarray:
    """|change - sum of sources| over the largest sum of magnitudes, of what moves and of what
    acted."""
    value = run[f"ledger.{kept}"][1]
    missing = np.linalg.norm(value - value[0] - run[f"ledger.{given}"][1], axis=1)
    scale = run[f"ledger.sum_{kept}"][1] + run[f"ledger.sum_{given}"][1]
    return _relative(missing, float(scale.max()))


def _relative(missing: np.ndarray, scale: float) -> np.ndarray:
    return missing / scale if scale > 0.0 else missing


class Balance(NamedTuple):
    """One balance of a ledger."""

    name: str
    residual: float
    limit: float

    @property
    def closed(self) -> bool:
        return self.residual <= self.limit


def balances(ledger: Ledger) -> tuple[Balance, ...]:
    """The balances of a ledger with the residual that each may leave."""
    return (
        Balance("momentum", ledger.momentum_residual, MOMENTUM_CLOSED),
        Balance("angular momentum", ledger.angular_momentum_residual, MOMENTUM_CLOSED),
        Balance("energy", ledger.energy_residual, ENERGY_CLOSED),
    )


def check_demands(scenario: Scenario, table: tuple[Signal, ...]) -> None:
    """Refuses requirements on signals, components, units or events that this scenario does not
    have."""
    faults = []
    known = {signal.name: signal for signal in table}
    for name, demand in scenario.mission.requirements.items():
        where = f"requirements.{name}"
        unknown = event_problems(demand, scenario.mission.obsw.controller)
        faults += [f"{where}.{shown_path(path)}: {text}" for path, text in unknown]
        if demand.signal is None:
            fits = "1" if demand.measure == "count" else "s"
            if demand.unit != fits:
                text = f"{demand.unit!r} does not fit a {demand.measure}; possible: {fits}"
                faults.append(f"{where}.unit: {text}")
            continue
        signal = known.get(demand.signal)
        if signal is None:
            faults.append(
                f"{where}.signal: unknown {demand.signal!r}{nearest(demand.signal, known)}"
            )
            continue
        if demand.component is not None and demand.component >= signal.width:
            faults.append(
                f"{where}.component: {demand.component}, but {signal.name} has {signal.width}"
            )
            continue
        units = signal.unit.split(",")  # one for all components, or one for each
        if len(units) > 1 and demand.component is None:
            faults.append(f"{where}.component: needed, since {signal.name} has [{signal.unit}]")
            continue
        own = units[demand.component or 0] if len(units) > 1 else signal.unit
        if demand.unit not in UNITS or UNITS[demand.unit][0] != own:
            possible = [unit for unit, (si, _) in UNITS.items() if si == own]
            faults.append(
                f"{where}.unit: {demand.unit!r} does not fit {signal.name} [{own}]; "
                f"possible: {', '.join(possible) or own}"
            )
        if demand.measure in ("max", "min", "final") and demand.component is None and signal.shape:
            faults.append(
                f"{where}.measure: {demand.measure!r} needs a component, since {signal.name} "
                f"has {signal.width}; or use {demand.measure}-norm"
            )
    if faults:
        raise InputError(f"{scenario.name}:\n  " + "\n  ".join(faults))


def measure(run: Run, name: str, demand: Demand, complete: bool) -> Requirement:
    """A requirement's value and verdict.  In a run that ended early, a window that was not seen
    whole can still fail, but not pass."""
    t = run.rows[:, 0]
    start = _edge(run, demand.from_s, demand.from_event, -np.inf)
    stop = _edge(run, demand.to_s, demand.to_event, np.inf)
    if start is None or stop is None:
        return _not_reached(name, demand)
    when = (t >= start - 1e-9) & (t <= stop + 1e-9)
    seen_whole = complete or (bool(len(t)) and t[-1] >= stop)
    if not when.any() or (demand.measure.startswith("final") and not seen_whole):
        return _not_reached(name, demand)
    if demand.signal is None:
        happened = [event for event in run.events if event.name == demand.event]
        times = [event.t_s for event in happened if start <= event.t_s <= stop]
        if demand.measure == "time" and not times:
            return _not_reached(name, demand)
        value = times[0] if demand.measure == "time" else float(len(times))
    else:
        value = _value(run, demand.signal, demand, when) / UNITS[demand.unit][1]
    margin = demand.limit - value if demand.comparison == "<=" else value - demand.limit
    status = "failed" if not margin >= 0.0 else "passed" if seen_whole else "not-reached"
    return Requirement(name, value, demand.comparison, demand.limit, demand.unit, margin, status)


def _edge(run: Run, time: float | None, kind: str | None, default: float) -> float | None:
    """When a window starts or ends [s]; None for an event that did not happen."""
    if kind is None:
        return default if time is None else time
    return next((event.t_s for event in run.events if event.name == kind), None)


def _not_reached(name: str, demand: Demand) -> Requirement:
    return Requirement(
        name, None, demand.comparison, demand.limit, demand.unit, None, "not-reached"
    )


def _value(run: Run, signal: str, demand: Demand, when: np.ndarray) -> float:
    """What is measured of a signal in some rows, in its own unit.  Where peaks since the row before
    are recorded, the greatest magnitude is theirs, but for the first row: what peaked before it may
    have been outside the window."""
    values = run[signal][1].reshape(len(when), -1)[when]
    found = _reduce(demand.measure, _component(values, demand))
    if f"{signal}_peak" not in run:
        return found
    peaks = run[f"{signal}_peak"][1].reshape(len(when), -1)[when][1:]
    of_peaks = "max-abs" if peaks.shape[1] == values.shape[1] else "max-norm"
    if demand.measure != of_peaks:
        return found
    return max(found, float(_component(peaks, demand).max(initial=0.0)))


def _component(values: np.ndarray, demand: Demand) -> np.ndarray:
    return values if demand.component is None else values[:, [demand.component]]


def _reduce(kind: str, values: np.ndarray) -> float:
    if kind in ("highest", "lowest"):
        return float(values.max() if kind == "highest" else values.min())
    over_time, _, of = kind.partition("-")
    series = np.linalg.norm(values, axis=1) if of == "norm" else np.abs(values).max(axis=1)
    if not of:
        series = values[:, 0]
    if over_time == "final":
        return float(series[-1])
    return float(series.max() if over_time == "max" else series.min())


def _phases(scenario: Scenario, end: float) -> tuple[Phase, ...]:
    phases: list[Phase] = []
    start = 0.0
    for name, phase in scenario.mission.time.phases.items():
        if phases and start >= end:
            break
        phases.append(Phase(name, start, min(phase.until_s, end)))
        start = phase.until_s
    return tuple(phases)
