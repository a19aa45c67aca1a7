"""Rehearse on-orbit servicing: simulate a chaser with arms, a target and their orbit, exactly."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proxops.api import (
        Briefing,
        Commands,
        Compiled,
        ContactLaw,
        ControllerError,
        Estimates,
        Field,
        InputError,
        Measurements,
        OutputError,
        ProxopsError,
        Run,
        Scenario,
        Sensor,
        campaign,
        check,
        compiled,
        load,
        open,
        rehearse,
        simulate,
        validate,
    )

__all__ = [
    "Briefing",
    "Commands",
    "Compiled",
    "ContactLaw",
    "ControllerError",
    "Estimates",
    "Field",
    "InputError",
    "Measurements",
    "OutputError",
    "ProxopsError",
    "Run",
    "Scenario",
    "Sensor",
    "campaign",
    "check",
    "compiled",
    "load",
    "open",
    "rehearse",
    "simulate",
    "validate",
]


def __getattr__(name: str) -> Any:
    """Imports on first use: `import proxops` alone loads neither NumPy nor Numba."""
    if name == "__version__":
        from importlib.metadata import version

        return version("proxops")
    if name == "stepping":
        from importlib import import_module

        return import_module("proxops.stepping")
    if name in __all__:
        from proxops import api

        return getattr(api, name)
    raise AttributeError(f"module 'proxops' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__, "stepping"]
