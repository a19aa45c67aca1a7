"""Packets of ArduPilot's external simulators, byte by byte."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.links.properties import calmly

from proxops.links.errors import LocalProtocolError, RemoteProtocolError
from proxops.links.json_physics import (
    LockStep,
    MotorCommands,
    PhysicsState,
    motor_commands_packet,
    read_motor_commands,
    state_line,
)

REST = PhysicsState(
    time_s=2500.0,
    gyro=(0.0, 0.0, 0.0),
    accelerometer=(0.0, 0.0, -9.81),
    position=(1.0, -2.0, -3.5),
    attitude=(1.0, 0.0, 0.0, 0.0),
    velocity=(0.25, 0.0, 1e-7),
)
# 18458 = 0x481a, 400 = 0x0190, frame 7; 16 times 1500 = 0x05dc
GOLDEN_16 = bytes.fromhex("1a48900107000000" + "dc05" * 16)
# 29569 = 0x7381, 1200 = 0x04b0, frame 2^32 - 1; 32 times 1000 = 0x03e8
GOLDEN_32 = bytes.fromhex("8173b004ffffffff" + "e803" * 32)


@pytest.mark.parametrize(
    ("packet", "commands"),
    [
        (GOLDEN_16, MotorCommands(400, 7, (1500,) * 16)),
        (GOLDEN_32, MotorCommands(1200, 2**32 - 1, (1000,) * 32)),
    ],
)
def test_motor_commands(packet, commands):
    assert read_motor_commands(packet) == commands
    assert motor_commands_packet(commands) == packet


def test_the_state_is_one_line_as_the_firmware_reads_it():
    assert state_line(REST) == (
        b'\n{"timestamp":2500.0,"imu":{"gyro":[0.0,0.0,0.0],"accel_body":[0.0,0.0,-9.81]},'
        b'"position":[1.0,-2.0,-3.5],"quaternion":[1.0,0.0,0.0,0.0],"velocity":[0.25,0.0,1e-07]}\n'
    )
    assert json.loads(state_line(REST))["velocity"] == [0.25, 0.0, 1e-7]


def test_a_remote_control_stands_behind_the_state():
    assert state_line(replace(REST, remote_us=(1500, 1000))).endswith(
        b'1e-07],"rc":{"rc_1":1500,"rc_2":1000}}\n'
    )


def test_values_stand_two_characters_behind_their_keys():
    # the firmware finds a key by its text, skips `":` and reads the number or bracket there
    line = state_line(REST).decode()
    for key in ("timestamp", "gyro", "accel_body", "position", "quaternion", "velocity"):
        value = line[line.index(key) + len(key) + 2]
        assert value in "[-0123456789"
        assert line.count(f'"{key}"') == 1


@pytest.mark.parametrize(
    ("packet", "word"),
    [
        (b"", "0 bytes"),
        (GOLDEN_16[:-1], "39 bytes: magic 18458 has 40"),
        (GOLDEN_16 + b"\0", "41 bytes"),
        (b"\x1b\x48" + GOLDEN_16[2:], "magic number 18459"),
        (GOLDEN_16[:2] + b"\0\0" + GOLDEN_16[4:], "0 steps a second"),
    ],
)
def test_what_is_no_packet_is_said(packet, word):
    with pytest.raises(RemoteProtocolError, match=word):
        read_motor_commands(packet)


@calmly
@given(st.binary(max_size=100))
def test_garbage_never_crashes(packet):
    try:
        read_motor_commands(packet)
    except RemoteProtocolError:
        return
    assert len(packet) in (40, 72)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_no_number_that_is_none_is_sent(number):
    with pytest.raises(LocalProtocolError, match="not finite"):
        state_line(replace(REST, gyro=(0.0, number, 0.0)))


def test_pulse_widths_are_16_or_32():
    with pytest.raises(LocalProtocolError, match="16 or 32"):
        motor_commands_packet(MotorCommands(400, 0, (1500,) * 8))


def test_a_frame_number_steps_asks_again_or_restarts():
    session = LockStep()
    frames = (0, 1, 1, 2, 0, 1)
    done = [session.advance(MotorCommands(400, frame, (1500,) * 16)) for frame in frames]
    assert done == ["restart", "step", "again", "step", "restart", "step"]
