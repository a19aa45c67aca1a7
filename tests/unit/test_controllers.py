"""What a user's controller is given, what may be given as one, and what is told of it."""

import json
import re
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
from tests.bus_rows import measured
from tests.laws.written import written

import proxops
from proxops.assembly.describe import describe_thrusters
from proxops.bus.bus import command_fields
from proxops.bus.fields import Fields, Layout, blank, views
from proxops.core.description import WheelDescription
from proxops.core.errors import ControllerError, InputError
from proxops.onboard.command_check import (
    BASE,
    FINDINGS,
    FORCE,
    HOLDS,
    TALLY_WIDTH,
    TORQUE,
    CheckOutputs,
    CheckParams,
    inspect,
    nothing_checked,
)
from proxops.onboard.command_check import FIELDS as CHECK_FIELDS
from proxops.onboard.command_check import JOINTS as FIRST_JOINT
from proxops.onboard.functions.allocation import thrusters, wheels
from proxops.onboard.functions.allocation.allocate import Platform
from proxops.onboard.functions.allocation.demand import demand
from proxops.onboard.functions.capture.modes import MODES
from proxops.onboard.user.controller import Compiled, sha256_of, taken
from proxops.onboard.user.exceptions import format_error
from proxops.onboard.user.file import from_file
from proxops.onboard.user.views import Commands, Measurements, compiled_measurements
from proxops.scenario.load import load
from proxops.scenario.schema.requirement import EVENTS
from proxops.sim.controller.harness import operators_view
from proxops.sim.controller.report import Tally, findings_of, pace_of

JOINTS = 2


class Idle:
    """Asks for nothing."""

    def control(self, measurements, commands):
        """Leaves all as it is."""


def numbered() -> Fields:
    """Measurements that tell where they stand."""
    at = measured(JOINTS, thrusters=2)
    return Fields(at.layout, np.arange(float(at.size)))


def of_commands(value: float = 0.0) -> Fields:
    """Commands of an arm of two joints and two holds, all with that value."""
    found = blank(Layout(command_fields(("a", "b"), ("w",), ("t",), ("left", "right"))))
    found.array[:] = value
    return found


# Names of fields, and of what a controller is given of them
SEEN = {
    "star.q": "star.q", "gyro.w": "gyro.w", "camera.p": "camera.p", "camera.q": "camera.q",
    "wrist.wrench": "wrist.wrench", "encoders.q": "q", "encoders.qd": "qd",
    "telemetry.thrust": "telemetry.thrust",
}  # fmt: skip
SENSORS = ("star", "gyro", "camera", "wrist", "encoders", "telemetry")


def test_what_is_seen_by_name_is_what_the_layout_says():
    fields = numbered()
    measurements = Measurements(fields, JOINTS)
    assert measurements.t == fields["t"][0] == 0.0
    for field, name in SEEN.items():
        assert attrgetter(name)(measurements).tolist() == fields[field].tolist(), name
    for sensor in SENSORS:
        sample = getattr(measurements, sensor)
        assert (sample.t, sample.count) == (fields[f"{sensor}.t"], fields[f"{sensor}.count"])
    wrench = fields["wrist.wrench"].tolist()
    assert [*measurements.wrist.force, *measurements.wrist.torque] == wrench
    assert measurements.telemetry.lateness == fields["telemetry.lateness"]
    wheeled = Measurements(fields, JOINTS - 1)  # the last joint is a wheel
    q, qd = fields["encoders.q"], fields["encoders.qd"]
    assert (wheeled.q, wheeled.qd, wheeled.wheels) == (q[0], qd[0], qd[1])
    assert measurements.wheels.size == 0
    fields["gyro.w"][0], fields["t"][0] = -1.0, 3.0
    assert (measurements.gyro.w[0], measurements.t) == (-1.0, 3.0)
    with pytest.raises(ValueError, match="read-only"):
        measurements.gyro.w[0] = 0.0
    assert fields["gyro.w"].flags.writeable  # for the sensors


