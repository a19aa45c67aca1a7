"""A normal-force law of the user's own, called by its address.

    law(parameters, depth, depth_rate) -> force [N], energy [J], stiffness [N/m]

`depth` δ > 0 is the overlap [m]; `depth_rate` δ̇ [m/s] is positive while the bodies approach.

    force      pushes apart; at rest, f(δ, 0), it is elastic, and what a rate adds is damping
    energy     that the elastic force stores: E(0) = 0, dE/dδ = f(δ, 0)
    stiffness  no less than ∂f/∂δ at rest: sub-steps are made for it

The ledger needs the energy and the sub-steps need the stiffness, so both are checked against the
force when a scenario is built.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from proxops.core.by_address import invoke_number
from proxops.core.errors import InputError
from proxops.core.jit import compiled, entry_of, part, users

Law = Callable[[np.ndarray, float, float], tuple[float, float, float]]

# What a law returns, by number
FORCE = 0
ENERGY = 1
STIFFNESS = 2

_COLOURS = re.compile("\x1b\\[[0-9;]*m")  # of the compiler's messages

MAX_PARAMETERS = 8
BEYOND = 2.0  # how far beyond the named depth a law is checked, relatively
SAMPLES = 41
RATES = (0.01, 0.1, 1.0)  # at which bodies approach while a law is checked [m/s]
SHIFT = 1e-4  # of a depth, by which it is shifted to find a slope
# Slopes may be wrong by so much: SHIFT leaves a quarter of it where a force has a kink
WITHIN = 1e-3


@dataclass(frozen=True)
class ContactLaw:
    """A law with a name, by which scenarios refer to it, and the names of its parameters, with
    their units as in scenarios (`stiffness_N_m`), in the order in which the law has them.

    >>> def spring(parameters, depth, depth_rate):  # m, m/s; positive while bodies approach
    ...     k = parameters[0]
    ...     return k * depth, 0.5 * k * depth**2, k  # N, J, N/m
    >>> law = proxops.ContactLaw("spring", spring, ("stiffness_N_m",))
    """

    name: str
    law: Law
    parameters: tuple[str, ...] = ()


class ExternalLaw(NamedTuple):
    """A law as contacts have it: its address, its parameters, and its slopes at a depth."""

    entry: int
    parameters: tuple[float, ...]
    stiffness: float  # [N/m]
    damping: float  # [N s/m]


# --- compiled -----------------------------------------------------------------------------------


@part
def external_force(entry, parameters, overlap, rate):
    """Elastic and damping part of the force [N]."""
    if overlap <= 0.0:
        return 0.0, 0.0
    elastic = invoke_number(entry, (parameters, overlap, 0.0, FORCE))
    return elastic, invoke_number(entry, (parameters, overlap, rate, FORCE)) - elastic


@part
def external_energy(entry, parameters, overlap):
    """Energy stored by the elastic part [J]."""
    if overlap <= 0.0:
        return 0.0
    return invoke_number(entry, (parameters, overlap, 0.0, ENERGY))


@part
def external_stiffness(entry, parameters, overlap):
    """Stiffness at an overlap [N/m]."""
    return invoke_number(entry, (parameters, overlap, 0.0, STIFFNESS))


# --- Python -------------------------------------------------------------------------------------


def build_law(given: ContactLaw, values: Mapping[str, float], depth: float) -> ExternalLaw:
    """The law with these parameters, for overlaps about `depth` [m]; InputError if it is none."""
    parameters = _parameters(given, values)
    padded = np.array([*parameters, *[0.0] * (MAX_PARAMETERS - len(parameters))])
    _check(_at(given, padded), depth)
    _check_reading(given, padded, depth)
    at = _at(given, padded)
    slope = (at(depth, RATES[0])[FORCE] - at(depth, -RATES[0])[FORCE]) / (2.0 * RATES[0])
    return ExternalLaw(
        _entry(given, padded), parameters, at(depth, 0.0)[STIFFNESS], max(slope, 0.0)
    )


def _check_reading(given: ContactLaw, padded: np.ndarray, depth: float) -> None:
    """Whether the law reads nothing behind its parameters, where compiled code finds zeros."""
    beyond = padded.copy()
    beyond[len(given.parameters) :] = np.nan
    function = getattr(given.law, "py_func", given.law)
    for rate in (0.0, *RATES):
        if not np.array_equal(function(beyond, depth, rate), function(padded, depth, rate)):
            known = ", ".join(given.parameters) or "none"
            raise InputError(f"reads a parameter that it does not have; the law has {known}")


def _parameters(given: ContactLaw, values: Mapping[str, float]) -> tuple[float, ...]:
    """Their values in the law's order."""
    if len(given.parameters) > MAX_PARAMETERS:
        raise InputError(f"has {len(given.parameters)} parameters; {MAX_PARAMETERS} are the most")
    known = ", ".join(given.parameters) or "none"
    missing = [name for name in given.parameters if name not in values]
    unknown = [name for name in values if name not in given.parameters]
    if missing:
        raise InputError(f"parameters.{missing[0]} is missing; the law has {known}")
    if unknown:
        raise InputError(f"parameters.{unknown[0]} is unknown; the law has {known}")
    return tuple(float(values[name]) for name in given.parameters)


