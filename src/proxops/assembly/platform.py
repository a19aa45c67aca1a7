"""Thrusters, wheels and the link to them, as on-board software believes them to be."""

import math

from proxops.assembly.describe import describe_thrusters, describe_wheels
from proxops.assembly.kept import kept
from proxops.core.clock import NS_PER_S
from proxops.onboard.functions.allocation import allocate, thrusters, wheels
from proxops.scenario.load import Scenario


@kept
def platform_of(scenario: Scenario) -> allocate.Platform:
    """Those of a scenario as it is believed to be."""
    believed = scenario.mission
    given, reports = believed.obsw.platform, believed.sensors.telemetry
    period = believed.time.control_ns / NS_PER_S
    between = 1.0 / reports.rate_hz if reports.rate_hz else period
    return allocate.Platform(
        thrusters.build(describe_thrusters(believed), given.pulse_period_s, given.timed_burns),
        wheels.build(describe_wheels(believed), given.desaturation_s or math.inf, period),
        period,
        reports.delay_s + allocate.MISSED * between,
        reports.delay_s,
    )
