"""docs/extending.md: every example on it is run."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import proxops
from proxops.core import jit
from proxops.sensors.draws import SensorDraws
from proxops.sensors.sensor import Chaser
from proxops.sensors.shipped import SHIPPED
from proxops.sensors.user import kind_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text("utf-8")
EXAMPLES = ROOT / "examples"
FILE, MISSION = EXAMPLES / "approach.py", EXAMPLES / "approach.toml"
SHORT = {"time.duration_s": 6.0, "time.phases.approach.until_s": 6.0, "requirements": {}}


def short(**changes):
    return proxops.load(MISSION, extensions=[FILE]).replace(SHORT | changes)


# --- from outside --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def flown():
    return proxops.simulate(proxops.load(MISSION, extensions=[FILE]))


def test_a_sensor_and_functions_from_outside_fly_and_meet_requirements(flown):
    assert flown.outcome == "passed"
    assert [each.name for each in flown.requirements] == [
        "arrives", "sees_the_target", "follows",
    ]  # fmt: skip
    assert [(e.name, e.detail) for e in flown.events if e.name != "phase"] == [
        ("approaching", "mode 0 of guidance"),
        ("waiting", "mode 1 of guidance"),
    ]


def test_their_fields_are_signals_with_unit_and_title(flown):
    known = {each.name: each for each in flown.signals()}
    signal = known["sensors.laser.range"]
    assert (signal.unit, signal.shape) == ("m", ())
    assert signal.title == "Distance, as the laser has it"
    assert known["obsw.guidance.p_ref"].frame == "G"
    t, measured = flown["sensors.laser.range"]
    _, p = flown["relative.p_CT"]
    true = np.linalg.norm(p, axis=-1)
    # Noise of 2 cm on samples that are at most 0.2 s old, at 0.12 m/s
    later = t > 1.0
    assert np.abs(measured - true)[later].max() < 5.0 * 0.02 + 0.03
    assert 0.01 < np.std((measured - true)[later]) < 0.03


def test_the_report_plots_them_under_their_titles(flown, tmp_path):
    page = tmp_path / "run.html"
    flown.report(page)
    text = page.read_text("utf-8")
    assert "Distance, as the laser has it" in text
    assert "Place to be at" in text


def test_a_mission_names_extensions_and_runs_no_code_itself():
    bare = proxops.load(MISSION).replace(SHORT)
    with pytest.raises(proxops.InputError, match=r"obsw\.functions\.guidance: give the file that"):
        proxops.simulate(bare)
    with pytest.raises(proxops.InputError, match=r"sensors\.extra\.laser: give the file"):
        proxops.simulate(bare.replace({"obsw.functions": {}}))


def test_one_more_sensor_changes_nobody_elses_noise():
    chaser, (laser, _) = Chaser(7, 12), _others()
    alone = SensorDraws(3, SHIPPED, chaser, 50)
    joined = SensorDraws(3, (*SHIPPED, kind_of(laser)), chaser, 50)
    for each in (alone, joined):
        each.used[0] = 50
        each.refill(1)
    for name, rows in alone.rows.items():
        np.testing.assert_array_equal(rows, joined.rows[name])
        np.testing.assert_array_equal(alone.start[name], joined.start[name])
    own = joined.rows["extra.laser"]
    assert own.shape == (50, 2)
    assert not any(np.isin(own, rows).any() for rows in alone.rows.values())


def test_two_functions_that_command_the_same_field_are_rejected():
    class Other:
        name = "other"
        writes = ("base.force",)

        def run(self, measurements, estimates, commands): ...

    scenario = proxops.load(MISSION, extensions=[FILE, Other]).replace(SHORT)
    scenario = scenario.replace({"obsw.functions.other": {}})
    text = "tracking and other both command base_force; leave one of them out"
    with pytest.raises(proxops.InputError, match=text):
        proxops.simulate(scenario)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            {"sensors.extra.laser.parameters": {"sigma": 1.0}},
            r"sensors\.extra\.laser\.parameters: unknown 'sigma'; did you mean 'sigma_m'",
        ),
        (
            {"obsw.functions.tracking.parameters": {"kq": 1.0}},
            r"obsw\.functions\.tracking\.parameters: unknown 'kq'; there are: inertia",
        ),
        ({"obsw.functions.guidance.rate_hz": 3.0}, "3 Hz does not divide time.control_rate_hz"),
    ],
)
def test_what_an_extension_does_not_have_is_named(change, text):
    with pytest.raises(proxops.InputError, match=text):
        proxops.simulate(short(**change))


def test_an_error_in_a_function_ends_the_run_in_its_own_words():
    class Guidance:
        name = "guidance"
        fields = (proxops.Field("p_ref", "m", "G", (3,)),)

        def run(self, measurements, estimates, commands):
            commands.force = [1.0, 0.0, 0.0]  # not declared

    mine = proxops.load(MISSION, extensions=[Guidance, *_others()]).replace(SHORT)
    run = proxops.simulate(mine.replace({"obsw.functions.guidance.parameters": {}}))
    assert run.outcome == "invalid"
    assert "obsw.functions.guidance: ValueError: assignment destination is read-only" in (
        run.events[-1].detail
    )


def test_rows_are_not_lost_where_a_python_function_comes_seldom():
    # One call of the loop may make 4002 rows; a turn each 60 s does not divide that
    times = {"time.duration_s": 500.0, "time.phases.approach.until_s": 500.0}
    rates = {"time.record_rate_hz": 10.0, "obsw.functions.guidance.rate_hz": 1.0 / 60.0}
    step = {"time.phases.approach.step_s": 0.1}
    run = proxops.simulate(short(**times, **rates, **step))
    np.testing.assert_allclose(run.rows[:, 0], 0.1 * np.arange(5001), atol=1e-9)


def test_a_sensor_that_raises_ends_the_run():
    def fails(parameters, memory, truth, draws, values):
        values[0] = 1.0
        if truth.clock[0] > 3_000_000_000:
            raise ValueError
        return True

    fields = (proxops.Field("range", "m"),)
    sensor = proxops.Sensor("laser", fails, fields, {"sigma_m": 0.0}, draws=1)
    mine = proxops.load(MISSION, extensions=[sensor, _others()[1], _guidance()]).replace(SHORT)
    run = proxops.simulate(mine)
    assert run.outcome == "invalid"
    assert run.events[-1].name == "fault"
    assert run.events[-1].detail.startswith("sensors.extra.laser: its measure has raised")
    assert 3.0 < run.events[-1].t_s < 3.3


def test_a_sensor_that_does_not_compile_is_rejected():
    def wrong(parameters, memory, truth, draws, values):
        values[0] = parameters.sigma  # it is called sigma_m
        return True

    fields = (proxops.Field("range", "m"),)
    sensor = proxops.Sensor("laser", wrong, fields, {"sigma_m": 0.0}, draws=1)
    mine = proxops.load(MISSION, extensions=[sensor, _others()[1], _guidance()]).replace(SHORT)
    with pytest.raises(proxops.InputError, match=r"laser: its measure cannot be compiled"):
        proxops.simulate(mine)


def test_a_contact_law_that_raises_ends_the_run():
    def breaks(parameters, depth, depth_rate):
        if depth > 0.03:
            raise ValueError
        k = parameters[0]
        return k * depth, 0.5 * k * depth**2, k

    law = proxops.ContactLaw("stiffening", breaks, ("stiffness_N_m",))
    mission = proxops.load(EXAMPLES / "own_contact.toml", extensions=[law])
    soft = {"stiffness_N_m": 20.0}
    run = proxops.simulate(mission.replace({"contacts.probe.normal.parameters": soft}))
    assert run.outcome == "invalid"


def test_commands_that_do_not_fit_or_are_not_finite_are_told():
    class Other:
        name = "other"
        writes = ("base.force",)

        def run(self, measurements, estimates, commands):
            commands.force = self.wanted

    alone = {"obsw.functions": {"other": {}}, "sensors.extra": {}}
    for wanted, outcome, text in (
        ([1.0, 2.0], "invalid", "commands.force: shape (2,), where (3,) was expected"),
        ([np.nan, 0.0, 0.0], "passed", "commands that are not finite are dropped"),
    ):
        Other.wanted = wanted
        run = proxops.simulate(proxops.load(MISSION, [Other]).replace(SHORT | alone))
        assert run.outcome == outcome
        assert any(text in each.detail for each in run.events)


def test_a_compiled_function_writes_nothing_that_it_has_not_declared():
    def sneaks(parameters, memory, measurements, estimates, commands):
        commands.force[0] = 1.0

    own = proxops.Compiled(sneaks, name="sneaks")
    alone = {"obsw.functions": {"sneaks": {}}, "sensors.extra": {}}
    with pytest.raises(proxops.ControllerError, match=r"obsw\.functions\.sneaks: cannot be comp"):
        proxops.simulate(proxops.load(MISSION, [own]).replace(SHORT | alone))


def test_another_run_compiles_no_function_again():
    tracking = _others()[1]
    mine = [_others()[0], tracking, _guidance()]
    counts = []
    for _ in range(2):
        proxops.simulate(proxops.load(MISSION, mine).replace(SHORT))
        counts.append(len(jit.compiled(tracking.function).overloads))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("modes", [("collision",), "letters"])
def test_modes_of_functions_cannot_be_events_that_mean_something_else(modes):
    class Other:
        name = "other"

        def run(self, measurements, estimates, commands): ...

    Other.modes = modes
    with pytest.raises(proxops.InputError, match="extension other: "):
        proxops.load(MISSION, extensions=[Other])


def test_check_has_the_extensions_of_the_run_before_it():
    mission = proxops.load(EXAMPLES / "own_contact.toml", [EXAMPLES / "own_contact.py"])
    assert proxops.check(mission, facility="ideal").scenario == "own_contact"


def test_extensions_run_without_compilation():
    code = f"""
