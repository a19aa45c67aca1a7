"""Time-domain passivity control: takes out the energy that a late contact would give.

At a control instant the sensors read F on each modelled body; h [s] is the time to the next one.
Two compensations, each switched on its own, sums going over all bodies that meet:

**Wrench type** (a damper in parallel).  Fed with s F, a body of mobility M⁻¹ goes by
h V + ½ h² s M⁻¹ F, so that until the next instant the contact gives the models

    s a + s² c,     a = h Σ F·V,   c = ½ h² Σ F·M⁻¹F

With E given so far and E₀ stored in the contact at the start, s = 1 while E + a + c ≤ E₀, else s is
the root of E + s a + s² c = E₀ nearest to 1.  The energy is withheld before it is given: E ≤ E₀ at
all times, whatever is read.  One s for all bodies keeps opposite wrenches opposite, and momentum
with them; what slides freely is not braked; no choice of axes or units enters.

**Twist type** (a damper in series).  The carriers yield to the contact by

    ΔV = β M⁻¹ F,     β = D/(h Σ F·M⁻¹F) while D > 0,     D = E - W_real - pending

beyond the commanded velocity, for D of energy that the facility has added.  What has been commanded
shows only when the loop has gone round, and would be asked for again and again until then:
`pending` is what was taken in the last instants, forgotten at the rate 1/T at which it shows.  This
restores the contact, but cannot act before there is something to take: E - W_real is small, not
zero.  A faint wrench takes little energy for much way, so none is given way to while all are below
what counts as noise.  The mock-up is left away from its model by ∫ ΔV dt, the drift.

Observer and controller after Hannaford & Ryu 2002; the common s and `pending` are our own.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError
from proxops.core.jit import helper, part
from proxops.core.spatial.vector import get3, norm
from proxops.facility.common.force_sensor import FORCE, TORQUE, WRENCH
from proxops.facility.common.passivity.observer import total


class Limits(NamedTuple):
    """How far the control may go, and what it takes for no contact."""

    force: float = math.inf  # most by which one is changed [N]
    torque: float = math.inf  # [N m]
    speed: float = 0.1  # most by which one is changed [m/s]
    turn_rate: float = 0.1  # [rad/s]
    quiet_force: float = 0.1  # below which carriers do not yield [N]
    quiet_torque: float = 0.01  # [N m]


LIMITS = Limits()


class Control(NamedTuple):
    """Which compensations act, on what, and how far they may go."""

    scales: int  # 1 with the wrench type, else 0
    yields: int  # 1 with the twist type, else 0
    mobility: np.ndarray  # M⁻¹ of each modelled body about its wrench's point (bodies, 6, 6)
    stored: float  # E₀ [J]
    lateness: float  # T, of the whole loop [s]
    limits: Limits


class Controlled(NamedTuple):
    """What the control does and has done; one row a body (bodies, 6), linear first."""

    fed: np.ndarray  # wrench that the model gets until the next instant [N, N m]
    change: np.ndarray  # of the commanded velocity until then, ΔV [m/s, rad/s]
    drift: np.ndarray  # of the mock-up from its model [m, rad]: ∫ ΔV dt
    slip: np.ndarray  # velocity that the model owes to changed wrenches [m/s, rad/s]
    shift: np.ndarray  # its integral: of the model from where the readings had put it [m, rad]
    rejected: np.ndarray  # energy that changed wrenches did not give, one entry [J]
    pending: np.ndarray  # taken by the twist type but not yet seen, one entry [J]


class Drift(NamedTuple):
    """What the control has cost, at most over bodies."""

    mock_up: float  # how far a mock-up stands from its model [m]
    mock_up_turn: float  # [rad]
    model: float  # how far a model stands from where its readings had put it [m]
    model_turn: float  # [rad]


def control_of(
    mobility: np.ndarray,
    *,
    scales: bool = False,
    yields: bool = False,
    stored: float = 0.0,
    lateness: float = 0.0,
    limits: Limits = LIMITS,
) -> Control:
    """A control of bodies with these mobilities (bodies, 6, 6), in a loop that is late by so much
    [s], of a contact that holds `stored` [J] at the start."""
    for name, value in limits._asdict().items():
        if not value > 0.0:
            what = name.replace("_", " ")
            raise InputError(f"passivity control, {what}: found {value:g}; must be positive")
    if not (lateness >= 0.0 and math.isfinite(lateness)):
        raise InputError(f"passivity control, lateness: found {lateness:g} s; must be zero or more")
    return Control(
        int(scales),
        int(yields),
        np.array(mobility, dtype=float),
        float(stored),
        float(lateness),
        Limits(*(float(value) for value in limits)),
    )


def new_controlled(bodies: int) -> Controlled:
    """A control that has done nothing yet."""
    fed, change, drift, slip, shift = np.zeros((5, bodies, WRENCH))
    return Controlled(fed, change, drift, slip, shift, np.zeros(1), np.zeros(1))


def drift_of(state: Controlled) -> Drift:
    """What the control has cost so far."""

    def largest(rows: np.ndarray, at: int) -> float:
        return float(np.linalg.norm(rows[:, at : at + 3], axis=1).max())

    return Drift(
        largest(state.drift, FORCE),
        largest(state.drift, TORQUE),
        largest(state.shift, FORCE),
        largest(state.shift, TORQUE),
    )


@helper
def row_times(M, row, vector):
    """Entry of M v."""
    value = 0.0
    for j in range(WRENCH):
        value += M[row, j] * vector[j]
    return value


@helper
def push_of(control, readings):
    """Σ F·M⁻¹F [N²/kg]."""
    push = 0.0
    for body in range(readings.shape[0]):
        for i in range(WRENCH):
            push += readings[body, i] * row_times(control.mobility[body], i, readings[body])
    return push


@helper
def share(E, a, c):
    """s nearest to 1 with E + s a + s² c ≤ 0, or where that is least if it never is; c ≥ 0."""
    if E + a + c <= 0.0:
        return 1.0
    under = a * a - 4.0 * c * E
    if under <= 0.0:
        return -0.5 * a / c if c > 0.0 else 1.0
    # free of cancellation: one root is far/c, the product of both E/c
    far = -0.5 * (a + math.copysign(math.sqrt(under), a))
    near = E / far
    if c > 0.0 and abs(far / c - 1.0) < abs(near - 1.0):
        return far / c
    return near


@helper
def largest_factor(six, linear, angular):
    """By which six numbers may be multiplied to keep within two limits."""
    factor = math.inf
    length, turn = norm(get3(six, FORCE)), norm(get3(six, TORQUE))
    if length > 0.0:
        factor = linear / length
    if turn > 0.0:
        factor = min(factor, angular / turn)
    return factor


@part
def scale_wrenches(control, state, observer, readings, h):
    """Wrench type: writes what the models are fed for the next h [s]."""
    a, c = 0.0, 0.5 * h * h * push_of(control, readings)
    limits, maximum = control.limits, math.inf
    for body in range(readings.shape[0]):
        maximum = min(maximum, largest_factor(readings[body], limits.force, limits.torque))
        for i in range(WRENCH):
            a += h * readings[body, i] * observer.twist[body, i]
    change = share(total(observer.model) - control.stored, a, c) - 1.0
    change = min(max(change, -maximum), maximum)
    state.rejected[0] -= change * (a + (2.0 + change) * c)
    for body in range(readings.shape[0]):
        for i in range(WRENCH):
            gained = h * change * row_times(control.mobility[body], i, readings[body])
            state.fed[body, i] += change * readings[body, i]
            state.shift[body, i] += h * (state.slip[body, i] + 0.5 * gained)
            state.slip[body, i] += gained


@part
def yield_motion(control, state, observer, readings, h):
    """Twist type: writes by how much the commanded velocities change for the next h [s]."""
    limits, push = control.limits, push_of(control, readings)
    added = total(observer.model) - total(observer.real)
    excess = added - state.pending[0]
    touched = False
    for body in range(readings.shape[0]):
        touched |= largest_factor(readings[body], limits.quiet_force, limits.quiet_torque) < 1.0
    beta = excess / (h * push) if touched and excess > 0.0 else 0.0
    for body in range(readings.shape[0]):
        for i in range(WRENCH):
            state.change[body, i] = row_times(control.mobility[body], i, readings[body])
        beta = min(beta, largest_factor(state.change[body], limits.speed, limits.turn_rate))
    for body in range(readings.shape[0]):
        for i in range(WRENCH):
            state.change[body, i] *= beta
            state.drift[body, i] += h * state.change[body, i]
    kept = math.exp(-h / control.lateness) if control.lateness > 0.0 else 0.0
    state.pending[0] = kept * state.pending[0] + beta * h * push


@part
def keep_passive(control, state, observer, readings, h):
    """At a control instant: writes what the models are fed and how commands are changed for the
    next h [s], given what the sensors read on each body (bodies, 6)."""
    for body in range(readings.shape[0]):
        for i in range(WRENCH):
            state.fed[body, i] = readings[body, i]
    if control.scales:
        scale_wrenches(control, state, observer, readings, h)
    if control.yields:
        yield_motion(control, state, observer, readings, h)
