"""A bounce with delay, solved exactly."""

import itertools
import math

import numpy as np
from numpy.polynomial import Polynomial


def shifted(polynomial, by):
    """p(u + by)."""
    return polynomial(Polynomial([by, 1.0]))


def late_rebound(contact, delay):
    """Speed over that of the approach after m ẍ(t) = f(x(t - τ), ẋ(t - τ)), by the method of steps,
    for a contact (m, k, b).

    The motion is a chain of polynomials: where x is known on a piece, so is the force a delay
    later, itself a polynomial between the instants at which spring and damper begin or end to push.
    """
    mass, k, b = contact
    cut = 40  # degree beyond which a piece, at most a few tenths of a radian long, has nothing left
    pieces = [(0.0, delay, Polynomial([0.0, -1.0]))]
    end = (-delay, -1.0)  # x and v where the known motion ends
    last, known = 4.0 * math.pi * math.sqrt(mass / k), 0
    while pieces[-1][1] < last:
        since, until, x = pieces[known]
        known += 1
        force = -k * x - b * x.deriv()
        roots = np.concatenate([x.roots(), force.roots()])
        real = roots[np.abs(roots.imag) < 1e-9 * (until - since)].real
        switches = sorted(u for u in real if 0.0 < u < until - since)
        edges = [0.0, *switches, until - since]
        for begin, stop in itertools.pairwise(edges):
            middle = 0.5 * (begin + stop)
            pushes = x(middle) < 0.0 < force(middle)
            pull = shifted(force, begin) / mass if pushes else Polynomial([0.0])
            moved = pull.integ(2, k=[end[1], end[0]])
            # integ's constants: first that of the velocity, then that of the position
            moved = Polynomial(moved.coef[:cut])
            pieces.append((since + begin + delay, since + stop + delay, moved))
            end = float(moved(stop - begin)), float(moved.deriv()(stop - begin))
    assert end[0] > 0.0
    return end[1]
