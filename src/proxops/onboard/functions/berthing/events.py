"""What a berthing does, in words."""

import numpy as np

from proxops.onboard.functions.berthing.kinds import (
    ABORT_KIND,
    CLOSING,
    GRIPPER_KINDS,
    REASONS,
)


def describe_gripper(state: float, details: np.ndarray) -> tuple[str, str]:
    """Kind and text of the event that the gripper changes; details are the errors of the end
    effector, as estimated, and the position of the clamps."""
    place, angle, clamps = details
    errors = f", {1e3 * place:.3g} mm and {1e3 * angle:.3g} mrad from the grasp point"
    text = f"obsw.berthing: clamps at {clamps:.4g} rad{errors if state >= CLOSING else ''}"
    return GRIPPER_KINDS[int(state)], text


def describe_abort(reason: float, details: np.ndarray) -> tuple[str, str] | None:
    """Kind and text of the event that a leg of the arm is given up; details are reason, value and
    limit."""
    if reason == 0.0:
        return None
    _, value, bound = details
    return ABORT_KIND, f"obsw.berthing: {REASONS[int(reason)].format(value=value, bound=bound)}"
