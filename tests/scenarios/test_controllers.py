"""Missions that a user's own controller flies."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops import api
from proxops.assembly.facility import load_facility
from proxops.core.interrupt import listening
from proxops.rehearsal import on_facility

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "hold_place.toml"
GAIN = 500.0  # [N m s/rad]
PUSH = 20.0  # [N]


def shortened(seconds):
    """The example's mission, cut after so many seconds."""
    changes = {"time.duration_s": seconds, "time.phases.hold.until_s": seconds, "requirements": {}}
    return proxops.load(EXAMPLE).replace(changes)


class Damped:
    """Brakes the base's rate and the joints, and pushes; its mode is a count of its turns."""

    rate_hz = 100.0

    def start(self, briefing):
        self.briefing, self.cycles = briefing, 0

    def control(self, seen, asked):
        self.cycles += 1
        asked.mode = self.cycles % 3
        asked.force = (PUSH, 0.0, 0.0)
        asked.torque = -GAIN * seen.gyro.w
        asked.joints = -20.0 * seen.qd


def damped(parameters, memory, seen, asked):
    """The same as `Damped`, to be compiled."""
    memory[0] += 1.0
    asked.mode[0] = memory[0] % 3
    asked.force[0] = PUSH
    for i in range(3):
        asked.torque[i] = -parameters[0] * seen.gyro.w[i]
    for i in range(len(asked.joints)):
        asked.joints[i] = -20.0 * seen.qd[i]


def test_a_class_and_a_compiled_function_of_one_law_make_the_same_bits():
    # Turns coincide with recordings (50 Hz), pictures and pulses (10 Hz), and with the start.
    scenario, controller = shortened(1.0), Damped()
    plain = proxops.simulate(scenario, controller=controller)
    compiled = proxops.Compiled(damped, parameters=[GAIN], memory=1, rate_hz=100.0)
    assert proxops.simulate(scenario, controller=compiled).hash == plain.hash
    assert plain.controller.turns == controller.cycles == 100
    assert plain.controller.findings == ()
    assert np.any(plain["chaser.thrusters.thrust"][1] > 0.0)
    assert controller.briefing.period_s == 0.01
    assert controller.briefing.joints[0] == "main.shoulder_yaw"


def gain_from(briefing):
    return [GAIN * briefing.period_s * 100.0]


def test_parameters_of_a_compiled_controller_may_come_from_the_briefing():
    scenario = shortened(0.1)
    typed = proxops.Compiled(damped, parameters=[GAIN], memory=1, rate_hz=100.0)
    made = proxops.Compiled(damped, parameters=gain_from, memory=1, rate_hz=100.0)
    run = proxops.simulate(scenario, controller=made)
    assert run.hash == proxops.simulate(scenario, controller=typed).hash
    # the file that makes them is in the provenance: with other numbers it is another controller
    stored = proxops.Scenario.from_dict(run.provenance["scenario"])
    with pytest.raises(proxops.InputError, match="was flown by damped with source"):
        proxops.simulate(stored, controller=typed)
    wordy = proxops.Compiled(damped, parameters=lambda briefing: ["a lot"], memory=1)
    with pytest.raises(proxops.InputError, match="damped: its parameters are not numbers"):
        proxops.simulate(scenario, controller=wordy)
    failing = proxops.Compiled(damped, parameters=lambda briefing: briefing.mass, memory=1)
    with pytest.raises(proxops.ControllerError, match=r"damped: parameters: .*'mass'"):
        proxops.simulate(scenario, controller=failing)


def test_a_run_of_a_controller_is_the_same_however_it_is_cut_into_calls(monkeypatch):
    scenario = shortened(0.5)
    run = proxops.simulate(scenario, controller=Damped)
    monkeypatch.setattr("proxops.sim.spans.STEPS_PER_CALL", 35)
    assert proxops.simulate(scenario, controller=Damped).hash == run.hash


def test_a_controller_without_a_rate_has_that_of_the_mission():
    class Fast(Damped):
        rate_hz = None

    assert proxops.simulate(shortened(0.1), controller=Fast).controller.turns == 100


def test_a_rate_that_does_not_divide_is_refused_with_both_numbers():
    class Odd(Damped):
        rate_hz = 300.0

    with pytest.raises(proxops.InputError, match=r"controller\.rate_hz: 300 Hz .* 1000 Hz"):
        proxops.simulate(shortened(0.1), controller=Odd)


class Wild:
    """Does everything wrong that can be gone on after."""

    rate_hz = 100.0
    cycles = 0

    def control(self, seen, asked):
        self.cycles += 1
        asked.torque = [0.0, 0.0, math.nan if self.cycles % 10 == 0 else 1.0]
        asked.force = [1.0, 2.0]
        asked.joints = 1e3