import json, proxops
scenario = proxops.load({str(MISSION)!r}, extensions=[{str(FILE)!r}]).replace({SHORT!r})
print(json.dumps(proxops.simulate(scenario.replace({{"time.duration_s": 1.0,
    "time.phases.approach.until_s": 1.0}})).outcome))
"""
    assert in_copy(ROOT, code) == "passed"


def _guidance():
    _others()
    return sys.modules["approach"].Guidance


def _others():
    sys.path.insert(0, str(EXAMPLES))
    try:
        import approach
    finally:
        sys.path.remove(str(EXAMPLES))
    return [approach.laser, approach.tracking]


def test_the_page_shows_what_the_example_does():
    example = FILE.read_text("utf-8")
    for line in (
        "values[0] = true + parameters.sigma_m * draws[0]",
        'parameters={"sigma_m": 0.0, "reach_m": 1000.0},',
        'fields = (Field("p_ref", "m", "G", (3,), "Place to be at"),)',
        'writes=("base.force", "base.torque")',
    ):
        assert line in example
        assert line.replace("Field(", "proxops.Field(") in PAGE or line in PAGE


def test_a_contact_law_from_outside_flies_and_its_ledger_closes(tmp_path):
    file, mission = EXAMPLES / "own_contact.py", EXAMPLES / "own_contact.toml"
    run = proxops.simulate(proxops.load(mission, extensions=[file]))
    assert run.outcome == "passed"
    assert run.ledger.closed
    _, gap = run["contacts.probe.gap"]
    _, force = run["contacts.probe.f_n"]
    _, v = run["chaser.v_HC"]
    _, v_T = run["target.v_HT"]
    rate = v[:, 2] - v_T[:, 2]  # of the overlap, along the plate's normal
    depth = -gap[:, 0]
    pressed = force[:, 0] > 0.0
    expected = 2160.0 * depth * (1.0 + depth / 0.01) + 60.0 * rate
    assert pressed.sum() > 20
    np.testing.assert_allclose(force[pressed, 0], expected[pressed], rtol=1e-6)
    run.report(tmp_path / "run.html")
    assert "own_contact.py" in next(iter(run.provenance["scenario"]["extensions"]))
    without = proxops.load(mission)
    with pytest.raises(proxops.InputError, match="no contact law 'stiffening'"):
        proxops.simulate(without)


# --- inside --------------------------------------------------------------------------------------

BLOCK = re.compile(r"`(src/[^`]+)`:?\n\n```(\w+)\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    """A copy of the package with everything that the page adds inside."""
    root = tmp_path_factory.mktemp("edited")
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for file, kind, text in BLOCK.findall(PAGE):
        path = root / file
        if kind == "python":
            path.write_text(text, "utf-8")
        else:
            path.write_text(patched(path.read_text("utf-8"), text), "utf-8")
    return root


def patched(text, diff):
    """The text with every hunk of a diff applied; hunks are parted by @@."""
    for hunk in diff.split("@@\n"):
        lines = hunk.splitlines()
        old = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "-"))
        new = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "+"))
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def in_copy(root, code):
    """What code prints as JSON, run with that copy of the package and nothing compiled; in a cache
    of its own: edited sources would take away the note that ours are compiled."""
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "NUMBA_DISABLE_JIT": "1"}
    order = [sys.executable, "-c", code]
    with TemporaryDirectory() as cache:
        environment["XDG_CACHE_HOME"] = cache
        done = subprocess.run(
            order, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_sensor_a_signal_and_a_function_fit_into_the_files_that_the_page_names(edited):
    touched = {file for file, _, _ in BLOCK.findall(PAGE)}
    assert len([each for each in touched if "sensors" in each]) == 3
    assert len(touched) == 7  # sensor 3, signal 1, function 3
    found = in_copy(
        edited,
        """
