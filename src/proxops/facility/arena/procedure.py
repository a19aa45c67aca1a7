"""What both vehicles do around a run: take off, move to start, engage; stop, hold, return, land.

All of it is flown (facility.arena.legs), and every target goes through the guard.  A way to the
start that it would not let through is refused before anything flies; without a way back that it
lets through, vehicles land where they are.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from proxops.core.by_address import pinned
from proxops.core.errors import InputError
from proxops.core.interrupt import shield
from proxops.core.states import PASSED, FacilityState
from proxops.facility.arena.carry import CLOCK, land
from proxops.facility.arena.fence import Fence
from proxops.facility.arena.guard import ACTED, NOTHING, REASON, REASONS, check_targets
from proxops.facility.arena.guarded import (
    HOLD,
    first_refused,
    fly_guarded,
    raise_floor,
    stand,
    stand_in_air,
)
from proxops.facility.arena.lab import (
    ArenaLab,
    Drawn,
    carriers_of,
    flight_time,
    in_blocks,
    target_period,
)
from proxops.facility.arena.legs import (
    A,
    P,
    Q,
    W,
    changing,
    climbing,
    engaging,
    returning,
    time_to_change,
    turning,
)
from proxops.facility.arena.operator import HOLD as HELD
from proxops.facility.arena.operator import RETURN, Operator
from proxops.facility.arena.reasons import fallen, why_ended
from proxops.facility.arena.vehicle import CYCLE, GRAVITY, flight
from proxops.facility.common.guard import table as guarding

if TYPE_CHECKING:
    from proxops.facility.arena.link import ArenaLink

LONGEST_LANDING = 60.0  # [s]
LEVEL = 0.1  # what counts as level [deg]
AT_PLACE = 0.15  # how near a vehicle must be to where it was sent [m]
ASKED_EVERY = 25  # targets of a hold: half a second at 20 ms
SHORTEST_HOLD = 5.0  # after which both land where nothing else is commanded [s]
LONGEST_HOLD = 600.0  # [s]
BETWEEN = "tips of both vehicles"


def prepare(
    lab: ArenaLab, drawn: Drawn, link: "ArenaLink | None" = None
) -> tuple[FacilityState, ...]:
    """Flies both vehicles from the floor to the first commands, and leaves them in that motion;
    over a link they are audited and armed first."""
    goal, (start, takes_up) = lab.commands.copy(), _beginning(lab)
    places, yaws = _on_floor(start)
    for mine, new in zip(lab.flight, flight(lab.arena, places, yaws), strict=True):
        mine[...] = new
    lab.home[:] = lab.flight.targets
    lab.home[:, P] = start[:, P]
    given = pinned(lab)
    stand(given)
    way = np.concatenate([targets for _, targets in _legs(lab, start, takes_up)])
    if first_refused(given, way) < len(way):
        raise InputError(_cannot_begin(start, goal, why_ended(lab)))
    stand(given)
    armed = () if link is None else link.begin()
    stand(given)  # a vehicle that takes off by itself is in the air now
    legs = _legs(lab, start, takes_up)
    begins = -target_period(lab) * sum(len(targets) for _, targets in legs)
    lab.flight.clock[CLOCK] = begins
    states = [replace(state, start_s=begins) for state in armed]
    for name, targets in legs:
        states.append(_leg(lab, drawn, name, targets))
        raise_floor(given)
    if link is not None:
        link.raise_failure()
    return tuple(states)


def standing_places(lab: ArenaLab) -> tuple[np.ndarray, np.ndarray]:
    """Where on the floor both vehicles stand before the first commands (2, 3) [m], and with which
    yaws (2,) [rad]."""
    return _on_floor(_beginning(lab)[0])


def _beginning(lab: ArenaLab) -> tuple[np.ndarray, np.ndarray]:
    """Targets at rest (2, 16) and from there to the first commands (n, 2, 16)."""
    goal = lab.commands.copy()
    takes_up = engaging(goal, lab.fence, target_period(lab))
    start = takes_up[0].copy()
    _reject_leaning(lab, goal)
    found = _violation(lab.fence, (*takes_up, goal))
    if found != NOTHING:
        reason = REASONS[found].format(apart=lab.fence.apart, timeout=0.0)
        raise InputError(_cannot_begin(start, goal, reason))
    return start, takes_up


def _legs(lab: ArenaLab, start: np.ndarray, takes_up: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """Targets of all states from where both are to the first commands."""
    here, h = lab.flight.targets, target_period(lab)
    return [
        ("take off", climbing(here, start, h)),
        ("move to start", turning(here, start, h)),
        ("engage", takes_up),
    ]


def _on_floor(start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places and yaws below targets (2, 16)."""
    return start[:, P] * [1.0, 1.0, 0.0], 2.0 * np.arctan2(start[:, 12], start[:, 9])


