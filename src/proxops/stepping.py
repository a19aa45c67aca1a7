"""A mission flown one control cycle at a time, from a loop of your own.

`simulate` calls a controller; here your code calls the simulation: in a reinforcement-learning
environment, in a test that looks between two cycles, at a prompt.
"""

import warnings

from proxops.bus.truth import Truth
from proxops.core.errors import InputError
from proxops.onboard.user.controller import Briefing
from proxops.onboard.user.views import Commands, Measurements
from proxops.results.controller_report import Finding
from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.sim.controller.harness import Harness
from proxops.sim.simulation import Simulation
from proxops.sim.start import show_everything, truth_of


class Stepper:
    """A mission in orbit that stands at a control cycle until `step` is called.

    Your code is all of the on-board software: it reads `measurements` and writes `commands`, with
    the names of a controller's (`docs/controllers.md`), at `rate_hz`, which divides the mission's
    control rate and is that if not given.  The same commands give the same bits as a controller's.

    >>> flight = proxops.stepping.Stepper(proxops.load("free-tumble"), rate_hz=10.0)
    >>> while not flight.over:
    ...     flight.commands.joints = -20.0 * flight.measurements.qd  # N m of rad/s
    ...     flight.step()
    ...     rate = flight.truth.w_NC_C  # of this instant [rad/s]: for rewards, not on board
    >>> flight.run().ledger.closed
    True
    """

    def __init__(self, scenario: Scenario, rate_hz: float | None = None) -> None:
        if not isinstance(scenario, Scenario):
            raise InputError(f"Stepper takes a scenario: Stepper(proxops.load({scenario!r}))")
        if scenario.mission.robot is not None:
            raise InputError(f"{scenario.name}: remove robot: only the orbit goes in steps")
        by_hand = OwnLoop(rate_hz)
        self._harness = harness = Harness(by_hand)
        self._simulation = Simulation(harness.flies(scenario), controller=harness)
        show_everything(self._simulation.state)
        self.briefing: Briefing = by_hand.briefing  # what software may know before the start
        self.measurements: Measurements = harness.measurements
        self.commands: Commands = harness.commands
        self.truth: Truth = truth_of(self._simulation.state)  # views: copy what you keep
        self._over = False
        self._warned: set[str] = set()
        self._cycles = self._simulation.cycles()
        self.step()

    def __repr__(self) -> str:
        scenario = self._simulation.scenario
        at = f"{self.t:g} s of {scenario.mission.time.duration_s:g} s"
        return f"Stepper({scenario.name!r}, {at}{', over' if self._over else ''})"

    @property
    def t(self) -> float:
        """The instant of this cycle [s]."""
        return self.measurements.t

    @property
    def over(self) -> bool:
        """Whether the mission has ended."""
        return self._over

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was wrong with the commands so far, one of each kind, as in a run's `controller`."""
        return self._harness.report(alone=False).findings

    def step(self) -> None:
        """Gives the commands as they are, and goes on to the next cycle or to the end.

        The first of each kind of `findings` is a Python warning as well.
        """
        if self._over:
            raise InputError("the mission has ended: make a new Stepper to fly it again")
        self._over = next(self._cycles, None) is None
        for found in self.findings:
            if found.kind not in self._warned:
                self._warned.add(found.kind)
                warnings.warn(f"commands: {found.detail}", stacklevel=2)

    def run(self) -> Run:
        """What was recorded, judged; before the end its outcome is `interrupted`."""
        return self._simulation.so_far()


class OwnLoop:
    """Stands in for a controller: others have written the commands when its cycle comes."""

    def __init__(self, rate_hz: float | None) -> None:
        self.rate_hz = rate_hz
        self.briefing: Briefing

    def start(self, briefing: Briefing) -> None:
        self.briefing = briefing

    def control(self, measurements: Measurements, commands: Commands) -> None:
        pass
