"""Scripted faults and batteries of a flight arena, as its vehicles have them, and whether they may
take off at all."""

import math
from collections.abc import Sequence

import numpy as np

from proxops.core.errors import StoppedError
from proxops.facility.arena.faults import BATTERY_SIZE, GUST_SIZE, ROTOR_SIZE, Faults
from proxops.facility.arena.vehicle import GRAVITY, Arena, Battery
from proxops.facility.common.rows import CHASER, PAIR, TARGET
from proxops.physics.multirotor.mixer import Geometry
from proxops.physics.multirotor.power import power_factor
from proxops.physics.multirotor.rotor_loss import torque_in_hover
from proxops.scenario.schema.arena import FlightArena
from proxops.scenario.schema.arena_faults import (
    ArenaFault,
    DoesNotArm,
    Gust,
    LostRotor,
    LowBattery,
    WeakRotor,
)
from proxops.scenario.schema.sampled import Window

WHICH = {"target": TARGET, "chaser": CHASER}
AROUND_S = 60.0  # take-off, engage, stop and landing, about
J_PER_WH = 3600.0


def faults_of(given: FlightArena) -> Faults:
    """Rows of all that is scripted."""
    rotors, gusts, batteries = [], [], []
    for fault in given.faults.values():
        match fault:
            case WeakRotor() | LostRotor():
                share = fault.share if isinstance(fault, WeakRotor) else 0.0
                rotors.append((*_window(fault), WHICH[fault.vehicle], fault.rotor - 1, share))
            case Gust():
                gusts.append((*_window(fault), *fault.wind_m_s))
            case LowBattery():
                begins = -math.inf if fault.from_s is None else fault.from_s
                batteries.append((begins, math.inf, WHICH[fault.vehicle], fault.charge))
    return Faults(
        _rows(rotors, ROTOR_SIZE), _rows(gusts, GUST_SIZE), _rows(batteries, BATTERY_SIZE)
    )


def _window(fault: Window) -> tuple[float, float]:
    return fault.from_s, math.inf if fault.until_s is None else fault.until_s


def _rows(rows: Sequence[Sequence[float]], width: int) -> np.ndarray:
    return np.array(rows, dtype=float).reshape(len(rows), width)


def battery_of(given: FlightArena) -> Battery:
    """Of each vehicle; one that never ends where none is given."""
    charge, battery = np.ones(PAIR), given.vehicle.battery
    for fault in given.faults.values():
        if isinstance(fault, LowBattery) and fault.from_s is None:
            charge[WHICH[fault.vehicle]] = min(charge[WHICH[fault.vehicle]], fault.charge)
    if battery is None:
        return Battery(math.inf, 0.0, -1.0, charge)
    factor = power_factor(0.5 * given.vehicle.propeller_m, battery.efficiency)
    return Battery(J_PER_WH * battery.capacity_Wh, factor, battery.reserve, charge)


def hover_power(arena: Arena, which: int) -> float:
    """What a vehicle draws in a hover [W]."""
    loads = arena.loads
    thrusts = loads.allocation[which, :, 2] * loads.mass[which] * GRAVITY
    return float(arena.battery.power * (thrusts**1.5).sum())


def torque_without_rotor(geometry: Geometry, arena: Arena) -> float:
    """Least torque [N m] that is left in a hover without any one rotor."""
    weight = float(arena.loads.mass.max()) * GRAVITY
    return min(torque_in_hover(geometry, weight, lost) for lost in range(len(arena.vehicle.rotors)))


def reject_unready(given: FlightArena, arena: Arena, flight_s: float) -> None:
    """Refuses a take-off where a vehicle does not arm, or where a battery would come to its reserve
    in a flight of so many seconds, and those around it."""
    for name, fault in given.faults.items():
        if isinstance(fault, DoesNotArm) and arena.flies[WHICH[fault.vehicle]]:
            raise StoppedError(
                f"arm: the {fault.vehicle}'s vehicle does not arm (faults.{name}): nobody takes off"
            )
    battery, needs = arena.battery, flight_s + AROUND_S
    for vehicle, which in WHICH.items():
        if not arena.flies[which]:
            continue
        usable = (battery.charge[which] - battery.reserve) * battery.capacity
        power = hover_power(arena, which)
        if needs * power > usable:
            lasts = max(0.0, usable / power)
            raise StoppedError(
                f"arm: charge the {vehicle}'s battery, or fly faster (arena.time_scale): it has "
                f"{battery.charge[which]:.0%}, which lasts {lasts:.0f} s to the reserve of "
                f"{battery.reserve:.0%}, and the flight takes {needs:.0f} s with take-off and "
                "landing: nobody takes off"
            )


def fault_events(given: FlightArena) -> list[tuple[float, str]]:
    """When each fault begins [s] of the flight, and what it is; in order."""
    events = [
        (_begins(fault), f"faults.{name}: {_words(fault)}") for name, fault in given.faults.items()
    ]
    lost = given.motion_capture.lost_at_s
    if lost is not None:
        events.append((lost, "motion_capture.lost_at_s: motion capture ends"))
    return sorted(events)


def _begins(fault: ArenaFault) -> float:
    return 0.0 if isinstance(fault, DoesNotArm) else fault.from_s or 0.0


def _words(fault: ArenaFault) -> str:
    match fault:
        case WeakRotor():
            what = f"gives {fault.share:.6g} of its thrust"
            return f"rotor {fault.rotor} of the {fault.vehicle}'s vehicle {what}"
        case LostRotor():
            return f"rotor {fault.rotor} of the {fault.vehicle}'s vehicle is lost"
        case Gust():
            x, y, z = fault.wind_m_s
            return f"a gust of up to [{x:g}, {y:g}, {z:g}] m/s until {fault.until_s:g} s"
        case LowBattery():
            return f"the {fault.vehicle}'s battery has {fault.charge:.0%} of its charge"
        case DoesNotArm():
            return f"the {fault.vehicle}'s vehicle does not arm"
