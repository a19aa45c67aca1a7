"""Units at the boundary: what a user may write for a quantity kept in SI."""

import math

DEG = math.pi / 180.0  # [rad]
ARCSEC = DEG / 3600.0  # [rad]
HOUR = 3600.0  # [s]
HZ = 2.0 * math.pi  # [rad/s]
RPM = math.pi / 30.0  # [rad/s]

# unit -> (SI unit, how many of those one is)
UNITS: dict[str, tuple[str, float]] = {
    "1": ("1", 1.0),
    "s": ("s", 1.0),
    "m": ("m", 1.0),
    "mm": ("m", 1e-3),
    "cm": ("m", 1e-2),
    "km": ("m", 1e3),
    "m/s": ("m/s", 1.0),
    "mm/s": ("m/s", 1e-3),
    "rad": ("rad", 1.0),
    "deg": ("rad", DEG),
    "rad/s": ("rad/s", 1.0),
    "deg/s": ("rad/s", DEG),
    "rpm": ("rad/s", RPM),
    "N": ("N", 1.0),
    "N m": ("N m", 1.0),
    "N s": ("N s", 1.0),
    "N m s": ("N m s", 1.0),
    "kg^0.5 m": ("kg^0.5 m", 1.0),  # modal coordinates of unit modal mass
    "J": ("J", 1.0),
    "mJ": ("J", 1e-3),
    "W": ("W", 1.0),
}