def put_away(
    lab: ArenaLab,
    drawn: Drawn,
    link: "ArenaLink | None" = None,
    pressed: bool = False,
    operator: Operator | None = None,
    commanded: str | None = None,
    is_pressed: Callable[[], bool] = lambda: False,
) -> tuple[FacilityState, ...]:
    """Stops both vehicles, unless they land already, does what the operator has `commanded` and
    commands from here on, and lands them; at once if he has `pressed` the button, or presses it
    while they hold or return."""
    states = []
    if lab.ended[REASON] == NOTHING:
        running = carriers_of(lab).running
        if pressed or not running:
            states.append(_emergency_stop(lab, drawn) if pressed else _brake(lab, drawn, "stop"))
        else:
            last, h = lab.flight.targets.copy(), target_period(lab)
            last[:, A] = 0.0
            stopping = changing(last, time_to_change(last, lab.fence, h), (1.0, 0.0), h)
            states.append(_leg(lab, drawn, "stop", stopping))
            if lab.ended[REASON] == NOTHING and lab.ended[ACTED] != math.inf:
                states.append(_brake(lab, drawn, "stop"))
            states += _obey(lab, drawn, link, operator or Operator(), commanded, is_pressed)
            if is_pressed() and _is_free(lab):
                states.append(_emergency_stop(lab, drawn))
    begins, gap = flight_time(lab), _gap(lab, lab.flight.y[np.newaxis])
    if link is not None:
        link.land()
    cycles = _cycles(lab)
    longest = math.ceil(LONGEST_LANDING / target_period(lab))
    drawn.refill(min(longest * cycles, len(drawn.rows)))
    with shield():  # a link is called from inside, where nothing may be raised
        landed = land(pinned(lab), min(longest, len(drawn.rows) // cycles), cycles)
    lasts = flight_time(lab) - begins
    verdict = PASSED if landed else f"not on the floor after {lasts:.0f} s"
    verdict = fallen(lab) or verdict
    states.append(FacilityState("land", begins, lasts, gap, BETWEEN, verdict))
    if link is not None:
        link.raise_failure()
        states.append(link.end())
    return tuple(states)


def _obey(
    lab: ArenaLab,
    drawn: Drawn,
    link: "ArenaLink | None",
    operator: Operator,
    commanded: str | None,
    is_pressed: Callable[[], bool],
) -> list[FacilityState]:
    """Holds and returns as commanded, until the button is pressed."""
    states = []
    waits = commanded is None and operator.next_s < math.inf
    while _is_free(lab) and (commanded == HELD or waits) and not is_pressed():
        held, commanded = _hold(lab, drawn, link, operator, is_pressed)
        states.append(held)
        waits = False
    if _is_free(lab) and commanded == RETURN and not is_pressed():
        states.append(_return(lab, drawn, link, is_pressed))
    return states


def _is_free(lab: ArenaLab) -> bool:
    """Whether vehicles fly, and the guard lets targets through."""
    return bool(lab.ended[REASON] == NOTHING) and carriers_of(lab).running


def _at_rest(lab: ArenaLab) -> np.ndarray:
    """The last targets without their motion (2, 16)."""
    here = lab.commands.copy()
    here[:, 3:9] = 0.0  # velocity and acceleration
    here[:, W] = 0.0
    return here


def _hold(
    lab: ArenaLab,
    drawn: Drawn,
    link: "ArenaLink | None",
    operator: Operator,
    is_pressed: Callable[[], bool],
) -> tuple[FacilityState, str | None]:
    """Holds both until the operator commands something, or presses the button; what it is."""
    begins, gap, commanded, h = flight_time(lab), math.inf, None, target_period(lab)
    place = _at_rest(lab)
    while _is_free(lab) and commanded is None and not is_pressed():
        now = flight_time(lab)
        forever = operator.is_live or operator.next_s < math.inf
        if now - begins >= (LONGEST_HOLD if forever else SHORTEST_HOLD) - 0.5 * h:
            break
        count = operator.periods_left(now, h, ASKED_EVERY)
        states = in_blocks(fly_guarded, lab, drawn, np.tile(place, (count, 1, 1)), _cycles(lab))
        gap = min(gap, _gap(lab, states))
        if link is not None:
            link.raise_failure()
        commanded = operator.command(flight_time(lab))
    lasts = flight_time(lab) - begins
    verdict = why_ended(lab) or PASSED
    return FacilityState("hold", begins, lasts, gap, BETWEEN, verdict), commanded


def _return(
    lab: ArenaLab, drawn: Drawn, link: "ArenaLink | None", is_pressed: Callable[[], bool]
) -> FacilityState:
    """Flies both to above where they took off, by the first way that the guard lets through."""
    given, here, why = pinned(lab), _at_rest(lab), ""
    held = np.tile(here, (ASKED_EVERY, 1, 1))
    begins, gap = flight_time(lab), _gap(lab, lab.flight.y[np.newaxis])
    for targets in returning(here, lab.home, lab.fence.apart, target_period(lab)):
        if why:  # a link is not kept waiting while ways are tried
            in_blocks(fly_guarded, lab, drawn, held, _cycles(lab))
            if link is not None:
                link.raise_failure()
            if not _is_free(lab) or is_pressed():  # what has ended the flight stays
                why = why_ended(lab) or "the operator has pressed the button"
                break
        stand_in_air(given)
        refused = first_refused(given, targets)
        why = why or why_ended(lab)
        lab.commands[:] = here
        stand_in_air(given)
        if refused == len(targets):
            return _leg(lab, drawn, "return", targets, is_pressed)
    lasts = flight_time(lab) - begins
    return FacilityState("return", begins, lasts, gap, BETWEEN, f"landed where they are: {why}")


def _cycles(lab: ArenaLab) -> int:
    """Of the autopilots, between targets."""
    return round(target_period(lab) / CYCLE)


def _leg(
    lab: ArenaLab,
    drawn: Drawn,
    name: str,
    targets: np.ndarray,
    is_pressed: Callable[[], bool] = lambda: False,
) -> FacilityState:
    """Flies the targets of a state (n, 2, 16), until the button is pressed."""
    begins, gap, states = flight_time(lab), math.inf, lab.flight.y[np.newaxis]
    flies, verdict = lab.arena.flies == 1, ""
    for first in range(0, len(targets), ASKED_EVERY):
        if is_pressed():
            verdict = "broken off by the operator"
            break
        part = targets[first : first + ASKED_EVERY]
        states = in_blocks(fly_guarded, lab, drawn, part, _cycles(lab))
        gap = min(gap, _gap(lab, states))
    off = float(np.linalg.norm(states[-1, flies, :3] - targets[-1, flies, P], axis=1).max())
    reached = PASSED if off <= AT_PLACE else f"{off:.2f} m from where it should be"
    lasts = flight_time(lab) - begins
    return FacilityState(name, begins, lasts, gap, BETWEEN, why_ended(lab) or verdict or reached)


def _emergency_stop(lab: ArenaLab, drawn: Drawn) -> FacilityState:
    """The button is pressed."""
    lab.given.cues[guarding.EMERGENCY] = 1.0
    return _brake(lab, drawn, "emergency stop")


def _brake(lab: ArenaLab, drawn: Drawn, name: str) -> FacilityState:
    """Flies the guard's stop and holds both, until they begin to land."""
    h, longest = lab.guard.settings[guarding.PERIOD], lab.guard.settings[guarding.MAX_CYCLES]
    most = math.ceil(HOLD / h) + int(longest) + 2
    begins, gap, states = flight_time(lab), math.inf, None
    for _ in range(most):
        states = in_blocks(fly_guarded, lab, drawn, lab.commands[np.newaxis].copy(), _cycles(lab))
        gap = min(gap, _gap(lab, states))
        if lab.ended[REASON] != NOTHING:
            break
    lasts = flight_time(lab) - begins
    return FacilityState(name, begins, lasts, gap, BETWEEN, why_ended(lab))


def _gap(lab: ArenaLab, states: np.ndarray) -> float:
    """Least gap between tips [m]."""
    apart = np.linalg.norm(states[:, 0, :3] - states[:, 1, :3], axis=1)
    return float(apart.min()) - lab.fence.tips


def _violation(fence: Fence, targets: Iterable[np.ndarray]) -> int:
    """What the first of pairs of targets breaks that breaks anything."""
    return next((found for each in targets if (found := check_targets(fence, each))), NOTHING)


def _cannot_begin(start: np.ndarray, goal: np.ndarray, reason: str) -> str:
    places = [", ".join(f"{x:.2f}" for x in each[P]) for each in (*start, *goal)]
    return (
        "arena: choose another length_scale, up, or start of the mission: on the way from "
        f"[{places[0]}], [{places[1]}] m, where the vehicles take up its speed, to its start at "
        f"[{places[2]}], [{places[3]}] m {reason}"
    )


def _reject_leaning(lab: ArenaLab, goal: np.ndarray) -> None:
    """Refuses a mission that begins with an attitude in which a vehicle does not hover."""
    craft, loads = lab.arena.vehicle, lab.arena.loads
    for which, name in enumerate(("target", "chaser")):
        row = goal[which]
        w, x, y, z = row[Q]
        up = np.array([2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)])
        lean = math.degrees(math.acos(max(-1.0, min(1.0, up[2]))))
        thrusts = loads.allocation[which, :, :3] @ (loads.mass[which] * GRAVITY * up)
        hovers = craft.tilted and thrusts.min() >= craft.least and thrusts.max() <= craft.largest
        if lean > LEVEL and not hovers:
            raise InputError(
                f"{name}: begin with the axes of the Hill frame, or tilt the rotors more "
                f"(vehicle.alpha_deg): the mission leans the vehicle by {lean:.1f} deg, where a "
                f"hover takes {thrusts.min():.2f} to {thrusts.max():.2f} N of its rotors, possible "
                f"are {craft.least:g} to {craft.largest:g} N"
                + ("" if craft.tilted else "; upright ones cannot choose how they lean")
            )