def wild(parameters, memory, seen, asked):
    """As `Wild`, but for the size, which is fixed here."""
    memory[0] += 1.0
    asked.torque[2] = math.nan if memory[0] % 10 == 0 else 1.0
    asked.joints[:] = 1e3


@pytest.mark.parametrize("controller", [Wild, proxops.Compiled(wild, rate_hz=100.0)])
def test_what_a_controller_does_wrong_is_told_and_goes_no_further(controller):
    run = proxops.simulate(shortened(0.3), controller=controller)
    found = {each.kind: each for each in run.controller.findings}
    assert (found["non-finite"].turns, found["non-finite"].first_s) == (3, 0.09)
    assert found["motors"].turns == 27
    assert np.all(np.isfinite(run.rows))
    assert np.all(run["obsw.base.torque"][1] == [0.0, 0.0, 1.0])
    told = {event.name for event in run.events}
    assert {f"controller-{kind}" for kind in found} <= told
    assert ("wrong-sized" in found) == (controller is Wild)
    dropped = " ".join(event.detail for event in run.warnings)
    assert "commands of 3 of 30 cycles were dropped: " in dropped
    assert ("commands of 30 of 30 cycles were dropped: force" in dropped) == (controller is Wild)


def test_a_controller_is_named_by_its_file_in_python_too():
    by_name = proxops.simulate(shortened(0.1), controller=f"{__file__}:Damped")
    assert by_name.hash == proxops.simulate(shortened(0.1), controller=Damped).hash
    with pytest.raises(proxops.InputError, match="has no 'Dampd'; did you mean 'Damped'"):
        proxops.simulate(shortened(0.1), controller=f"{__file__}:Dampd")


def test_commands_that_are_returned_are_no_commands():
    class Returning(Damped):
        def control(self, measurements, commands):
            return {"joints": [0.0]}

    run = proxops.simulate(shortened(0.1), controller=Returning)
    assert run.outcome == "invalid"
    (fault,) = (event for event in run.events if event.name == "fault")
    assert "Returning: control returned dict, which nothing takes; write commands" in fault.detail
    assert "invalid: controller Returning: control returned dict" in repr(run)


class Failing(Damped):
    """Raises an error in its tenth turn."""

    def control(self, seen, asked):
        super().control(seen, asked)
        if self.cycles == 10:
            self.fail()

    def fail(self):
        raise ValueError("out of luck")


def failing(parameters, memory, seen, asked):
    """Likewise, by reading what there is not."""
    memory[0] += 1.0
    asked.force[0] = seen.q[int(memory[0] * 4)]


def test_an_error_ends_the_run_with_its_place():
    run = proxops.simulate(shortened(0.3), controller=Failing)
    assert run.outcome == "invalid"
    fault = next(event for event in run.events if event.name == "fault")
    assert fault.t_s == pytest.approx(0.09)
    assert re.match(r"controller Failing: ValueError: out of luck\n", fault.detail)
    assert re.search(r"\n  test_controllers\.py:\d+ in fail: raise ValueError", fault.detail)
    assert "harness.py" not in fault.detail  # nothing of ours


class Unspeakable(Exception):  # it is no word for an error either
    def __str__(self):
        raise ValueError("has no text")


def endless(seen, asked):
    endless(seen, asked)


@pytest.mark.parametrize(
    "error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit(), StopIteration(), Unspeakable()]
)
def test_whatever_a_controller_raises_is_its_own_with_its_place(error):
    class Raising:
        def control(self, seen, asked):
            raise error

    with listening():  # as on the command line, where Ctrl-C is known from what others raise
        run = proxops.simulate(shortened(0.1), controller=Raising)
    fault = next(event for event in run.events if event.name == "fault")
    assert fault.detail.startswith(f"controller Raising: {type(error).__name__}")
    assert re.search(r"\n  test_controllers\.py:\d+ in control: raise error", fault.detail)


def test_a_controller_that_calls_itself_for_ever_is_told_with_its_place():
    class Deep:
        def control(self, seen, asked):
            endless(seen, asked)

    run = proxops.simulate(shortened(0.1), controller=Deep)
    fault = next(event for event in run.events if event.name == "fault")
    assert re.search(r"RecursionError.*\n  test_controllers\.py:\d+ in endless", fault.detail)


def mixing(parameters, memory, seen, asked):
    asked.force[0] = "a" + 1


def naming(parameters, memory, seen, asked):
    asked.force[0] = nowhere_defined  # noqa: F821


