"""What a facility makes of contact in a rehearsal: energy, drift, and how late it may be."""

import numpy as np

from proxops.analysis.contact_delay import ContactMargin, contact_margins, gives_energy
from proxops.analysis.showing import FEWEST, case_of
from proxops.run import ContactLoop, Event, PortReport, Run
from proxops.scenario.facility import Lab


def margins_of(orbit: Run, lab: Lab) -> tuple[ContactMargin, ...]:
    """Every contact of a mission that was run in orbit, through the facility's loop."""
    return contact_margins(case_of(orbit, lab)) if len(orbit.rows) >= FEWEST else ()


def warned(run: Run, contacts: tuple[ContactMargin, ...]) -> tuple[Event, ...]:
    """The events of a rehearsal, begun with a warning for every contact that gives energy."""
    texts = (gives_energy(contact) for contact in contacts)
    return (*(Event(0.0, "warning", text) for text in texts if text), *run.events)


def port_of(rehearsal: Run, lab: Lab, contacts: tuple[ContactMargin, ...]) -> PortReport:
    """Energy at the contact and what keeping it out has cost, at most over a rehearsal."""
    energy, drift = rehearsal["lab.energy"][1], rehearsal["lab.drift"][1]
    contact, facility, held = np.max(energy, axis=0, initial=0.0)
    mock_up, mock_up_turn, model, model_turn = np.max(drift, axis=0, initial=0.0)
    return PortReport(
        lab.facility.passivity.kind,
        float(contact),
        float(facility),
        float(held),
        float(mock_up),
        float(mock_up_turn),
        float(model),
        float(model_turn),
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
