"""What a check finds: an answer for each representation, margins, warnings; as plain data."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from proxops.assembly.robot import step_of
from proxops.assembly.start_poses import grapple_note
from proxops.facility.common.passivity.chain import LoopDelay
from proxops.feasibility.case import Case
from proxops.feasibility.checklist import checklist
from proxops.feasibility.command_rows import period_of
from proxops.feasibility.contact_delay import ContactMargin, gives_energy
from proxops.feasibility.guard_forecast import SURE
from proxops.feasibility.margins import Standing
from proxops.feasibility.start_pose import Placement
from proxops.feasibility.tumble import not_begun


def check_repr(scenario: str, facility: str, lasts_s: float, feasible: bool) -> str:
    """A check in a line."""
    said = "feasible" if feasible else f"not feasible, ends after {lasts_s:.4g} s"
    return f"Check({scenario!r} on {facility!r}, {said})"


NO_START = (
    "a robot does not reach its start: give another [start] of the facility (where the mission's "
    "G is in the lab; in oos-sim its z points at the chaser's robot), or let --optimise-start look "
    "for one, which turns it about the vertical"
)


@dataclass(frozen=True)
class RobotAnswer:
    """A robot in one representation, until the mission ends or cannot go on."""

    name: str
    start: np.ndarray | None  # joints (6,) [rad]; None if it cannot reach its start
    margins: dict[str, Standing]  # least of each group
    speed: float  # largest of the flange [m/s]


@dataclass(frozen=True)
class Answer:
    """One representation."""

    representation: str
    lasts: float  # [s]
    limit: Standing | None  # what ends it
    beside: Standing | None  # a singular pose that is near then
    robots: tuple[RobotAnswer, ...]
    torques: tuple[Standing, ...]  # of the arms' joints, at worst of the whole mission
    by_robots: Standing | None = None  # the first limit of robots and arm
    by_guard: Standing | None = None  # what a rehearsal is stopped for
    clearance: Standing | None = None  # the least, until it ends
    in_doubt: Standing | None = None  # the guard is so near to this that it may stop for it earlier
    recorded: bool = True  # all commands were; those that were not are interpolated

    @property
    def feasible(self) -> bool:
        """Whether the whole mission can be shown."""
        return self.limit is None


@dataclass(frozen=True, repr=False)
class Feasibility:
    """The answer of a check; `answers` begin with the representation that was asked for."""

    scenario: str
    facility: str
    outcome: str  # of the run in orbit
    duration: float  # [s]
    answers: tuple[Answer, ...]
    delay: LoopDelay
    contacts: tuple[ContactMargin, ...]
    placement: Placement | None  # None unless it was asked for
    case: Case
    tumble: tuple[Standing, ...] = ()  # bounds of on-board software that captures
    command: str = ""  # that rehearses what was checked, where a command has asked

    def __repr__(self) -> str:
        return check_repr(self.scenario, self.facility, self.asked.lasts, self.feasible)

    def _repr_html_(self) -> str:
        from proxops.report.notebook import check_html

        return check_html(self)

    @property
    def asked(self) -> Answer:
        """In the representation that was asked for."""
        return self.answers[0]

    @property
    def feasible(self) -> bool:
        """Whether the whole mission can be shown in the representation that was asked for."""
        return self.asked.feasible

    @property
    def warnings(self) -> tuple[str, ...]:
        """What does not end the mission but must be known."""
        return tuple(_warnings(self))

    def as_dict(self) -> dict[str, Any]:
        """Plain data, in SI units: what `--json` prints."""
        place = self.placement
        return {
            "scenario": self.scenario,
            "facility": self.facility,
            "representation": self.asked.representation,
            "nominal": self.case.nominal.name,
            "feasible": self.feasible,
            "duration_s": self.duration,
            "lasts_s": self.asked.lasts,
            "limit": _plain(self.asked.limit),
            "representations": [_plain_answer(answer) for answer in self.answers],
            "loop_delay_s": self.delay._asdict() | {"total": self.delay.total},
            "contacts": [_plain_contact(contact) for contact in self.contacts],
            "placement": None
            if place is None
            else {
                "p_LG_m": place.p_LG,
                "q_LG": place.q_LG,
                "lasts_s": place.lasts,
                "surely_s": place.surely.lasts,
                "margin": place.margin,
                "limit": _plain(place.limit),
                "by_robots": _plain(place.going.by_robots),
                "by_guard": _plain(place.going.by_guard),
                "clearance": _plain(place.going.clearance),
            },
            "tumble": [_plain(row) for row in self.tumble],
            "warnings": list(self.warnings),
            "checklist": checklist(self),
        }


def _warnings(found: Feasibility) -> list[str]:
    lines = []
    if found.outcome != "passed":
        lines.append(f"the run in orbit was {found.outcome}")
    if any(robot.start is None for robot in found.asked.robots):
        lines.append(grapple_note(found.case.scenario) or NO_START)
    elif (limit := found.asked.limit) is not None and limit.t <= 0.0:
        lines += [note] if (note := grapple_note(found.case.scenario)) else []
    kept_from = not_begun(found.tumble)
    if kept_from is not None:
        lines.append(kept_from)
    for contact in found.contacts:
        late = gives_energy(contact)
        if late is not None:
            lines.append(late)
    doubt = found.asked.in_doubt
    if doubt is not None:
        lines.append(
            f"a rehearsal may be stopped as early as {doubt.t:.2f} s, where {100 * SURE:.0f} % of "
            f"the acceleration and jerk limits do not suffice: {doubt.where}, {doubt.name}"
        )
    if not found.asked.recorded:
        t, facility = found.case.flight.t, found.case.lab.facility
        period = period_of(facility, step_of(found.case.scenario))
        lines.append(
            f"recorded every {1e3 * (t[1] - t[0]):.4g} ms, but robots are commanded every "
            f"{1e3 * period:.4g} ms: commands are interpolated, and a jerk between samples is not "
            "detected"
        )
    return lines


def _plain(limit: Standing | None) -> dict[str, Any] | None:
    if limit is None:
        return None
    row = asdict(limit)
    row["t_s"] = row.pop("t")
    return row


def _plain_answer(found: Answer) -> dict[str, Any]:
    return {
        "name": found.representation,
        "feasible": found.feasible,
        "lasts_s": found.lasts,
        "limit": _plain(found.limit),
        "beside": _plain(found.beside),
        "by_robots": _plain(found.by_robots),
        "by_guard": _plain(found.by_guard),
        "clearance": _plain(found.clearance),
        "in_doubt": _plain(found.in_doubt),
        "robots": {
            robot.name: {
                "start_deg": None if robot.start is None else np.degrees(robot.start).tolist(),
                "flange_speed_m_s": robot.speed,
                "margins": {group: _plain(least) for group, least in robot.margins.items()},
            }
            for robot in found.robots
        },
        "arm_torques": [_plain(torque) for torque in found.torques],
    }


def _plain_contact(contact: ContactMargin) -> dict[str, Any]:
    margins = contact.margins
    return {
        "name": contact.name,
        "t_s": contact.t,
        "distance_m": contact.distance,
        "stiffness_N_m": contact.stiffness,
        "damping_N_s_m": contact.damping,
        "mass_kg": margins.mass,
        "lateness_s": margins.lateness,
        "critical_s": margins.critical,
        "spare_s": margins.spare,
        "gain": margins.gain,
    }
