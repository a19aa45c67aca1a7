"""What no check can answer, found before a mission is simulated for it."""

from proxops.assembly.build import build
from proxops.assembly.cell_signals import chain_of
from proxops.assembly.facility import Lab
from proxops.assembly.facility_fit import reject_unfit
from proxops.assembly.facility_steps import reject_uneven_steps
from proxops.assembly.robot import step_of
from proxops.scenario.load import Scenario


def reject_misfit(scenario: Scenario, lab: Lab) -> None:
    """Refuses a scenario that cannot be checked here, before it is simulated for nothing."""
    reject_unfit(build(scenario), scenario.mission.on_ground)
    reject_uneven_steps(scenario, lab.facility, lab.name)
    chain_of(lab.facility, step_of(scenario))
