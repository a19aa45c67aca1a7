"""Latches through a facility: how late it may measure what joins the chaser's hub to the target.

An arm yields while a latch draws the target in; a latch of the hub does not, and what else is
closed beside it holds as well.  So it is judged in all directions at once, with the contacts and
holds of the hub that have acted together with it in orbit.
"""

from typing import NamedTuple

import numpy as np

from proxops.assembly.cell_signals import chain_of
from proxops.assembly.energy_port import stiff_chaser
from proxops.assembly.robot import step_of
from proxops.core.description import ContactDescription, HoldDescription
from proxops.core.frame import Frame
from proxops.facility.common.passivity.joined_delay import Joint, along, joint_margins, joint_verge
from proxops.feasibility.case import Case
from proxops.feasibility.contact_delay import ContactMargin, arms_at, pose_between, slope_of
from proxops.physics.flexible.linear import spatial_inertia
from proxops.plant.build import whole_hub
from proxops.results.run import Run

Elastic = tuple[np.ndarray, np.ndarray]  # stiffness and damping about To, in T (6, 6)


class Closed(NamedTuple):
    """What joins hub and target in a sample."""

    row: int
    holds: list[HoldDescription]  # that about whose point it is judged first
    contacts: list[ContactDescription]

    @property
    def names(self) -> tuple[str, ...]:
        """Of all of them."""
        return (*(each.name for each in self.holds), *(each.name for each in self.contacts))


def hold_margins(case: Case, run: Run) -> tuple[ContactMargin, ...]:
    """Every hold of the hub that has acted in orbit, with what acted beside it when the least delay
    was to spare; those that act together once."""
    found = [(closed, _margin(case, run, closed)) for closed in _closed(case, run)]
    worst: dict[str, ContactMargin] = {}
    for hold in case.built.holds:
        with_it = [margin for closed, margin in found if hold.name in closed.names]
        if with_it:
            least = min(with_it, key=lambda margin: margin.margins.spare)
            worst[least.name] = least
    return tuple(worst.values())


def _closed(case: Case, run: Run) -> list[Closed]:
    """What was closed together with a hold of the hub, each combination as it first was."""
    holds = [each for each in case.built.holds if not each.arm]
    contacts = [each for each in case.built.contacts if not each.arm]
    if not holds:
        return []
    acts = np.column_stack(
        [_pull(run, "holds", each.name) for each in holds]
        + [_pull(run, "contacts", each.name) for each in contacts]
    ).astype(bool)
    combinations, rows = np.unique(acts, axis=0, return_index=True)
    return [
        Closed(
            int(row),
            [each for each, acts in zip(holds, which, strict=False) if acts],
            [each for each, acts in zip(contacts, which[len(holds) :], strict=True) if acts],
        )
        for which, row in zip(combinations, rows, strict=True)
        if which[: len(holds)].any()
    ]


def _margin(case: Case, run: Run, closed: Closed) -> ContactMargin:
    row, hold = closed.row, closed.holds[0]
    joint = _about(hold.p_TB, _joint(case, closed))
    loop = chain_of(case.lab.facility, step_of(case.scenario)).loop
    mode = joint_verge(loop.lags, joint).mode
    return ContactMargin(
        " + ".join(closed.names),
        float(case.flight.t[row]),
        float(np.linalg.norm(run[f"holds.{hold.name}.p_BA"][1][row])) if hold.port else 0.0,
        along(mode, joint.stiffness),
        along(mode, joint.damping),
        joint_margins(joint, loop),
    )


def _joint(case: Case, closed: Closed) -> Joint:
    """About To, in T."""
    built, X_TC = case.built, pose_between(case, closed.row)
    parts = [elastic_of_hold(each) for each in closed.holds]
    parts += [elastic_of_contact(each, X_TC) for each in closed.contacts]
    chaser = stiff_chaser(built.chaser, arms_at(case, closed.row)).seen_from(X_TC.R, X_TC.p)
    bodies = whole_hub(built.target), chaser
    return Joint(
        np.sum([np.linalg.inv(spatial_inertia(each)) for each in bodies], axis=0),
        np.sum([stiffness for stiffness, _ in parts], axis=0),
        np.sum([damping for _, damping in parts], axis=0),
    )


def _pull(run: Run, kind: str, name: str) -> np.ndarray:
    """Force of a hold or contact in all samples [N]."""
    return np.asarray(np.linalg.norm(run[f"{kind}.{name}.f"][1], axis=1))


def elastic_of_hold(hold: HoldDescription) -> Elastic:
    """A hold where its frames coincide."""
    R, J = hold.R_TB, _displaced(hold.p_TB)
    turned = np.hstack([np.zeros((3, 3)), np.eye(3)])
    stiffness, damping = (
        J.T @ R @ np.diag(linear) @ R.T @ J + turned.T @ R @ np.diag(angular) @ R.T @ turned
        for linear, angular in (
            (hold.stiffness, hold.rotational_stiffness),
            (hold.damping, hold.rotational_damping),
        )
    )
    return stiffness, damping


def elastic_of_contact(contact: ContactDescription, X_TC: Frame) -> Elastic:
    """All pads pressed, and sticking where there is friction."""
    pads = contact.pads
    normal = contact.normal if contact.pads_on_chaser else X_TC.R @ contact.normal
    points = pads @ X_TC.R.T + X_TC.p if contact.pads_on_chaser else pads
    across, along_it = np.eye(3) - np.outer(normal, normal), np.outer(normal, normal)
    sticks = float(contact.mu_static > 0.0)
    slopes = zip(slope_of(contact), (contact.grip_stiffness, contact.grip_damping), strict=True)
    stiffness, damping = (
        np.sum(
            [
                J.T @ (slope / len(pads) * along_it + sticks * grip * across) @ J
                for J in map(_displaced, points)
            ],
            axis=0,
        )
        for slope, grip in slopes
    )
    return stiffness, damping


def _displaced(p: np.ndarray) -> np.ndarray:
    """J (3, 6): how a point moves with a body, d = v + w × p."""
    x, y, z = p
    return np.hstack([np.eye(3), [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]])


def _about(p: np.ndarray, joint: Joint) -> Joint:
    """A joint about To as one about the point p, in the same axes."""
    there = np.eye(6)  # twist about To to twist about p
    there[:3] = _displaced(p)
    back = np.linalg.inv(there)
    stiffness, damping = (back.T @ each @ back for each in joint[1:])
    return Joint(there @ joint.mobility @ there.T, stiffness, damping)
