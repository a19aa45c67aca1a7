"""Control of the base that sampling makes unstable: the chaser swings until its thrusters saturate.

Control with the period T holds f/m = -ω² p - 2ζω v from one of its instants to the next.  As for
joints (`assembly.joint_loops`), with M = 1, the sampled loop is stable where

    ζ ω T < 1,      ω T < 4 ζ

A leg may change T.  Thrusters settle their pulses once in a pulse period, which may be longer; only
wheels act in every cycle.
"""

from proxops.core.clock import NS_PER_S
from proxops.scenario.load import Scenario
from proxops.scenario.schema.base import Problem
from proxops.scenario.schema.plan import Leg


def unstable_base_control(scenario: Scenario) -> list[Problem]:
    """Loops of position and attitude that are unstable in some leg, each with the first such."""
    mission = scenario.mission
    plan, gains = mission.obsw.plan, mission.obsw.control
    if plan is None or not plan.moves:
        return []
    tick, pulse = mission.time.control_ns / NS_PER_S, mission.obsw.platform.pulse_period_s

    def period(leg: Leg, by_wheels: bool) -> float:
        own = leg.periods_s.get("base_control", tick)
        return own if by_wheels else max(own, pulse)

    loops = (
        ("bandwidth_rad_s", gains.bandwidth_rad_s, gains.damping_ratio, False),
        (
            "attitude_bandwidth_rad_s",
            gains.attitude_bandwidth_rad_s,
            gains.attitude_damping_ratio,
            bool(mission.chaser.wheels),
        ),
    )
    found: list[Problem] = []
    for key, omega, zeta, by_wheels in loops:
        name, T = max(
            ((name, period(leg, by_wheels)) for name, leg in plan.legs.items()),
            key=lambda each: each[1],
        )
        highest = min(1.0 / zeta, 4.0 * zeta) / T
        if omega >= highest:
            text = (
                f"lower it below {highest:.3g} rad/s: in leg {name!r} control holds its commands "
            )
            text += f"for {T:g} s, and {omega:g} rad/s with a damping ratio of {zeta:g} is unstable"
            found.append((("obsw", "control", key), text))
    return found