import json, proxops
mission = proxops.load("examples/approach.toml").replace({
    "time.duration_s": 1.0, "time.phases.approach.until_s": 1.0, "sensors.extra": {},
    "requirements": {"sees": {"signal": "sensors.sun", "measure": "max-norm",
                     "comparison": "<=", "limit": 1.000001, "unit": "1"}},
    "sensors.sun_sensor": {"sun_N": [0.0, 0.6, 0.8]},
    "obsw": {"rate_damping_N_m_s_rad": 2.5},
})
run = proxops.simulate(mission)
print(json.dumps({
    "outcome": run.outcome,
    "sun": run["sensors.sun"][1][1].tolist(), "q": run["chaser.q_NC"][1][1].tolist(),
    "torque": run["obsw.base.torque"][1][1].tolist(), "w": run["chaser.w_NC_C"][1][1].tolist(),
}))
""",
    )
    assert found["outcome"] == "passed"
    w, x, y, z = found["q"]
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    np.testing.assert_allclose(found["sun"], R.T @ [0.0, 0.6, 0.8], atol=1e-12)
    np.testing.assert_allclose(found["torque"], -2.5 * np.array(found["w"]), rtol=1e-12)


def kernels_after(root, cache, edit=None):
    """Functions that are stored once a mission with sensors was flown from a copy of the package,
    in which a line of a file was edited."""
    if edit is not None:
        file, old, new = edit
        path = root / "src" / "proxops" / file
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")
    code = f"""
