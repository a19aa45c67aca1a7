"""Contacts and holds in scenario files: what is said reaches the plant, what cannot be is not."""

import math
from pathlib import Path

import numpy as np
import pytest
from tests.data.broken import MISSION, Broken, write

from proxops.assembly.describe import describe_interface
from proxops.core.errors import InputError
from proxops.physics.contact.normal import SPRING
from proxops.scenario.load import load

CONTACTS = """\
[contacts.ring.pads]
on = "chaser"
centres_m = [[0.5, 0.1, 0.0], [0.5, -0.1, 0.0]]
radius_m = 0.02
[contacts.ring.face]
on = "target"
p_m = [-1.0, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
along = [0.0, 0.0, 1.0]
half_sizes_m = [0.3, 0.2]
[contacts.ring.normal]
kind = "spring"
stiffness_N_m = 1e5
damping_N_s_m = 200.0
[contacts.ring.friction]
mu_static = 0.5
mu_kinetic = 0.4
stiffness_N_m = 2e4
damping_N_s_m = 50.0

[contacts.tip.pads]
on = "target"
centres_m = [[1.0, 0.0, 0.0]]
radius_m = 0.03
[contacts.tip.ball]
on = "chaser"
arm = "main"
p_m = [0.0, 0.0, 0.1]
radius_m = 0.05
[contacts.tip.normal]
kind = "hunt-crossley"
force_N = 200.0
depth_m = 1e-3
damping_s_m = 0.3

[holds.latch]
arm = "main"
p_TB_m = [0.1, 0.2, 0.3]
stiffness_N_m = [1e3, 2e3, 3e3]
limit_N = 40.0
from_s = 0.5
until_s = 1.5
"""
PLACE = "[obsw.j"


def sound(tmp_path: Path) -> Path:
    path = write(tmp_path)
    path.write_text(MISSION.replace(PLACE, f"{CONTACTS}\n{PLACE}"))
    return path


def test_what_is_said_reaches_the_plant(tmp_path: Path) -> None:
    (ring, tip), (latch,) = describe_interface(load(sound(tmp_path)))
    assert (ring.name, ring.arm, ring.pads_on_chaser, ring.radius) == ("ring", "", True, 0.02)
    np.testing.assert_array_equal(ring.along, [0.0, 0.0, 1.0])
    assert (ring.half, ring.ball_radius, ring.law) == ((0.3, 0.2), 0.0, SPRING)
    assert (ring.stiffness, ring.damping, ring.exponent) == (1e5, 200.0, 1.0)
    assert (ring.mu_static, ring.mu_kinetic) == (0.5, 0.4)
    assert (ring.grip_stiffness, ring.grip_damping) == (2e4, 50.0)
    assert (tip.arm, tip.pads_on_chaser, tip.ball_radius) == ("main", False, 0.05)
    assert tip.stiffness * tip.depth**tip.exponent == pytest.approx(200.0)
    assert (tip.exponent, tip.damping, tip.mu_static) == (1.5, 0.3, 0.0)
    assert (latch.arm, latch.max_force, latch.max_torque) == ("main", 40.0, math.inf)
    assert (latch.start, latch.end) == (0.5, 1.5)
    np.testing.assert_array_equal(latch.stiffness, [1e3, 2e3, 3e3])
    np.testing.assert_array_equal(latch.rotational_stiffness, np.zeros(3))


def _broken(name: str, find: str, put: str, *says: str) -> Broken:
    assert CONTACTS.count(find) == 1, f"{name}: {find!r} is not there once"
    return Broken(name, PLACE, f"{CONTACTS.replace(find, put)}\n{PLACE}", says)


