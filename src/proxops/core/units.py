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
    "%": ("1", 1e-2),
    "s": ("s", 1.0),
    "ms": ("s", 1e-3),
    "min": ("s", 60.0),
    "h": ("s", HOUR),
    "m": ("m", 1.0),
    "mm": ("m", 1e-3),
    "cm": ("m", 1e-2),
    "km": ("m", 1e3),
    "m/s": ("m/s", 1.0),
    "mm/s": ("m/s", 1e-3),
    "cm/s": ("m/s", 1e-2),
    "km/s": ("m/s", 1e3),
    "rad": ("rad", 1.0),
    "mrad": ("rad", 1e-3),
    "deg": ("rad", DEG),
    "arcmin": ("rad", DEG / 60.0),
    "arcsec": ("rad", ARCSEC),
    "rad/s": ("rad/s", 1.0),
    "mrad/s": ("rad/s", 1e-3),
    "deg/s": ("rad/s", DEG),
    "rpm": ("rad/s", RPM),
    "N": ("N", 1.0),
    "mN": ("N", 1e-3),
    "kN": ("N", 1e3),
    "mN m": ("N m", 1e-3),
    "N m": ("N m", 1.0),
    "N s": ("N s", 1.0),
    "N m s": ("N m s", 1.0),
    "kg^0.5 m": ("kg^0.5 m", 1.0),  # modal coordinates of unit modal mass
    "J": ("J", 1.0),
    "mJ": ("J", 1e-3),
    "W": ("W", 1.0),
}

# Other usual names of these, in small letters and without spaces
_NAMES = {
    "-": "1",
    "none": "1",
    "percent": "%",
    "sec": "s",
    "second": "s",
    "seconds": "s",
    "minute": "min",
    "minutes": "min",
    "hour": "h",
    "hours": "h",
    "meter": "m",
    "meters": "m",
    "metre": "m",
    "metres": "m",
    "mps": "m/s",
    "radian": "rad",
    "radians": "rad",
    "degree": "deg",
    "degrees": "deg",
    "°": "deg",
    "dps": "deg/s",
    "rev/min": "rpm",
    "newton": "N",
    "newtons": "N",
    "joule": "J",
    "joules": "J",
    "watt": "W",
    "watts": "W",
}
_BETWEEN = str.maketrans("", "", " *·.⋅_")  # what may stand between units that are multiplied


def unit_named(text: str) -> str | None:
    """The unit of UNITS that a usual name means: "Nm", "N*m" and "N·m" are "N m", "degrees/sec" is
    "deg/s"; None where it means none."""
    if text in UNITS:
        return text
    plain = text.translate(_BETWEEN)
    for joined in ("/".join(_part(part) for part in plain.split("/")), _part(plain)):
        for unit in UNITS:
            if unit.translate(_BETWEEN) == joined:
                return unit
    return None


def _part(text: str) -> str:
    """A side of a fraction, or a whole unit, by the name that UNITS has for it."""
    return _NAMES.get(text.lower(), text)