def misspelling(parameters, memory, seen, asked):
    asked.force[0] = seen.giro.w[0]


def with_two(parameters, memory):
    memory[0] = 1.0


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (mixing, "cannot be compiled: No implementation.*>>> add"),
        (naming, "cannot be compiled: NameError: name 'nowhere_defined' is not defined"),
        (misspelling, "cannot be compiled: measurements has no 'giro'; did you mean 'gyro'"),
        (with_two, "TypeError: Signature mismatch"),
    ],
)
def test_a_function_that_cannot_be_compiled_is_refused_with_its_place(function, says):
    with pytest.raises(
        proxops.ControllerError, match=f"controller {function.__name__}: {says}"
    ) as no:
        proxops.simulate(shortened(0.1), controller=proxops.Compiled(function))
    line = function.__code__.co_firstlineno
    assert re.search(rf"\n  test_controllers\.py:({line}|{line + 1})", str(no.value))


def once(parameters, memory, seen, asked):
    memory[0] += 1.0
    if memory[0] == 3.0:
        raise ValueError("only in this turn")


def test_an_error_that_a_compiled_function_remembers_not_to_raise_again_is_told():
    run = proxops.simulate(shortened(0.3), controller=proxops.Compiled(once, rate_hz=100.0))
    fault = next(event for event in run.events if event.name == "fault")
    assert fault.detail.startswith("controller once: ValueError: only in this turn")
    assert re.search(r"\n  test_controllers\.py:\d+ in once: raise ValueError", fault.detail)


def test_an_error_of_a_compiled_function_ends_the_run_too():
    run = proxops.simulate(shortened(0.3), controller=proxops.Compiled(failing, rate_hz=100.0))
    fault = next(event for event in run.events if event.name == "fault")
    assert run.outcome == "invalid"
    assert fault.t_s == pytest.approx(0.02)  # there are nine joints: an 8th, but no 12th
    assert fault.detail.startswith("controller failing: IndexError")


def test_a_recorded_run_tells_of_its_controller_and_replays_with_no_other(tmp_path):
    run = proxops.simulate(shortened(0.1), controller=Wild, out=tmp_path / "run")
    opened = proxops.open(tmp_path / "run")
    assert opened.controller == run.controller
    stored = proxops.Scenario.from_dict(opened.provenance["scenario"])
    assert stored.mission.obsw.controller.name == "Wild"
    assert proxops.simulate(stored, controller=Wild).hash == run.hash
    with pytest.raises(proxops.InputError, match=r"flown by a user's controller \(Wild\)"):
        proxops.simulate(stored)
    other = proxops.Compiled(wild, rate_hz=100.0, parameters=[1.0])
    with pytest.raises(proxops.InputError, match=r"was flown by Wild with source"):
        proxops.simulate(stored, controller=other)


def test_a_mode_of_a_controller_is_an_event_by_its_name():
    class Named(Damped):
        modes = ("rest", "push")

    run = proxops.simulate(shortened(0.04), controller=Named)
    assert [event.name for event in run.events if event.name != "phase"] == [
        "push",
        "mode-2",
        "rest",
        "push",
    ]


class Named(Damped):
    modes = ("rest", "push")


NAMED = proxops.Compiled(damped, [GAIN], rate_hz=100.0, modes=Named.modes)
# Modes of turns 0, 10 ms, ...: 1, 2, 0, 1, 2, 0, ...
DEMANDS = {
    "first_rest": {
        "event": "rest", "measure": "time", "comparison": "<=", "limit": 0.02, "unit": "s",
    },
    "pushes": {"event": "push", "measure": "count", "comparison": ">=", "limit": 2, "unit": "1"},
    "unnamed": {"event": "mode-2", "measure": "count", "comparison": ">=", "limit": 1, "unit": "1"},
    "within": {
        "event": "push", "measure": "count", "comparison": "<=", "limit": 0, "unit": "1",
        "from_event": "mode-2", "to_event": "rest",
    },
}  # fmt: skip


@pytest.mark.parametrize("controller", [Named, NAMED], ids=["python", "compiled"])
def test_requirements_refer_to_modes_of_a_controller_and_the_recording_knows_them(
    controller, tmp_path
):
    demanding = shortened(0.06).replace({"requirements": DEMANDS})
    run = proxops.simulate(demanding, controller=controller, out=tmp_path / "run")
    assert [(item.name, item.value) for item in run.requirements] == [
        ("first_rest", pytest.approx(0.02)),
        ("pushes", 2.0),
        ("unnamed", 2.0),
        ("within", 0.0),
    ]
    assert run.outcome == "passed"
    opened = proxops.open(tmp_path / "run")
    assert opened.requirements == run.requirements
    stored = proxops.Scenario.from_dict(opened.provenance["scenario"])
    assert stored.mission.obsw.controller.modes == ("rest", "push")
    assert proxops.simulate(stored, controller=controller).requirements == run.requirements


