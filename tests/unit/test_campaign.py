"""What the cases of a campaign say together, why one failed, and how they are kept."""

import errno
import json
import math
import resource
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.unit.campaign_cases import case, requirement

from proxops.campaigns import Campaign, Job, fly, remote, worker_process
from proxops.campaigns.ask import Ask, text_of
from proxops.campaigns.case import flown, rejected
from proxops.campaigns.case_store import CASES, HEAD, open_case_store
from proxops.campaigns.result import wilson
from proxops.campaigns.seeds import seeds_text
from proxops.cli.campaign_options import parse_seeds
from proxops.core.errors import InputError, OutputError, StoppedError, WorkerError
from proxops.results.run import Event, Ledger, Requirement, Run
from proxops.scenario.load import Scenario, load
from proxops.terminal.campaign import show_campaign

Z = 1.959963984540054


@pytest.fixture(scope="module")
def touch() -> Scenario:
    return load("touch").replace({"dispersions.mass": {"key": "target.mass_kg", "scale": 0.1}})


@pytest.fixture
def job(touch: Scenario) -> Job:
    return Job(touch)


# --- figures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("passed", "cases"), [(50, 100), (93, 100), (1, 7), (20, 20), (0, 3)])
def test_at_wilsons_bounds_what_was_seen_is_just_likely_enough(passed: int, cases: int) -> None:
    """|p - p₀| = z √(p₀ (1 - p₀)/n): the normal test of p₀ decides just so."""
    for bound in wilson(passed, cases):
        away = abs(passed / cases - bound)
        # a bound at 0 or 1 comes from a difference of equal numbers: some 1e-16 is left, √ of it
        assert away == pytest.approx(Z * math.sqrt(bound * (1.0 - bound) / cases), abs=1e-7)


def test_no_case_tells_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_worst_value_is_on_the_side_of_the_limit() -> None:
    values = [float(value) for value in range(101)]
    cases = [
        case(
            i,
            requirement("near", value, True),
            requirement("far", value, True, comparison=">="),
        )
        for i, value in enumerate(values)
    ]
    near, far = Campaign("x", tuple(cases), 101, 1.0).spreads
    assert (near.worst, near.low, near.median, near.high) == (100.0, 5.0, 50.0, 95.0)
    assert (far.worst, far.low, far.median, far.high) == (0.0, 5.0, 50.0, 95.0)
    assert far.met == wilson(101, 101)


def test_what_is_not_reached_counts_as_failed_and_has_no_value() -> None:
    cases = (
        case(0, requirement("near", 3.0, False), cause="failed: near"),
        case(1, requirement("near", None, False), cause="not-reached: near"),
        case(2, requirement("near", "NaN", False), cause="ledger: open"),
        case(3, cause="refused: out of reach"),
    )
    (near,) = Campaign("x", cases, 4, 1.0).spreads
    assert (near.worst, near.median, near.failed, near.not_reached) == (3.0, 3.0, 3, 1)
    assert near.met == wilson(0, 4)  # the refused case did not meet it either


def test_causes_come_by_how_often_with_their_seeds() -> None:
    causes = ["rare", None, "often", "often", None]
    cases = tuple(case(seed, cause=cause) for seed, cause in enumerate(causes))
    campaign = Campaign("x", cases, 5, 1.0)
    assert list(campaign.causes.items()) == [("often", [2, 3]), ("rare", [0])]


def test_collisions_come_first_of_all_causes() -> None:
    causes = ["abort: often", "abort: often", "collision: seldom", "collision: a", "collision: a"]
    cases = tuple(case(seed, cause=cause) for seed, cause in enumerate(causes))
    campaign = Campaign("touch", cases, len(cases), 1.0)
    assert list(campaign.causes) == ["collision: a", "collision: seldom", "abort: often"]


def test_a_campaign_passes_if_it_is_whole_and_enough_cases_do() -> None:
    cases = (case(0), case(1), case(2), case(3, cause="bad"))
    assert Campaign("x", cases, 4, 0.75).passed
    assert not Campaign("x", cases, 4, 0.76).passed
    assert not Campaign("x", cases, 5, 0.0).passed
    assert Campaign("x", cases, 5, 0.0).interrupted
    assert json.loads(json.dumps(Campaign("x", cases, 4, 0.75).summary()))["passed_count"] == 3


