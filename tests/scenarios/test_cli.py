"""The commands as a user meets them: exit codes, JSON on stdout alone, messages on stderr."""

import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

import pytest

import proxops
from proxops.cli.main import main

PROXOPS = [sys.executable, "-m", "proxops"]
LONG = ("--set", "time.duration_s=3000.0", "--set", "requirements={}")
ONE_PHASE = ("--set", "time.phases={only={until_s=3000.0, step_s=0.001}}")


def proxops_command(*words, cwd, **options):
    return subprocess.run(
        [*PROXOPS, *words], cwd=cwd, capture_output=True, text=True, check=False, **options
    )


def in_a_copy(*words, cwd):
    """The same in a copy of this process, which need not load the package again."""
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        process = multiprocessing.get_context("fork").Process(
            target=_run_with, args=(words, cwd, output.fileno(), errors.fileno())
        )
        process.start()
        process.join()
        for file in (output, errors):
            file.seek(0)
        return subprocess.CompletedProcess(words, process.exitcode, output.read(), errors.read())


def _run_with(words, cwd, output, errors):
    os.chdir(cwd)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.argv = ["proxops", *words]
    main()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A run of free-tumble through the command line."""
    folder = tmp_path_factory.mktemp("recorded")
    done = proxops_command("run", "free-tumble", "--out", "run", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


def test_json_on_stdout_holds_the_verdicts_of_the_recorded_run(recorded):
    folder, summary = recorded
    run = proxops.open(folder / "run")
    assert summary["outcome"] == run.outcome == "passed"
    assert summary["hash"] == run.hash
    assert {item["name"]: item["value"] for item in summary["requirements"]} == {
        item.name: item.value for item in run.requirements
    }
    assert summary["ledger"]["closed"] is True


def test_a_recording_replays_to_the_same_bits(recorded):
    folder, summary = recorded
    provenance = proxops.open(folder / "run").provenance
    scenario = proxops.Scenario.from_dict(provenance["scenario"])
    assert proxops.simulate(scenario).hash == summary["hash"]


def test_export_writes_csv_and_refuses_to_overwrite(recorded):
    folder, _ = recorded
    assert proxops_command("export", "run", "run.csv", cwd=folder).returncode == 0
    header = (folder / "run.csv").read_text().splitlines()[0]
    assert "chaser.p_HC" in header
    again = proxops_command("export", "run", "run.csv", cwd=folder)
    assert (again.returncode, again.stdout) == (2, "")


def test_report_writes_a_page_beside_the_recording_and_says_where(recorded):
    folder, _ = recorded
    done = proxops_command("report", "run", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "report: run/report.html\n")
    shutil.copytree(folder / "run", folder / "copy")
    both = proxops_command("report", "run", "copy", cwd=folder)
    assert (both.returncode, both.stderr) == (0, "report: run-against-copy.html\n")
    assert (folder / "run-against-copy.html").stat().st_size > 1e6
    itself = proxops_command("report", "run", "run", cwd=folder)
    assert (itself.returncode, itself.stdout) == (2, "")
    assert "are the same run" in itself.stderr
    nowhere = proxops_command("report", "walk", cwd=folder)
    assert (nowhere.returncode, nowhere.stdout) == (2, "")


def test_a_run_that_failed_gets_its_report(tmp_path):
    limit = ("--set", "requirements.clearance.limit=50.0")
    done = proxops_command("run", "free-tumble", *limit, "--report", cwd=tmp_path)
    assert done.returncode == 1
    page = (tmp_path / "runs" / "free-tumble" / "report.html").read_text()
    assert "clearance fails: 7.31 m, where &gt;= 50 m is required" in page


def test_a_failed_requirement_exits_with_1(tmp_path):
    done = proxops_command(
        "run", "free-tumble", "--set", "requirements.clearance.limit=50.0", cwd=tmp_path
    )
    assert done.returncode == 1
    assert "FAILED" in done.stdout


def test_an_invalid_run_exits_with_3(tmp_path):
    # gains far beyond what the step can follow: the motors chatter between their limits
    gains = ("--set", "obsw.joints.main.kp=1e9", "--set", "obsw.joints.main.kd=1e9")
    done = proxops_command("run", "free-tumble", *gains, cwd=tmp_path)
    assert done.returncode == 3
    assert "INVALID" in done.stdout.splitlines()[-1]
    assert (
        "\nFirst cause to check: obsw.joints.main.kd: lower damping and stiffness to" in done.stdout
    )
    assert done.stderr.startswith("warning: obsw.joints.main.kd: lower damping")  # before the run


def test_schema_is_json_schema_with_descriptions(tmp_path):
    schema = json.loads(proxops_command("schema", cwd=tmp_path).stdout)
    assert "chaser" in schema["properties"]
    assert "[kg]" in json.dumps(schema)


def test_list_names_every_shipped_scenario(tmp_path):
    done = proxops_command("list", "--json", cwd=tmp_path)
    assert {"free-tumble", "fly-around"} <= {item["name"] for item in json.loads(done.stdout)}


def test_help_of_every_command_has_an_example_or_needs_none(tmp_path):
    for command in ("run", "campaign", "export", "recover", "schema"):
        assert "Example" in proxops_command(command, "--help", cwd=tmp_path).stdout


def test_ctrl_c_keeps_the_recording_and_exits_with_130(tmp_path):
    command = [*PROXOPS, "run", "free-tumble", *LONG, *ONE_PHASE, "--out", "run"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for_rows(tmp_path / "run" / "run.mcap", process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "INTERRUPTED" in stdout
    run = proxops.open(tmp_path / "run")
    assert run.outcome == "interrupted"
    assert 0.0 < run.rows[-1, 0] < 3000.0


def wait_for_rows(recording: Path, process: subprocess.Popen) -> None:
    """Returns once the recording grows; bounded by the process, which ends by itself."""
    while process.poll() is None:
        if recording.exists() and recording.stat().st_size > 200_000:
            return
    raise AssertionError(f"ended early: {process.communicate()}")


def broken(tmp_path: Path) -> dict[str, list[str]]:
    """Commands that must be refused: what is wrong -> words of the command."""
    (tmp_path / "words.toml").write_text("this is not TOML")
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9\xff"')
    (tmp_path / "empty.toml").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thing").write_text("mine")
    (tmp_path / "file").write_text("a file")
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "run.mcap").write_bytes(b"\x89MCAP0\r\n" + b"\x00" * 40)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "run.mcap").write_text("no recording")
    (tmp_path / "cyclic.urdf").write_text(
        '<robot name="ring"><link name="a"/><link name="b"/>'
        '<joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>'
        '<joint name="ba" type="fixed"><parent link="b"/><child link="a"/></joint></robot>'
    )
    (tmp_path / "half.urdf").write_text('<robot name="half"><link name="a">')

    def with_set(*changes: str) -> list[str]:
        return ["run", "free-tumble", *(word for change in changes for word in ("--set", change))]

    return {
        "unknown scenario": ["run", "free-tumbler"],
        "missing file": ["run", "nowhere/mission.toml"],
        "a folder": ["run", "full"],
        "not TOML": ["run", "words.toml"],
        "not UTF-8": ["run", "latin.toml"],
        "empty file": ["run", "empty.toml"],
        "wrong type": with_set('chaser.mass_kg="heavy"'),
        "NaN": with_set("chaser.mass_kg=nan"),
        "infinite": with_set("target.mass_kg=inf"),
        "negative mass": with_set("target.mass_kg=-1.0"),
        "impossible inertia": with_set("target.inertia_kg_m2=[[1,0,0],[0,1,0],[0,0,5]]"),
        "asymmetric inertia": with_set("target.inertia_kg_m2=[[9,1,0],[0,9,0],[0,0,9]]"),
        "negative inertia": with_set("target.inertia_kg_m2=[[-9,0,0],[0,9,0],[0,0,9]]"),
        "inertia of wrong shape": with_set("target.inertia_kg_m2=[1,2,3]"),
        "quaternion not unit": with_set("chaser.q_NC=[1.0, 1.0, 0.0, 0.0]"),
        "unknown key": with_set("chaser.mas_kg=3.0"),
        "unknown section": with_set("chaiser.mass_kg=3.0"),
        "key without value": with_set("chaser.mass_kg"),
        "rates that do not divide": with_set("time.control_rate_hz=333.0"),
        "step that does not divide": with_set("time.phases.unfold.step_s=0.0007"),
        "phases out of order": with_set("time.phases.unfold.until_s=1.0"),
        "zero duration": with_set("time.duration_s=0.0"),
        "negative seed": with_set("seed=-1"),
        "missing URDF": with_set('chaser.arms.main.urdf="no-such-arm"'),
        "cyclic URDF": with_set('chaser.arms.main.urdf="cyclic.urdf"'),
        "truncated URDF": with_set('chaser.arms.main.urdf="half.urdf"'),
        "too few joints": with_set("chaser.arms.main.q_deg=[0.0, 0.0]"),
        "joint beyond its stop": with_set("chaser.arms.main.q_deg=[999,0,0,0,0,0,0]"),
        "controller of no arm": with_set("obsw.joints.other={kp=1.0,kd=1.0,waypoints=[]}"),
        "requirement on no signal": with_set('requirements.clearance.signal="relative.p_XY"'),
        "requirement in no unit": with_set('requirements.clearance.unit="parsec"'),
        "requirement of wrong unit": with_set('requirements.clearance.unit="deg"'),
        "orbit below ground": with_set(
            'orbit={attractor="earth",semi_major_axis_km=6000.0,eccentricity=0.0,'
            "inclination_deg=0.0,raan_deg=0.0,argument_of_periapsis_deg=0.0,true_anomaly_deg=0.0}"
        ),
        "output exists": ["run", "free-tumble", "--out", "full"],
        "output is a file": ["run", "free-tumble", "--out", "file"],
        "output below a file": ["run", "free-tumble", "--out", "file/run"],
        "output unwritable": ["run", "free-tumble", "--out", "/proc/run"],
        "export of no run": ["export", "nowhere", "x.csv"],
        "export of a truncated recording": ["export", "cut", "x.csv"],
        "export of a foreign file": ["export", "foreign", "x.csv"],
        "recover nothing": ["recover", "full"],
        "recover an empty recording": ["recover", "cut"],
        "dispersion of no key": with_set('dispersions.mass={key="target.mas_kg", scale=0.1}'),
        "negative case": ["run", "free-tumble", "--disperse", "-1"],
        "seeds downwards": ["campaign", "free-tumble", "--seeds", "9-0"],
        "campaign on no facility": ["campaign", "free-tumble", "--facility", "nowhere"],
        "campaign into another's folder": ["campaign", "free-tumble", "--out", "full"],
        "unknown command": ["fly"],
        "unknown option": ["run", "free-tumble", "--speed", "9"],
    }


def test_bad_input_is_one_message_and_exit_code_2(tmp_path):
    """No traceback, nothing on stdout, nothing written, the place named."""
    cases = broken(tmp_path)
    before = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")}
    wrong = {}
    for what, words in cases.items():
        done = in_a_copy(*words, cwd=tmp_path)
        lines = done.stderr.strip().splitlines()
        left = {path.relative_to(tmp_path) for path in tmp_path.rglob("*")} - before
        fine = (
            done.returncode == 2
            and not done.stdout
            and 0 < len(lines) <= 24
            and "Traceback" not in done.stderr
            and "internal fault" not in done.stderr
            and not left
        )
        if not fine:
            wrong[what] = (done.returncode, done.stdout[-500:], done.stderr[-1500:], left)
    assert len(cases) >= 25
    assert not wrong


@pytest.mark.usefixtures("recorded")  # so that no kernel is left to be stored on that disk
def test_a_full_disk_is_exit_code_2_and_leaves_nothing(tmp_path):
    """A limit on file size stands for the disk: the write fails as it does there."""

    def small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = proxops_command(
        "run", "free-tumble", "--out", "run", cwd=tmp_path, preexec_fn=small_disk
    )
    assert done.returncode == 2
    assert "run" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_show_prints_json_alone_on_stdout(tmp_path):
    done = in_a_copy("show", "free-tumble", "--set", "chaser.mass_kg=900", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["chaser"]["hub_mass_kg"] == 900.0
    assert found["problems"] == []
    assert not done.stderr


def test_show_ends_with_what_a_run_would_be_rejected_for(tmp_path):
    stiff = "target.appendages.array.EI_N_m2=1e12"
    done = in_a_copy("show", "touch-flexible", "--set", stiff, cwd=tmp_path)
    assert done.returncode == 2
    assert "time.phases.touch.step_s" in done.stdout


def test_list_names_missions_and_facilities_within_eighty_columns(tmp_path):
    done = in_a_copy("list", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert {"scenarios", "facilities"} <= set(lines)
    named = {line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "}
    assert {"envisat-capture", "oos-sim", "flight-arena", "ideal"} <= named


def test_a_key_of_the_facility_is_set_and_a_wrong_one_named(tmp_path):
    wrong = "servo.delay=0.004"
    done = in_a_copy(
        "check", "touch", "--facility", "oos-sim", "--set-facility", wrong, cwd=tmp_path
    )
    assert done.returncode == 2
    assert "oos-sim: 1 problem" in done.stderr
    assert "servo.delay: unknown key; did you mean 'delay_s'?" in done.stderr
    slow = "guard.speed_override=0.0001"
    done = in_a_copy(
        "rehearse", "touch", "--facility", "oos-sim", "--set-facility", slow, cwd=tmp_path
    )
    assert done.returncode == 2
    assert "guard.speed_override: must be greater than or equal to 0.001" in done.stderr
