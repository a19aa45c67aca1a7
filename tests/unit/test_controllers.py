"""What a user's controller is given, what may be given as one, and what is told of it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import proxops
from proxops.assembly.describe import describe_thrusters
from proxops.bus import commands as to
from proxops.bus import measurements as said
from proxops.core.description import WheelDescription
from proxops.core.errors import ControllerError, InputError
from proxops.onboard.command_check import BASE, FINDINGS, TALLY_WIDTH, inspect, note
from proxops.onboard.functions.allocation import thrusters, wheels
from proxops.onboard.functions.allocation.allocate import Platform
from proxops.onboard.functions.allocation.demand import demanded
from proxops.onboard.functions.capture.modes import MODES
from proxops.onboard.user.controller import Compiled, sha256_of, taken
from proxops.onboard.user.exceptions import told
from proxops.onboard.user.file import from_file
from proxops.onboard.user.harness import _operators_view
from proxops.onboard.user.report import Tally, findings_of, pace_of
from proxops.onboard.user.views import Commands, Measurements
from proxops.scenario.load import load
from proxops.scenario.schema.requirement import EVENTS

JOINTS = 2


class Idle:
    """Asks for nothing."""

    def control(self, measurements, commands):
        """Leaves all as it is."""


def test_what_is_seen_by_name_is_what_the_layout_says():
    flat = np.arange(float(said.size(JOINTS, 2)))
    measurements = Measurements(flat, JOINTS, JOINTS)
    assert measurements.t == said.T
    assert (measurements.star.t, measurements.star.count) == (said.STAR_T, said.STAR_COUNT)
    assert measurements.star.q[0] == said.STAR_Q
    assert measurements.gyro.w.tolist() == [said.GYRO_W, said.GYRO_W + 1, said.GYRO_W + 2]
    assert (measurements.camera.p[0], measurements.camera.q[3]) == (
        said.CAMERA_P,
        said.CAMERA_Q + 3,
    )
    assert (measurements.wrist.force[0], measurements.wrist.torque[0]) == (
        said.FORCE,
        said.FORCE + 3,
    )
    assert measurements.q.tolist() == [said.ENCODERS, said.ENCODERS + 1]
    assert measurements.qd.tolist() == [said.ENCODERS + 2, said.ENCODERS + 3]
    wheeled = Measurements(flat, JOINTS, JOINTS - 1)  # the last joint is a wheel
    assert (wheeled.q, wheeled.qd, wheeled.wheels) == (
        said.ENCODERS,
        said.ENCODERS + 2,
        said.ENCODERS + 3,
    )
    report = said.telemetry(JOINTS)
    assert (measurements.telemetry.t, measurements.telemetry.count) == (
        report,
        report + said.TELEMETRY_COUNT,
    )
    assert measurements.telemetry.lateness == report + said.LATENESS
    assert measurements.telemetry.thrust.tolist() == [
        report + said.THRUST,
        report + said.THRUST + 1,
    ]
    flat[said.GYRO_W] = -1.0
    assert measurements.gyro.w[0] == -1.0
    with pytest.raises(ValueError, match="read-only"):
        measurements.gyro.w[0] = 0.0


def test_what_is_asked_by_name_lands_where_the_layout_says():
    commands = Commands(np.zeros(to.JOINTS + JOINTS))
    commands.force, commands.torque, commands.joints = [1.0, 2.0, 3.0], 4.0, [5.0, 6.0]
    commands.hold, commands.mode = True, 7
    assert commands.array.tolist() == [1.0, 2.0, 3.0, 4.0, 4.0, 4.0, 1.0, 7.0, 0.0, 5.0, 6.0]


def test_what_has_a_wrong_size_is_left_as_it_was_and_told():
    commands = Commands(np.ones(to.JOINTS + JOINTS))
    commands.joints = [5.0, 6.0, 7.0]
    assert commands.joints.tolist() == [1.0, 1.0]
    assert commands.misfit == "joints: shape (3,), where (2,) was expected"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (object(), "object: has no method control"),
        (Compiled(3), "cannot be called"),
        (Compiled(abs, parameters=["a"]), "parameters are not numbers"),
        (Compiled(abs, memory=-1), "memory is -1"),
        (Compiled(abs, rate_hz=0.0), "rate_hz is 0.0"),
        (Compiled(abs, modes=("fault",)), "a mode cannot be called 'fault'"),
    ],
)
def test_what_cannot_be_a_controller_is_refused_with_its_reason(given, text):
    with pytest.raises(InputError, match=text):
        taken(given)


def events_told() -> set[str]:
    """Names of all events that sources tell, as they are written; what is put together there ends
    with its hyphen."""
    files = Path(proxops.__file__).parent.rglob("*.py")
    text = "\n".join(file.read_text() for file in files)
    told = r'Event\([^"\n]*, f?"([a-z]+(?:-[a-z]*)*)(?=["{])'
    return set(re.findall(told, text)) | set(EVENTS)


@pytest.mark.parametrize("event", sorted(events_told() - set(MODES)))
def test_no_mode_of_a_controller_is_called_like_an_event_that_means_something_else(event):
    class Pretends(Idle):
        modes = ("wait", f"{event}non-finite" if event.endswith("-") else event)

    with pytest.raises(InputError, match=f"controller Pretends: a mode cannot be called '{event}"):
        taken(Pretends)


def test_a_controller_may_have_the_modes_of_a_capture_and_its_own():
    class Captures(Idle):
        modes = (*MODES, "wait", "fault-finding")

    assert taken(Captures).modes[-1] == "fault-finding"


def test_a_briefing_has_the_mission_as_it_is_believed_and_nothing_of_what_will_fail():
    window = {"from_s": 1.0, "until_s": 2.0}
    spike = {"force_N": [1.0, 0.0, 0.0], **window}
    told = load("envisat-capture").replace(
        {
            "faults.odd": {"kind": "dead-thruster", "thruster": "mmm_x", "from_s": 3.0},
            "sensors.camera.dropouts": [window],
            "sensors.star_tracker.dropouts": [window],
            "sensors.gyro.frozen": [window],
            "sensors.wrist.spikes": [spike],
        }
    )
    plain = load("envisat-capture")
    view, expected = (_operators_view(each) for each in (told.dispersed(3), plain))
    assert view == expected  # whatever the draws, and whatever fails
    assert told.dispersed(3).mission.target.mass_kg != plain.mission.target.mass_kg
    text = json.dumps(view)
    for word in ("seed", "faults", "dispersions", "dropouts", "frozen", "spikes"):
        assert f'"{word}"' not in text
    assert view["target"]["mass_kg"] == plain.mission.target.mass_kg
    assert view["sensors"]["camera"]["noise_m"] == plain.mission.sensors.camera.noise_m
    view["target"]["mass_kg"] = 0.0  # its own copy
    assert _operators_view(plain)["target"]["mass_kg"] > 0.0


def test_a_class_is_made_and_what_it_raises_names_its_place():
    class Broken(Idle):
        def __init__(self):
            raise ValueError("no gains")

    assert isinstance(taken(Idle), Idle)
    with pytest.raises(ControllerError, match=r"ValueError: no gains\n  test_controllers.py:\d+"):
        taken(Broken)


def test_another_parameter_makes_another_hash_and_so_does_another_file():
    one, other = Compiled(test_pace, parameters=[1.0]), Compiled(test_pace, parameters=[2.0])
    assert sha256_of(one) == sha256_of(Compiled(test_pace, parameters=[1.0])) != sha256_of(other)
    assert sha256_of(Compiled(describe_thrusters)) != sha256_of(Compiled(test_pace))


@pytest.mark.parametrize(
    ("text", "kind", "told_"),
    [
        ("my.py", InputError, "must be FILE:NAME"),
        ("none.py:Mine", InputError, "no file none.py"),
        ("{file}:Mime", InputError, "did you mean 'Mine'"),
        (
            "{broken}:Mine",
            ControllerError,
            r"by zero\n  broken.py:3 in <module>: gain\(\)\n.*:2 in",
        ),
        ("{unread}:Mine", ControllerError, r"SyntaxError: .*\n  unread.py:2: class Mine$"),
        ("{lacking}:Mine", ControllerError, r"named 'nowhere'\n  lacking.py:1 in .*: import no"),
    ],
)
def test_a_file_that_gives_no_controller_is_told_with_its_place(tmp_path, text, kind, told_):
    file, broken = tmp_path / "good.py", tmp_path / "broken.py"
    file.write_text("class Mine:\n    def control(self, measurements, commands):\n        pass\n")
    broken.write_text("def gain():\n    return 1 / 0\ngain()\n")
    unread, lacking = tmp_path / "unread.py", tmp_path / "lacking.py"
    unread.write_text("import math\nclass Mine\n    pass\n")
    lacking.write_text("import nowhere\n")
    with pytest.raises(kind, match=told_) as raised:
        from_file(text.format(file=file, broken=broken, unread=unread, lacking=lacking))
    assert raised.value.exit_code == 2


def test_a_file_gives_what_it_names(tmp_path):
    (tmp_path / "beside.py").write_text("rate = 50.0\n")
    file = tmp_path / "mine.py"
    file.write_text("from beside import rate\n\n\nclass Mine:\n    rate_hz = rate\n")
    assert from_file(f"{file}:Mine").rate_hz == 50.0


def test_only_places_in_the_users_own_files_are_told():
    with pytest.raises(InputError) as caught:
        taken(3)
    assert told(caught.value).count("\n") == 1  # here; not where it was raised


def test_pace():
    # 0.1 to 10 ms: half are below 5.05 ms, one of a hundred is above 9.9 ms
    pace = pace_of([100_000 * (i + 1) for i in range(100)], 9_000_000, alone=False)
    assert (pace.p50_s, pace.worst_s) == pytest.approx((0.00505, 0.01))
    assert pace.overruns == pytest.approx(0.1)


def test_findings_name_what_was_wrong_and_how_often():
    tally = np.zeros((FINDINGS, TALLY_WIDTH))
    tally[0] = [2, 0.5, 1.0, to.TORQUE + 1]
    tally[1] = [3, 0.1, 1.5, to.JOINTS + 1]
    found = findings_of(tally, Tally(4, 0.2, "force: shape (2,)"), ("arm.a", "arm.b"))
    assert [(each.kind, each.turns, each.first_s) for each in found] == [
        ("non-finite", 2, 0.5),
        ("motors", 3, 0.1),
        ("wrong-sized", 4, 0.2),
    ]
    assert found[0].detail.startswith("torque is not finite")
    assert found[1].detail == "joint arm.b: up to 1.5 times what its motor can"


def platform(*of_wheels):
    given = describe_thrusters(load("envisat-capture").mission)
    return Platform(thrusters.build(given, 0.1), wheels.build(of_wheels, np.inf, 1e-3), 1e-3, 1e-2)


def share(of, *wrench):
    return demanded.py_func(of, np.array(wrench))


def test_a_force_beyond_all_thrusters_is_known_by_its_share():
    # Four thrusters of 10 N push along each axis with each sign, levers cancelling.
    assert share(platform(), 40.0, 0.0, 0.0, 0.0, 0.0, 0.0) == pytest.approx(1.0)
    assert share(platform(), 0.0, -20.0, 0.0, 0.0, 0.0, 0.0) == pytest.approx(0.5)
    assert share(platform(), *[0.0] * 6) == 0.0


def test_wheels_add_to_the_torque_that_there_is():
    # About x eight thrusters along y and eight along z turn the hub with 10 N at 0.8 m, half of
    # them each way: 64 N m.
    axis = np.array([1.0, 0.0, 0.0])
    wheel = WheelDescription("x", np.zeros(3), axis, 0.01, 1.0, 16.0, 600.0, 0.0, 0.0, 0.0)
    assert share(platform(), 0.0, 0.0, 0.0, 64.0, 0.0, 0.0) == pytest.approx(1.0)
    assert share(platform(wheel), 0.0, 0.0, 0.0, -80.0, 0.0, 0.0) == pytest.approx(1.0)
    assert share(platform(wheel), 40.0, 0.0, 0.0, 0.0, 0.0, 0.0) == pytest.approx(1.0)


class Board:
    """As much of the chaser's software as an inspection looks at."""

    def __init__(self):
        self.limits = np.array([10.0, 20.0])
        self.platform = platform()
        self.good = np.zeros(to.JOINTS + JOINTS)
        self.tally = np.zeros((FINDINGS, TALLY_WIDTH))
        self.cycles = np.zeros(1, dtype=np.int64)

    def look(self, t, commands):
        inspect.py_func(self, self, t, commands)


