"""Functions that a kernel takes as arguments, and the three on board."""

import numpy as np
from tests.laws.written import written

import proxops
from proxops.assembly.describe import describe
from proxops.assembly.onboard import build_onboard
from proxops.bus import commands as to
from proxops.bus.truth import HUB_WIDTH, WRENCH, Truth
from proxops.core.jit import Plug, enter, kernel, pluggable, signature_of
from proxops.onboard import shipped
from proxops.onboard.model import ANSWERED, DONE, SENSED, WANTS_CONTROL


@pluggable
def twice(values):
    values[0] *= 2.0
    return 2


@pluggable
def one_more(values):
    values[0] += 1.0
    return 1


@kernel
def both(plugged, values):
    first, second = plugged
    return 10 * first(values) + second(values)


def test_a_kernel_is_compiled_once_for_all_functions_of_a_signature() -> None:
    values = np.array([3.0])
    signature = signature_of(values)
    double, add = Plug(twice, signature), Plug(one_more, signature)
    assert enter(both, (double, add), values) == 21
    assert values[0] == 7.0
    assert enter(both, (add, double), values) == 12
    assert values[0] == 16.0
    assert enter(both, (add, Plug(one_more, signature)), values) == 11
    assert len(both.signatures) == 1
    assert len(twice.signatures) == len(one_more.signatures) == 1


def on_board(now: int):
    """The shipped capture's software, and a truth."""
    scenario = proxops.load("envisat-capture")
    onboard = build_onboard(scenario, describe(scenario)[0])
    joints = onboard.model.brain.belief.chaser.topology.shape[0]
    hubs = np.zeros((2, HUB_WIDTH))
    hubs[:, 3] = 1.0
    hubs[1, 0] = 5.0
    arm, thrust = np.zeros(joints), np.zeros(len(onboard.asked) - to.JOINTS - joints)
    return onboard, Truth(now, hubs, arm, arm, np.zeros(WRENCH), 0.0, thrust)


def test_sensors_are_asked_once_an_instant_however_often_the_loop_comes_by() -> None:
    """A controller in Python has it return within an instant: noise must not be drawn anew."""
    onboard, truth = on_board(0)
    model, state = onboard.model, onboard.state
    ask = written(shipped.sense)
    for now, times in ((0, 1), (0, 1), (1_000_000, 2), (1_000_000, 2), (1_000_000, 2)):
        before, is_new = state.seen.copy(), state.turn[SENSED] != now
        assert ask(model, state, truth._replace(now=now), onboard.asked) == DONE
        assert state.drawn[0] == times
        assert is_new or (state.seen == before).all()


def test_a_controller_in_python_has_one_turn_an_instant_at_its_rate() -> None:
    onboard, truth = on_board(0)
    model = onboard.model._replace(period=2_000_000)
    statuses = [
        written(shipped.ask_python)(model, onboard.state, truth._replace(now=now), onboard.asked)
        for now in (0, 0, 1_000_000, 2_000_000, 2_000_000, 3_000_000)
    ]
    assert statuses == [WANTS_CONTROL, DONE, DONE, WANTS_CONTROL, DONE, DONE]
    assert onboard.state.turn[ANSWERED] == 2_000_000


def test_software_that_there_is_none_of_leaves_everything_as_it_was() -> None:
    onboard, truth = on_board(0)
    before = [onboard.asked.copy(), onboard.state.seen.copy()]
    assert written(shipped.nothing)(onboard.model, onboard.state, truth, onboard.asked) == DONE
    assert (onboard.asked == before[0]).all()
    assert (onboard.state.seen == before[1]).all()
