"""Why a flight has ended, and how vehicles came to the floor, in words."""

import math

from proxops.facility.arena import guard, watch
from proxops.facility.arena import memory as of
from proxops.facility.arena.lab import ArenaLab, carriers_of
from proxops.facility.common.rows import PAIR

VEHICLES = ("the target's vehicle", "the chaser's vehicle")
HARD = 1.0  # [m/s]: who meets the floor faster has fallen
UPSET = math.radians(30.0)  # or leaning by more


def why_ended(lab: ArenaLab) -> str:
    """What has ended the flight, with value and limit; empty if nothing has."""
    reason = int(lab.ended[guard.REASON])
    if reason in (guard.NOTHING, guard.GUARD):
        violations = carriers_of(lab).faults()
        return violations[0][1] if violations else ""
    if reason in watch.REASONS:
        arena = lab.arena
        limits = {
            watch.OFF_COURSE: arena.watch.tracking,
            watch.OVERTURNED: math.degrees(arena.watch.attitude),
            watch.AT_LIMITS: arena.watch.saturation,
            watch.LOW_BATTERY: arena.battery.reserve,
            watch.TOO_NEAR: lab.fence.flown_apart,
        }
        which = int(lab.flight.health[1, of.VALUE] != 0.0)
        value = float(lab.flight.health[which, of.VALUE])
        return watch.REASONS[reason].format(who=VEHICLES[which], value=value, limit=limits[reason])
    text = guard.REASONS[reason]
    return text.format(apart=lab.fence.apart, timeout=lab.arena.sensing.pose_timeout)


def has_fallen(lab: ArenaLab, which: int) -> bool:
    """Whether a vehicle on the floor has met it too fast or too steeply."""
    health = lab.flight.health[which]
    return bool(health[of.TOUCH_SPEED] > HARD or health[of.TOUCH_TILT] > UPSET)


def touch_down(lab: ArenaLab, which: int) -> str:
    """How and where a vehicle came to the floor."""
    health, (x, y) = lab.flight.health[which], lab.flight.y[which, :2].tolist()
    if math.isnan(health[of.TOUCH_SPEED]):
        return f"{VEHICLES[which]} stands disarmed at [{x:.2f}, {y:.2f}] m"
    fence = lab.fence
    inside = all(
        low <= p <= high
        for p, low, high in zip((x, y), fence.lowest.tolist(), fence.highest.tolist(), strict=False)
    )
    return (
        f"{VEHICLES[which]} meets the floor at {health[of.TOUCH_SPEED]:.2f} m/s (a landing: at "
        f"most {HARD:g} m/s), leaning by {math.degrees(health[of.TOUCH_TILT]):.0f} deg, at "
        f"[{x:.2f}, {y:.2f}] m, {'inside' if inside else 'outside'} the fence"
    )


def fallen(lab: ArenaLab) -> str:
    """How vehicles have fallen, empty if none has."""
    on_floor = [which for which in range(PAIR) if lab.flight.modes[which] == of.LANDED]
    return "; ".join(touch_down(lab, which) for which in on_floor if has_fallen(lab, which))
