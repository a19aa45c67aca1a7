"""Extensions beyond a run in orbit: on facilities, in campaigns, and of recordings."""

import logging
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops import api, viewer
from proxops.campaigns import Job, fly
from proxops.results.store.folder import RECORDING, SUMMARY

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
LAW = EXAMPLES / "own_contact.py"
MISSION = EXAMPLES / "own_contact.toml"
# A law that is the shipped spring's, a sensor and a function in Python
FILE = """
import proxops

def plain(parameters, depth, depth_rate):
    k, d = parameters[0], parameters[1]
    return k * depth + d * depth_rate, 0.5 * k * depth**2, k

def measure(parameters, memory, truth, draws, values):
    values[0] = truth.p_OT[0] - truth.p_OC[0]
    return True

class Watch:
    name = "watch"
    fields = (proxops.Field("seen", "m", title="Distance, as the function has it"),)

    def run(self, measurements, estimates, commands):
        estimates.watch.seen = measurements.along.along

along = proxops.Sensor("along", measure, (proxops.Field("along", "m"),))
law = proxops.ContactLaw("plain", plain, ("stiffness_N_m", "damping_N_s_m"))
EXTENSIONS = [law, along, Watch]
"""
SPRING = {"stiffness_N_m": 2000.0, "damping_N_s_m": 40.0}
OWN = {
    "contacts.tip.normal": {
        "kind": "external", "name": "plain", "depth_m": 0.01, "parameters": SPRING,
    },
    "sensors.extra.along": {"rate_hz": 100.0},
    "obsw.functions.watch": {"rate_hz": 10.0},
}  # fmt: skip


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FILE, "utf-8")
    return path


@pytest.mark.parametrize("facility", ["ideal", "oos-sim"])
def test_extensions_are_rehearsed_as_what_is_shipped_is(facility, file):
    plain = proxops.rehearse(proxops.load("touch"), facility, ablate=False)
    own = proxops.load("touch", extensions=[file]).replace(OWN)
    run = proxops.rehearse(own, facility, ablate=False)
    assert run.outcome == plain.outcome
    assert run.ledger.closed
    for name in ("target.w_NT_T", "chaser.p_HC", "contacts.tip.f_n"):
        expected = plain[name][1]
        scale = float(np.abs(expected).max())
        assert scale > 0.0
        # The same spring by another road: last bits, through one contact that amplifies little
        np.testing.assert_allclose(run[name][1], expected, rtol=0.0, atol=1e-9 * scale)
    # A sensor sees what the laboratory shows: here the target where the mission has it, but for
    # the lag of the robots (0.1 s at 2 cm/s), and is at most 10 ms old
    t, seen = run["sensors.along.along"]
    gap = run["target.p_HT"][1][:, 0] - run["chaser.p_HC"][1][:, 0]
    later = t > 0.5
    assert np.abs(seen - gap)[later].max() < 2.0e-3 + 1.0e-2 * (facility == "oos-sim")
    # The function has it ten times a second
    assert np.abs(run["obsw.watch.seen"][1] - seen)[later].max() < 0.1 * 0.05


def dispersed(path=LAW):
    speed = {"key": "chaser.v_HC_m_s.2", "shift": 0.001}
    return proxops.load(MISSION, extensions=[path]).replace({"dispersions.speed": speed})


def test_a_campaign_flies_with_a_contact_law_of_the_users_own():
    scenario = dispersed()
    campaign = proxops.campaign(scenario, range(3), workers=2)
    assert [case["outcome"] for case in campaign.cases] == ["passed"] * 3
    case = campaign.cases[1]
    assert case["hash"] == proxops.simulate(scenario.dispersed(1)).hash


def test_workers_reject_an_extension_that_has_changed(tmp_path):
    path = tmp_path / "law.py"
    path.write_text(LAW.read_text("utf-8"), "utf-8")
    job = Job(dispersed(path))
    path.write_text(LAW.read_text("utf-8") + "# changed\n", "utf-8")
    with pytest.raises(proxops.InputError, match=r"law\.py: has changed since the campaign began"):
        fly(job, [0])


@pytest.fixture(scope="module")
def cut(tmp_path_factory):
    """A recording that lost its end."""
    folder = tmp_path_factory.mktemp("runs") / "cut"
    proxops.simulate(proxops.load(MISSION, extensions=[LAW])).save(folder)
    (folder / SUMMARY).unlink()
    recording = folder / RECORDING
    recording.write_bytes(recording.read_bytes()[:-3000])
    return folder


def test_a_cut_recording_is_judged_with_its_extensions(cut, caplog):
    with pytest.raises(proxops.InputError, match="no contact law 'stiffening'"):
        api.look(cut)
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="proxops"):
        seen = api.look(cut, extensions=[LAW])
    assert seen.ledger.closed
    assert seen.extensions.contact_laws.keys() == {"stiffening"}
    assert not [record for record in caplog.records if "extensions" in record.message]


def test_files_that_are_not_those_of_the_run_are_named(cut, tmp_path, caplog):
    other = tmp_path / "own_contact.py"
    other.write_text(LAW.read_text("utf-8") + "# changed\n", "utf-8")
    with caplog.at_level(logging.WARNING, logger="proxops"):
        api.look(cut, extensions=[other])
    assert any("own_contact.py: is not among" in record.message for record in caplog.records)


def test_a_run_is_drawn_without_the_code_of_its_extensions(tmp_path):
    run = proxops.simulate(proxops.load(MISSION, extensions=[LAW]))
    run.save(tmp_path / "run")
    page = tmp_path / "scene.html"
    viewer.export(proxops.open(tmp_path / "run"), page, overwrite=False)
    assert page.stat().st_size > 10_000


def test_the_replay_line_of_a_report_makes_the_same_bits(tmp_path):
    run = proxops.simulate(proxops.load(MISSION, extensions=[LAW]))
    run.save(tmp_path / "run")
    run.report(tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text("utf-8")
    assert ".extended(run.extensions)" in text
    opened = proxops.open(tmp_path / "run", extensions=list(run.extensions.sources))
    scenario = proxops.Scenario.from_dict(opened.provenance["scenario"])
    assert proxops.simulate(scenario.extended(opened.extensions)).hash == run.hash
