"""Where a run goes beyond what its models are good for, before it and after."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from proxops.assembly.base_loops import unstable_base_control
from proxops.assembly.build import Built, build
from proxops.assembly.describe import describe
from proxops.assembly.flexible_limits import TIP, open_modes, tip_limits
from proxops.assembly.joint_loops import LIMIT_CYCLE, unstable_loops
from proxops.assembly.limits import coarse_steps, slow_contacts, spin_limits
from proxops.assembly.locked_joints import locked_joints
from proxops.assembly.robot import light_targets
from proxops.assembly.start_poses import distant_grapples, start_of, turned_grapples
from proxops.results.ledger import ENERGY_CLOSED
from proxops.results.run import Event, Run
from proxops.results.start_clearance import clearance_of
from proxops.scenario.load import Scenario
from proxops.scenario.problems import shown_path
from proxops.scenario.schema.base import Problem

OVERLAP = 0.02  # [m] of shapes at the start, more than pads are pressed in
DEEP = 1e-6  # [m] of overlap at the start beyond which a contact was not meant to just touch


def warnings(scenario: Scenario, run: Run, built: Built | None = None) -> list[Event]:
    """Where the run goes beyond what its models are good for, each kind where it first does;
    `built` is the scenario, where it was built already."""
    found = [Event(0.0, "warning", text) for text in foreseen(scenario, built)]
    found += [*_bent_beams(scenario, run), *_deep_starts(scenario, run)]
    for limit in spin_limits(scenario):
        first, largest = _beyond(run, limit.signal, _magnitude, limit.rate)
        if first is not None:
            text = f"{limit.signal} reaches {largest:.4g} rad/s; the beam {limit.beam}, first "
            text += f"mode at {limit.frequency:.4g} rad/s, is well described up to a tenth of that"
            found.append(Event(first, "warning", text))
    return found


def _beyond(
    run: Run, signal: str, size: Callable[[np.ndarray], np.ndarray], limit: float
) -> tuple[float | None, float]:
    """When the size of a signal is first beyond a limit [s], None if never, and the largest."""
    first, largest = None, 0.0
    for t, samples in run.blocks(signal):
        sizes = size(samples)
        largest = max(largest, float(sizes.max(initial=0.0)))
        if first is None and (sizes > limit).any():
            first = float(t[np.argmax(sizes > limit)])
    return first, largest


def _magnitude(samples: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(samples, axis=1))


def foreseen(scenario: Scenario, built: Built | None = None) -> list[str]:
    """Warnings that are known before the run; `built` likewise."""
    mission = scenario.mission
    problems = [*coarse_steps(scenario), *open_modes(scenario, ENERGY_CLOSED)]
    problems += [*light_targets(scenario), *locked_joints(scenario)]
    problems += [*unstable_base_control(scenario), *turned_grapples(scenario)]
    problems += distant_grapples(scenario)
    if mission.contacts or mission.holds or mission.obsw.joints or mission.obsw.capture:
        built = built or build(scenario)
        problems += [*slow_contacts(scenario, built), *unstable_loops(scenario, built)]
    if built is not None:
        problems += _overlap(scenario, built)
    return [f"{shown_path(path)}: {text}" for path, text in problems]


def _overlap(scenario: Scenario, built: Built) -> list[Problem]:
    """Spacecraft that begin inside each other."""
    gap = clearance_of(built, start_of(*describe(scenario)))
    if gap is None or gap >= -OVERLAP:
        return []
    text = f"shapes of both spacecraft overlap by {-gap:.3g} m at the start"
    return [(("chaser", "p_HC_m"), text)]


def limit_cycles(run: Run) -> list[str]:
    """Warnings of joints whose motors swing between their limits."""
    return [event.detail for event in run.warnings if LIMIT_CYCLE in event.detail]


def _bent_beams(scenario: Scenario, run: Run) -> list[Event]:
    """Beams whose tip goes further than linear bending describes."""
    found = []
    for limit in tip_limits(scenario):
        if limit.signal not in run:  # its appendages are real ones
            continue
        tips, length = limit.tips, limit.length
        first, largest = _beyond(run, limit.signal, partial(_tip, tips=tips, length=length), TIP)
        if first is not None:
            text = f"{limit.path}: its tip deflects by {largest:.3g} of its length, "
            text += f"{limit.length:g} m; linear bending describes it up to {TIP:g}"
            found.append(Event(first, "warning", text))
    return found


def _tip(q_f: np.ndarray, tips: np.ndarray, length: float) -> np.ndarray:
    """Deflection of a beam's tip over its length."""
    return np.asarray(np.linalg.norm(q_f @ tips.T, axis=1) / length)


def _deep_starts(scenario: Scenario, run: Run) -> list[Event]:
    """Contacts that start compressed: they give energy that nobody put in."""
    found, start = [], replace(run, rows=run.rows[:1])
    for name, contact in scenario.mission.contacts.items():
        touches = start[f"contacts.{name}.f_n"][1] > 0.0  # not where it is beside the face
        deepest = -start[f"contacts.{name}.gap"][1].min(initial=0.0, where=touches)
        if deepest > DEEP and not getattr(contact.normal, "bilateral", False):
            text = f"contacts.{name}: starts {1e3 * deepest:.4g} mm deep, as if pressed together"
            found.append(Event(0.0, "warning", text))
    return found
