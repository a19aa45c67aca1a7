"""Contacts through a facility: its delay, and the delay that each tolerates."""

from dataclasses import dataclass

import numpy as np

from proxops.assembly.cell_signals import chain_of
from proxops.assembly.energy_port import stiff_chaser
from proxops.assembly.robot import step_of
from proxops.core.description import ContactDescription, MountedArm
from proxops.core.frame import Frame, frame
from proxops.facility.common.passivity.critical_delay import Margins, contact_mass, margins
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.arms import arm_frames, posed
from proxops.feasibility.case import Case
from proxops.physics.contact.normal import HUNT_CROSSLEY
from proxops.plant import layout
from proxops.plant.build import whole_hub

TRIED = 400  # samples of the flight among which the nearest approach is looked for


@dataclass(frozen=True)
class ContactMargin:
    """A contact where the two come closest, or holds as they first act together; arms are stiff."""

    name: str
    t: float  # [s]
    distance: float  # of the pads' centre from the face's or ball's [m]
    stiffness: float  # of all pads together [N/m]
    damping: float  # [N s/m]
    margins: Margins


def contact_margins(case: Case) -> tuple[ContactMargin, ...]:
    """Every contact of the scenario: its critical delay against the loop's."""
    return tuple(_margin(case, contact) for contact in case.built.contacts)


def _margin(case: Case, contact: ContactDescription) -> ContactMargin:
    rows = np.unique(np.linspace(0, len(case.flight.t) - 1, TRIED).astype(int))
    met = [_meeting(case, contact, int(row)) for row in rows]
    nearest = int(np.argmin([distance for distance, _, _ in met]))
    distance, point, normal = met[nearest]
    row = int(rows[nearest])
    X_TC = pose_between(case, row)
    chaser = stiff_chaser(case.built.chaser, arms_at(case, row))
    bodies = (
        (whole_hub(case.built.target), point, normal),
        (chaser, X_TC.R.T @ (point - X_TC.p), X_TC.R.T @ normal),
    )
    stiffness, damping = slope_of(contact)
    loop = chain_of(case.lab.facility, step_of(case.scenario)).loop
    return ContactMargin(
        contact.name,
        float(case.flight.t[row]),
        distance,
        stiffness,
        damping,
        margins(contact_mass(bodies), stiffness, damping, loop),
    )


def gives_energy(found: ContactMargin) -> str | None:
    """A warning if the loop delay exceeds what a contact tolerates; else None."""
    if found.margins.spare >= 0.0:
        return None
    return (
        f"contact {found.name} gains energy on this facility: the loop delay is "
        f"{1e3 * found.margins.lateness:.3g} ms, the critical delay "
        f"{1e3 * found.margins.critical:.3g} ms; [passivity] in the facility's file keeps it "
        "out, a softer or more damped contact tolerates more"
    )


def slope_of(contact: ContactDescription) -> tuple[float, float]:
    """Spring [N/m] and damper [N s/m] of all pads together; of a Hunt-Crossley law at its depth,
    f = k δⁿ (1 + χ δ̇): n k δⁿ⁻¹ and χ k δⁿ."""
    pads, k = len(contact.pads), contact.stiffness
    if contact.law != HUNT_CROSSLEY:
        return pads * k, pads * contact.damping
    n, depth = contact.exponent, contact.depth
    return pads * n * k * depth ** (n - 1.0), pads * contact.damping * k * depth**n


def meeting_point(case: Case, contact: ContactDescription, row: int) -> np.ndarray:
    """Where a contact touches the target in a sample, in T [m]."""
    return _meeting(case, contact, row)[1]


def _meeting(
    case: Case, contact: ContactDescription, row: int
) -> tuple[float, np.ndarray, np.ndarray]:
    """Distance of the pads' centre from what they touch, the point on the target and the normal
    there, in T."""
    X_TB = pose_between(case, row)
    if contact.arm:
        X_TB = X_TB @ arm_frames(arms_at(case, row))[contact.arm][-1]
    pads, other = contact.pads.mean(axis=0), contact.centre
    on_chaser, on_target = (pads, other) if contact.pads_on_chaser else (other, pads)
    seen = X_TB.R @ on_chaser + X_TB.p
    away = on_target - seen
    distance = float(np.linalg.norm(away))
    if contact.ball_radius > 0.0:
        return distance, on_target, away / max(distance, np.finfo(float).tiny)
    normal = contact.normal if contact.pads_on_chaser else X_TB.R @ contact.normal
    return distance, seen if contact.pads_on_chaser else on_target, normal


def pose_between(case: Case, row: int) -> Frame:
    """X_TC in a sample."""
    return _hub(case, TARGET, row).inverse() @ _hub(case, CHASER, row)


def _hub(case: Case, which: int, row: int) -> Frame:
    """X_OB of a hub."""
    y = case.flight.states[which, row]
    return frame(y[layout.P : layout.Q], y[layout.Q : layout.V])


def arms_at(case: Case, row: int) -> tuple[MountedArm, ...]:
    """All arms with their joints as they are in a sample."""
    return posed(case.built.chaser.arms, case.flight.q[row])
