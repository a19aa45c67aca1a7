"""Around a user's controller: whatever it does, the loop goes on or ends in words.

What it asks for is looked at in the compiled loop, see onboard.inspection.  Here it is called, its
errors are caught, and its turns are timed with a clock that is handed in: what that says is told,
and changes nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from proxops.assembly.build import Built
from proxops.bus import commands as to
from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.core.interrupt import is_ctrl_c
from proxops.core.jit import compiled
from proxops.onboard.model import TAKEN, Onboard
from proxops.onboard.user.compiled import own
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
        onboard = built.onboard
        if isinstance(self._given, Compiled):
            parameters = np.array(self._given.parameters, dtype=float).reshape(-1)
            self._function = compiled(self._given.function)
            compile_for_loop(self._function, self.name)
            onboard = replace(
                onboard,
                model=onboard.model._replace(parameters=parameters),
                state=onboard.state._replace(memory=np.zeros(self._given.memory)),
                think=own(self._function),
            )
        of_arms = len(onboard.model.limits)
        self._onboard, self._period = onboard, onboard.model.period
        joints = len(built.plant.chaser_topology)
        self._seen = Measurements(onboard.state.measurements, joints, of_arms)
        self._asked = Commands(onboard.commands[: to.JOINTS + of_arms])
        arms = built.chaser.arms
        self._joints = tuple(
            f"{each.name}.{joint.name}" for each in arms for joint in each.arm.joints
        )
        self._start(_operators_view(scenario))
        return onboard

    def _start(self, mission: Mapping[str, Any]) -> None:
        start = getattr(self._given, "start", None)
        if start is None:
            return
        limits = self._onboard.model.limits.copy()
        with blaming(f"controller {self.name}: start"):
            start(Briefing(self._period / NS_PER_S, self._joints, limits, mission))

    def answer(self) -> str | None:
        """Gives a controller in Python its turn; what it raised, None if nothing."""
        begun = self._clock() if self._clock else 0
        try:
            self._given.control(self._seen, self._asked)  # type: ignore[union-attr]  # in_python
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            of = getattr(type(self._given), "control", None)
            return f"controller {self.name}: {told(error, of)}"
        if self._clock:
            self._took.append(self._clock() - begun)
        if self._asked.misfit:
            self._misfits.note(self._seen.t, self._asked.misfit)
            self._asked.misfit = ""
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
        state, turns = self._onboard.state, int(self._onboard.state.turn[TAKEN])
        found = findings_of(state.tally, self._misfits, self._joints)
        took = self._took
        if self._clock and not self.in_python and turns and alone:
            took = self._timed_alone(self._clock)
        pace = pace_of(took, self._period, not self.in_python) if took else None
        return ControllerReport(self.name, NS_PER_S / self._period, turns, found, pace)

    def _alone(self) -> None:
        """A turn of a compiled controller that nobody obeys."""
        model, state = self._onboard.model, self._onboard.state
        commands = self._asked.array.copy()
        self._function(
            model.parameters.copy(), state.memory.copy(), state.measurements.copy(), commands
        )

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