def _at(given: ContactLaw, parameters: np.ndarray) -> Callable[[float, float], Sequence[float]]:
    """What the law says, uncompiled."""

    def at(depth: float, rate: float) -> Sequence[float]:
        function = getattr(given.law, "py_func", given.law)
        try:
            force, energy, stiffness = (float(each) for each in function(parameters, depth, rate))
        except Exception as error:  # whatever a user's function may raise
            raise InputError(
                f"does not return force, energy and stiffness at an overlap of {depth:g} m: "
                f"{type(error).__name__}: {error}"
            ) from error
        found = force, energy, stiffness
        if not all(map(math.isfinite, found)):
            raise InputError(f"returns {found} at an overlap of {depth:g} m, {rate:g} m/s")
        return found

    return at


def _check(at: Callable[[float, float], Sequence[float]], depth: float) -> None:
    """Whether force, energy and stiffness belong together, up to BEYOND of a depth [m]."""
    largest = max(abs(at(BEYOND * depth, 0.0)[ENERGY]), np.finfo(float).tiny)
    if abs(at(0.0, 0.0)[ENERGY]) > WITHIN * largest:
        raise InputError(f"stores {at(0.0, 0.0)[ENERGY]:g} J where nothing overlaps; must be 0")
    for overlap in np.linspace(0.0, BEYOND * depth, SAMPLES)[1:]:
        _check_at(at, float(overlap))


def _check_at(at: Callable[[float, float], Sequence[float]], overlap: float) -> None:
    where = f"at an overlap of {overlap:.3g} m"
    shift = SHIFT * overlap
    below, here, above = at(overlap - shift, 0.0), at(overlap, 0.0), at(overlap + shift, 0.0)
    for rate in (0.0, *RATES):
        force, energy, _ = at(overlap, rate)
        if force < 0.0:
            raise InputError(f"pulls with {-force:.3g} N {where}, approaching at {rate:g} m/s")
        if energy != here[ENERGY]:
            raise InputError(f"stores another energy at rest than at {rate:g} m/s, {where}")
    slope = (above[ENERGY] - below[ENERGY]) / (2.0 * shift)
    if abs(slope - here[FORCE]) > WITHIN * max(here[FORCE], abs(slope)):
        raise InputError(
            f"stores an energy that is not the integral of its force at rest: {where} dE/dδ is "
            f"{slope:.6g} N, the force {here[FORCE]:.6g} N"
        )
    rise = (above[FORCE] - below[FORCE]) / (2.0 * shift)
    if not here[STIFFNESS] > 0.0 or here[STIFFNESS] < (1.0 - WITHIN) * rise:
        raise InputError(
            f"gives a stiffness of {here[STIFFNESS]:.6g} N/m {where}; it must be positive, and no "
            f"less than the {rise:.6g} N/m by which the force rises"
        )


def _entry(given: ContactLaw, parameters: np.ndarray) -> int:
    """Its address; compiles it."""
    try:
        return entry_of(_called(given.law), parameters, 1.0, 0.0, FORCE, returns_number=True)
    except NumbaError as error:
        words = " ".join(_COLOURS.sub("", str(error)).split())
        raise InputError(f"does not compile: {words[:300]}") from error


@lru_cache(maxsize=64)
def _called(law: Law) -> Any:
    """A law as contacts call it: one number at a time, so that no array has to be filled."""
    own = compiled(law)

    @users
    def called(parameters: Any, depth: Any, rate: Any, number: Any) -> Any:
        try:
            force, energy, stiffness = own(parameters, depth, rate)
        except Exception:
            return np.nan  # the state is then no number, which ends the run
        if number == FORCE:
            return force
        return energy if number == ENERGY else stiffness

    return called