def test_a_compiled_controller_is_given_the_same_by_the_same_names():
    fields = numbered()
    measurements, plain = compiled_measurements(fields, JOINTS), Measurements(fields, JOINTS)
    assert measurements.t.tolist() == [plain.t]
    for field, name in SEEN.items():
        assert attrgetter(name)(measurements).tolist() == fields[field].tolist(), name
    for sensor in SENSORS:
        sample = getattr(measurements, sensor)
        assert [*sample.t, *sample.count] == [*fields[f"{sensor}.t"], *fields[f"{sensor}.count"]]
    wrist = measurements.wrist
    assert [*wrist.force, *wrist.torque] == fields["wrist.wrench"].tolist()
    assert measurements.telemetry.lateness.tolist() == fields["telemetry.lateness"].tolist()
    wheeled = compiled_measurements(fields, JOINTS - 1)
    assert wheeled.wheels.tolist() == [fields["encoders.qd"][1]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gyro.w_NC", "measurements.gyro has no 'w_NC'"),
        ("giro.w", "no sensor is called 'giro'; did you mean 'gyro'"),
    ],
)
def test_what_no_sensor_says_is_told_with_the_nearest(name, text):
    with pytest.raises(AttributeError, match=re.escape(text)):
        attrgetter(name)(Measurements(numbered(), JOINTS))


def test_what_is_asked_by_name_lands_where_the_layout_says():
    fields, mode = of_commands(), np.zeros(1)
    commands = Commands(fields, mode)
    commands.force, commands.torque, commands.joints = [1.0, 2.0, 3.0], 4.0, [5.0, 6.0]
    commands.hold, commands.mode = True, 7
    found = {each.name: fields[each.name].tolist() for each in fields.layout}
    assert found == {
        "base.force": [1.0, 2.0, 3.0], "base.torque": [4.0, 4.0, 4.0], "holds": [1.0, 1.0],
        "joints": [5.0, 6.0], "wheels": [0.0], "valves": [0.0], "isolation": [0.0],
        "brakes": [0.0],
    }  # fmt: skip
    assert mode.tolist() == [7.0]
    assert (commands.hold, commands.mode) == (True, 7)


def test_holds_are_commanded_one_by_one_or_together():
    fields = of_commands()
    commands = Commands(fields, np.zeros(1))
    commands.holds["right"] = True
    assert fields["holds"].tolist() == [0.0, 1.0]
    assert (commands.holds["left"], commands.holds["right"], commands.hold) == (False, True, False)
    commands.hold = True
    commands.holds["right"] = False
    assert fields["holds"].tolist() == [1.0, 0.0]
    with pytest.raises(KeyError, match="no hold is called 'lift'; did you mean 'left'"):
        commands.holds["lift"] = True


def test_a_command_that_there_is_not_is_named_with_the_nearest():
    commands = Commands(of_commands(), np.zeros(1))
    with pytest.raises(AttributeError, match="commands has no 'forse'; did you mean 'force'"):
        commands.forse = [1.0, 0.0, 0.0]
    with pytest.raises(AttributeError, match="has no 'thrust'; there are: force, hold, holds"):
        commands.thrust = 1.0


def test_what_has_a_wrong_size_is_left_as_it_was_and_told():
    commands = Commands(of_commands(1.0), np.zeros(1))
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
    pattern = r'Event\([^"\n]*, f?"([a-z]+(?:-[a-z]*)*)(?=["{])'
    return set(re.findall(pattern, text)) | set(EVENTS)


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
    varied = load("envisat-capture").replace(
        {
            "faults.odd": {"kind": "dead-thruster", "thruster": "mmm_x", "from_s": 3.0},
            "sensors.camera.dropouts": [window],
            "sensors.star_tracker.dropouts": [window],
            "sensors.gyro.frozen": [window],
            "sensors.wrist.spikes": [spike],
        }
    )
    plain = load("envisat-capture")
    view, expected = (operators_view(each) for each in (varied.dispersed(3), plain))
    assert view == expected  # whatever the draws, and whatever fails
    assert varied.dispersed(3).mission.target.mass_kg != plain.mission.target.mass_kg
    text = json.dumps(view)
    for word in ("seed", "faults", "dispersions", "dropouts", "frozen", "spikes"):
        assert f'"{word}"' not in text
    assert view["target"]["mass_kg"] == plain.mission.target.mass_kg
    assert view["sensors"]["camera"]["noise_m"] == plain.mission.sensors.camera.noise_m
    view["target"]["mass_kg"] = 0.0  # its own copy
    assert operators_view(plain)["target"]["mass_kg"] > 0.0


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
    assert format_error(caught.value).count("\n") == 1  # here; not where it was raised


