"""Energy at the contact port: positive is what the facility generates.

The facility stands between modelled bodies and a real contact, and has a port to each:

    model side   the wrench as fed to a modelled body, and the twist of that body
    real side    the true wrench on its mock-up, and the twist of the carrier that holds it

both of one port at one point in one set of axes; a wrench is what acts *on* the body, and pairs
with that body's twist alone.  With W the work done on bodies, summed over all bodies that meet,

    W_model = Σ ∫ F_fed · V_model dt,     W_real = Σ ∫ F_true · V_carrier dt

    contact as the models meet it    E = W_model            a contact in nature gives none: E ≤ 0
    what the facility adds to it     E - W_real             an ideal facility adds none: = 0

A fed wrench is held through a step, in which a body's twist goes along a line: the trapezium of
F · V is then exact, ½ dt F · (V₀ + V₁).  The real side is integrated by the same rule, whose error
is of second order in the step.  Each direction has an entry of its own.  Only sums over all of them
are the same in every frame.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper
from proxops.facility.common.force_sensor import WRENCH


class Observer(NamedTuple):
    """What has passed through both ports so far; one row a body, linear directions first."""

    model: np.ndarray  # W_model (bodies, 6) [J]
    real: np.ndarray  # W_real (bodies, 6) [J]
    twist: np.ndarray  # of the modelled bodies as last seen
    power: np.ndarray  # of the real side as last seen [W]


class Energy(NamedTuple):
    """What an observer has seen [J]."""

    contact: float  # given to the models by the contact as they meet it
    facility: float  # share of it that the facility has added
    by_direction: np.ndarray  # `contact` by body and direction (bodies, 6)


def new_observer(twist: np.ndarray) -> Observer:
    """An observer that has seen nothing yet; the modelled bodies move so (bodies, 6)."""
    return Observer(np.zeros_like(twist), np.zeros_like(twist), twist.copy(), np.zeros_like(twist))


@helper
def observe_model(observer, body, fed, twist, dt):
    """Books the model side of a step that ends now and through which `fed` was held:
    W += ½ dt F (V₀ + V₁)."""
    for i in range(WRENCH):
        observer.model[body, i] += 0.5 * dt * fed[i] * (observer.twist[body, i] + twist[i])
        observer.twist[body, i] = twist[i]


@helper
def observe_real(observer, body, wrench, twist, dt):
    """Books the real side of a step that ends now: W += ½ dt (F₀ V₀ + F₁ V₁)."""
    for i in range(WRENCH):
        power = wrench[i] * twist[i]
        observer.real[body, i] += 0.5 * dt * (observer.power[body, i] + power)
        observer.power[body, i] = power


@helper
def total(work):
    """Sum over bodies and directions [J]."""
    energy = 0.0
    for body in range(work.shape[0]):
        for i in range(WRENCH):
            energy += work[body, i]
    return energy


def energy_of(observer: Observer) -> Energy:
    """What has been generated so far."""
    contact = float(observer.model.sum())
    return Energy(contact, contact - float(observer.real.sum()), observer.model.copy())
