"""The states of a facility around a run, each command of them through the guard of the run.

    park ─► move to start ─► tare ─► engage ─► run ─► stop ─► retreat ─► park

The start of the run-up is reached from a posture in which the mock-ups are apart, and the run's end
is left through one; force sensors are tared there.  On the way between that posture and park what
is meant to touch the target's mock-up keeps clear of it too, which the guard of the run does not
ask for; between that posture and the run it comes no closer than it is at the run's end of it.
"""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from proxops.core.errors import InputError, StoppedError
from proxops.core.states import PASSED, FacilityState
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import GuardDescription, Pair, build, in_motion
from proxops.facility.common.guard.sentences import pair_name, sentence
from proxops.facility.common.guard.table import Memory
from proxops.facility.robot_cell.cell import Cell
from proxops.facility.robot_cell.fence import NAMES, PARTS
from proxops.facility.robot_cell.guarded import ARM_FRAMES
from proxops.facility.robot_cell.industrial.forward import FRAMES
from proxops.facility.robot_cell.procedure.drive import Driven, Site, drive, least_along, site_of
from proxops.facility.robot_cell.procedure.parting import overlaps_along, slacks_along
from proxops.facility.robot_cell.procedure.profile import Pace, cycles_in, run_up, stand, travel
from proxops.facility.robot_cell.procedure.route import Closest, closest, find_route
from proxops.facility.robot_cell.procedure.withdraw import drawn_back
from proxops.facility.robot_cell.servo import Servo

PARKED = 0.5  # time in park before anything moves [s]
SETTLED = 20.0  # decay times after which a servo follows steadily, to 4e-8
NEVER = -1
ROUNDING = 1e-6  # cycles
CLOSER = 1e-9  # that two shapes may come for rounding [m]
BY_HAND = "by hand: "


@dataclass(frozen=True)
class Setting:
    """What the states are planned for."""

    cell: Cell
    guarded: GuardDescription
    arm: np.ndarray  # joints it is held at (1, joints) [rad or m]
    park: np.ndarray  # both robots (12,) [rad]
    speed: float  # share of the limits of speed, acceleration and jerk
    tare: float  # [s]
    settle: float  # time in which the servos come to follow steadily [s]
    emergency: float  # when somebody presses the button, before the run if negative [s]

    @property
    def pace(self) -> Pace:
        """What axes do in these states."""
        axes, period = self.cell.guard.axes, float(self.cell.guard.settings[of.PERIOD])
        share = self.speed * self.cell.rules.override
        speed, acceleration, jerk = axes[:, of.SPEED], axes[:, of.ACCELERATION], axes[:, of.JERK]
        return Pace(share * speed, self.speed * acceleration, self.speed * jerk, period)

    def apart(self) -> "Setting":
        """The same, with all of arm and rods to be kept clear of the target's mock-up: these pairs
        come last."""
        target, pairs = f"{PARTS[-1]} of {NAMES[0]}", self.guarded.pairs
        there = {pair.first for pair in pairs if pair.second == target}
        least = {pair.first: pair.least for pair in pairs}
        chasers = [shape.name for shape in self.guarded.shapes if shape.frame >= FRAMES]
        more = tuple(Pair(name, target, least[name]) for name in chasers if name not in there)
        guarded = replace(self.guarded, pairs=(*pairs, *more))
        return replace(self, guarded=guarded, cell=self.cell._replace(guard=build(guarded)))


def settling(servo: Servo, step: float) -> float:
    """Time in which axes come to follow a steady motion [s]: delay, and the decay of the slower
    root of the lag."""
    if servo.corner == 0.0:
        return servo.delay * step
    damping = servo.damping
    slow = damping - math.sqrt(damping * damping - 1.0) if damping > 1.0 else damping
    return servo.delay * step + SETTLED / (slow * servo.corner)


def prepare(setting: Setting, q: np.ndarray, qd: np.ndarray) -> tuple[FacilityState, ...]:
    """Park, move to start, tare and engage, for a run that begins at q [rad] with qd [rad/s].

    Refused is a start from which there is no stop, a way that is nowhere clear, and a run-up that
    the guard does not let through; an emergency stop before the run ends in one too.
    """
    _reject_unstoppable(setting, q, qd)
    pace = setting.pace
    up = run_up(q, qd, pace, setting.settle)
    ready = up[0]
    back, *route = _route(setting, ready, setting.park)
    parts = {
        "park": stand(setting.park, cycles_in(PARKED, pace.period)),
        "move to start": _along((*route[::-1], back), pace),
        "tare": stand(back, cycles_in(setting.tare, pace.period)),
        "engage": up[1:] if back is ready else np.vstack([travel(back, ready, pace), up[1:]]),
    }
    begins = -pace.period * sum(map(len, parts.values()))
    pressed = setting.emergency if setting.emergency < 0.0 else math.inf
    site, states = site_of(setting.cell, q=setting.park), []
    for name, commands in parts.items():
        if not len(commands):
            continue
        press = cycle_of_press(pressed, begins, pace.period)
        state = _driven(setting, site, (name, begins), commands, press)
        if state.verdict != PASSED:
            _reject(site, state)
        states.append(state)
        begins += state.lasts_s
    return tuple(states)