BROKEN = (
    _broken("no pads", "[[0.5, 0.1, 0.0], [0.5, -0.1, 0.0]]", "[]", "contacts.ring.pads.centres_m"),
    _broken("negative radius", "radius_m = 0.02", "radius_m = -0.02", "ring.pads.radius_m"),
    _broken("a craft that is none", 'on = "chaser"\ncentres', 'on = "probe"\ncentres', "'probe'"),
    _broken(
        "both on one craft",
        'on = "target"\np_m = [-1.0',
        'on = "chaser"\np_m = [-1.0',
        "contacts.ring.face.on: the pads are on the chaser too",
    ),
    _broken(
        "arm on the target",
        'on = "target"\ncentres',
        'on = "target"\narm = "main"\ncentres',
        "contacts.tip.pads.arm: only the chaser has arms",
    ),
    _broken("slanted normal", "normal = [-1.0, 0.0, 0.0]", "normal = [-1.0, 0.1, 0.0]",
            "contacts.ring.face.normal: must have length 1", "1.00498"),
    _broken("slanted edge", "along = [0.0, 0.0, 1.0]", "along = [0.6, 0.0, 0.8]",
            "contacts.ring.face.along: must be at right angles to normal", "-0.6"),
    _broken("edges without a direction", "along = [0.0, 0.0, 1.0]\n", "",
            "contacts.ring.face.along: missing"),
    _broken("no width", "[0.3, 0.2]", "[0.3, 0.0]", "contacts.ring.face.half_sizes_m"),
    _broken("no stiffness", "stiffness_N_m = 1e5", "stiffness_N_m = 0.0",
            "contacts.ring.normal", "stiffness_N_m"),
    _broken("negative damping", "damping_N_s_m = 200.0", "damping_N_s_m = -1.0",
            "contacts.ring.normal", "damping_N_s_m"),
    _broken("unknown law", '"hunt-crossley"', '"hertz"', "contacts.tip.normal", "'hertz'"),
    _broken("slides harder than it sticks", "mu_kinetic = 0.4", "mu_kinetic = 0.6",
            "contacts.ring.friction.mu_kinetic: 0.6 is larger than mu_static, 0.5"),
    _broken("points on a ball", "radius_m = 0.03", "radius_m = 0.0",
            "contacts.tip.pads.radius_m: must be positive"),
    _broken("exponent", "damping_s_m = 0.3", "damping_s_m = 0.3\nexponent = 0.5",
            "contacts.tip.normal", "exponent"),
    _broken("opens before it closes", "until_s = 1.5", "until_s = 0.5",
            "holds.latch.until_s: 0.5 s is not after from_s"),
    _broken("pushing spring", "[1e3, 2e3, 3e3]", "[1e3, -2e3, 3e3]", "holds.latch.stiffness_N_m"),
    _broken("no limit", "limit_N = 40.0", "limit_N = 0.0", "holds.latch.limit_N"),
    _broken("an arm that is none", 'arm = "main"\np_TB', 'arm = "left"\np_TB', "left", "main"),
    _broken("a ball on an arm that is none", 'arm = "main"\np_m', 'arm = "left"\np_m',
            "left", "main"),
    _broken("nothing to touch", "[contacts.tip.ball]", "[contacts.tip.bull]", "contacts.tip.bull"),
)  # fmt: skip


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_what_cannot_be_is_refused_with_its_place(tmp_path: Path, case: Broken) -> None:
    with pytest.raises(InputError) as caught:
        load(write(tmp_path, case))
    for piece in case.says:
        assert piece in str(caught.value)


PORT = """\
[holds.dock]
p_TB_m = [-1.0, 0.0, 0.0]
q_TB = [0.6, 0.8, 0.0, 0.0]
[holds.dock.port]
p_CA_m = [0.5, 0.0, 0.0]
q_CA = [0.8, 0.0, 0.6, 0.0]
[holds.dock.envelope]
offset_m = 0.02
angle_deg = 2.0
speed_m_s = 0.03
rate_deg_s = 0.5

[chaser.shapes]
bus = { kind = "box", size_m = [1.0, 1.0, 1.0], q_CB = [0.7071067811865476, 0.0, 0.7071067811865476, 0.0] }
tank = { kind = "sphere", radius_m = 0.4, p_CB_m = [0.0, 1.0, 0.0] }
nozzle = { kind = "cylinder", radius_m = 0.3, length_m = 1.0, p_CB_m = [0.0, 0.0, -1.0] }
[target.shapes]
bus = { kind = "box", size_m = [2.0, 2.0, 2.0] }
"""  # noqa: E501


