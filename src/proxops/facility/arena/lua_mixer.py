"""The mixer of a vehicle as a Lua script for ArduPilot's six-degree-of-freedom frame (class 16).

ArduPilot adds up, for rotor i and in shares of its largest thrust,

    T_i/T_max = a_i roll + b_i pitch + c_i yaw + d_i throttle + e_i forward + f_i right

about forward, right and down.  With B = H⁻¹ the thrusts of a wrench in V (forward, left, up):

    a, b, c = (B_tx t_x, -B_ty t_y, -B_tz t_z)/T_max     t: torque of a full output
    d, e, f = (B_fz, B_fx, -B_fy) F/T_max                F: vertical force of all rotors at T_max

Throttle 1 is F.  ArduPilot multiplies forward and right by the throttle and gives them as sines of
the angle at which a flat vehicle would lean, so F scales them too: the force then points where the
thrust of the leaning vehicle would.
"""

import numpy as np

from proxops.core.errors import InputError
from proxops.facility.arena.vehicle import Vehicle


def factors(craft: Vehicle) -> np.ndarray:
    """Roll, pitch, yaw, throttle, forward and right of each rotor (6, 6) [-]."""
    if craft.tilted != 1:
        raise InputError(
            "tilt the rotors (vehicle.alpha_deg): with upright ones the vehicle has four degrees "
            "of freedom, and ArduPilot's own hexarotor frame flies it"
        )
    B, (tx, ty, tz) = craft.allocation, craft.authority
    full = float(craft.mixer[2].sum()) * craft.largest
    columns = [
        tx * B[:, 3], -ty * B[:, 4], -tz * B[:, 5], full * B[:, 2], full * B[:, 0], -full * B[:, 1]
    ]  # fmt: skip
    return np.column_stack(columns) / craft.largest


def mixer_script(craft: Vehicle, name: str) -> str:
    """The script."""
    rows = []
    for i, row in enumerate(np.round(factors(craft), 6)):
        shares = ", ".join(f"{each + 0.0:9.6f}" for each in row)  # + 0.0: no minus zero
        rows.append(f"Motors_6DoF:add_motor({i}, {shares}, false, {i + 1})")
    return "\n".join(
        [
            f"-- Mixer of the vehicles of {name}, computed: proxops arena mixer --facility {name}",
            "-- motor, roll, pitch, yaw, throttle, forward, right, reversible, order in tests",
            *rows,
            f"assert(Motors_6DoF:init({len(rows)}), 'the mixer was not taken: FRAME_CLASS is 16?')",
            "motors:set_frame_string('tilted hexarotor')",
            "",
        ]
    )
