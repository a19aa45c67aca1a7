"""A wheel of 50 N m s as scenario files have it, turning and with friction."""

from typing import Any

WHEEL: dict[str, Any] = {
    "axis_C": [0.6, 0.0, 0.8],
    "p_C_m": [0.2, -0.1, 0.3],
    "inertia_kg_m2": 0.08,
    "mass_kg": 4.0,
    "max_torque_N_m": 0.2,
    "max_speed_rpm": 6000.0,
    "speed_rpm": 2000.0,
    "viscous_N_m_s_rad": 1e-3,
}
