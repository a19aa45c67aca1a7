"""A scenario on a facility: its stages, what is recorded of it, and the guard's word."""

from proxops.assembly.cell_lab import build_rehearsal
from proxops.assembly.facility import Lab
from proxops.assembly.nominal import UNFORCED, NominalChoice
from proxops.facility.common.carriers import HALTED, Carriers
from proxops.facility.robot_cell import record
from proxops.plant.observe import interface_signals
from proxops.results.run import Event, Signal
from proxops.scenario.load import Scenario
from proxops.sim.rows import touching_peaks
from proxops.sim.worlds.robot_cell import STAGES, rehearse_until
from proxops.sim.worlds.world import World


class CellWorld(World):
    """A scenario on a facility, for `Simulation`."""

    kernels = "rehearsal"
    kernel = staticmethod(rehearse_until)
    stages = STAGES

    def __init__(
        self,
        scenario: Scenario,
        lab: Lab,
        representation: str,
        nominal: NominalChoice = UNFORCED,
    ) -> None:
        made, self.lab, self._draws = build_rehearsal(
            scenario, lab.facility, representation, nominal, self.steps_per_call + 2
        )
        self.provenance = {
            "facility": lab.to_dict(),
            "representation": representation,
            "nominal": nominal.to_dict(),
        }
        touching = made.touching
        self.given, self.built, self.touching = touching, made.built, touching
        of_cell = record.signals(made.cell.ideal == 1, made.built.chaser.arms)
        self.signals = (
            *(Signal(*row) for row in of_cell),
            *(Signal(*row) for row in interface_signals(touching.contacts, touching.holds)),
            *touching_peaks(touching.contacts, touching.holds),
        )
        self.made, self.nominal = made, nominal
        self.port_state = self.lab.state.port
        self._carriers = Carriers(made.guarded, made.state.memory)
        self._drained = 0  # faults that were told

    def draw(self, steps: int) -> None:
        """Of sensors and carriers."""
        self._draws.refill(steps)

    def events(self) -> list[Event]:
        """What the guard has done since it was last asked."""
        rows = self._carriers.faults()
        new, self._drained = rows[self._drained :], len(rows)
        return [Event(t, "guard", text) for t, text in new]

    def why(self, status: int, ended: bool) -> str | None:
        """What the guard stopped both robots for, if it has; at the end they may not stand yet."""
        if status != HALTED and (self._carriers.running or not ended):
            return None
        return f"the guard stops the rehearsal: {self._carriers.faults()[0][1]}"
