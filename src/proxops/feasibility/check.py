"""Whether a facility can show a mission: for how long, what ends it, and with what margins."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from proxops.assembly.build import build
from proxops.assembly.cell import (
    REPRESENTATIONS,
    chain_of,
    check_representation,
    refuse_unfit,
)
from proxops.assembly.facility import Lab
from proxops.assembly.facility_steps import refuse_uneven_steps
from proxops.assembly.nominal import UNFORCED, NominalChoice
from proxops.assembly.robot import step_of
from proxops.facility.common.passivity.chain import LoopDelay
from proxops.feasibility.checklist import checklist
from proxops.feasibility.command_rows import period_of
from proxops.feasibility.contact_delay import (
    ContactMargin,
    contact_margins,
    facility_delay,
    gives_energy,
)
from proxops.feasibility.guard_forecast import SURE, judge_of
from proxops.feasibility.margins import GROUPS, WITHOUT_JOINTS, Motion, Standing, torques_at_worst
from proxops.feasibility.measured_wrench import with_contact
from proxops.feasibility.mission_end import first_of, guarded, moved
from proxops.feasibility.reproduction import CRAFTS, Case, case_of, show
from proxops.feasibility.start_pose import THOROUGH, Placement, Search, best_placement
from proxops.feasibility.tumble import not_begun, tumble_margins
from proxops.results.run import Run
from proxops.scenario.load import Scenario

CLOSE = 0.2  # times that far apart are as good as one [s]


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


@dataclass(frozen=True)
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


def refuse_misfit(scenario: Scenario, lab: Lab) -> None:
    """Refuses a scenario that cannot be checked here, before it is simulated for nothing."""
    refuse_unfit(build(scenario))
    refuse_uneven_steps(scenario, lab.facility)
    chain_of(lab.facility, step_of(scenario))


def check_run(
    run: Run,
    lab: Lab,
    representation: str,
    optimise_start: bool = False,
    progress: Callable[[float], None] | None = None,
    nominal: NominalChoice = UNFORCED,
    search: Search = THOROUGH,
) -> Feasibility:
    """Whether a facility can show a recorded mission; `optimise_start` looks for the best start
    pose as well."""
    check_representation(representation)
    case = with_contact(case_of(run, lab, nominal), run)
    refuse_uneven_steps(case.scenario, lab.facility)
    others = [name for name in REPRESENTATIONS if name != representation]
    placement = None
    if optimise_start and case.robots is not None:
        placement = best_placement(judge_of(case, show(case, representation)), progress, search)
    return Feasibility(
        run.name,
        lab.name,
        run.outcome,
        float(case.flight.t[-1]),
        tuple(answer(case, name) for name in (representation, *others)),
        facility_delay(case),
        contact_margins(case),
        placement,
        case,
        tumble_margins(run, case.scenario),
    )


def answer(case: Case, representation: str) -> Answer:
    """One representation at the facility's own start pose."""
    shown = show(case, representation)
    torques, too_much = torques_at_worst(case, shown, case.X_LM)
    going, recorded, in_doubt = moved(case, shown, case.X_LG), True, None
    motions = going.motions
    if motions:
        going = replace(going, by_robots=first_of(going.by_robots, too_much))
        judge = judge_of(case, shown)
        surely = guarded(judge, going, case.X_LG, SURE)
        going, recorded = guarded(judge, going, case.X_LG), judge.recorded
        in_doubt = surely.by_guard if surely.lasts < going.lasts - CLOSE else None
    limit, lasts, near = going.limit, going.lasts, going.near
    robots = tuple(_robot(*named, lasts) for named in zip(CRAFTS, motions, strict=bool(motions)))
    return Answer(
        representation,
        lasts,
        limit,
        None if near is None or limit is None or near.name == limit.name else near,
        robots,
        torques,
        going.by_robots,
        going.by_guard,
        going.clearance,
        in_doubt,
        recorded,
    )


def _robot(name: str, motion: Motion, until: float) -> RobotAnswer:
    out = motion.out_of_reach is not None
    told = WITHOUT_JOINTS if out else tuple(GROUPS)
    least = {group: motion.least(GROUPS[group], until) for group in told}
    return RobotAnswer(name, None if out else motion.start, least, motion.speed(until))


def _warnings(found: Feasibility) -> list[str]:
    lines = []
    if found.outcome != "passed":
        lines.append(f"the run in orbit was {found.outcome}")
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
            f"accelerations and jerks do not do: {doubt.where}, {doubt.name}"
        )
    if not found.asked.recorded:
        t, facility = found.case.flight.t, found.case.lab.facility
        period = period_of(facility, step_of(found.case.scenario))
        lines.append(
            f"recorded every {1e3 * (t[1] - t[0]):.4g} ms, but robots are commanded every "
            f"{1e3 * period:.4g} ms: commands are interpolated, and a jerk between samples is not "
            "seen"
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
