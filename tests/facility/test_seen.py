"""What is shown of a rehearsal is where its recording has it."""

import numpy as np
import pytest

from proxops.facility.robot_cell.industrial.forward import FLANGE
from proxops.viewer.hardware import hardware_of
from proxops.viewer.playback import Playback
from proxops.viewer.pose import Pose, back
from proxops.viewer.poses import CELL_CHASER, CELL_TARGET, joint_frame, robot_frame
from tests.facility.test_rehearsal import rehearsed


def test_the_flanges_that_are_drawn_carry_the_mock_ups_where_the_recording_has_them():
    run = rehearsed(0.001, False, False, "relative", "oos-sim")
    hardware = hardware_of(run.provenance, run.signals())
    playback = Playback(hardware, run.rows)
    robots, grapple = hardware.cell.facility.robots, hardware.scenario.mission.target.grapple
    for t in (0.0, 0.5 * playback.end, playback.end):
        _, poses = playback.at(t)
        X_LG = poses[CELL_TARGET] @ Pose(grapple.p_TG_m, grapple.q_TG)
        X_LA = poses[joint_frame("main", 0, CELL_CHASER)]
        for craft, given, X_LM in (
            ("target", robots.target, X_LG),
            ("chaser", robots.chaser, X_LA),
        ):
            held = poses[robot_frame(craft, FLANGE)] @ Pose(given.p_KM_m, given.q_KM)
            p, (w, *_) = back(held) @ X_LM
            # rounding of a dozen products of lengths of metres
            assert np.linalg.norm(p) < 1e-12
            assert abs(w) == pytest.approx(1.0, abs=1e-12)
