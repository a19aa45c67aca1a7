"""What the chaser hears from the ground: an operator's go, and how long it has heard nothing.

A go that was heard stays while nothing is heard.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.core.jit import part, pluggable
from proxops.onboard.function import Change, Function

FIELDS = (
    Field("ground.link", title="Link to the ground: 1 up, 0 lost", start=(1.0,)),
    Field("ground.link_age", "s", title="Time since the ground was last heard",
          signal="obsw.ground.link_age"),
    Field("ground.go", title="Operator's go as it was last heard: 1 go, 0 no go",
          signal="obsw.ground.go"),
)  # fmt: skip

# Columns of a window
FROM = 0  # [s]
UNTIL = 1  # [s], no longer part of it
WIDTH = 2


class GroundParams(NamedTuple):
    """What is scripted."""

    go: np.ndarray  # windows
    lost: np.ndarray


class GroundMemory(NamedTuple):
    """When the ground was last heard [s], one entry."""

    heard: np.ndarray


class GroundInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray


class GroundOutputs(NamedTuple):
    """What it writes."""

    ground_link: np.ndarray
    ground_link_age: np.ndarray
    ground_go: np.ndarray


@part
def is_in(windows, t):
    """Whether a window holds the time t [s]."""
    found = False
    for i in range(windows.shape[0]):
        found = found or windows[i, FROM] <= t < windows[i, UNTIL]
    return found


@pluggable
def step(params, memory, inputs, outputs):
    """One cycle of the receiver."""
    t = inputs.t[0]
    lost = is_in(params.lost, t)
    if not lost:
        memory.heard[0] = t
        outputs.ground_go[0] = 1.0 if is_in(params.go, t) else 0.0
    outputs.ground_link[0] = 0.0 if lost else 1.0
    outputs.ground_link_age[0] = t - memory.heard[0]
    return 0


def describe_link(up: float, details: np.ndarray) -> tuple[str, str]:
    """The event that the link is lost, or up again."""
    if up == 0.0:
        return "link-lost", "ground: nothing is heard from the ground"
    return "link-back", "ground: the ground is heard again"


def describe_go(go: float, details: np.ndarray) -> tuple[str, str]:
    """The event that an operator says go, or no longer does."""
    if go == 1.0:
        return "ground-go", "ground: the operator says go"
    return "ground-no-go", "ground: the operator says no go"


def function(
    go: Sequence[tuple[float, float]], lost: Sequence[tuple[float, float]], period: int
) -> Function:
    """The receiver, every period [ns]; windows from and until [s]."""
    windows = (np.array(each, dtype=float).reshape(-1, WIDTH) for each in (go, lost))
    return Function(
        "ground",
        step,
        GroundInputs,
        GroundOutputs,
        GroundParams(*windows),
        GroundMemory(np.zeros(1)),
        period,
        FIELDS,
        changes=(
            Change("ground.link", describe_link, before=1.0),
            Change("ground.go", describe_go),
        ),
    )