def test_the_table_tells_counts_causes_and_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    cases = (
        case(0, requirement("near", 0.5, True)),
        case(7, requirement("near", None, False), cause="abort: lost the target"),
    )
    show_campaign(Campaign("x", cases, 3, 0.9))
    said = capsys.readouterr().out
    for piece in (
        "1 (1 not reached)",
        "INTERRUPTED, 2 of 3 cases, 1 passed: 50.0 %",
        "abort: lost the target",
        "near",
    ):
        assert piece in said


def test_seeds_are_written_as_they_are_read() -> None:
    assert seeds_text([3, 17, 21, 20, 22]) == "3,17,20-22"
    assert parse_seeds("3,17,20-22") == [3, 17, 20, 21, 22]
    assert parse_seeds(" 0-2, 1") == [0, 1, 2]
    for odd in ("", "a", "3-", "-3", "5-2", "1,,2", "0-99999999", "1.5", "9" * 30):
        with pytest.raises(InputError, match="--seeds"):
            parse_seeds(odd)


def test_cases_that_passed_with_warnings_are_counted_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    met, missed = requirement("near", 0.5, True), requirement("near", 2.0, False)
    late = "limit cycle, 9 swings from {}.5 to 2 s"
    cases = [case(i, met) for i in range(4)] + [case(4, missed, cause="failed: near")]
    for seed in (1, 2, 4):
        cases[seed]["warnings"] = [late.format(seed), "a spin of 3 rad/s"]
    found = Campaign("touch", tuple(cases), 5, 0.5)
    assert (found.passed_count, found.warned_count) == (4, 2)
    assert list(found.warnings.values()) == [[1, 2, 4], [1, 2, 4]]
    summary = found.summary()
    assert summary["warned_count"] == 2
    assert summary["warnings"][0]["seeds"] == [1, 2, 4]
    show_campaign(found)
    said = capsys.readouterr().out
    assert "touch: PASSED with warnings, 5 cases, 4 passed, 2 of them with warnings: 80.0 %" in said
    (line,) = [line for line in said.splitlines() if "limit cycle" in line]
    assert " ".join(line.split()) == "3 limit cycle, … swings from … to … s 1-2,4"
    show_campaign(Campaign("touch", tuple(cases[:1]), 1, 1.0))
    assert "touch: PASSED, 1 cases, 1 passed: " in capsys.readouterr().out
    show_campaign(Campaign("touch", (case(0),), 1, 1.0))
    assert "touch: no requirements, 1 cases" in capsys.readouterr().out


# --- causes -------------------------------------------------------------------------------------


def run_with(*events: Event, outcome: str = "failed", closed: bool = True) -> Run:
    items = (
        Requirement("fine", 1.0, "<=", 2.0, "m", 1.0, "passed"),
        Requirement("late", None, "<=", 2.0, "s", None, "not-reached"),
        Requirement("far", 9.0, "<=", 2.0, "m", -7.0, "failed"),
        Requirement("fast", 9.0, "<=", 2.0, "m/s", -7.0, "failed"),
    )
    ledger = Ledger(0.0, 0.0, 0.0, closed)
    return Run("touch", {}, (), np.array([[8.0]]), events, (), items, ledger, outcome)


ABORT = Event(3.0, "abort", "the target is lost")
COLLISION = Event(5.0, "collision", "chaser.arms.main link 4 meets target.shapes.bus")
PROBLEM = Event(4.0, "fault", "the step is too long")
STOP = Event(
    2.0, "stopped", "the guard stops the rehearsal: jerk of axis 3 61.2 rad/s3, limit 52.36 rad/s3"
)


