"""Orbital motion flown by fully-actuated multirotors (GRVC, University of Seville)."""

import math
from functools import cache

import numpy as np

from proxops.assembly.arena import ArenaFile, geometry_of, load_arena, tilt_limit
from proxops.physics.multirotor.mixer import mixer, rank
from proxops.physics.orbit.attractors import EARTH
from proxops.rehearsal.arena import InArena
from proxops.results.run import Run
from proxops.scenario.load import load
from proxops.validation.table import Result

FACILITY = "flight-arena"
CIRCLE, APPROACH = "arena-circle", "arena-approach"
START = (4.3743, 2.4216, 1.0178)  # [m] in H
# As printed, in inertial axes: target, its velocity; the chaser's unit is a misprint for km
R0 = np.array([1622.341, 5310.122, 3750.451]) * 1e3  # [m]
CHASER = np.array([1622.340, 5310.125, 3750.455]) * 1e3
V0 = np.array([-7.29936, 0.492329, 2.48304]) * 1e3  # [m/s]
INFERRED_ALPHA = 20.0  # [deg]


def results() -> dict[str, Result]:
    """Ours for every published number."""
    craft = arena().file.vehicle
    tips, circle, approach = craft.tips_m, flown(CIRCLE), flown(APPROACH)
    apart = np.linalg.norm(approach["lab.p_LTl"][1][-1] - approach["lab.p_LCl"][1][-1])
    leaning = craft.model_copy(update={"alpha_deg": INFERRED_ALPHA})
    return {
        "start-distance": Result(float(np.linalg.norm(START)), "arithmetic of the stated vector"),
        "mean-motion": Result(
            math.sqrt(EARTH.mu / float(np.linalg.norm(R0)) ** 3), "a circle of radius |R0|"
        ),
        "start-y": Result(
            start_y(), "along z × x of the Hill frame; 2.4216 only with y along V, which e tilts"
        ),
        "mixer-rank": Result(float(rank(mixer(geometry_of(craft)))), "tilted by 25 deg"),
        "circle-error": Result(largest_error(circle), "flown through autopilot and estimator"),
        "circle-tilt": Result(tilt_spread(circle), "the same flight"),
        "approach-error": Result(largest_error(approach), "600 s of orbit at 5:1, both vehicles"),
        "approach-end": Result(float(apart) - tips, f"between centres less {tips:.2f} m"),
        "tilt-range": Result(math.degrees(tilt_limit(leaning)), "where a rotor is at its limit"),
    }


def arena() -> ArenaFile:
    """The shipped arena."""
    found = load_arena(FACILITY)
    assert found is not None, FACILITY
    return found


@cache
def flown(mission: str) -> Run:
    """A shipped mission as it is flown in the arena."""
    return InArena(load(mission), arena()).simulation.run()


def start_y() -> float:
    """y in H of the printed inertial vectors [m]."""
    z = np.cross(R0, V0)
    y = np.cross(z, R0)
    return float((CHASER - R0) @ y / np.linalg.norm(y))


def largest_error(run: Run) -> float:
    """Of the chaser's vehicle against its reference [m]."""
    return float(run["lab.vehicles.chaser.error"][1].max())


def tilt_spread(run: Run) -> float:
    """Largest standard deviation of roll and pitch of the chaser's vehicle [deg]."""
    angles = run["lab.vehicles.chaser.rpy"][1][:, :2]
    return math.degrees(float(angles.std(axis=0).max()))
