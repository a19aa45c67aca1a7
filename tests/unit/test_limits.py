"""Steps that joints do not bear are refused before the run, with the step they would need."""

import re

import pytest

import proxops

FRICTION = re.compile(r'friction="[^"]*"')


def with_friction(torque):
    """free-tumble with that Coulomb friction in every joint of its arm [N m]."""
    scenario = proxops.load("free-tumble")
    data = scenario.to_dict()
    name = scenario.mission.chaser.arms["main"].urdf
    data["files"][name] = FRICTION.sub(f'friction="{torque}"', data["files"][name])
    return proxops.Scenario.from_dict(data)


def test_friction_too_stiff_for_the_step_is_refused_with_the_step_it_needs():
    with pytest.raises(proxops.InputError, match="friction of joint") as refused:
        proxops.simulate(with_friction(20.0))
    needed = min(float(found) for found in re.findall(r"needs ([0-9.e-]+) s", str(refused.value)))
    assert needed < 1e-3
    substeps = int(1e-3 / needed) + 1
    time = {
        "duration_s": 0.1,
        "control_rate_hz": 500.0,
        "record_rate_hz": 100.0,
        "phases": {"only": {"until_s": 0.1, "step_s": 0.001, "substeps": substeps}},
    }
    run = proxops.simulate(with_friction(20.0).replace({"time": time, "requirements": {}}))
    assert run.ledger.closed


@pytest.mark.parametrize("name", ["free-tumble", "fly-around"])
def test_shipped_arms_bear_the_steps_of_their_missions(name):
    time = proxops.load(name).mission.time.model_dump()
    time["duration_s"] = next(iter(time["phases"].values()))["until_s"]
    first = next(iter(time["phases"]))
    short = {"time": time | {"phases": {first: time["phases"][first]}}, "requirements": {}}
    assert proxops.simulate(proxops.load(name).replace(short)).ledger.closed
