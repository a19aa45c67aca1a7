"""A hundred thousand hostile sequences: no output outside any limit, and always a stop."""

import numpy as np
import pytest

from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import at_rest, build
from proxops.facility.common.guard.table import Given
from tests.facility import hostile
from tests.facility.planar_cell import (
    AXES,
    CELL,
    CLEARANCE,
    FROM_WALL,
    HOME,
    MARGIN,
    TIP_RADIUS,
    TIPS,
    WALL,
    describe,
)

SEQUENCES = 100_000
BATCH = 1000
SEED = 20_240_617
# Positions near 2 rad are rounded to 2e-16 and come from sums of a few of that; differences over
# h = 4 ms make of it at most 1e-12 rad/s, and 8 × 1e-15 / h³ ≈ 1e-7 of the 600 rad/s3 of a jerk.
ROUNDING = 1e-12
SHARE = 1.0 + 1e-9


def workspace(guard):
    cycles = hostile.LEAD + hostile.ACTIVE + int(guard.settings[of.MAX_CYCLES]) + 2
    whole = np.zeros((BATCH, cycles), dtype=np.int64)
    return hostile.Track(
        dice=np.zeros((BATCH, hostile.ACTIVE, hostile.DICE)),
        outputs=np.zeros((BATCH, cycles, AXES)),
        modes=whole,
        hard=whole.copy(),
        override=np.zeros((BATCH, cycles)),
        lengths=np.zeros(BATCH, dtype=np.int64),
        reasons=np.zeros(of.RELEASED + 1, dtype=np.int64),
        verdict=np.zeros(hostile.VERDICT, dtype=np.int64),
    )


@pytest.mark.slow
def test_no_output_is_ever_outside_a_limit_and_every_sequence_ends_in_a_stop():
    guard = build(describe())
    memory = at_rest(guard, HOME, TIPS)
    given = Given(np.zeros(AXES), np.zeros(len(guard.watched)), np.zeros(of.CUES))
    track = workspace(guard)
    worst = np.zeros(hostile.WORST)
    worst[[hostile.POSITION, hostile.SPEED]] = -np.inf
    worst[[hostile.APART, hostile.RUNNING_APART]] = np.inf
    rng = np.random.default_rng(SEED)
    torn = 0.0
    for _ in range(SEQUENCES // BATCH):
        rng.random(out=track.dice)
        hostile.attack_all(guard, CELL, memory, given, HOME, track)
        hostile.worst_of(guard.axes, track, worst)
        torn = max(torn, hostile.torn(track))

    assert worst[hostile.POSITION] <= ROUNDING
    assert worst[hostile.SPEED] <= ROUNDING
    assert worst[hostile.ACCELERATION] <= SHARE
    assert worst[hostile.JERK] <= SHARE
    apart, aside = 2.0 * TIP_RADIUS + CLEARANCE, WALL - TIP_RADIUS - FROM_WALL
    assert worst[hostile.RUNNING_APART] >= apart - ROUNDING
    assert worst[hostile.RUNNING_ASIDE] <= aside + ROUNDING
    assert worst[hostile.APART] >= apart - MARGIN
    assert worst[hostile.ASIDE] <= aside + MARGIN
    # Speeds of both robots differ by 1e-13 rad/s, by rounding; a parabola read at s ≈ 15 cycles
    # makes h s²/2 ≈ 0.5 of it.
    assert torn < ROUNDING

    verdict = track.verdict
    assert verdict[hostile.ALTERED] == 0
    assert verdict[hostile.LEAPT] == 0
    assert verdict[hostile.MISNAMED] == 0
    assert verdict[hostile.ENDLESS] == 0

    # The adversary came close to everything, and met every reason that this cell has.
    assert worst[hostile.POSITION] > -1e-3
    assert worst[hostile.SPEED] > -1e-3
    assert worst[hostile.ACCELERATION] > 0.999
    assert worst[hostile.JERK] > 0.999
    assert worst[hostile.RUNNING_APART] < apart + 1e-2
    assert verdict[hostile.RUNNING_CYCLES] > 10 * SEQUENCES
    assert verdict[hostile.STOPS] > SEQUENCES
    # Thrown by nobody here; and a stop that takes its time needs little jerk.
    never = {of.BAD_OVERRIDE, of.MEASURED_TORQUE, of.ARM_TORQUE, of.FLANGE_FORCE, of.FLANGE_MOMENT}
    never.add(of.STOP_JERK)
    missed = {reason for reason in range(of.RELEASED + 1) if track.reasons[reason] == 0}
    assert missed <= never
