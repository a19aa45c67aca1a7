"""Whether a facility can show a mission: for how long, what ends it, and with what margins."""

from collections.abc import Callable
from dataclasses import replace

from proxops.assembly.facility import Lab
from proxops.assembly.facility_steps import reject_uneven_steps
from proxops.assembly.nominal import UNFORCED, NominalChoice
from proxops.assembly.representation import REPRESENTATIONS, check_representation
from proxops.feasibility.answers import Answer, Feasibility, RobotAnswer
from proxops.feasibility.case import CRAFTS, Case, case_of
from proxops.feasibility.energy_port import facility_delay, loop_margins
from proxops.feasibility.guard_forecast import SURE, judge_of
from proxops.feasibility.margins import GROUPS, WITHOUT_JOINTS, Motion, torques_at_worst
from proxops.feasibility.measured_wrench import with_contact
from proxops.feasibility.mission_end import first_of, guarded, moved
from proxops.feasibility.reproduction import reproduce
from proxops.feasibility.start_pose import THOROUGH, Search, best_placement
from proxops.feasibility.tumble import tumble_margins
from proxops.results.run import Run

CLOSE = 0.2  # times that far apart are as good as one [s]


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
    reject_uneven_steps(case.scenario, lab.facility, lab.name)
    others = [name for name in REPRESENTATIONS if name != representation]
    placement = None
    if optimise_start and case.robots is not None:
        placement = best_placement(
            judge_of(case, reproduce(case, representation)), progress, search
        )
    return Feasibility(
        run.name,
        lab.name,
        run.outcome,
        float(case.flight.t[-1]),
        tuple(answer(case, name) for name in (representation, *others)),
        facility_delay(case),
        loop_margins(case, run),
        placement,
        case,
        tumble_margins(run, case.scenario),
    )


def answer(case: Case, representation: str) -> Answer:
    """One representation at the facility's own start pose."""
    reproduced = reproduce(case, representation)
    torques, too_much = torques_at_worst(case, reproduced, case.X_LM)
    going, recorded, in_doubt = moved(case, reproduced, case.X_LG), True, None
    motions = going.motions
    if motions:
        going = replace(going, by_robots=first_of(going.by_robots, too_much))
        judge = judge_of(case, reproduced)
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
    groups = WITHOUT_JOINTS if out else tuple(GROUPS)
    least = {group: motion.least(GROUPS[group], until) for group in groups}
    return RobotAnswer(name, None if out else motion.start, least, motion.speed(until))
