"""A user's own functions on board, between or in place of the shipped ones.

In Python: a class (or an object) with

    name        its section in a scenario, [obsw.functions.<name>]
    run(measurements, estimates, commands)
    fields      estimates that it makes for others, all recorded; empty if not given
    writes      commands that it writes, as "base.force"; none if not given
    modes       names of commands.mode, whose changes are events
    parameters  numbers that the scenario may change, by name
    rate_hz     how often it runs; at time.control_rate_hz if not given
    start(briefing), called before each run

Compiled: proxops.Compiled(run, name=..., fields=..., writes=...), with
run(parameters, memory, measurements, estimates, commands) on named tuples of arrays.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from proxops.bus.bus import Bus
from proxops.bus.fields import Field
from proxops.core.by_address import named_tuple
from proxops.core.errors import InputError
from proxops.core.interrupt import is_ctrl_c
from proxops.core.text import nearest
from proxops.onboard.function import Change, Function, nothing
from proxops.onboard.user.compiled import CompiledFunction
from proxops.onboard.user.controller import Compiled, check_rate_and_modes
from proxops.onboard.user.exceptions import blaming, format_error
from proxops.onboard.user.views import (
    Commands,
    Estimates,
    Measurements,
    compiled_commands,
    compiled_estimates,
    compiled_measurements,
)

WRITABLE = ("base.force", "base.torque", "holds", "joints")


def name_of(given: Any) -> str:
    """The section that it has in a scenario."""
    if isinstance(given, Compiled):
        return given.name or str(given.function.__name__)
    return str(getattr(given, "name", None) or getattr(given, "__name__", type(given).__name__))


def check_function(given: Any) -> None:
    """Rejects what cannot be a function on board."""
    where = f"extension {name_of(given)}"
    if not isinstance(given, Compiled) and not callable(getattr(given, "run", None)):
        raise InputError(f"{where}: has no method run(measurements, estimates, commands)")
    check_rate_and_modes(where, given)
    for each in getattr(given, "fields", ()):
        if not isinstance(each, Field):
            raise InputError(f"{where}: fields: {each!r} is not a proxops.Field")
    for each in getattr(given, "writes", ()):
        if each not in WRITABLE:
            raise InputError(f"{where}: writes: unknown {each!r}{nearest(str(each), WRITABLE)}")


def declared_fields(name: str, given: Any) -> tuple[Field, ...]:
    """Estimates that it makes, under its name."""
    mode = (Field("mode", title=f"Mode of {name}"),) if getattr(given, "modes", ()) else ()
    return tuple(
        replace(each, name=f"{name}.{each.name}", signal=f"obsw.{name}.{each.name}")
        for each in (*mode, *getattr(given, "fields", ()))
    )


def parameters_of(
    where: str, declared: Mapping[str, float], given: Mapping[str, float]
) -> dict[str, float]:
    """All parameters of an extension, those of the scenario before its own."""
    for key in given:
        if key not in declared:
            raise InputError(f"{where}.parameters: unknown {key!r}{nearest(key, declared)}")
    return {key: float(given.get(key, value)) for key, value in declared.items()}


def function_of(
    name: str, given: Any, parameters: Mapping[str, float], bus: Bus, period: int
) -> Function:
    """It as a function on board, every period [ns]."""
    writes = tuple(each.replace(".", "_") for each in getattr(given, "writes", ()))
    own = tuple(each.attribute for each in declared_fields(name, given))
    modes = tuple(map(str, getattr(given, "modes", ())))
    mode = bus.estimates[f"{name}.mode"] if modes else np.zeros(1)
    values = parameters_of(f"obsw.functions.{name}", _declared_parameters(given), parameters)
    function = Function(
        name,
        None,
        nothing(),
        nothing(),
        period=period,
        any_period=True,
        writes=(*writes, *own),
    )
    if modes:
        function.changes = (Change(f"{name}.mode", _mode_event(name, modes), before=-1.0),)
    if isinstance(given, Compiled):
        _compile(function, given, values, bus, mode)
    else:
        _call(function, given, values, bus, mode, writes)
    return function


def _declared_parameters(given: Any) -> Mapping[str, float]:
    declared = getattr(given, "parameters", {})
    if not isinstance(declared, Mapping) and not callable(declared) and len(declared) == 0:
        return {}
    if not isinstance(declared, Mapping):
        raise InputError(f"extension {name_of(given)}: parameters must be numbers by name")
    return declared


def _mode_event(name: str, modes: tuple[str, ...]) -> Any:
    def describe(mode: float, details: np.ndarray) -> tuple[str, str]:
        number = int(mode)
        kind = modes[number] if 0 <= number < len(modes) else f"mode-{number}"
        return kind, f"mode {number} of {name}"

    return describe


def _compile(
    function: Function, given: Compiled, values: dict[str, float], bus: Bus, mode: np.ndarray
) -> None:
    of_arms = bus.commands["joints"].size
    own_fields = [each.name for each in declared_fields(function.name, given)]
    parameters: Any = ()
    if values:
        parameters = named_tuple("Parameters", values)
    own = CompiledFunction(
        f"obsw.functions.{function.name}",
        given.function,
        parameters,
        given.memory,
        (
            compiled_measurements(bus.measurements.only(()), of_arms),
            compiled_estimates(bus.estimates.only(own_fields)),
            compiled_commands(bus.commands.only(given.writes), mode),
        ),
        (bus.commands.array, bus.estimates.array),
    )
    function.step, function.params, function.memory = own.step, own.params, own.memory
    function.inputs, function.outputs, function.why = own.inputs, own.outputs, own.why


def _call(
    function: Function,
    given: Any,
    values: dict[str, float],
    bus: Bus,
    mode: np.ndarray,
    writes: tuple[str, ...],
) -> None:
    where = f"obsw.functions.{function.name}"
    with blaming(where):
        made = given() if isinstance(given, type) else given
    of_arms = bus.commands["joints"].size
    commands = Commands(bus.commands.only(writes), mode)
    views = (
        Measurements(bus.measurements, of_arms),
        Estimates(bus.estimates, function.name),
        commands,
    )

    def run_in_python() -> str | None:
        try:
            made.run(*views)
            if commands.misfit:
                return f"{where}: commands.{commands.misfit}"
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            return f"{where}: {format_error(error, getattr(type(made), 'run', None))}"
        return None

    def start(briefing: Any) -> None:
        begin = getattr(made, "start", None)
        if begin is not None:
            with blaming(f"{where}: start"):
                begin(replace(briefing, parameters=values))

    function.run_in_python, function.start = run_in_python, start
