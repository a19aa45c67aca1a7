"""Peaks between rows are recorded, and judged."""

import numpy as np
import pytest

import proxops

SLOW, FAST = 50.0, 1000.0  # recorded [Hz]; turns are as fast


def runs(name, seconds, **changes):
    """The same short run, recorded seldom and in every turn."""
    found = []
    for rate in (SLOW, FAST):
        time = {
            "duration_s": seconds,
            "control_rate_hz": FAST,
            "record_rate_hz": rate,
            "phases": {"only": {"until_s": seconds, "step_s": 0.001}},
        }
        scenario = proxops.load(name).replace({"time": time, "requirements": {}} | changes)
        found.append(proxops.simulate(scenario))
    return found


def largest_since(values):
    """Of every turn's values, in the turns after each slow row up to the next."""
    every = round(FAST / SLOW)
    return np.vstack([values[:1], values[1:].reshape(-1, every, values.shape[1]).max(axis=1)])


def test_a_contacts_peak_is_that_of_all_turns_since_the_last_row():
    slow, fast = runs("contact-bounce", 0.8)
    norms = np.linalg.norm(fast["contacts.probe.f"][1], axis=1)[:, np.newaxis]
    expected = largest_since(norms)[:, 0]
    np.testing.assert_array_equal(slow["contacts.probe.f_peak"][1], expected)
    at_rows = np.linalg.norm(slow["contacts.probe.f"][1], axis=1)
    assert (expected > at_rows).any()  # or there was nothing to miss
    np.testing.assert_array_equal(fast["contacts.probe.f_peak"][1], norms[:, 0])


def test_a_motors_peak_is_that_of_all_turns_since_the_last_row():
    slow, fast = runs("free-tumble", 1.0)
    tau = np.abs(fast["chaser.arms.main.tau"][1])
    np.testing.assert_array_equal(slow["chaser.arms.main.tau_peak"][1], largest_since(tau))


@pytest.mark.parametrize(("measure", "judged"), [("max-norm", "f_peak"), ("max-abs", "f")])
def test_a_requirement_takes_the_peak_of_a_norm(measure, judged):
    demand = {"signal": "contacts.probe.f", "measure": measure}
    demand |= {"comparison": "<=", "limit": 40.0, "unit": "N"}
    slow, _ = runs("contact-bounce", 0.8, requirements={"gentle": demand})
    (item,) = slow.requirements
    assert item.value == np.abs(slow[f"contacts.probe.{judged}"][1]).max()