def _port(name: str, find: str, put: str, *says: str) -> Broken:
    assert PORT.count(find) == 1, f"{name}: {find!r} is not there once"
    return Broken(name, PLACE, f"{PORT.replace(find, put)}\n{PLACE}", says)


def test_a_port_and_its_envelope_reach_the_plant(tmp_path: Path) -> None:
    _, (dock,) = describe_interface(load(write(tmp_path, _port("sound", "0.02", "0.02"))))
    assert dock.port is not None
    np.testing.assert_array_equal(dock.port.p, [0.5, 0.0, 0.0])
    np.testing.assert_allclose(dock.port.R @ [0.0, 0.0, 1.0], [0.96, 0.0, 0.28], atol=1e-15)
    assert (dock.reach, dock.max_speed) == (0.02, 0.03)
    assert dock.max_angle == pytest.approx(math.radians(2.0))
    assert dock.max_rate == pytest.approx(math.radians(0.5))
    only = _port("any speed", "speed_m_s = 0.03\nrate_deg_s = 0.5\n", "")
    _, (dock,) = describe_interface(load(write(tmp_path, only)))
    assert (dock.max_speed, dock.max_rate) == (math.inf, math.inf)


INSIDE = "holds.dock.port.p_CA_m: is", "inside a shape of the chaser, more than 50 mm"
PORTS = (
    _port("an offset that is never met", "offset_m = 0.02", "offset_m = 0.0",
          "holds.dock.envelope.offset_m"),
    _port("a negative angle", "angle_deg = 2.0", "angle_deg = -2.0",
          "holds.dock.envelope.angle_deg"),
    _port("no speed", "speed_m_s = 0.03", "speed_m_s = 0.0", "holds.dock.envelope.speed_m_s"),
    _port("a rate below none", "rate_deg_s = 0.5", "rate_deg_s = -1.0",
          "holds.dock.envelope.rate_deg_s"),
    _port("no offset", "offset_m = 0.02\n", "", "holds.dock.envelope.offset_m"),
    _port("an envelope without a port",
          "[holds.dock.port]\np_CA_m = [0.5, 0.0, 0.0]\nq_CA = [0.8, 0.0, 0.6, 0.0]\n", "",
          "holds.dock.envelope: give port too, or remove this"),
    _port("a port without an envelope", "[holds.dock.envelope]\noffset_m = 0.02\nangle_deg = 2.0\n"
          "speed_m_s = 0.03\nrate_deg_s = 0.5\n", "", "holds.dock.envelope: missing"),
    _port("a frame that is none", "q_CA = [0.8, 0.0, 0.6, 0.0]", "q_CA = [0.0, 0.0, 0.0, 0.0]",
          "holds.dock.port.q_CA"),
    _port("a port in the bus", "p_CA_m = [0.5, 0.0, 0.0]", "p_CA_m = [0.4, 0.0, 0.0]", *INSIDE,
          "100 mm"),
    _port("a port in a tank", "p_CA_m = [0.5, 0.0, 0.0]", "p_CA_m = [0.0, 1.1, 0.0]", *INSIDE,
          "300 mm"),
    _port("a port in a nozzle", "p_CA_m = [0.5, 0.0, 0.0]", "p_CA_m = [0.1, 0.0, -1.4]", *INSIDE,
          "100 mm"),
    _port("a port in the target", "p_TB_m = [-1.0, 0.0, 0.0]", "p_TB_m = [-0.8, 0.0, 0.0]",
          "holds.dock.p_TB_m: is 200 mm inside a shape of the target"),
    Broken("switches of nothing", PLACE, f"[sensors.latches]\n\n{PLACE}",
           ("sensors.latches: there is no hold",)),
)  # fmt: skip


@pytest.mark.parametrize("case", PORTS, ids=lambda case: case.name)
def test_a_port_that_cannot_be_is_refused_with_its_place(tmp_path: Path, case: Broken) -> None:
    with pytest.raises(InputError) as caught:
        load(write(tmp_path, case))
    for piece in case.says:
        assert piece in str(caught.value)
