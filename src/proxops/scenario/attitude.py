"""Attitude and rate of a spacecraft at the start, however its file gives them.

    q_NB                  as it is
    q_HB                  R_NB = R_NH R_HB
    points = [a, b]       R_HB e₁ = d₁ exactly, and R_HB e₂ as near to d₂ as that allows
    w_HB_B                w_NB_B = w_HB_B + R_HBᵀ w_NH_H

B is C or T.  Without an orbit H is N, and does not turn.
"""

import math
from typing import Literal

import numpy as np

from proxops.core.frame import quaternion_of, rotation_of
from proxops.core.text import nearest
from proxops.physics.orbit.axes import hill_rotation
from proxops.scenario.schema import Mission, Orbit
from proxops.scenario.schema.base import Problem
from proxops.scenario.schema.pointing import AXES, BARS, Pointed, parse_pointing

Craft = Literal["chaser", "target"]

_PARALLEL = math.sin(math.radians(1.0))  # two axes that are nearer leave the rest to rounding


class _PointingError(ValueError):
    """Why a pointing gives no attitude."""


def orbit_start(orbit: Orbit) -> tuple[float, np.ndarray, np.ndarray]:
    """μ [m3/s2], and position [m] and velocity [m/s] in N of the reference orbit at the start."""
    from proxops.physics.orbit.attractors import ATTRACTORS
    from proxops.physics.orbit.kepler import state_from_elements

    mu = ATTRACTORS[orbit.attractor].mu
    R, V = state_from_elements(
        mu,
        orbit.a_km * 1e3,
        orbit.eccentricity,
        math.radians(orbit.inclination_deg),
        math.radians(orbit.raan_deg),
        math.radians(orbit.argument_of_periapsis_deg),
        math.radians(orbit.true_anomaly_deg),
    )
    return mu, np.array(R), np.array(V)


def attitude(mission: Mission, craft: Craft) -> np.ndarray:
    """q_NC or q_NT (4,) at the start."""
    given = mission.chaser.q_NC if craft == "chaser" else mission.target.q_NT
    if given is not None:
        return np.array(given)
    return quaternion_of(_hill(mission)[0] @ _in_hill(mission, craft))


def rate(mission: Mission, craft: Craft) -> np.ndarray:
    """w_NC_C or w_NT_T (3,) at the start [rad/s]."""
    chaser, target = mission.chaser, mission.target
    given = chaser.w_NC_C_deg_s if craft == "chaser" else target.w_NT_T_deg_s
    if given is not None:
        return np.radians(given)
    relative = chaser.w_HC_C_deg_s if craft == "chaser" else target.w_HT_T_deg_s
    R_NH, n = _hill(mission)
    R_NB = rotation_of(attitude(mission, craft))
    own = np.radians(relative or (0.0, 0.0, 0.0))
    return np.asarray(own + R_NB.T @ R_NH @ np.array([0.0, 0.0, n]))


def pointing_problems(mission: Mission) -> list[Problem]:
    """Axes that do not exist, and pairs of axes that give no attitude."""
    problems: list[Problem] = []
    crafts: tuple[Craft, Craft] = ("chaser", "target")
    for craft in crafts:
        if getattr(mission, craft).points is None:
            continue
        try:
            _in_hill(mission, craft)
        except _PointingError as error:
            problems.append(((craft, "points"), str(error)))
    return problems


def _hill(mission: Mission) -> tuple[np.ndarray, float]:
    """R_NH and the rate of H about its z axis [rad/s] at the start."""
    if mission.orbit is None:
        return np.eye(3), 0.0
    _, R, V = orbit_start(mission.orbit)
    return hill_rotation(R, V)


def _in_hill(mission: Mission, craft: Craft) -> np.ndarray:
    """R_HC or R_HT of a spacecraft whose attitude is not given in N."""
    chaser, target = mission.chaser, mission.target
    q, points = (chaser.q_HC, chaser.points) if craft == "chaser" else (target.q_HT, target.points)
    if points is None:
        assert q is not None  # the schema saw to it
        return rotation_of(q)
    first, second = (parse_pointing(text) for text in points)
    axes = [_axis(mission, craft, each.axis) for each in (first, second)]
    directions = [_direction(mission, craft, each) for each in (first, second)]
    for (one, other), what in ((axes, "axes"), (directions, "directions")):
        if np.linalg.norm(np.cross(one, other)) < _PARALLEL:
            word = "axis" if what == "axes" else "direction"
            raise _PointingError(
                f"choose another {word} for the second: the two {what} of {first.axis} to "
                f"{first.direction} and {second.axis} to {second.direction} are parallel"
            )
    return np.asarray(_triad(*directions) @ _triad(*axes).T)


def _triad(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rotation with the unit vector a as its x axis and b in its xy plane, on the side of +y."""
    z = np.cross(a, b)
    z /= np.linalg.norm(z)
    return np.column_stack([a, np.cross(z, a), z])


def _axis(mission: Mission, craft: Craft, name: str) -> np.ndarray:
    """Unit vector in hub axes of an axis of the hub, or of the z axis of a frame on it."""
    if name in AXES:
        return np.array(AXES[name])
    frames = _frames(mission, craft)
    if name not in frames:
        raise _PointingError(
            f"the {craft} has no axis {name[:60]!r}{nearest(name, [*AXES, *frames])}"
        )
    return np.asarray(rotation_of(frames[name])[:, 2])


def _frames(mission: Mission, craft: Craft) -> dict[str, tuple[float, float, float, float]]:
    """Attitudes of frames on a hub, by the path that they have in the file."""
    if craft == "target":
        holds = {f"holds.{name}": hold.q_TB for name, hold in mission.holds.items()}
        return {"grapple": mission.target.grapple.q_TG, **holds}
    found = {"camera": mission.sensors.camera.q_CK}
    if mission.sensors.bearing_camera is not None:
        found["bearing_camera"] = mission.sensors.bearing_camera.q_CK
    for name, hold in mission.holds.items():
        if hold.port is not None and hold.arm is None:
            found[f"holds.{name}"] = hold.port.q_CA
    return found


def _direction(mission: Mission, craft: Craft, pointed: Pointed) -> np.ndarray:
    """Unit vector in H.  The target's centre of mass is at H's origin."""
    if pointed.direction in BARS:
        return np.array(BARS[pointed.direction])
    if pointed.direction == craft:
        other = "target" if craft == "chaser" else "chaser"
        raise _PointingError(f"name {other!r}: {craft!r} is this spacecraft itself")
    line = np.array(mission.chaser.p_HC_m)
    distance = float(np.linalg.norm(line))
    if distance == 0.0:
        raise _PointingError("move chaser.p_HC_m: both spacecraft are at the same place")
    return (line if craft == "target" else -line) / distance
