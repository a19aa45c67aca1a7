"""Guidance as a function on board, in Python: its fields and events."""

import numpy as np

from proxops.bus.bus import Bus
from proxops.bus.fields import Field
from proxops.core.clock import NS_PER_S
from proxops.onboard.function import Change, Function, nothing
from proxops.onboard.functions.guidance import trajectory_table
from proxops.onboard.functions.guidance.cone_programme import SolverFault
from proxops.onboard.functions.guidance.replanning import (
    BREAKS_LIMITS,
    HOLD_AFTER,
    MAX_SLACK,
    NO_PLAN,
    STATUSES,
    Guidance,
    GuidanceSettings,
)

FIELDS = (
    *trajectory_table.FIELDS,
    Field("guidance.status", title="0 while plans succeed, else the reason: see guidance",
          start=(NO_PLAN,), signal="obsw.guidance.status"),
    Field("guidance.plans", title="Plans made so far", signal="obsw.guidance.plans"),
    Field("guidance.failures", title="Failed plans in a row",
          signal="obsw.guidance.failures"),
    Field("guidance.holds", title="1 while it holds a position because there is no plan"),
    Field("guidance.delta_v", "m/s", title="Delta-v of the plan in force, from its start",
          signal="obsw.guidance.delta_v"),
    Field("guidance.slack", "m,m/s,m", shape=(3,),
          title="Violation of corridor, speed limit and keep-out zone by the last plan: the "
          "zone itself outside a corridor",
          signal="obsw.guidance.slack"),
)  # fmt: skip


def describe_status(status: float, details: np.ndarray) -> tuple[str, str] | None:
    """The event that plans fail, or succeed again."""
    if status == NO_PLAN:
        return None
    if status == 0.0:
        return "guidance", "obsw.guidance: there is a plan"
    if status == BREAKS_LIMITS:
        corridor, speed, sphere = details
        return "guidance-fails", (
            f"obsw.guidance: the plan would leave the corridor by {corridor:.3g} m, exceed the "
            f"speed limit by {speed:.3g} m/s, enter the keep-out zone by {sphere:.3g} m; at most "
            f"{MAX_SLACK[0]:g} m, {MAX_SLACK[1]:g} m/s, {MAX_SLACK[2]:g} m"
        )
    return "guidance-fails", f"obsw.guidance: {STATUSES[int(status)].value}"


def describe_hold(holds: float, details: np.ndarray) -> tuple[str, str] | None:
    """The event that it holds for want of a plan."""
    if holds == 0.0:
        return None
    return "guidance-holds", (
        f"obsw.guidance: {HOLD_AFTER} plans in a row failed, limit < {HOLD_AFTER}: it "
        "holds its position"
    )


def function(
    settings: GuidanceSettings,
    legs: np.ndarray,
    bus: Bus,
    tick: int,
    failures: tuple[tuple[float, float, SolverFault], ...] = (),
) -> Function:
    """The guidance; it runs whenever a plan may be ready, a whole number of ticks [ns].  Plans that
    are begun within `failures`, from and until [s], fail."""
    made = Guidance(settings, legs, bus, failures)
    period = max(1, round(settings.delay * NS_PER_S / tick)) * tick
    return Function(
        "guidance",
        None,
        nothing(),
        nothing(),
        period=period,
        fields=FIELDS,
        changes=(
            Change("guidance.status", describe_status, "guidance.slack", before=NO_PLAN),
            Change("guidance.holds", describe_hold),
        ),
        run_in_python=made.run_in_python,
        writes=tuple(each.attribute for each in FIELDS),
    )
