"""What a user may give as a controller, and what is known of it."""

import copy
import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from proxops.bus.fields import Field
from proxops.core.errors import InputError
from proxops.onboard.functions.capture.modes import MODES
from proxops.onboard.user.exceptions import blaming
from proxops.onboard.user.file import from_file
from proxops.onboard.user.views import Commands, Measurements
from proxops.scenario.schema.requirement import EVENTS

MAX_MEMORY = 10**6
# Events that mean something else: no controller may report that a hold has closed
_OWN = set(MODES)  # a capture's, free for others
_TAKEN = (set(EVENTS) - _OWN) | {
    "dry-run",
    "fault",
    "fault-injected",
    "guard",
    "interrupted",
    "phase",
}
_TAKEN |= {"stopped", "controller", "recording-cut"}
_FINDING = "controller-"  # and so on: what a controller did wrong


@dataclass(frozen=True)
class Briefing:
    """What a controller may know before the start: the mission as its operators know it.

    A controller with a method `start(briefing)` gets it once before each run.

    >>> class Idle:
    ...     def start(self, briefing):
    ...         self.dt = briefing.period_s
    ...         self.mass = briefing.mission["chaser"]["mass_kg"]  # as believed, hub alone
    ...         self.effort = briefing.limits  # of motors [N m or N]
    ...     def control(self, measurements, commands):
    ...         commands.force = [0.0, 0.0, 0.0]  # N, in C
    """

    period_s: float  # of its cycles
    joints: tuple[str, ...]  # arm.joint, in the order of measurements.q and commands.joints
    limits: np.ndarray  # of their motors [N m or N]
    mission: Mapping[str, Any]  # as in the scenario's file
    parameters: Mapping[str, float] = field(default_factory=dict)  # of a function on board


@runtime_checkable
class Controller(Protocol):
    """A controller in Python.  It may also have `rate_hz`, `start(briefing)`, called before each
    run, and `modes`, names of its modes."""

    def control(self, measurements: Measurements, commands: Commands) -> None: ...


Parameters = (
    Sequence[float] | np.ndarray | Mapping[str, float] | Callable[[Briefing], Sequence[float]]
)


@dataclass(frozen=True)
class Compiled:
    """A controller that runs inside the compiled loop: control(parameters, memory, measurements,
    commands), or a function on board: run(parameters, memory, measurements, estimates, commands).

    `memory` is an array that begins with zeros; the others are named tuples of arrays with the
    names of `Measurements`, `Estimates` and `Commands`, numbers being arrays of one.  A
    controller's `parameters` may be a function that makes them from the `Briefing`, before each
    run.  `name`, `fields` and `writes` are of functions on board, whose parameters have names.

    >>> def damp(parameters, memory, measurements, commands):
    ...     for i in range(measurements.qd.size):
    ...         commands.joints[i] = -parameters[0] * measurements.qd[i]  # N m of rad/s
    >>> proxops.Compiled(damp, parameters=[5.0], rate_hz=100.0).rate_hz
    100.0
    """

    function: Callable[..., None]
    parameters: Parameters = ()
    memory: int = 64
    rate_hz: float | None = None
    modes: Sequence[str] = field(default=(), kw_only=True)
    name: str = field(default="", kw_only=True)
    fields: Sequence[Field] = field(default=(), kw_only=True)  # estimates that it makes
    writes: Sequence[str] = field(default=(), kw_only=True)  # commands that it writes

    def numbers(self, briefing: Briefing) -> Any:
        """The parameters of a run."""
        if not callable(self.parameters):
            return self.parameters
        with blaming(f"controller {name_of(self)}: parameters"):
            made = self.parameters(briefing)
        _check_numbers(made, name_of(self))
        return made


def taken(given: object) -> Controller | Compiled:
    """A controller, taken from its file and made from its class if need be."""
    if isinstance(given, str):
        given = from_file(given)
    made = given
    if isinstance(given, type):
        with blaming(f"controller {given.__name__}"):
            made = given()
    name = name_of(made)
    if not isinstance(made, Compiled) and not isinstance(made, Controller):
        raise InputError(f"controller {name}: has no method control(measurements, commands)")
    if isinstance(made, Compiled):
        _check(made, name)
    check_rate_and_modes(f"controller {name}", made)
    return made


def check_rate_and_modes(where: str, made: object) -> None:
    """Rejects a rate that is none, and modes that would be events with another meaning."""
    with blaming(where):
        rate, modes = getattr(made, "rate_hz", None), getattr(made, "modes", ())
    if rate is not None and not (isinstance(rate, int | float) and 0.0 < rate < np.inf):
        raise InputError(f"{where}: rate_hz is {rate!r}, not a number of Hz above zero")
    if isinstance(modes, str) or not isinstance(modes, Sequence):
        raise InputError(f"{where}: modes is {modes!r}, not a list of names")
    for mode in modes:
        if not isinstance(mode, str) or mode in _TAKEN or mode.startswith(_FINDING):
            raise InputError(f"{where}: a mode cannot be called {mode!r}")


def _check(given: Compiled, name: str) -> None:
    if not callable(given.function):
        raise InputError(f"controller {name}: its function cannot be called")
    if not (isinstance(given.memory, int) and 0 <= given.memory <= MAX_MEMORY):
        raise InputError(f"controller {name}: memory is {given.memory!r}, not 0 to {MAX_MEMORY}")
    if not callable(given.parameters):
        _check_numbers(given.parameters, name)


def _check_numbers(parameters: object, name: str) -> None:
    try:
        np.asarray(parameters, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        raise InputError(f"controller {name}: its parameters are not numbers") from None


def name_of(given: object) -> str:
    """What it is called."""
    of = given.function if isinstance(given, Compiled) else type(given)
    return str(getattr(of, "__name__", type(of).__name__))


def copied(given: Any) -> Any:
    """The controller for another run: one that may remember something is copied."""
    if isinstance(given, Compiled):
        return given
    with blaming(f"controller {name_of(given)}: cannot be copied for another run"):
        return copy.deepcopy(given)


def sha256_of(given: Controller | Compiled) -> str | None:
    """Hash of the file that it is written in, and of a compiled one's parameters, or of the file
    that makes them; None where there is no file to read."""
    of: Any = given.function if isinstance(given, Compiled) else type(given)
    with suppress(OSError, TypeError):
        digest = hashlib.sha256(_source_of(getattr(of, "py_func", of)))
        if isinstance(given, Compiled) and callable(given.parameters):
            digest.update(_source_of(given.parameters))
        elif isinstance(given, Compiled):
            digest.update(np.asarray(given.parameters, dtype=float).tobytes())
        return digest.hexdigest()
    return None


def _source_of(defined: Any) -> bytes:
    """The file that a class or function is written in."""
    return Path(inspect.getfile(defined)).read_bytes()