def test_the_software_s_own_word_comes_before_what_follows_from_it(touch: Scenario) -> None:
    def cause(run: Run) -> object:
        return flown(touch.dispersed(1), run)["cause"]

    assert cause(run_with(ABORT)) == "abort: the target is lost"
    invalid = run_with(PROBLEM, ABORT, outcome="invalid", closed=False)
    assert cause(invalid) == "fault: the step is too long"
    assert cause(run_with(ABORT, outcome="invalid", closed=False)) == "ledger: open"
    assert cause(run_with(outcome="invalid", closed=False)) == "ledger: open"
    cycle = Event(1.0, "warning", "limit cycle, 9 swings")
    assert cause(run_with(cycle, outcome="invalid", closed=False)) == "limit cycle"
    assert cause(run_with()) == "not-reached: late"  # the first in the order of the scenario
    assert cause(run_with(ABORT, outcome="passed")) is None


def test_a_collision_comes_before_the_abort_that_it_follows(touch: Scenario) -> None:
    def cause(run: Run) -> object:
        return flown(touch.dispersed(1), run)["cause"]

    run = run_with(ABORT, COLLISION)
    assert cause(run) == "collision: chaser.arms.main link 4 meets target.shapes.bus"
    allowed = {"scenario": {"mission": {"collisions": "report"}}}
    assert cause(replace(run, provenance=allowed)) == "abort: the target is lost"
    invalid = run_with(COLLISION, PROBLEM, outcome="invalid", closed=False)
    assert cause(invalid) == "fault: the step is too long"


def test_a_case_has_its_warnings(touch: Scenario) -> None:
    warned = Event(1.0, "warning", "contacts.ring is measured late")
    case = flown(touch.dispersed(1), run_with(warned, ABORT))
    assert case["warnings"] == [warned.detail]
    assert rejected(touch.dispersed(1), InputError("out of reach"))["warnings"] == []


def test_stops_for_the_same_reason_read_alike(touch: Scenario) -> None:
    case = flown(touch.dispersed(1), run_with(STOP, outcome="stopped"))
    assert case["cause"] == "stopped: the guard stops the rehearsal: jerk of axis 3"
    assert "61.2 rad/s3, limit 52.36 rad/s3, at 2.000 s" in case["detail"]


def test_a_case_that_could_not_begin_says_why(touch: Scenario) -> None:
    case = rejected(touch.dispersed(1), StoppedError("clearance 0.05 m, least 0.1 m"))
    assert (case["outcome"], case["cause"], case["passed"]) == (
        "stopped",
        "stopped: clearance",
        False,
    )
    assert rejected(touch.dispersed(1), InputError("out of reach"))["cause"].startswith("refused")


# --- keeping ------------------------------------------------------------------------------------


def test_cases_are_kept_and_a_line_cut_by_a_kill_is_flown_again(job: Job, tmp_path: Path) -> None:
    folder = tmp_path / "some" / "where"
    with open_case_store(folder, job) as store:
        store.add(case(0))
        store.add(case(1, cause="bad"))
    file = folder / CASES
    file.write_bytes(file.read_bytes() + b'{"seed": 2, "outc')
    with open_case_store(folder, job) as store:
        assert store.done == {0: case(0), 1: case(1, cause="bad")}
        store.add(case(2))
    with open_case_store(folder, job) as store:
        assert set(store.done) == {0, 1, 2}


def test_a_campaign_that_was_killed_as_it_wrote_its_head_begins_again(
    job: Job, tmp_path: Path
) -> None:
    part = tmp_path / f".{HEAD}.4711.part"
    part.write_text('{"hash": ')
    with open_case_store(tmp_path, job) as store:
        store.add(case(0))
    assert sorted(each.name for each in tmp_path.iterdir()) == [HEAD, CASES]
    part.write_text('{"hash": ')  # another time it was there already
    with open_case_store(tmp_path, job) as store:
        assert store.done == {0: case(0)}
    assert not part.exists()


def test_a_full_disk_is_said_with_the_folder_and_keeps_what_is_done(
    job: Job, tmp_path: Path
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def add_cases() -> None:
        with open_case_store(tmp_path / "kept", job) as store:
            for seed in range(1000):
                store.add(case(seed))

    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, hard))
    try:
        with pytest.raises(OutputError, match=r"kept: cannot be written: File too large"):
            add_cases()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with open_case_store(tmp_path / "kept", job) as store:
        assert store.done == {seed: case(seed) for seed in range(len(store.done))}
        assert len(store.done) > 100


