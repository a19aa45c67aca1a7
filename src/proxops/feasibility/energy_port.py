"""What a facility makes of contact in a rehearsal: energy, drift, and how late it may be."""

from proxops.assembly.cell_signals import chain_of
from proxops.assembly.facility import Lab
from proxops.assembly.robot import step_of
from proxops.facility.common.passivity import energy_port as passing
from proxops.facility.common.passivity.chain import LoopDelay, loop_delay
from proxops.feasibility.case import FEWEST, Case, case_of
from proxops.feasibility.contact_delay import ContactMargin, contact_margins, gives_energy
from proxops.feasibility.hold_delay import hold_margins
from proxops.results.compared import ContactLoop, PortReport
from proxops.results.run import Event, Run


def margins_of(orbit: Run, lab: Lab) -> tuple[ContactMargin, ...]:
    """Every contact and every hold of the hub of a mission that was run in orbit, through the
    facility's loop."""
    return loop_margins(case_of(orbit, lab), orbit) if len(orbit.rows) >= FEWEST else ()


def loop_margins(case: Case, run: Run) -> tuple[ContactMargin, ...]:
    """The same of a case that was made of the run."""
    return contact_margins(case) + hold_margins(case, run)


def facility_delay(case: Case) -> LoopDelay:
    """How late the facility measures, part by part [s]."""
    return loop_delay(chain_of(case.lab.facility, step_of(case.scenario)))


def warned(run: Run, contacts: tuple[ContactMargin, ...]) -> tuple[Event, ...]:
    """The events of a rehearsal, begun with a warning for every contact that gives energy."""
    texts = (gives_energy(contact) for contact in contacts)
    return (*(Event(0.0, "warning", text) for text in texts if text), *run.events)


def port_of(state: passing.PortState, lab: Lab, contacts: tuple[ContactMargin, ...]) -> PortReport:
    """Energy at the contact and what keeping it out has cost, at most in any step of a rehearsal
    before the guard stops it."""
    peaks = [float(value) for value in state.largest]
    return PortReport(
        lab.facility.passivity.kind,
        peaks[passing.CONTACT],
        peaks[passing.FACILITY],
        peaks[passing.HELD],
        peaks[passing.MOCK_UP],
        peaks[passing.MOCK_UP + passing.TURN],
        peaks[passing.MODEL],
        peaks[passing.MODEL + passing.TURN],
        tuple(_loop(each) for each in contacts),
    )


def _loop(found: ContactMargin) -> ContactLoop:
    margins = found.margins
    return ContactLoop(
        found.name,
        margins.mass,
        found.stiffness,
        found.damping,
        margins.lateness,
        margins.critical,
        margins.spare,
        margins.gain,
    )