@pytest.fixture
def board(monkeypatch):
    """Nothing is compiled for it."""
    monkeypatch.setattr("proxops.onboard.command_check.demanded", demanded.py_func)
    monkeypatch.setattr("proxops.onboard.command_check.note", note.py_func)
    return Board()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("entry", [to.FORCE, to.HOLD, to.JOINTS + 1])
def test_what_is_not_finite_leaves_what_was_asked_for_before(board, bad, entry):
    commands = np.arange(float(to.JOINTS + JOINTS))
    before = commands.copy()
    board.look(0.0, commands)
    commands[:] = 99.0
    commands[entry] = bad
    board.look(1.0, commands)
    assert commands.tolist() == before.tolist()
    assert board.tally[0].tolist() == [1.0, 1.0, 1.0, entry]


def test_a_motor_beyond_its_limit_is_counted_with_its_worst_and_obeyed(board):
    commands = np.zeros(to.JOINTS + JOINTS)
    for turn, torque in enumerate((-20.0, 30.0, -25.0)):
        commands[to.JOINTS + 1] = torque
        board.look(float(turn), commands)
        assert commands[to.JOINTS + 1] == torque
    assert board.tally[1].tolist() == [2.0, 1.0, 1.5, to.JOINTS + 1]


def test_a_base_wrench_beyond_the_thrusters_is_counted(board):
    commands = np.zeros(to.JOINTS + JOINTS)
    commands[to.FORCE] = 80.0
    board.look(0.0, commands)
    assert board.tally[BASE].tolist() == pytest.approx([1.0, 0.0, 2.0, to.FORCE])
