"""Around a user's controller: whatever it does, the loop goes on or ends in words.

What it commands is looked at in the compiled loop, see onboard.command_check.  Here it is called,
its errors are caught, and its cycles are timed with a clock that is handed in: what that says is
reported, and changes nothing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.onboard import Onboard
from proxops.bus.bus import Bus
from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.core.interrupt import is_ctrl_c
from proxops.onboard.command_check import CheckParams, nothing_checked
from proxops.onboard.command_check import function as check_commands
from proxops.onboard.function import Change, Function, nothing
from proxops.onboard.user.compiled import CompiledFunction
from proxops.onboard.user.controller import Briefing, Compiled, name_of, sha256_of, taken
from proxops.onboard.user.exceptions import blaming, format_error
from proxops.onboard.user.views import (
    Commands,
    Measurements,
    compiled_commands,
    compiled_measurements,
)
from proxops.results.controller_report import ControllerReport
from proxops.scenario.load import Scenario
from proxops.sim.controller.report import Tally, findings_of, pace_of

WRITES = ("base_force", "base_torque", "holds", "joints", "controller_mode")

Clock = Callable[[], int]  # [ns]


class Harness:
    """A user's controller for one run."""

    def __init__(self, given: object, clock: Clock | None = None) -> None:
        self._given = taken(given)
        self.name, self.sha256 = name_of(self._given), sha256_of(self._given)
        self.in_python = not isinstance(self._given, Compiled)
        self._clock = clock
        self._took: list[int] = []  # [ns], of each cycle
        self._misfits = Tally()
        self._modes = tuple(map(str, getattr(self._given, "modes", ())))

    def flies(self, scenario: Scenario) -> Scenario:
        """The scenario with this controller as all its on-board software."""
        had = scenario.mission.obsw.controller
        if had is not None and had.sha256 is not None and had.sha256 != self.sha256:
            this = self.sha256[:12] if self.sha256 else "unknown"
            raise InputError(
                f"{scenario.name}: was flown by {had.name} with source {had.sha256[:12]}, that of "
                f"{self.name} is {this}; to run another one, remove obsw.controller.sha256"
            )
        section: dict[str, Any] = {} if had is None else had.model_dump(exclude_none=True)
        rate = getattr(self._given, "rate_hz", None)
        section |= {"rate_hz": float(rate)} if rate is not None else {}
        section |= {"name": self.name, "modes": self._modes}
        section |= {"sha256": self.sha256} if self.sha256 else {}
        platform = scenario.believed.mission.obsw.platform.model_dump(exclude_none=True)
        return scenario.replace({"obsw": {"controller": section, "platform": platform}})

    def join(self, scenario: Scenario, built: Built) -> Onboard:
        """The chaser's sensors and services with this controller between them."""
        onboard, bus = built.onboard, built.onboard.bus
        self._period = onboard.period
        self._joints = joint_names(bus)
        briefing = briefing_of(scenario, bus, onboard.limits, self._period)
        function = self._function_of(bus, briefing)
        self._checked = nothing_checked(bus.commands)
        limits = CheckParams(onboard.platform, onboard.limits)
        check = check_commands(limits, self._checked, self._period)
        start = getattr(self._given, "start", None)
        if start is not None:
            with blaming(f"controller {self.name}: start"):
                start(briefing)
        functions = [function, check, *onboard.functions]
        return onboard.flown_by(functions)

    def _function_of(self, bus: Bus, briefing: Briefing) -> Function:
        """The controller as a function on board."""
        of_arms, mode = len(self._joints), bus.estimates["controller.mode"]
        parts: dict[str, Any] = {
            "period": self._period,
            "changes": (Change("controller.mode", self._mode_event, before=-1.0),),
            "writes": WRITES,
        }
        if not isinstance(self._given, Compiled):
            self.measurements = Measurements(bus.measurements, of_arms)
            self.commands = Commands(bus.commands, mode)
            return Function(
                self.name, None, nothing(), nothing(), run_in_python=self._run_in_python, **parts
            )
        own = CompiledFunction(
            f"controller {self.name}",
            self._given.function,
            self._given.numbers(briefing),
            self._given.memory,
            (
                compiled_measurements(bus.measurements.only(()), of_arms),
                compiled_commands(bus.commands, mode),
            ),
            (bus.commands.array, bus.estimates.array),
        )
        self._own = own
        return Function(
            self.name,
            own.step,
            own.inputs,
            own.outputs,
            own.params,
            own.memory,
            why=own.why,
            **parts,
        )

    def _run_in_python(self) -> str | None:
        """Runs a cycle of a controller in Python; what it raised, None if nothing."""
        begun = self._clock() if self._clock else 0
        try:
            returned = self._given.control(self.measurements, self.commands)  # type: ignore[union-attr]  # in_python
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            of = getattr(type(self._given), "control", None)
            return f"controller {self.name}: {format_error(error, of)}"
        if returned is not None:
            return (
                f"controller {self.name}: control returned {type(returned).__name__}, which "
                "nothing takes; write commands instead, such as commands.joints = ..."
            )
        if self._clock:
            self._took.append(self._clock() - begun)
        if self.commands.misfit:
            self._misfits.note(self.measurements.t, self.commands.misfit)
            self.commands.misfit = ""
        return None

    def _mode_event(self, mode: float, details: np.ndarray) -> tuple[str, str]:
        """Kind and text of the event that a mode begins."""
        number = int(mode)
        named = 0 <= number < len(self._modes)
        kind = self._modes[number] if named else f"mode-{number}"
        return kind, f"mode {number} of {self.name}"

    def report(self, alone: bool = True) -> ControllerReport:
        """Its report; a compiled one is called `alone` to be timed."""
        cycles = int(self._checked.cycles[0])
        found = findings_of(self._checked.tally, self._misfits, self._joints)
        took = self._took
        if self._clock and not self.in_python and cycles and alone:
            took = self._own.timed_alone(self._clock)
        pace = pace_of(took, self._period, not self.in_python) if took else None
        return ControllerReport(self.name, NS_PER_S / self._period, cycles, found, pace)


def briefing_of(scenario: Scenario, bus: Bus, limits: np.ndarray, period: int) -> Briefing:
    """What a user's function may know before a run; it is called every period [ns]."""
    return Briefing(period / NS_PER_S, joint_names(bus), limits.copy(), operators_view(scenario))


def joint_names(bus: Bus) -> tuple[str, ...]:
    """arm.joint, in the order of commands."""
    return next(each.parts for each in bus.commands.layout if each.name == "joints")


# What of a mission nobody on board can know: what will fail, and where noise comes from
_UNKNOWN = ("seed", "faults", "dispersions")
_UNKNOWN_OF_SENSORS = ("dropouts", "frozen", "spikes")


def operators_view(scenario: Scenario) -> dict[str, Any]:
    """The mission as it is believed to be, as plain data."""
    mission = scenario.believed.mission.model_dump(mode="json", exclude_none=True)
    for key in _UNKNOWN:
        mission.pop(key, None)
    own = mission["sensors"].pop("extra", {})
    for sensor in (*mission["sensors"].values(), *own.values()):
        for key in _UNKNOWN_OF_SENSORS:
            sensor.pop(key, None)
    mission["sensors"] |= {"extra": own} if own else {}
    return mission