def test_a_folder_of_something_else_is_left_alone(job: Job, tmp_path: Path) -> None:
    with open_case_store(tmp_path / "mine", job) as store:
        store.add(case(0))
    other = replace(job, scenario=job.scenario.replace({"target.mass_kg": 9000.0}))
    with (
        pytest.raises(OutputError, match="of another scenario"),
        open_case_store(tmp_path / "mine", other),
    ):
        pass
    with pytest.raises(OutputError, match="holds 'mine'"), open_case_store(tmp_path, job):
        pass
    with (
        pytest.raises(OutputError, match="is a file"),
        open_case_store(tmp_path / "mine" / HEAD, job),
    ):
        pass
    (tmp_path / "mine" / CASES).write_text("3\n")
    with (
        pytest.raises(InputError, match="line 1: 3 is not a case"),
        open_case_store(tmp_path / "mine", job),
    ):
        pass


def test_two_campaigns_do_not_write_into_one_folder(job: Job, tmp_path: Path) -> None:
    with (
        open_case_store(tmp_path / "mine", job),
        pytest.raises(OutputError, match="another process"),
        open_case_store(tmp_path / "mine", job),
    ):
        pass


# --- workers ------------------------------------------------------------------------------------


# Answers with passed cases; in case 3 it says something and kills itself, as often as a file says.
FRAGILE = """
import json, os, signal, sys
from pathlib import Path
tries = Path({tries!r})
sys.stdin.readline()
print('{{"ready": true}}', flush=True)
for line in sys.stdin:
    seeds = [each["seed"] for each in json.loads(line)]
    if 3 in seeds:
        left = int(tries.read_text())
        tries.write_text(str(left - 1))
        if left > 0:
            print("too much for me", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.{signal})
    print(json.dumps([{case!r} | {{"seed": seed}} for seed in seeds]), flush=True)
"""


