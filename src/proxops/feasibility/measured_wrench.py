"""What contacts and holds did to the target in orbit, as a facility's sensors would feel it."""

from dataclasses import replace

import numpy as np

from proxops.facility.common.force_sensor import WRENCH
from proxops.feasibility.case import Case
from proxops.feasibility.contact_delay import meeting_point
from proxops.results.run import Run


def with_contact(case: Case, run: Run) -> Case:
    """The case with the wrench that was recorded.  A contact's force is taken to act where it was
    when it was largest, a hold's at the point it holds."""
    built = case.built
    if not built.contacts and not built.holds:
        return case
    wrench = np.zeros((len(case.flight.t), WRENCH))
    for contact in built.contacts:
        f = run[f"contacts.{contact.name}.f"][1]
        row = int(np.argmax(np.linalg.norm(f, axis=1)))
        wrench += np.hstack([f, np.cross(meeting_point(case, contact, row), f)])
    for hold in built.holds:
        f, t = (run[f"holds.{hold.name}.{what}"][1] for what in ("f", "t"))
        wrench += np.hstack([f, t + np.cross(hold.p_TB, f)])
    return replace(case, measured_wrench=wrench)
