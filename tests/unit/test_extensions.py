"""What cannot be an extension is rejected in words, before anything runs."""

import numpy as np
import pytest

import proxops
from proxops.assembly.extensions import read_extensions
from proxops.bus.fields import Fields, Layout
from proxops.core import jit
from proxops.core.errors import InputError
from proxops.onboard.user.views import Estimates
from proxops.physics.contact.external import build_law


def always(parameters, memory, truth, draws, values):
    values[0] = truth.p_OT[0]
    return True


def never(parameters, memory, truth, draws, values):
    values[0] = truth.p_OT[0]


def sometimes(parameters, memory, truth, draws, values):  # noqa: RET503  # the fault that is meant
    values[0] = truth.p_OT[0]
    if values[0] > 0.0:
        return True
    values[0] = 0.0  # and comes to its end


def bare(parameters, memory, truth, draws, values):
    if truth.p_OT[0] < 0.0:
        return
    values[0] = truth.p_OT[0]
    return


def either(parameters, memory, truth, draws, values):
    if truth.p_OT[0] > 0.0:
        return False
    else:
        return truth.p_OT[1] > 0.0


def sensor(measure, field=None):
    return proxops.Sensor("mine", measure, (field or proxops.Field("x", "m"),))


@pytest.mark.parametrize("measure", [never, sometimes, bare])
def test_a_measure_that_ends_without_a_value_is_rejected(measure):
    with pytest.raises(InputError, match=r"extension mine: measure must return True or False"):
        read_extensions([sensor(measure)])


@pytest.mark.parametrize("measure", [always, either, jit.users(always)])
def test_a_measure_that_returns_one_is_not(measure):
    assert read_extensions([sensor(measure)]).sensors.keys() == {"mine"}


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (proxops.Field("two words"), "its name must be a word, found 'two words'"),
        (proxops.Field(3), "its name must be a word, found 3"),
        (proxops.Field("x", shape=3), r"x: shape must be a tuple of whole numbers, as \(3,\)"),
        (proxops.Field("x", shape=(0,)), r"x: shape .* found \(0,\)"),
        (proxops.Field("x", shape=(2.0,)), r"x: shape .* found \(2.0,\)"),
        (proxops.Field("x", unit=None), "x: unit must be a string, found None"),
        (proxops.Field("x", start=(1.0, 2.0)), "x: start must have 1 numbers, found 2"),
    ],
)
def test_fields_that_are_none_are_named(field, text):
    class Mine:
        name = "mine"
        fields = (field,)

        def run(self, measurements, estimates, commands): ...

    for each in (sensor(always, field), Mine):
        with pytest.raises(InputError, match=f"extension mine: fields: {text}"):
            read_extensions([each])


def test_a_law_that_reads_a_parameter_it_does_not_have_is_rejected():
    def last(parameters, depth, rate):
        k = parameters[0] + parameters[-1]  # compiled, the last is behind its own
        return k * depth, 0.5 * k * depth**2, k

    def third(parameters, depth, rate):
        k = parameters[0] + parameters[2]
        return k * depth, 0.5 * k * depth**2, k

    for function in (last, third):
        law = proxops.ContactLaw("mine", function, ("stiffness_N_m", "other"))
        with pytest.raises(InputError, match="reads a parameter that it does not have; the law"):
            build_law(law, {"stiffness_N_m": 100.0, "other": 1.0}, 0.01)


def test_estimates_are_written_by_their_own_function_and_under_its_name():
    layout = Layout([proxops.Field("mine.x"), proxops.Field("other.x")])
    fields = Fields(layout, layout.array())
    estimates = Estimates(fields, "mine")
    estimates.mine.x = 3.0
    assert fields.array.tolist() == [3.0, 0.0]
    with pytest.raises(AttributeError, match=r"estimates\.x cannot be written: estimates\.mine\.x"):
        estimates.x = 4.0
    with pytest.raises(AttributeError, match=r"estimates\.other\.x cannot be written by others"):
        estimates.other.x = 4.0
    with pytest.raises(AttributeError, match=r"called 'mime'; did you mean 'mine'"):
        _ = estimates.mime
    assert fields.array.tolist() == [3.0, 0.0]


def test_time_after_an_event_needs_the_event():
    given = {"time.ends_after_s": 1.0}
    with pytest.raises(InputError, match=r"time\.ends_after_s: give ends_on, the event"):
        proxops.load("touch").replace(given)
    assert proxops.load("touch").replace(given | {"time.ends_on": "touch-down"})


def test_a_rehearsal_says_that_it_compiles_what_touches(monkeypatch, capsys):
    class HereError(Exception):
        """The building has begun."""

    def building(*_):
        raise HereError

    monkeypatch.setattr(jit, "is_warm", lambda kernels: False)
    monkeypatch.setattr("proxops.sim.worlds.rehearsed.CellWorld", building)
    with pytest.raises(HereError):
        proxops.rehearse(proxops.load("touch"), "ideal", progress=True)
    assert "touch: compiling what touches, once" in " ".join(capsys.readouterr().err.split())


def test_what_a_law_returns_is_the_same_with_more_room_behind_its_parameters():
    def spring(parameters, depth, rate):
        return parameters[0] * depth, 0.5 * parameters[0] * depth**2, parameters[0]

    made = build_law(proxops.ContactLaw("spring", spring, ("k",)), {"k": 100.0}, 0.01)
    np.testing.assert_array_equal(made.parameters, [100.0])
