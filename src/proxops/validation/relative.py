"""Relative dynamics on a robotic facility: De Stefano et al., RA-L 2021."""

from functools import cache

import numpy as np

from proxops.assembly.facility import load_facility, start_pose
from proxops.core.frame import rotation_of
from proxops.facility.common.rows import TARGET
from proxops.feasibility.answers import Answer, Feasibility
from proxops.feasibility.check import check_run
from proxops.feasibility.command_rows import at_command_rate
from proxops.feasibility.reproduction import reproduce, track_in_lab
from proxops.scenario.load import load
from proxops.sim.simulation import Simulation
from proxops.validation import relative_hil, relative_laws
from proxops.validation.table import Result

TUMBLING = "envisat-push"  # at -2.5 deg/s, with a servicer that stays before the ring, 60 s
FACILITY = "oos-sim"


def results() -> dict[str, Result]:
    """Ours for every published number."""
    absolute, relative = (lasting(name) for name in ("absolute", "relative"))
    return {
        "eq11-pose": Result(relative_laws.eq11_pose(), "waves and blows of up to 60 N"),
        "eq18-pose": Result(relative_laws.eq18_pose(), "under gravity, on a carrier that follows"),
        "eq18-joints": Result(relative_laws.eq18_joints(), "the same"),
        "causalities": Result(relative_laws.causalities(), "(16) as corrected, random states"),
        "storage-25": Result(relative_laws.storage_25(), "nominal motion about another axis"),
        "port-28": Result(relative_laws.port_28(), "both in axes of the grasp frame"),
        "absolute-time": Result(absolute.lasts, _ended(absolute)),
        "relative-time": Result(relative.lasts, _ended(relative)),
        "hil-position": Result(relative_hil.hil_position(), "mock-ups against two free bodies"),
        "hil-angle": Result(relative_hil.hil_angle(), "the same, not aligned"),
        "star-tracker": Result(
            relative_hil.star_tracker(), "from where the chaser's robot is, not aligned"
        ),
    }


@cache
def tumbling() -> Feasibility:
    """The tumbling mission on the facility, at the documented placement."""
    lab = load_facility(FACILITY)
    run = Simulation(at_command_rate(load(TUMBLING), lab)).run()
    return check_run(run, lab, "relative", optimise_start=False)


def lasting(representation: str) -> Answer:
    """How long it can be shown in one form."""
    answers = {answer.representation: answer for answer in tumbling().answers}
    return answers[representation]


def lab_path(representation: str) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and the grapple point in the lab (n, 3) [m], whether robots bear it or not."""
    case, scenario = tumbling().case, load(TUMBLING)
    X_LM = start_pose(load_facility(FACILITY).facility, scenario)
    track = track_in_lab(reproduce(case, representation), TARGET, X_LM)
    R = np.moveaxis(rotation_of(tuple(track.poses[:, 3:].T)), -1, 0)
    return track.t, track.poses[:, :3] + R @ np.array(scenario.mission.target.grapple.p_TG_m)


def _ended(answer: Answer) -> str:
    if answer.limit is None:
        return "no limit is met"
    return f"ended by {answer.limit.name}, {answer.limit.where}"