def put_away(
    setting: Setting, memory: Memory, ends: float, bound: tuple[str, ...] = ()
) -> tuple[FacilityState, ...]:
    """Stop and retreat, from what the guard has sent last; the run ended at that time [s];
    `bound` says what still joins the mock-ups.  What is not possible is said in the verdict:
    somebody has to see to it by hand."""
    period = setting.pace.period
    pressed = setting.emergency if setting.emergency > ends else math.inf
    kept = Memory(*(array.copy() for array in memory))
    site, states = site_of(setting.cell, kept), []
    if kept.status[of.MODE] != of.STOPPED:
        states.append(_stopped(setting, site, ends, cycle_of_press(pressed, ends, period)))
        ends += states[0].lasts_s
        if states[0].verdict != PASSED:
            pressed = math.inf  # and let go of, since both robots stand
    q = kept.sent[of.Q].copy()
    site = site_of(setting.cell, q=q)
    try:
        leaves = _leave(setting, q, bound)
    except InputError as error:
        here = closest(site, setting.arm, q, q)
        gap, between = gap_of(setting, here.slack, here.which)
        return (*states, FacilityState("retreat", ends, 0.0, gap, between, f"{BY_HAND}{error}"))
    commands = np.vstack([stand(q, cycles_in(PARKED, period)), leaves])
    press = cycle_of_press(pressed, ends, period)
    retreat = _driven(setting, site, ("retreat", ends), commands, press)
    if retreat.verdict != PASSED:
        retreat = replace(retreat, verdict=f"{BY_HAND}{retreat.verdict}")
    return (*states, retreat)


def _leave(setting: Setting, q: np.ndarray, bound: tuple[str, ...]) -> np.ndarray:
    """Commands from q to park; rejected where a hold would be torn."""
    if bound:
        raise InputError(", ".join(bound))
    route = _route(setting, q, setting.park)
    return _along(route if route[0] is q else (q, *route), setting.pace)


def _route(setting: Setting, q: np.ndarray, park: np.ndarray) -> tuple[np.ndarray, ...]:
    """Postures to park: first the one in which the mock-ups are apart, reached from q."""
    site, apart = site_of(setting.cell, q=q), setting.apart()
    wide = site_of(apart.cell, q=q)
    straight, why, arm = None, "", setting.arm
    for back in (*drawn_back(site, q), q):
        leg = np.vstack([q, travel(q, back, setting.pace)])
        drags = _dragged(apart, wide, leg, len(setting.cell.guard.pairs))
        if drags or (back is not q and least_along(site, arm, leg).slack < 0.0):
            why = why or drags
            continue
        found = find_route(wide, arm, back, park)
        if found.points:
            return (back, *found.points)
        straight = straight or found
    blocked = _blocked(apart, wide, park, straight.straight, straight.tried) if straight else ""
    raise InputError("; ".join(filter(None, (why, blocked))))


def _dragged(apart: Setting, site: Site, leg: np.ndarray, first: int) -> str:
    """Why a way does not part what is meant to touch: it presses deeper, or touches at the end, or
    is too close to the target's mock-up and comes closer still.  Nothing if it does part them;
    pairs with what is meant to touch begin with `first`."""
    cell = site.cell
    overlaps = np.empty((len(leg), len(cell.plant.contacts)))
    overlaps_along(site, apart.arm, leg, overlaps)
    slacks = np.empty((len(leg), len(cell.guard.pairs)))
    slacks_along(site, apart.arm, leg, slacks)
    for lost in (overlaps - np.minimum.accumulate(overlaps, axis=0)).max(axis=0):
        if lost > CLOSER:
            return f"on retraction, a pad is pressed {1e3 * lost:.3g} mm deeper"
    if overlaps[-1].max(initial=0.0) > 0.0:
        return f"a pad still touches, {1e3 * overlaps[-1].max():.3g} mm deep"
    short = np.minimum(slacks[:, first:], 0.0)
    for row, lost in enumerate((np.maximum.accumulate(short, axis=0) - short).max(axis=0)):
        if lost > CLOSER:
            _, between = gap_of(apart, 0.0, first + row)
            return f"on retraction, {between} come {1e3 * lost:.3g} mm closer"
    return ""


