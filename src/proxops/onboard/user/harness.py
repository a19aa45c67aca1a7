"""Around a user's controller: whatever it does, the loop goes on or ends in words.

What it commands is looked at in the compiled loop, see onboard.command_check.  Here it is called,
its errors are caught, and its turns are timed with a clock that is handed in: what that says is
reported, and changes nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.onboard import Onboard
from proxops.bus import commands as to
from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.core.interrupt import is_ctrl_c
from proxops.core.jit import compiled
from proxops.onboard.command_check import FINDINGS, TALLY_WIDTH, CheckMemory, CheckParams
from proxops.onboard.command_check import step as check_commands
from proxops.onboard.function import Function, NoMemory
from proxops.onboard.user.compiled import OwnMemory, OwnParams, own
from proxops.onboard.user.compiling import compile_for_loop
from proxops.onboard.user.controller import Briefing, Compiled, name_of, sha256_of, taken
from proxops.onboard.user.exceptions import blaming, told
from proxops.onboard.user.report import Tally, findings_of, pace_of
from proxops.onboard.user.views import Commands, Measurements
from proxops.results.run import ControllerReport
from proxops.scenario.load import Scenario

Clock = Callable[[], int]  # [ns]
CALLS_ALONE = 500  # of a compiled controller, to time it


class Harness:
    """A user's controller for one run."""

    def __init__(self, given: object, clock: Clock | None = None) -> None:
        self._given = taken(given)
        self.name, self.sha256 = name_of(self._given), sha256_of(self._given)
        self.in_python = not isinstance(self._given, Compiled)
        self._clock = clock
        self._took: list[int] = []  # [ns], of each turn
        self._misfits = Tally()
        self._modes = tuple(map(str, getattr(self._given, "modes", ())))

    def flies(self, scenario: Scenario) -> Scenario:
        """The scenario with this controller as all its on-board software."""
        had = scenario.mission.obsw.controller
        if had is not None and had.sha256 is not None and had.sha256 != self.sha256:
            this = self.sha256[:12] if self.sha256 else "unknown"
            raise InputError(
                f"{scenario.name}: was flown by {had.name} with source {had.sha256[:12]}, that of "
                f"{self.name} is {this}; to fly another, take obsw.controller.sha256 away"
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
        of_arms, joints = len(onboard.limits), len(built.plant.chaser_topology)
        self._limits, self._period = onboard.limits, onboard.period
        self._measurements = Measurements(bus.measurements, joints, of_arms)
        self._commands = Commands(bus.commands[: to.JOINTS + of_arms])
        self._step = self._function_of(to.JOINTS + of_arms)
        self._checked = CheckMemory(
            np.zeros_like(bus.commands),
            np.zeros((FINDINGS, TALLY_WIDTH)),
            np.zeros(1, dtype=np.int64),
        )
        limits = CheckParams(onboard.platform, onboard.limits)
        check = Function("command_check", check_commands, limits, self._checked, self._period)
        onboard = replace(onboard, functions=[self._step, check, *onboard.functions])
        arms = built.chaser.arms
        self._joints = tuple(
            f"{each.name}.{joint.name}" for each in arms for joint in each.arm.joints
        )
        self._start(_operators_view(scenario))
        return onboard

    def _function_of(self, commands: int) -> Function:
        """The controller as a function on board that may write so many entries of the commands."""
        if not isinstance(self._given, Compiled):
            return Function(self.name, None, NoMemory(np.zeros(0)), period=self._period)
        self._function = compiled(self._given.function)
        compile_for_loop(self._function, self.name)
        parameters = np.array(self._given.parameters, dtype=float).reshape(-1)
        memory = OwnMemory(np.zeros(self._given.memory))
        params = OwnParams(parameters, commands)
        return Function(self.name, own(self._function), params, memory, self._period)

    def _start(self, mission: Mapping[str, Any]) -> None:
        start = getattr(self._given, "start", None)
        if start is None:
            return
        limits = self._limits.copy()
        with blaming(f"controller {self.name}: start"):
            start(Briefing(self._period / NS_PER_S, self._joints, limits, mission))

    def answer(self) -> str | None:
        """Gives a controller in Python its turn; what it raised, None if nothing."""
        begun = self._clock() if self._clock else 0
        try:
            self._given.control(self._measurements, self._commands)  # type: ignore[union-attr]  # in_python
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            of = getattr(type(self._given), "control", None)
            return f"controller {self.name}: {told(error, of)}"
        if self._clock:
            self._took.append(self._clock() - begun)
        if self._commands.misfit:
            self._misfits.note(self._measurements.t, self._commands.misfit)
            self._commands.misfit = ""
        return None

    def why(self) -> str:
        """What a compiled controller has raised, from the same inputs once more."""
        try:
            self._alone()
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            return f"controller {self.name}: {told(error, self._function)}"
        return f"controller {self.name}: has raised an error, which does not come again"

    def mode_name(self, mode: int) -> str:
        """What a mode of it is called."""
        return self._modes[mode] if 0 <= mode < len(self._modes) else f"mode-{mode}"

    def report(self, alone: bool = True) -> ControllerReport:
        """What is to be told of it; a compiled one is called `alone` to be timed."""
        turns = int(self._checked.cycles[0])
        found = findings_of(self._checked.tally, self._misfits, self._joints)
        took = self._took
        if self._clock and not self.in_python and turns and alone:
            took = self._timed_alone(self._clock)
        pace = pace_of(took, self._period, not self.in_python) if took else None
        return ControllerReport(self.name, NS_PER_S / self._period, turns, found, pace)

    def _alone(self) -> None:
        """A turn of a compiled controller that nobody obeys."""
        parameters, memory = self._step.params.parameters, self._step.memory.memory
        measurements, commands = self._measurements.array, self._commands.array
        self._function(*(each.copy() for each in (parameters, memory, measurements, commands)))

    def _timed_alone(self, clock: Clock) -> list[int]:
        took = []
        for _ in range(CALLS_ALONE + 1):
            begun = clock()
            try:
                self._alone()
            except Exception:
                return []
            took.append(clock() - begun)
        return took[1:]  # the first one is slower: it is compiled for Python


# What of a mission nobody on board can know: what will fail, and where noise comes from
_UNKNOWN = ("seed", "faults", "dispersions")
_UNKNOWN_OF_SENSORS = ("dropouts", "frozen", "spikes")


def _operators_view(scenario: Scenario) -> dict[str, Any]:
    """The mission as it is believed to be, as plain data."""
    mission = scenario.believed.mission.model_dump(mode="json", exclude_none=True)
    for key in _UNKNOWN:
        mission.pop(key, None)
    for sensor in mission["sensors"].values():
        for key in _UNKNOWN_OF_SENSORS:
            sensor.pop(key, None)
    return mission
