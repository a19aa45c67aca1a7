"""What a facility makes of contact in a rehearsal: energy, drift, and how late it may be."""

from proxops.assembly.facility import Lab
from proxops.facility.common.passivity import energy_port as passing
from proxops.feasibility.case import FEWEST, case_of
from proxops.feasibility.contact_delay import ContactMargin, contact_margins, gives_energy
from proxops.results.run import ContactLoop, Event, PortReport, Run


def margins_of(orbit: Run, lab: Lab) -> tuple[ContactMargin, ...]:
    """Every contact of a mission that was run in orbit, through the facility's loop."""
    return contact_margins(case_of(orbit, lab)) if len(orbit.rows) >= FEWEST else ()


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
