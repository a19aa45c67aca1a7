"""Steps of the plant, of one case and of a group in lanes: the same source."""

from typing import Any, NamedTuple

import numpy as np

from proxops.core.jit import kernel
from proxops.core.lanes.compiled import lane_kernel
from proxops.plant.model import Plant, Workspace
from proxops.plant.step import OK, advance, copy


class Job(NamedTuple):
    """What a step works on, of one case or of a group."""

    plant: Plant
    drive: np.ndarray
    work: Workspace
    y: np.ndarray
    start: np.ndarray  # the state before a step, to which a repeated one returns


def _repeat(job: Any, t: float, h: float, steps: int, goes_back: bool) -> int:
    """Steps, each from where the last one ended or all from the same state."""
    for step in range(steps):
        if goes_back:
            copy(job.start, job.y)
        begin = t if goes_back else t + step * h
        status = advance(job.plant, job.drive, job.work, job.y, begin, h)
        if status != OK:
            return status
    return OK


repeat_scalar = kernel(_repeat)
repeat_group = lane_kernel(_repeat)