def _blocked(setting: Setting, site: Site, park: np.ndarray, straight: Closest, tried: int) -> str:
    """Why there is no path."""
    parked = closest(site, setting.arm, park, park)
    gap, between = gap_of(setting, parked.slack, parked.which)
    if parked.slack < setting.guarded.margin:
        least = gap - parked.slack
        return (
            f"in park {between} are {gap:.3f} m apart, least {least:.3f} m: change park_deg of the "
            "robot, or what is in its way (guard.p_min_m, guard.p_max_m, p_LB_m)"
        )
    gap, between = gap_of(setting, straight.slack, straight.which)
    return (
        f"no clear path between park and the start of the motion: on the straight one {between} "
        f"come to {gap:.3f} m, least {gap - straight.slack:.3f} m, after {straight.share:.0%} of "
        f"the path to park; {tried} paths were tried"
    )


def cycle_of_press(pressed: float, begins: float, period: float) -> int:
    """The first cycle, of those that begin at a time [s], that hears a button pressed at another
    one; NEVER if nobody presses it."""
    if pressed == math.inf:
        return NEVER
    return max(0, math.ceil((pressed - begins) / period - ROUNDING) - 1)


def _along(points: tuple[np.ndarray, ...], pace: Pace) -> np.ndarray:
    """Commands from rest at the first posture through all others to rest at the last."""
    legs = pairwise(points)
    return np.vstack([travel(one, other, pace) for one, other in legs])


def _reject_unstoppable(setting: Setting, q: np.ndarray, qd: np.ndarray) -> None:
    """Refuses a start that the guard would not take over."""
    frames = ARM_FRAMES + setting.arm.shape[1]
    memory = in_motion(setting.cell.guard, q, qd, frames)
    none, sent = np.empty((0, len(q))), np.empty((1, len(q)))
    drive(site_of(setting.cell, memory), setting.arm, none, NEVER, sent)
    if memory.status[of.MODE] == of.STOPPED:
        raise InputError(f"the run cannot begin at its start pose: {_why(setting, memory)}")


def _driven(
    setting: Setting, site: Site, named: tuple[str, float], commands: np.ndarray, press: int
) -> FacilityState:
    """Sends commands; returns whether all of them went through."""
    sent = np.empty_like(commands)
    driven = drive(site, setting.arm, commands, press, sent)
    through = site.memory.status[of.MODE] == of.RUNNING
    verdict = PASSED if through else _why(setting, site.memory)
    if not through and site.memory.status[of.MODE] == of.BRAKING:
        more = _stopped(setting, site, 0.0, NEVER)
        driven = driven._replace(cycles=driven.cycles + round(more.lasts_s / setting.pace.period))
    return _state(setting, named, driven, verdict)


def _stopped(setting: Setting, site: Site, begins: float, press: int) -> FacilityState:
    """Lets the guard brake, since no command comes any more; returns a button pressed then."""
    max_cycles = int(site.cell.guard.settings[of.MAX_CYCLES]) + 2
    none, sent = np.empty((0, len(setting.park))), np.empty((max_cycles, len(setting.park)))
    driven = drive(site, setting.arm, none, press, sent)
    log = site.memory.log
    pressed = 0 <= press < driven.cycles
    verdict = sentence(setting.guarded, log[int(log[0, of.USED])]) if pressed else PASSED
    return _state(setting, ("stop", begins), driven, verdict)


def _state(
    setting: Setting, named: tuple[str, float], driven: Driven, verdict: str
) -> FacilityState:
    name, begins = named
    gap, between = gap_of(setting, driven.slack, driven.which)
    lasts = driven.cycles * setting.pace.period
    return FacilityState(name, begins, lasts, gap, between, verdict)


def gap_of(setting: Setting, slack: float, which: int) -> tuple[float, str]:
    """A clearance [m] and the pair that it is between."""
    guard = setting.cell.guard
    pairs = np.vstack([guard.pairs, guard.walls])
    return float(slack + pairs[which, of.LEAST]), pair_name(setting.guarded, which)


def _why(setting: Setting, memory: Memory) -> str:
    """What the guard has acted for."""
    return sentence(setting.guarded, _violation(memory))


def _violation(memory: Memory) -> np.ndarray:
    """The first row of the guard's log that is no release."""
    rows = memory.log[1 : 1 + int(memory.log[0, of.USED])]
    return np.asarray(rows[rows[:, of.WHY] != of.RELEASED][0])


def _reject(site: Site, state: FacilityState) -> None:
    if _violation(site.memory)[of.WHY] == of.EMERGENCY_STOP:
        stands = state.start_s + state.lasts_s
        raise StoppedError(
            f"{state.name}: {state.verdict}; both robots stand {-stands:.2f} s before the run"
        )
    raise InputError(f"{state.name}: the guard stops it: {state.verdict}")
