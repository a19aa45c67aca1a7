"""What an arena adds to a row of a run: names of signals, beside the function that writes them."""

from proxops.core.clock import NS_PER_S
from proxops.core.jit import part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_inverse,
    quat_mul,
    quat_to_rotation,
)
from proxops.core.spatial.vector import get3, mul_t, norm, put3, scale, sub
from proxops.facility.arena.attitude import angles_of
from proxops.facility.arena.command import write_target
from proxops.facility.arena.guard import gap_between
from proxops.facility.arena.memory import CHARGE, TARGET_P
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.rows import CHASER, TARGET
from proxops.physics.multirotor.body import P, Q, T, V
from proxops.physics.multirotor.mixer import ROTORS
from proxops.plant import layout

SignalRow = tuple[str, str, str, tuple[int, ...]]  # name, unit, axes, shape

MOCK_UPS = (
    ("lab.p_LTl", "m", "L", (3,)),
    ("lab.q_LTl", "1", "Tl to L, wxyz", (4,)),
    ("lab.p_LCl", "m", "L", (3,)),
    ("lab.q_LCl", "1", "Cl to L, wxyz", (4,)),
    ("lab.flown.p_HT", "m", "H", (3,)),
    ("lab.flown.p_HC", "m", "H", (3,)),
    ("lab.gap", "m", "", ()),
)
VEHICLE = (
    ("p_ref", "m", "L", (3,)),
    ("error", "m", "", ()),
    ("v", "m/s", "L", (3,)),
    ("rpy", "rad", "roll, pitch, yaw", (3,)),
    ("thrust", "N", "", (ROTORS,)),
    ("mode", "1", "", ()),
    ("charge", "1", "", ()),
)
POSE = 7
FLOWN = 14
GAP = 20
VEHICLES = 21  # where the first of them begins
REF, ERROR, SPEED, ANGLES, THRUST, MODE, CHARGED = 0, 3, 4, 7, 10, 16, 17
VEHICLE_WIDTH = 18
GUARD_MODE = VEHICLES + 2 * VEHICLE_WIDTH


def signals() -> list[SignalRow]:
    """Name, unit, axes and shape of everything that `put_lab` writes."""
    of_vehicles = [
        (f"lab.vehicles.{name}.{field}", *rest)
        for name in ("target", "chaser")
        for field, *rest in VEHICLE
    ]
    return [*MOCK_UPS, *of_vehicles, ("lab.guard.mode", "1", "", ())]


@part
def _put_vehicle(lab, which, own):
    """Mock-up, orbit's position that it stands for, and the vehicle itself."""
    y, reference, mapping = lab.flight.y[which], lab.references[which], lab.mapping
    p, q = get3(y, P), get4(y, Q)
    put3(own, POSE * which, p)
    put4(own, POSE * which + 3, quat_mul(q, quat_inverse(get4(mapping.q_BV[which], 0))))
    R_LH = quat_to_rotation(get4(mapping.q_LH, 0))
    p_H = scale(1.0 / mapping.scaling.length, mul_t(R_LH, sub(p, get3(mapping.p_LH, 0))))
    put3(own, FLOWN + 3 * which, p_H)
    row = own[VEHICLES + VEHICLE_WIDTH * which :]
    put3(row, REF, get3(reference, TARGET_P))
    row[ERROR] = norm(sub(p, get3(reference, TARGET_P)))
    put3(row, SPEED, get3(y, V))
    put3(row, ANGLES, angles_of(q))
    for i in range(ROTORS):
        row[THRUST + i] = y[T + i]
    row[MODE] = lab.flight.modes[which]
    row[CHARGED] = lab.flight.health[which, CHARGE]


@part
def put_lab(lab, model, state, own):
    """Writes what the arena is now."""
    t, orbit = state.clock[0] / NS_PER_S, model.plant.orbit
    start = layout.target_start(model.plant)
    write_target(lab.mapping, orbit, state.y[start:], t, TARGET, lab.references[TARGET])
    write_target(lab.mapping, orbit, state.y[:start], t, CHASER, lab.references[CHASER])
    _put_vehicle(lab, TARGET, own)
    _put_vehicle(lab, CHASER, own)
    own[GAP] = gap_between(lab.fence, lab.flight.y)
    own[GUARD_MODE] = lab.memory.status[guarding.MODE]
