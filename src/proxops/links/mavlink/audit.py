"""Parameters that an autopilot must have before it may fly in the arena.

ArduCopter with its default parameters flies on for 3 s when targets stop, does nothing when the
ground station is gone, and obeys anybody.  Names and units are those of ArduPilot 4.7.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """What one parameter must be: one of `values`, or from `low` to `high`."""

    name: str
    why: str
    values: tuple[float, ...] = ()
    low: float = -math.inf
    high: float = math.inf

    @property
    def wanted(self) -> str:
        if self.values:
            return " or ".join(f"{value:g}" for value in self.values)
        if math.isinf(self.low):
            return f"at most {self.high:g}"
        return f"{self.low:g} to {self.high:g}"

    def agrees(self, found: float) -> bool:
        # Parameters travel in single precision: 0.3 arrives as 0.30000001.
        if self.values:
            return any(math.isclose(found, value, rel_tol=1e-6) for value in self.values)
        slack = 1e-6 * max(abs(found), 1e-6)
        return self.low - slack <= found <= self.high + slack


@dataclass(frozen=True, slots=True)
class Row:
    """One parameter of an audit."""

    name: str
    found: float | None  # None: the vehicle does not have it, or has not answered
    wanted: str
    why: str
    agrees: bool

    @property
    def verdict(self) -> str:
        if self.found is None:
            return "missing"
        return "agrees" if self.agrees else "differs"


@dataclass(frozen=True, slots=True)
class Audit:
    """Every audited parameter: found, wanted, verdict."""

    rows: tuple[Row, ...]

    @property
    def passed(self) -> bool:
        return all(row.agrees for row in self.rows)

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence a parameter that is not as wanted, the cure first."""
        return tuple(
            f"set {row.name} to {row.wanted} "
            f"({'not found' if row.found is None else f'is {row.found:g}'}): {row.why}"
            for row in self.rows
            if not row.agrees
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """What the rules depend on."""

    station_system: int = 255
    speed_m_s: float = 2.0  # horizontal
    climb_m_s: float = 1.0  # up and down
    pose_delay_ms: float = 10.0  # of the motion capture


def rules(limits: Limits) -> tuple[Rule, ...]:
    """All parameters audited before arming."""
    motion_capture = "position, height and heading come from motion capture"
    velocity = "ODOMETRY brings the velocity too"
    station = float(limits.station_system)
    return (
        Rule("GUID_TIMEOUT", "flies on for so long when targets stop [s]", low=0.1, high=0.5),
        Rule("GUID_OPTIONS", "position and velocity must be controlled in guided mode", (0.0,)),
        Rule("FS_GCS_ENABLE", "lands when heartbeats stop", (5.0,)),
        Rule("FS_GCS_TIMEOUT", "flies on for so long when heartbeats stop [s]", low=0.5, high=2.0),
        Rule("FS_DR_ENABLE", "lands when the position is lost", (1.0,)),
        Rule("FS_THR_ENABLE", "lands when the remote control is lost", (3.0,)),
        Rule("FS_EKF_ACTION", "lands when the estimator fails", (1.0, 3.0)),
        Rule(
            "FS_OPTIONS",
            "no failsafe is passed over in guided mode",
            (0.0, 8.0, 16.0, 24.0),  # bits 3, 4: landing goes on, modes flown by a pilot
        ),
        Rule("MAV_OPTIONS", "obeys the configured ground station only", (1.0,)),
        Rule("MAV_GCS_SYSID", "this is the system id of our ground station", (station,)),
        Rule("MAV_GCS_SYSID_HI", "no range of further ground stations", low=0.0, high=station),
        Rule("WP_SPD", "speed limit [m/s]", low=0.1, high=limits.speed_m_s),
        Rule("WP_SPD_UP", "climb limit [m/s]", low=0.1, high=limits.climb_m_s),
        Rule("WP_SPD_DN", "descent limit [m/s]", low=0.1, high=limits.climb_m_s),
        Rule("LAND_SPD_MS", "speed at touch-down [m/s]", low=0.1, high=0.5),
        Rule("EK3_SRC1_POSXY", motion_capture, (6.0,)),
        Rule("EK3_SRC1_POSZ", motion_capture, (6.0,)),
        Rule("EK3_SRC1_YAW", motion_capture, (6.0,)),
        Rule("EK3_SRC1_VELXY", velocity, (6.0,)),
        Rule("EK3_SRC1_VELZ", velocity, (6.0,)),
        Rule("VISO_TYPE", "poses come by MAVLink", (1.0,)),
        Rule(
            "VISO_DELAY_MS",
            "the delay of the motion capture [ms]",
            low=max(0.0, limits.pose_delay_ms - 5.0),
            high=limits.pose_delay_ms + 5.0,
        ),
        Rule("ARMING_SKIPCHK", "no arming check is skipped", (0.0,)),
    )


def audit(wanted: tuple[Rule, ...], found: dict[str, float]) -> Audit:
    """Compares parameters with the rules."""
    return Audit(
        tuple(
            Row(
                rule.name,
                found.get(rule.name),
                rule.wanted,
                rule.why,
                rule.name in found and rule.agrees(found[rule.name]),
            )
            for rule in wanted
        )
    )


def passing(wanted: tuple[Rule, ...]) -> dict[str, float]:
    """Parameters that pass, for a virtual vehicle."""
    return {rule.name: rule.values[0] if rule.values else rule.high for rule in wanted}
