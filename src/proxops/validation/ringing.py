"""Frequencies, damping and amplitudes read off a recorded motion."""

import math

import numpy as np


def ringing(samples: np.ndarray, dt: float, terms: int) -> list[complex]:
    """Roots s [rad/s] of a motion made of `terms` exponentials exp(st), strongest first.

    The matrix pencil of Hua and Sarkar (1990): a Hankel matrix of the samples has that rank, and
    shifting it by one sample multiplies each term by exp(s dt).  Exact without noise.  Drift is two
    terms, a constant one; what does not complete a cycle counts as such and is left out.  Of a
    conjugate pair the upper root is returned.
    """
    width = len(samples) // 2
    hankel = np.lib.stride_tricks.sliding_window_view(samples, width + 1)
    _, _, rows = np.linalg.svd(hankel, full_matrices=False)
    basis = rows[:terms].T
    z = np.linalg.eigvals(np.linalg.lstsq(basis[:-1], basis[1:], rcond=None)[0])
    powers = z[np.newaxis, :] ** np.arange(len(samples))[:, np.newaxis]
    strength = np.abs(np.linalg.lstsq(powers, samples.astype(complex), rcond=None)[0])
    strongest = [z[i] for i in np.argsort(-strength)]
    slowest = 2.0 * math.pi / len(samples)
    return [complex(np.log(each)) / dt for each in strongest if np.angle(each) > slowest]


def frequency(s: complex) -> float:
    """Damped frequency of exp(st) [Hz]."""
    return s.imag / (2.0 * math.pi)


def damping(s: complex) -> float:
    """Damping ratio of exp(st) [-]."""
    return -s.real / abs(s)


def first_cycle(samples: np.ndarray, dt: float, frequency: float) -> float:
    """Half the peak-to-peak value over the first cycle of that frequency, in the samples' unit."""
    cycle = samples[: math.ceil(1.0 / (frequency * dt)) + 1]
    return 0.5 * float(np.ptp(cycle))
