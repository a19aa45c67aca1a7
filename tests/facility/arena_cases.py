"""Flights of the shipped vehicles along circles, without a mission."""

import math

import numpy as np
from scipy.spatial.transform import Rotation

from proxops.assembly.arena import arena_of, fence_of, load_arena, mapping_of
from proxops.facility.arena.lab import Drawn, arena_lab, flown
from proxops.facility.arena.vehicle import CYCLE, flight
from proxops.scenario.schema.arena import FlightArena, InArena

RADIUS, HEIGHT = 1.8, 3.0  # [m]
SETTLE, LEAD, PERIOD = 4.0, 6.0, 0.02  # [s]
CYCLES = round(PERIOD / CYCLE)


def stored(**changes) -> dict:
    """The shipped arena as provenance has it, with other values by dotted keys, __ for the dot."""
    found = load_arena("flight-arena").to_dict()
    for key, value in changes.items():
        *path, last = key.split("__")
        section = found["file"]
        for name in path:
            section = section[name]
        section[last] = value
    return found


def shipped(**changes) -> FlightArena:
    """The shipped arena with other values."""
    return FlightArena.model_validate(stored(**changes)["file"])


def circle(turn: float, turns: float = 3.0, roll_deg: float = 0.0):
    """Times [s], zero where the motion is steady, and targets (n, 2, 16): the chaser's vehicle goes
    round the origin, the target's hovers 5 m aside."""
    n = round((SETTLE + LEAD + turns * turn) / PERIOD)
    t, rate = PERIOD * np.arange(n) - SETTLE - LEAD, math.tau / turn
    x = np.clip((t + LEAD) / LEAD, 0.0, 1.0)
    before = t < 0.0
    angle = rate * np.where(before, LEAD * (x**6 - 3 * x**5 + 2.5 * x**4 - 0.5), t)
    speed = rate * np.where(before, 6 * x**5 - 15 * x**4 + 10 * x**3, 1.0)
    gain = rate / LEAD * np.where(before, 30 * x**2 * (1 - x) ** 2, 0.0)
    out = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * t])
    along = np.column_stack([-np.sin(angle), np.cos(angle), 0.0 * t])
    targets = np.zeros((n, 2, 16))
    targets[:, 0, :3] = [0.0, -5.0, HEIGHT]
    targets[:, 1, :3] = RADIUS * out + [0.0, 0.0, HEIGHT]
    targets[:, 1, 3:6] = RADIUS * speed[:, None] * along
    targets[:, 1, 6:9] = RADIUS * (gain[:, None] * along - speed[:, None] ** 2 * out)
    roll = Rotation.from_euler("x", roll_deg, degrees=True).as_quat(scalar_first=True)
    targets[:, 0, 9], targets[:, 1, 9:13] = 1.0, roll
    return t, targets


def fly(given: FlightArena, targets: np.ndarray, seed: int = 0, cycles: int = CYCLES):
    """Both states (n, 2, 19) at the instants of the targets, and the arena as it was left."""
    lab, drawn = arena_in_air(given, targets[0, :, :3], seed, cycles)
    lab.flight.y[:, 6:10] = lab.flight.estimate[:, 6:10] = targets[0, :, 9:13]
    return flown(lab, drawn, targets, cycles), lab


def arena_in_air(given: FlightArena, places: np.ndarray, seed: int = 0, cycles: int = CYCLES):
    """An arena whose vehicles hover at places (2, 3) [m], and its random numbers."""
    arena, drawn = arena_of(given), Drawn(seed, 4000 * cycles)
    state, mapping = flight(arena, places, np.zeros(2)), mapping_of(given, InArena())
    return arena_lab(arena, state, mapping, fence_of(given), drawn), drawn


def errors(states: np.ndarray, targets: np.ndarray, which: int = 1) -> np.ndarray:
    """Distance from the targets (n,) [m]."""
    return np.linalg.norm(states[:, which, :3] - targets[:, which, :3], axis=1)


def roll_and_pitch(states: np.ndarray, which: int = 1) -> np.ndarray:
    """(n, 2) [deg]."""
    turns = Rotation.from_quat(states[:, which, 6:10], scalar_first=True)
    return turns.as_euler("ZYX", degrees=True)[:, :0:-1]