def test_modes_of_a_controller_count_in_a_rehearsal_too():
    demanding = shortened(0.06).replace({"requirements": DEMANDS})
    pilot = harnessed(NAMED)
    lab = on_facility(pilot.flies(demanding), load_facility("ideal"), "relative", controller=pilot)
    assert lab.run().outcome == "passed"


def test_a_recording_that_was_cut_leaves_modes_of_its_controller_undecided(tmp_path):
    demanding = shortened(0.06).replace({"requirements": DEMANDS})
    proxops.simulate(demanding, controller=NAMED, out=tmp_path / "run")
    whole = (tmp_path / "run" / "run.mcap").read_bytes()
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "run.mcap").write_bytes(whole[:-200])
    found = api.recover(tmp_path / "cut")
    assert {item.status for item in found.requirements} == {"not-reached"}
    assert found.outcome == "cut-short"


@pytest.mark.parametrize(("controller", "event"), [(None, "push"), (Named, "pushed")])
def test_a_mode_that_the_controller_does_not_have_is_refused(controller, event):
    demands = {"pushes": DEMANDS["pushes"] | {"event": event}}
    demanding = shortened(0.06).replace({"requirements": demands})
    with pytest.raises(proxops.InputError) as refused:
        proxops.simulate(demanding, controller=controller or Damped)
    nearest = "; did you mean 'push'?" if controller else "; there are: "
    assert f"requirements.pushes.event: unknown {event!r}{nearest}" in str(refused.value)


def test_a_controller_flies_a_rehearsal_to_the_same_bits_as_its_compiled_law():
    changes = {"time.duration_s": 0.1, "requirements": {}}
    mission = proxops.load("touch")
    (phase,) = [name for name, each in mission.mission.time.phases.items()]
    scenario = mission.replace(changes | {f"time.phases.{phase}.until_s": 0.1})
    hashes = set()
    for controller in (Pressing, proxops.Compiled(pressing, rate_hz=100.0)):
        pilot = harnessed(controller)
        flown = pilot.flies(scenario)
        run = on_facility(flown, load_facility("ideal"), "relative", controller=pilot).run()
        assert run.controller.turns == 10
        hashes.add(run.hash)
    assert len(hashes) == 1


class Pressing:
    """Gives every joint a torque."""

    rate_hz = 100.0

    def control(self, seen, asked):
        asked.joints = 1.0 - seen.qd


def pressing(parameters, memory, seen, asked):
    """The same, to be compiled."""
    for i in range(len(asked.joints)):
        asked.joints[i] = 1.0 - seen.qd[i]


def harnessed(controller):
    from proxops.sim.controller.harness import Harness

    return Harness(controller)


def proxops_run(*words, folder):
    return subprocess.run(
        [sys.executable, "-m", "proxops", "run", *map(str, words)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_example_of_the_docs_passes(tmp_path):
    page = (ROOT / "docs" / "controllers.md").read_text()
    (code,) = re.findall(r"```python\n(import numpy.*?)```", page, flags=re.DOTALL)
    (tmp_path / "hold_place.py").write_text(code)
    own = f"{tmp_path / 'hold_place.py'}:HoldPlace"
    done = proxops_run(EXAMPLE, "--controller", own, "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["controller"]["findings"] == []
    assert summary["controller"]["turns"] == 4000
    assert code.strip() in (ROOT / "examples" / "hold_place.py").read_text()
    (demand,) = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    assert demand in EXAMPLE.read_text()
    assert [item["name"] for item in summary["requirements"]][-1] == "holds_soon"


def test_an_error_of_a_controller_on_the_command_line_shows_where_and_exits_with_3(tmp_path):
    (tmp_path / "my.py").write_text(
        "class Mine:\n    def control(self, seen, asked):\n        return asked.nothing\n"
    )
    bare = ("--set", "requirements={}")  # they name a mode that this one does not have
    done = proxops_run(EXAMPLE, "--controller", "my.py:Mine", *bare, folder=tmp_path)
    assert done.returncode == 3
    assert "my.py:3 in control: return asked.nothing" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    done = proxops_run(EXAMPLE, folder=tmp_path)
    assert done.returncode == 2
    assert "--controller FILE:NAME" in done.stderr
