"""What check predicts, a rehearsal does: at the documented placement and at the one it finds."""

import pytest

import proxops
from proxops.assembly.facility import Lab, load_facility
from proxops.feasibility.check import check_run
from proxops.feasibility.command_rows import at_command_rate
from proxops.feasibility.start_pose import THOROUGH, Search
from proxops.rehearsal import on_facility
from proxops.scenario.shipped import shipped_facilities

pytestmark = pytest.mark.slow

WITHIN = 0.2  # between what is predicted and what a rehearsal does [s]


@pytest.fixture(scope="module")
def flown():
    return proxops.simulate(at_command_rate(proxops.load("envisat-push"), load_facility("oos-sim")))


def checked(run, representation, search):
    return check_run(
        run, load_facility("oos-sim"), representation, optimise_start=True, search=search
    )


def stopped_at(lab: Lab, representation):
    """When and why the guard stops a rehearsal; (None, "") if it does not."""
    run = on_facility(proxops.load("envisat-push"), lab, representation).run()
    told = [event for event in run.events if event.name == "guard"]
    return (told[0].t_s, told[0].detail) if told else (None, "")


def placed_file(place, folder):
    """The shipped facility with the lines that check prints."""
    text = shipped_facilities()["oos-sim"].read_text("utf-8")
    before, after = text.split("[start]")[0], text[text.index("[servo]") :]
    file = folder / "placed.toml"
    file.write_text(f"{before}{place.toml}\n\n{after}")
    return load_facility(file)


def agree(place, lab, representation):
    t, why = stopped_at(lab, representation)
    if place.limit is None:
        assert t is None, why
        return
    assert t == pytest.approx(place.lasts, abs=WITHIN)
    # the very same command is dropped: no contact, so nothing of the cell acts on the models
    assert t == pytest.approx(place.going.by_guard.t, abs=1e-9)


def test_a_rehearsal_ends_when_check_says_where_it_is_and_where_it_should_be(flown, tmp_path):
    found = checked(flown, "absolute", Search((3, 3, 2, 1), 1))
    t, why = stopped_at(load_facility("oos-sim"), "absolute")
    assert t == pytest.approx(found.asked.lasts, abs=WITHIN)
    assert t == pytest.approx(found.asked.by_guard.t, abs=1e-9)
    assert found.asked.by_guard.name in why
    assert found.placement.lasts > found.asked.lasts + 3.0
    agree(found.placement, placed_file(found.placement, tmp_path), "absolute")


@pytest.mark.parametrize("representation", ["absolute", "relative"])
def test_a_rehearsal_confirms_the_best_placement(flown, representation, tmp_path):
    found = checked(flown, representation, THOROUGH)
    agree(found.placement, placed_file(found.placement, tmp_path), representation)
    if representation == "relative":
        assert found.placement.limit is None
