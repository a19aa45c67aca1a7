"""The sizes and paces at which an arena can show a mission, by dimensional analysis.

The Hill equations have one time, 1/n, and no length; mass does not enter while nothing touches.  So
with lengths times λ and τ times faster, what is known at λ = τ = 1 is known at all of them:

    lengths λ      wall, separation, bow             limits of λ alone
    T/τ, τ w       endurance, charge, yaw rate       limits of τ alone
    λ τ v, λ τ² a  speed, acceleration, thrusts      largest τ for each λ

Thrusts are T = T_hover + λ (τ² m B a + τ c B v), so each rotor's limit is a quadratic of τ.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from proxops.assembly.arena import fence_of
from proxops.assembly.arena_faults import AROUND_S, hover_power
from proxops.facility.arena.vehicle import CYCLE, GRAVITY, Arena
from proxops.facility.common.rows import PAIR
from proxops.feasibility.flight_path import FlightPath, Motion, bow_of, path_of
from proxops.scenario.schema.arena import FlightArena, InArena

SHOWN = 5  # how many sizes a table has
CYCLES = (8, 4, 2, 1)  # of the autopilots in a step of the plant


class Bound(NamedTuple):
    """The least or largest value of a scale, and what gives it."""

    value: float
    by: str


class PaceRange(NamedTuple):
    """Paces τ that do at one size λ."""

    length_scale: float
    slowest: Bound
    fastest: Bound

    @property
    def exists(self) -> bool:
        """Whether any pace does."""
        return self.slowest.value <= self.fastest.value


@dataclass(frozen=True)
class FlightScales:
    """The sizes and paces that fit."""

    smallest: Bound  # λ
    largest: Bound
    paces: tuple[PaceRange, ...]  # at sizes from the smallest to the largest
    step_s: float  # of the mission

    @property
    def suggested(self) -> PaceRange | None:
        """The largest size that any pace does at: errors are smallest there, seen from orbit."""
        return next((each for each in reversed(self.paces) if each.exists), None)

    @property
    def at_step(self) -> tuple[float, ...]:
        """Paces at the suggested size that the mission's own step does at."""
        best = self.suggested
        if best is None:
            return ()
        paces = [self.step_s / (n * CYCLE) for n in CYCLES]
        return tuple(
            float(f"{pace:.6g}")
            for pace in paces
            if best.slowest.value <= pace <= best.fastest.value
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain = asdict(self)
        plain["smallest"], plain["largest"] = self.smallest._asdict(), self.largest._asdict()
        plain["paces"] = [
            {
                "length_scale": each.length_scale,
                "slowest": each.slowest._asdict(),
                "fastest": each.fastest._asdict(),
                "exists": each.exists,
            }
            for each in self.paces
        ]
        return plain | {"paces_at_step": list(self.at_step)}


def scales_of(
    motions: dict[str, Motion],
    given: FlightArena,
    shown: InArena,
    made: Arena,
    seen: float,
    step: float,
) -> FlightScales:
    """Sizes and paces that fit a mission with that step [s]; a bow is seen where it is `seen` times
    the error."""
    unit = shown.model_copy(update={"length_scale": 1.0, "time_scale": 1.0})
    paths = {name: path_of(motion, given, unit) for name, motion in motions.items()}
    smallest = _smallest(paths, given, seen)
    largest = _largest(paths, given, unit)
    if smallest.value <= largest.value < math.inf:
        sizes = np.geomspace(smallest.value, largest.value, SHOWN).tolist()
        # three digits, towards the inside
        sizes = [_rounded(size, up=i == 0) for i, size in enumerate(sizes)]
    else:
        sizes = []
    lasts = float(motions["chaser"].t[-1])
    slowest = _slowest(lasts, given, made)
    paces = tuple(PaceRange(size, slowest, _fastest(size, paths, given, made)) for size in sizes)
    return FlightScales(smallest, largest, paces, step)


def _rounded(value: float, up: bool) -> float:
    """Three digits, upwards or downwards."""
    if value <= 0.0:
        return value
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    whole = math.ceil(value / unit - 1e-9) if up else math.floor(value / unit + 1e-9)
    return float(f"{whole * unit:.6g}")


def _smallest(paths: dict[str, FlightPath], given: FlightArena, seen: float) -> Bound:
    """λ below which vehicles come too close, or nothing is seen."""
    apart = paths["chaser"].p - paths["target"].p
    aside = float(np.linalg.norm(apart[:, :2], axis=1).min())
    bow = bow_of(apart)
    return max(
        Bound(_over(fence_of(given).apart, aside), "horizontal distance of centres"),
        Bound(_over(seen * given.limits.tracking_m, bow), "bow that is seen"),
    )


def _largest(paths: dict[str, FlightPath], given: FlightArena, unit: InArena) -> Bound:
    """λ beyond which a vehicle comes too near to a wall, from the origin that the mission has."""
    fence = fence_of(given)
    origin = np.array(unit.origin_m or given.origin_m)
    found = []
    for name, path in paths.items():
        off = path.p - origin
        for axis, label in enumerate("xyz"):
            up = _over(float(fence.highest[axis] - origin[axis]), float(off[:, axis].max()))
            low = _over(float(origin[axis] - fence.lowest[axis]), -float(off[:, axis].min()))
            found += [
                Bound(up, f"{name}'s vehicle, wall at +{label}"),
                Bound(low, f"{name}'s vehicle, wall at -{label}"),
            ]
    return min(found)


def _slowest(lasts: float, given: FlightArena, made: Arena) -> Bound:
    """τ below which the flight is longer than a battery lasts."""
    bounds = [Bound(_over(lasts, given.limits.endurance_s - AROUND_S), "endurance")]
    battery = made.battery
    if math.isfinite(battery.capacity):
        usable = (float(battery.charge.min()) - battery.reserve) * battery.capacity
        flies = usable / max(hover_power(made, which) for which in range(PAIR)) - AROUND_S
        bounds.append(Bound(_over(lasts, flies), "charge"))
    return max(bounds)


def _fastest(size: float, paths: dict[str, FlightPath], given: FlightArena, made: Arena) -> Bound:
    """τ beyond which a vehicle would be too fast, or a rotor at its limit."""
    limits, found = given.limits, []
    for which, (name, path) in enumerate(paths.items()):
        speed, gain = (float(np.linalg.norm(x, axis=1).max()) for x in (path.v, path.a))
        turn = float(np.degrees(np.abs(path.w[:, 2])).max())
        bounds = {
            "speed": _over(limits.speed_m_s, size * speed),
            "acceleration": math.sqrt(_over(limits.acceleration_m_s2, size * gain)),
            "yaw rate": _over(limits.yaw_rate_deg_s, turn),
            "thrust of a rotor": _thrust_bound(size, path, made, which),
        }
        found += [Bound(value, f"{name}'s vehicle, {what}") for what, value in bounds.items()]
    return min(found)


def _thrust_bound(size: float, path: FlightPath, made: Arena, which: int) -> float:
    """The largest τ up to which every rotor is within its limits; 0 where a hover is not.  Upright
    rotors lean: theirs carry the force along the thrust, whose horizontal part is left out."""
    craft, mass = made.vehicle, float(made.loads.mass[which])
    B = made.loads.allocation[which, :, :3].T

    def thrusts(force: np.ndarray) -> np.ndarray:
        if not craft.tilted:
            return np.asarray(force[:, 2:] @ B[2:])
        return np.asarray(np.einsum("nji,nj->ni", path.R, force) @ B)

    weight = np.array([[0.0, 0.0, mass * GRAVITY]]) - craft.drag * made.wind
    hover = thrusts(np.tile(weight, (len(path.p), 1)))
    square, slope = size * mass * thrusts(path.a), size * craft.drag * thrusts(path.v)
    return min(
        _first_root(-square, -slope, hover - craft.least),
        _first_root(square, slope, craft.largest - hover),
    )


def _first_root(square: np.ndarray, slope: np.ndarray, room: np.ndarray) -> float:
    """The least τ ≥ 0 of all at which square τ² + slope τ has used up its room."""
    if room.min() < 0.0:
        return 0.0
    inside = slope**2 + 4.0 * square * room
    with np.errstate(divide="ignore", invalid="ignore"):
        root = 2.0 * room / (slope + np.sqrt(np.maximum(inside, 0.0)))
    reached = (inside >= 0.0) & (root > 0.0) & np.isfinite(root)
    return float(root[reached].min()) if reached.any() else math.inf


def _over(limit: float, value: float) -> float:
    """limit/value, infinite where there is nothing to limit or a limit that nothing meets."""
    return limit / value if value > 0.0 else math.inf
