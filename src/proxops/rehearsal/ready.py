"""A scenario made ready to be rehearsed."""

from proxops.assembly.facility import Lab
from proxops.assembly.nominal import UNFORCED, NominalChoice
from proxops.scenario.load import Scenario
from proxops.sim.controller.harness import Harness
from proxops.sim.simulation import Simulation
from proxops.sim.worlds.rehearsed import CellWorld


def on_facility(
    scenario: Scenario,
    lab: Lab,
    representation: str,
    nominal: NominalChoice = UNFORCED,
    controller: Harness | None = None,
) -> Simulation:
    """The simulation of a scenario in the world of a cell."""
    return Simulation(scenario, CellWorld(scenario, lab, representation, nominal), controller)