@pytest.fixture
def fragile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes workers die in case 3 so often; a file holds how often they still would."""

    def make(deaths: int, by: str = "SIGKILL") -> Path:
        tries = tmp_path / "tries"
        tries.write_text(str(deaths))
        text = FRAGILE.format(tries=str(tries), signal=by, case=case(0))
        monkeypatch.setattr(worker_process, "_START", text)
        return tries

    return make


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("deaths", [1, 2])
def test_a_case_whose_worker_dies_is_flown_again_and_the_others_go_on(
    job: Job, fragile: Callable[..., Path], workers: int, deaths: int
) -> None:
    fragile(deaths)
    campaign = fly(job, range(8), workers=workers)
    assert campaign.cases == tuple(case(seed) for seed in range(8))
    assert campaign.passed


@pytest.mark.parametrize("said", ["a library greets", "3", '"ready"', ""])
def test_what_a_worker_prints_as_python_starts_is_no_answer(
    job: Job, fragile: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """As modules do that a .pth file loads."""
    fragile(0)
    greeting = f"print({said!r}, flush=True)\n"
    monkeypatch.setattr(worker_process, "_START", greeting + worker_process._START)
    looks: list[None] = []  # a tenth of a second each
    campaign = fly(
        job, range(4), workers=1, stop=lambda: bool(looks.append(None)) or len(looks) > 300
    )
    assert campaign.cases == tuple(case(seed) for seed in range(4))


def test_workers_that_cannot_be_started_end_a_campaign_in_words(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(worker_process.subprocess, "Popen", refuse)
    with pytest.raises(
        WorkerError, match=r"no worker can be started: Too many open files; .*--work"
    ):
        fly(job, range(4), workers=2)


@pytest.mark.parametrize(("workers", "lanes", "left"), [(1, None, 97), (3, None, 97), (1, 4, 96)])
def test_a_case_that_kills_three_workers_has_crashed_and_is_counted_as_failed(
    job: Job,
    fragile: Callable[..., Path],
    tmp_path: Path,
    workers: int,
    lanes: int | None,
    left: int,
) -> None:
    tries, job = fragile(100), replace(job, lanes=lanes)
    campaign = fly(job, range(8), workers=workers, out=tmp_path / "kept")
    assert tries.read_text() == str(left)  # in lanes it took others with it, and was left alone
    lost = campaign.cases[3]
    assert (lost["outcome"], lost["passed"], lost["requirements"]) == ("crashed", False, [])
    assert lost["cause"] == (
        "crashed: it was killed by SIGKILL, as the system does when memory runs out"
    )
    assert lost["detail"].endswith(" in each of 3 tries\ntoo much for me")
    assert lost["drawn"] == job.scenario.dispersed(3).case.plain_draws()
    assert [each["outcome"] for each in campaign.cases].count("passed") == 7
    assert campaign.causes == {lost["cause"]: [3]}
    assert not campaign.passed
    assert not campaign.interrupted
    fragile(0)  # there is memory again: the case is flown when the campaign goes on
    assert fly(job, range(8), workers=workers, out=tmp_path / "kept").passed


def test_a_worker_of_dask_outlives_a_case_that_kills_its_process(
    job: Job, fragile: Callable[..., Path]
) -> None:
    tries, text = fragile(100), job.text("run")
    try:
        (answer,) = json.loads(remote.fly(text, text_of([Ask(3)])))
        assert answer["crashed"].startswith("it was killed by SIGKILL")
        assert tries.read_text() == "97"
        assert json.loads(remote.fly(text, text_of([Ask(4)]))) == [case(4)]
    finally:
        remote.end(text)
    other = json.dumps(json.loads(text) | {"sources": "others"})
    (refused,) = json.loads(remote.fly(other, text_of([Ask(4)])))
    assert refused["refused"] == f"sources {job.to_dict()['sources']}, here others"


def test_a_worker_of_dask_ends_what_nobody_waits_for(
    job: Job, fragile: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    fragile(0)
    text = job.text("run")
    try:
        assert json.loads(remote.fly(text, text_of([Ask(4)]))) == [case(4)]
        (post,) = remote._posts.values()
        post.is_wanted = lambda: True  # another campaign has the same job
        remote.end(text)
        assert list(remote._posts.values()) == [post]
        assert not post.is_over
        post.is_wanted = None  # between two cases
        assert not post.is_over
        monkeypatch.setattr(remote, "IDLE_S", 0.0)
        assert post.is_over
        post.is_wanted = lambda: False  # the command that asked for it was killed
        assert post.is_over
        process = post.station._process
        assert process is not None
    finally:
        remote.end(text)
    assert not remote._posts
    assert process._process.returncode == -signal.SIGKILL
    assert json.loads(remote.fly(text, text_of([Ask(5)]))) == [case(5)]  # by a process of its own
    remote.end(text)


def test_how_a_worker_has_ended_is_named() -> None:
    assert worker_process.ended_by(1) == "it ended with code 1"
    assert worker_process.ended_by(-11) == "it was killed by SIGSEGV"
    assert worker_process.ended_by(-99) == "it was killed by signal 99"


def test_workers_that_cannot_start_end_the_campaign_with_their_exit_message(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "_START", "import sys; sys.exit('out of luck')")
    with pytest.raises(WorkerError, match=r"3 tries: it ended with code 1\nout of luck"):
        fly(job, range(5), workers=2, out=tmp_path / "some" / "where")
    assert not list(tmp_path.iterdir())  # nothing was flown, so nothing is kept


@pytest.mark.parametrize(
    ("seeds", "options", "says"),
    [
        ([], {}, "seeds: none given"),
        ([1.0], {}, "seed of a case: must be a whole number"),
        ([-1], {}, "seed of a case: must be a whole number"),
        ([1], {"workers": 0}, "workers: must be 1 or more"),
        ([1], {"at_least": 1.1}, "at_least: must be a share"),
    ],
)
def test_an_impossible_campaign_is_refused(
    job: Job, seeds: list[int], options: dict[str, float], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        fly(job, seeds, **options)
