"""Transfers about a circular orbit in closed form: hops along V-bar and R-bar, changes of height,
and the natural ellipse around the target.

n [rad/s] is the mean motion, all vectors in H (x radial outwards: R-bar points along -x; y
along-track: V-bar).  Linear theory (HCW): valid where the range is small against |R|.
Source: Fehse 2003, chapter 3, whose axes are others.
"""

import math

import numpy as np

from proxops.physics.orbit.transfers import Transfer

_ON_THE_GOAL = np.zeros(3)


def radial_hop(n: float, d: float) -> Transfer:
    """Along V-bar by d [m], from rest to rest in H, by radial impulses half a revolution apart.

        Δv₁ = Δv₂ = [-n d/4, 0, 0]

    Half of an ellipse d long that reaches d/4 below V-bar (d > 0).  Without the second impulse it
    comes back to where it began: nothing drifts away.
    """
    dv = np.array([-n * d / 4.0, 0.0, 0.0])
    return Transfer(dv, dv.copy(), _ON_THE_GOAL)


def tangential_hop(n: float, d: float) -> Transfer:
    """Along V-bar by d [m], from rest to rest in H, by impulses along it a whole revolution apart.

        Δv₁ = -Δv₂ = [0, -n d/(6π), 0]

    Ahead by braking.  Reaches 2d/(3π) below V-bar (d > 0).  Without the second impulse it goes on
    by d in every revolution.
    """
    dv = np.array([0.0, -n * d / (6.0 * math.pi), 0.0])
    return Transfer(dv, -dv, _ON_THE_GOAL)


def rbar_hop(n: float, x0: float, x1: float) -> Transfer:
    """Along R-bar from the height x0 to x1 [m], from rest to rest in H, in half a revolution.

        Δv₁ = n [-3π(x₀ + x₁)/16, (x₁ - 7x₀)/4, 0]
        Δv₂ = n [-3π(x₀ + x₁)/16, (7x₁ - x₀)/4, 0]

    From `two_impulse` with HCW at n t = π.  Most of it is for rest at another height, which the
    natural motion does not have.
    """
    across = -3.0 * math.pi * (x0 + x1) / 16.0
    dv1 = n * np.array([across, (x1 - 7.0 * x0) / 4.0, 0.0])
    dv2 = n * np.array([across, (7.0 * x1 - x0) / 4.0, 0.0])
    return Transfer(dv1, dv2, _ON_THE_GOAL)


def height_change(n: float, d: float) -> Transfer:
    """From the natural drift at one height to that d [m] higher, in half a revolution (Hohmann).

        Δv₁ = Δv₂ = [0, n d/4, 0]

    The drift at height x is v = [0, -3n x/2, 0]; the transfer itself shifts y by -3π(x/2 + d/4).
    """
    dv = np.array([0.0, n * d / 4.0, 0.0])
    return Transfer(dv, dv.copy(), _ON_THE_GOAL)


def ellipse_velocity(n: float, p: np.ndarray) -> np.ndarray:
    """v_H (3,) [m/s] at p (3,) [m] with which a body circles the origin in a natural ellipse.

        v = [n y/2, -2n x, 0]:    x² + (y/2)² stays, twice as long as high, once a revolution

    z swings by itself, z cos(n t); with v_z = 0 here the plane of the ellipse holds p.
    """
    return np.array([n * p[1] / 2.0, -2.0 * n * p[0], 0.0])
