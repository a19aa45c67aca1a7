"""Contact does not know who is the chaser, and all that it remembers is in the state."""

import numpy as np
import pytest

from proxops.plant import contact_array
from tests.laws.slots import DAMPED, HUNT, RUBBING, SPRING, mirrored, rattling

DURATION, STEP = 1.5, 0.01


@pytest.mark.parametrize(
    ("law", "agreed"),
    [
        # rounding, grown by bounces: each turns a change of place by 1e-16 into speed
        (SPRING, 1e-11),
        (HUNT | {"damping": 0.4}, 1e-11),
        # While it sticks, the stretch is carried along by the target; the other way round, by the
        # other body, which has turned against it by some 1e-3 rad.
        (DAMPED | RUBBING, 1e-4),
    ],
    ids=["spring", "hunt", "rubbing"],
)
def test_chaser_and_target_may_change_places(law, agreed):
    there, back = rattling("pads-on-chaser", law), mirrored(law)
    for pair in (there, back):
        pair.plant.contacts[:, contact_array.LONGEST_STEP] = 2e-3
        pair.go(DURATION, STEP)
    assert len(there.events) == len(back.events) >= 4
    assert there.chaser == pytest.approx(back.target, abs=agreed)
    assert there.target == pytest.approx(back.chaser, abs=agreed)
    works = -5
    assert there.ledger[works:] == pytest.approx(back.ledger[works:], abs=10.0 * agreed)


@pytest.mark.parametrize("kind", ["pads-on-chaser", "arm"])
def test_a_copied_state_goes_on_with_the_same_bits(kind):
    pair = rattling(kind, DAMPED | RUBBING)
    while pair.mode(0) not in (contact_array.STUCK, contact_array.SLIDING):
        pair.step(STEP)
    kept, when = pair.y.copy(), pair.t
    pair.go(0.5, STEP)
    end = pair.y.copy()
    pair.y[:], pair.t = kept, when
    pair.go(0.5, STEP)
    assert np.array_equal(pair.y, end)