def test_pace():
    # 0.1 to 10 ms: half are below 5.05 ms, one of a hundred is above 9.9 ms
    pace = pace_of([100_000 * (i + 1) for i in range(100)], 9_000_000, alone=False)
    assert (pace.p50_s, pace.worst_s) == pytest.approx((0.00505, 0.01))
    assert pace.overruns == pytest.approx(0.1)


def test_a_chaser_without_thrusters_is_named_as_such():
    tally = np.zeros((FINDINGS, TALLY_WIDTH))
    tally[BASE] = [2, 0.5, np.inf, FORCE]
    (found,) = findings_of(tally, Tally(), ())
    assert found.detail == "force, torque: the chaser has no thrusters or wheels that could make it"


def test_findings_name_what_was_wrong_and_how_often():
    tally = np.zeros((FINDINGS, TALLY_WIDTH))
    tally[0] = [2, 0.5, 1.0, TORQUE]
    tally[1] = [3, 0.1, 1.5, FIRST_JOINT + 1]
    found = findings_of(tally, Tally(4, 0.2, "force: shape (2,)"), ("arm.a", "arm.b"))
    assert [(each.kind, each.turns, each.first_s) for each in found] == [
        ("non-finite", 2, 0.5),
        ("motors", 3, 0.1),
        ("wrong-sized", 4, 0.2),
    ]
    assert found[0].detail.startswith("torque is not finite")
    assert found[1].detail == "joint arm.b: up to 1.5 times the limit of its motor"


def platform(*of_wheels):
    given = describe_thrusters(load("envisat-capture").mission)
    return Platform(thrusters.build(given, 0.1), wheels.build(of_wheels, np.inf, 1e-3), 1e-3, 1e-2)


def share(of, *wrench):
    return written(demand)(of, wrench[:3], wrench[3:])


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
    """As much of the chaser's software as an inspection looks at; nothing is compiled for it."""

    def __init__(self):
        self.fields = of_commands()
        self.commands = views(CheckOutputs, self.fields, blank(Layout(CHECK_FIELDS)))
        self.params = CheckParams(platform(), np.array([10.0, 20.0]))
        self.memory = nothing_checked(self.fields)
        self.tally = self.memory.tally

    def look(self, t):
        written(inspect)(self.params, self.memory, t, self.commands)


@pytest.fixture
def board():
    return Board()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(
    ("name", "entry", "which"),
    [
        ("base.force", 0, FORCE),
        ("base.force", 2, FORCE),
        ("base.torque", 1, TORQUE),
        ("holds", 1, HOLDS),
        ("joints", 0, FIRST_JOINT),
        ("joints", 1, FIRST_JOINT + 1),
    ],
)
def test_what_is_not_finite_leaves_what_was_asked_for_before(board, bad, name, entry, which):
    looked_at = ("base.force", "base.torque", "holds", "joints")
    board.fields.array[:] = np.arange(float(board.fields.layout.size))
    before = {each: board.fields[each].tolist() for each in looked_at}
    board.look(0.0)
    board.fields.array[:] = 99.0
    board.fields[name][entry] = bad
    board.look(1.0)
    assert {each: board.fields[each].tolist() for each in looked_at} == before
    assert board.tally[0].tolist() == [1.0, 1.0, 1.0, which]
    assert board.memory.cycles.tolist() == [2]


def test_a_motor_beyond_its_limit_is_counted_with_its_worst_and_obeyed(board):
    for turn, torque in enumerate((-20.0, 30.0, -25.0)):
        board.commands.joints[1] = torque
        board.look(float(turn))
        assert board.commands.joints[1] == torque
    assert board.tally[1].tolist() == [2.0, 1.0, 1.5, FIRST_JOINT + 1]


def test_a_base_wrench_beyond_the_thrusters_is_counted(board):
    board.commands.base_force[0] = 80.0
    board.look(0.0)
    assert board.tally[BASE].tolist() == pytest.approx([1.0, 0.0, 2.0, FORCE])
