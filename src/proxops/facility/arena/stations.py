"""The ground stations of both vehicles, what they audit, and what crossed their links."""

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict

from proxops.core.link_statistics import LinkStatistics
from proxops.facility.arena.lab import ArenaLab
from proxops.facility.arena.vehicle import CYCLE
from proxops.links.mavlink.audit import Limits
from proxops.links.mavlink.ground_station import GroundStation, Guard, Station

CRAFT = ("target", "chaser")  # whose mock-up each vehicle carries


CATCH_UP = 5.0 / 3.0  # over the speed limit of an axis: x and y at once, and a fifth to catch up
CLIMB = 5.0 / 6.0  # likewise, up and down


def audited(lab: ArenaLab) -> Limits:
    """What an arena's autopilots must be set to: no faster than its targets ask for, and their
    filters know how late its cameras are."""
    speed = lab.fence.speed
    return Limits(
        speed_m_s=round(CATCH_UP * speed, 3),
        climb_m_s=round(CLIMB * speed, 3),
        pose_delay_ms=1e3 * lab.arena.sensing.delay * CYCLE,
    )


def stations_of(lab: ArenaLab, guard_of: Callable[[int], Guard]) -> list[GroundStation]:
    """One for each vehicle, by whose number `guard_of` has its guard; batteries land as those of
    the facility do."""
    battery, otherwise = lab.arena.battery, Station().min_battery
    reserve = battery.reserve if math.isfinite(battery.capacity) else otherwise
    return [
        GroundStation(
            guard_of(which),
            audited(lab),
            Station(vehicle=(which + 1, 1), min_battery=reserve),
        )
        for which in range(len(CRAFT))
    ]


def statistics_of(stations: Iterable[GroundStation]) -> tuple[LinkStatistics, ...]:
    """Frames and delays of each, since it was made."""
    return tuple(
        LinkStatistics(
            name,
            **asdict(station.statistics),
            round_trip_s=station.reported.round_trip_s,
            max_pose_age_s=station.max_pose_age_s,
        )
        for name, station in zip(CRAFT, stations, strict=True)
    )
