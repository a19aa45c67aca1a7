"""What is kept of equal scenarios: made once, found by content, shared by no two that write."""

import json
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from proxops.assembly.capture import capture_of, navigation_of
from proxops.assembly.describe import describe
from proxops.assembly.platform import platform_of
from proxops.assembly.start_poses import start_in
from proxops.core.kept import kept_by_arrays, own_copy
from proxops.scenario.load import Scenario, load


@pytest.fixture(scope="module")
def capture() -> Scenario:
    return load("envisat-capture")


def arrays(value):
    """All arrays in a record."""
    if isinstance(value, np.ndarray):
        return [value]
    parts = value if isinstance(value, tuple) else ()
    if is_dataclass(value):
        parts = [getattr(value, each.name) for each in fields(value)]
    return [array for each in parts for array in arrays(each)]


def beliefs(scenario):
    """All that is kept of what software believes."""
    capture = scenario.mission.obsw.capture
    return platform_of(scenario), capture_of(scenario, capture), navigation_of(scenario)


def test_arrays_of_descriptions_and_starts_cannot_be_written_to(capture):
    found = arrays((describe(capture), start_in(capture)))
    assert found
    assert not any(each.flags.writeable for each in found)


def test_scenarios_of_equal_content_are_described_once(capture):
    again = Scenario.from_dict(json.loads(json.dumps(capture.to_dict())))
    assert again is not capture
    assert describe(again) is describe(capture)


def test_another_mission_or_another_file_is_described_anew(capture):
    heavier = capture.replace({"target.mass_kg": 9000.0})
    assert describe(heavier)[1].mass == 9000.0
    arm = capture.mission.chaser.arms["main"]
    text = capture.files[arm.urdf].replace('mass value="', 'mass value="1', 1)
    other = Scenario("other", capture.mission, {**capture.files, arm.urdf: text})
    mounted = [describe(each)[0].arms[0].arm for each in (other, capture)]
    assert mounted[0].root.mass != mounted[1].root.mass or mounted[0].joints != mounted[1].joints


def test_what_one_case_writes_into_its_beliefs_no_other_sees(capture):
    before = [each.copy() for each in arrays(beliefs(capture))]
    for array in arrays(beliefs(capture)):
        array[...] = 77
    for array, sound in zip(arrays(beliefs(capture)), before, strict=True):
        np.testing.assert_array_equal(array, sound)


def test_a_result_that_could_be_shared_and_written_to_is_refused():
    with pytest.raises(TypeError, match="dict cannot be kept"):
        own_copy((1.0, {}))


def test_equal_arrays_make_once_what_each_caller_may_write_to():
    made = []

    @kept_by_arrays
    def doubled(a):
        made.append(a)
        return (2.0 * a,)

    a = np.array([[1.0, 2.0]])
    (first,) = doubled(a)
    first[:] = 0.0
    np.testing.assert_array_equal(doubled(a.copy())[0], [[2.0, 4.0]])
    np.testing.assert_array_equal(doubled(a.ravel())[0], [2.0, 4.0])  # of another shape
    assert len(made) == 2


def test_a_mission_as_plain_data_is_the_callers_own(capture):
    capture.document()["target"]["mass_kg"] = 0.0
    capture.to_dict()["mission"]["target"].clear()
    assert capture.document() == capture.mission.model_dump(mode="json", exclude_none=True)
