"""Campaigns as a user meets them: the same for any number of workers, ended and gone on with."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import proxops
from proxops.core.errors import InputError

pytestmark = pytest.mark.slow

PROXOPS = [sys.executable, "-m", "proxops"]
DISPERSIONS = {
    "mass": {"key": "target.mass_kg", "scale": 0.2},
    "inertia": {"key": "target.inertia_kg_m2", "scale": 0.1},
    "spin": {"key": "target.w_NT_T_deg_s", "rotation_deg": 5.0},
    "speed": {"key": "chaser.v_HC_m_s.0", "shift": 0.01},
}
SPEED = ("--set", 'dispersions.speed={key="chaser.v_HC_m_s.0", shift=0.01}')


@pytest.fixture(scope="module")
def touch() -> proxops.Scenario:
    return proxops.load("touch").replace({"dispersions": DISPERSIONS})


@pytest.fixture(scope="module")
def flown(touch, tmp_path_factory):
    """Six cases by two workers, and where they are kept."""
    folder = tmp_path_factory.mktemp("flown") / "campaign"
    return proxops.campaign(touch, range(6), workers=2, out=folder), folder


def command(*words, cwd):
    return subprocess.run([*PROXOPS, *words], cwd=cwd, capture_output=True, text=True, check=False)


def test_cases_are_those_of_single_runs_bit_by_bit(touch, flown):
    campaign, _ = flown
    assert [case["seed"] for case in campaign.cases] == list(range(6))
    for case in campaign.cases[:2]:
        run = proxops.simulate(touch.dispersed(case["seed"]))
        assert case["hash"] == run.hash
        assert case["outcome"] == run.outcome
        assert case["drawn"] == run.draws
    assert len({case["hash"] for case in campaign.cases}) == 6


def test_the_number_of_workers_changes_nothing(touch, flown):
    campaign, _ = flown
    assert proxops.campaign(touch, range(6), workers=1).cases == campaign.cases


def test_some_cases_fail_and_are_told_by_cause(flown):
    campaign, _ = flown
    failed = [case["seed"] for case in campaign.cases if case["outcome"] == "failed"]
    assert 0 < len(failed) < 6
    assert sorted(seed for seeds in campaign.causes.values() for seed in seeds) == failed
    assert not campaign.passed


def test_kept_cases_are_not_flown_again(touch, flown, tmp_path):
    campaign, folder = flown
    kept = (folder / "cases.jsonl").read_bytes().splitlines(keepends=True)
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "campaign.json").write_bytes((folder / "campaign.json").read_bytes())
    marked = [json.dumps(json.loads(line) | {"mark": 1}) + "\n" for line in kept[:5]]
    (copy / "cases.jsonl").write_text("".join(marked))
    again = proxops.campaign(touch, range(6), out=copy)
    assert sum("mark" in case for case in again.cases) == 5
    assert [case["hash"] for case in again.cases] == [case["hash"] for case in campaign.cases]


def test_a_case_that_cannot_be_drawn_ends_the_campaign_with_its_seed(touch, tmp_path):
    joints = {"key": "chaser.arms.main.q_deg", "shift": 300.0}
    odd = touch.replace({"dispersions.joints": joints})
    with pytest.raises(InputError, match=r"touch, case 1: (.|\n)*q_deg"):
        proxops.campaign(odd, [1], out=tmp_path / "odd")
    assert not list(tmp_path.iterdir())


def test_a_dispersed_run_replays_from_its_recording(touch, tmp_path):
    proxops.simulate(touch.dispersed(3), out=tmp_path / "run")
    run = proxops.open(tmp_path / "run")
    assert run.provenance["dispersed"] == run.provenance["seed"] == 3
    assert run.title == "touch, case 3"
    again = proxops.Scenario.from_dict(run.provenance["scenario"])
    assert again.believed == touch
    assert proxops.simulate(again).hash == run.hash


def test_the_command_flies_counts_and_says_how_to_fly_one_again(tmp_path):
    done = command("campaign", "touch", "--seeds", "0-3", *SPEED, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "touch: FAILED, 4 cases" in done.stdout
    assert "cases: runs/touch-campaign" in done.stderr
    (again,) = (line for line in done.stderr.splitlines() if "case again: proxops replay" in line)
    *_, folder, seed = again.split()
    assert folder == "runs/touch-campaign"
    words = ("campaign", "touch", "--seeds", "0-3", *SPEED, "--at-least", "0.1", "--json")
    recording = ("--record", "worst", "--out", "runs/touch-campaign")
    enough = command(*words, *recording, cwd=tmp_path)
    summary = json.loads(enough.stdout)
    assert summary["worst"] == int(seed)
    recorded = proxops.open(tmp_path / "runs" / "touch-campaign" / f"case-{seed}")
    assert recorded.hash == summary["cases"][int(seed)]["hash"]
    assert (enough.returncode, summary["flown"], summary["passed"]) == (0, 4, True)
    one = command("run", "touch", *SPEED, "--disperse", seed, "--json", cwd=tmp_path)
    assert one.returncode == 1
    found = json.loads(one.stdout)
    assert found["folder"] == f"runs/touch-case-{seed}"
    assert found["hash"] == summary["cases"][int(seed)]["hash"]


def test_ctrl_c_keeps_what_is_done_and_exits_with_130(tmp_path):
    words = ["campaign", "touch", "--seeds", "0-9999", *SPEED, "--out", "kept"]
    process = subprocess.Popen(
        [*PROXOPS, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for_cases(tmp_path / "kept" / "cases.jsonl", process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "INTERRUPTED" in stdout
    assert "with --out kept resumes it" in stderr
    kept = (tmp_path / "kept" / "cases.jsonl").read_text().splitlines()
    assert f"INTERRUPTED, {len(kept)} of 10000 cases" in stdout


def wait_for_cases(file: Path, process: subprocess.Popen) -> None:
    """Returns once two cases are done; bounded by the process, which ends by itself."""
    while process.poll() is None:
        if file.exists() and file.read_bytes().count(b"\n") >= 2:
            return
    raise AssertionError(f"ended early: {process.communicate()}")


def workers_of(process: subprocess.Popen) -> list[int]:
    """The processes that a campaign has started."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}").glob("../*/children")
    return [int(pid) for file in children for pid in file.read_text().split()]


def test_a_killed_worker_changes_nothing(flown, tmp_path):
    campaign, folder = flown
    scenario = json.loads((folder / "campaign.json").read_text())["scenario"]
    script = (
        "import json, sys, proxops\n"
        "scenario = proxops.Scenario.from_dict(json.load(sys.stdin))\n"
        "found = proxops.campaign(scenario, range(6), workers=2, out='kept')\n"
        "json.dump(found.cases, sys.stdout)\n"
    )
    command, pipe = [sys.executable, "-c", script], subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stdin=pipe, stdout=pipe, text=True) as process:
        process.stdin.write(json.dumps(scenario))
        process.stdin.close()
        cases = tmp_path / "kept" / "cases.jsonl"
        while not (cases.exists() and cases.stat().st_size):
            assert process.poll() is None
        for pid in workers_of(process):
            os.kill(pid, signal.SIGKILL)
        assert tuple(json.loads(process.stdout.read())) == campaign.cases
    assert process.returncode == 0