import proxops
from proxops.core.jit import CACHE
scenario = proxops.load({str(MISSION)!r}, extensions=[{str(FILE)!r}]).replace({SHORT!r})
assert proxops.simulate(scenario).outcome == "passed"
print(CACHE)
"""
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "XDG_CACHE_HOME": str(cache)}
    order = [sys.executable, "-c", code]
    done = subprocess.run(order, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {file.name for file in Path(done.stdout.strip()).glob("*.kernel")}


def test_an_edit_compiles_what_contains_it_and_nothing_else(tmp_path, flown):
    """`flown` has compiled what the mission needs; a copy of the package finds it stored."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    stored = tmp_path / "cache" / "proxops" / "kernels" / jit.CACHE.name
    shutil.copytree(jit.CACHE, stored)
    for folder in (tmp_path / "cache", stored.parent.parent, stored.parent, stored):
        folder.chmod(0o700)
    before = {file.name for file in stored.glob("*.kernel")}
    assert kernels_after(tmp_path, tmp_path / "cache") == before
    page = ("report/plan.py", '"Other signals"', '"All other signals"')
    assert kernels_after(tmp_path, tmp_path / "cache", page) == before
    sensor = ("sensors/gyro.py", "    return True\n", "    return now >= 0\n")
    compiled = kernels_after(tmp_path, tmp_path / "cache", sensor) - before
    assert [name.split("-")[0] for name in compiled] == ["proxops.sensors.gyro.sample"]


def test_a_world_of_ones_own_flies(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (code,) = (each for each in blocks if "WIND" in each)
    (tmp_path / "wind.py").write_text(code, "utf-8")
    found = in_copy(
        ROOT,
        f"""
import json, sys
sys.path.insert(0, {str(tmp_path)!r})
import proxops
from proxops.sim.simulation import Simulation
from wind import WIND, WindyWorld
mission = proxops.load("free-tumble").replace({{
    "time": {{"duration_s": 0.5, "control_rate_hz": 100.0, "record_rate_hz": 100.0,
             "phases": {{"one": {{"until_s": 0.5, "step_s": 0.01}}}}}}, "requirements": {{}}}})
still, windy = proxops.simulate(mission), Simulation(mission, WindyWorld(mission)).run()
print(json.dumps([windy.ledger.closed, windy.outcome, WIND,
    (windy["ledger.momentum"][1][-1] - still["ledger.momentum"][1][-1]).tolist()]))
""",
    )
    closed, outcome, wind, gained = found
    assert closed
    assert outcome == "passed"
    # A force of one size that hardly turns in half a second: p = F t, less what its turning takes
    assert 0.99 * wind * 0.5 < np.linalg.norm(gained) <= wind * 0.5 * (1.0 + 1e-9)
