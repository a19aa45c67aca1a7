"""Both vehicles without their autopilots: rotors, bodies, wake, floor and sensors, for firmware in
the loop.

    pulses ─► thrusts commanded ─► air, rotors, bodies, floor ─► IMU, motion capture

A pulse of 1000 µs, or less, commands no thrust, one of 2000 µs the largest, linear between them:
the firmware is to be configured without a thrust curve (MOT_THST_EXPO 0), see examples/arena.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.by_address import pinned
from proxops.core.jit import kernel
from proxops.core.random_rows import FACILITY, RandomRows, generator
from proxops.core.spatial.quaternion import get4, put4, quat_normalised
from proxops.core.spatial.vector import get3, put3
from proxops.facility.arena import memory as of
from proxops.facility.arena.carry import blow, body_of
from proxops.facility.arena.sensing import capture_pose, imu_of
from proxops.facility.arena.vehicle import CYCLE, GRAVITY, Arena, Flight, flight
from proxops.facility.common.rows import PAIR
from proxops.links.json_physics import PhysicsState
from proxops.links.mavlink.frames import flip_attitude, flip_vector
from proxops.links.pose_datagram import CapturedPose
from proxops.physics.multirotor.body import Q, T, V
from proxops.physics.multirotor.floor import Floor, Standing, floor, standing_rates, standing_step

LOWEST_US, HIGHEST_US = 1000, 2000  # pulses of no thrust and of the largest
COARSEST = 1.0 / 800.0  # longest step of the motion [s]
# Of a pilot's remote control, whose loss lands a vehicle: sticks centred, throttle down
REMOTE_US = (1500, 1500, 1000, 1500, 1500, 1500, 1500, 1500)
STORE = 4096  # rows of random numbers


class Served(NamedTuple):
    """For the kernel."""

    arena: Arena
    floor: Floor
    flight: Flight
    draws: np.ndarray  # standard normal numbers (n, 2, 12)
    used: np.ndarray  # rows of them that are used up, one entry
    measured: np.ndarray  # specific force [m/s2] and rate [rad/s] in V (2, 6)
    captured: np.ndarray  # pose as motion capture sees it (2, 7)


@kernel
def serve_step(served, h, steps):
    """Brings both vehicles on by so many steps of h [s], and measures them."""
    arena, flight = served.arena, served.flight
    for _ in range(steps):
        blow(arena, flight)
        for which in range(PAIR):
            y = flight.y[which]
            standing = Standing(body_of(arena, flight, which), served.floor)
            standing_step(standing, y, flight.stages, 0.0, h)
            put4(y, Q, quat_normalised(get4(y, Q)))
    row = served.draws[served.used[0]]
    served.used[0] += 1
    for which in range(PAIR):
        y, k = flight.y[which], flight.stages[0]
        standing_rates(Standing(body_of(arena, flight, which), served.floor), y, 0.0, k)
        force, rate = imu_of(get3(k, V), GRAVITY, y, arena.sensing, row[which])
        put3(served.measured[which], 0, force)
        put3(served.measured[which], 3, rate)
        capture_pose(y, arena.sensing, row[which], served.captured[which])


class ServedPhysics:
    """Both vehicles as a server of physics drives them: standing at first."""

    def __init__(self, arena: Arena, places: np.ndarray, yaws: np.ndarray, seed: int) -> None:
        """At those places on the floor (2, 3) [m], with those yaws (2,) [rad]."""
        self._arena, self._places, self._yaws = arena, places, yaws
        craft = arena.vehicle
        self._floor = floor(craft.mass, float(np.abs(craft.rotors).max()) / 2.0, GRAVITY)
        self._flight = flight(arena, places, yaws)
        self._drawn = RandomRows(STORE, (generator(seed, FACILITY), (PAIR, of.DRAWS)))
        self._measured, self._captured = np.zeros((PAIR, 6)), np.zeros((PAIR, 7))
        self._began_s = np.zeros(PAIR)
        self._late: list[CapturedPose] = []  # seen, but not yet handed out
        self._next_pose_s = arena.sensing.period * CYCLE
        self.time_s = 0.0
        for which in range(PAIR):
            self.restart(which)
        self._set_rate(round(1.0 / CYCLE))
        serve_step(self._given, 0.0, 0)  # compiled before anybody waits for a step

    @property
    def heights(self) -> tuple[float, ...]:
        """Of both vehicles above where they stand [m]."""
        return tuple(self._flight.y[:, 2].tolist())

    def restart(self, which: int) -> None:
        """Puts a vehicle back where it began, rotors at rest; its time begins anew."""
        new = flight(self._arena, self._places, self._yaws)
        self._flight.y[which] = new.y[which]
        self.stop(which)
        self._flight.y[which, T:] = 0.0
        self._began_s[which] = self.time_s

    def stop(self, which: int) -> None:
        """Commands no thrust."""
        self._flight.commands[which] = 0.0

    def command(self, which: int, pulse_us: tuple[int, ...]) -> None:
        """Commands thrusts by the pulses [µs] of the first six outputs."""
        rotors = self._flight.commands.shape[1]
        share = (np.array(pulse_us[:rotors]) - LOWEST_US) / (HIGHEST_US - LOWEST_US)
        self._flight.commands[which] = np.clip(share, 0.0, 1.0) * self._arena.vehicle.largest

    def advance(self, rate_hz: int) -> None:
        """Brings both on by one step of the firmware, in parts where it is long."""
        if rate_hz != self._rate_hz:
            self._set_rate(rate_hz)
        self._drawn.refill(1)
        steps = math.ceil(1.0 / (rate_hz * COARSEST))
        serve_step(self._given, 1.0 / (rate_hz * steps), steps)
        self.time_s += 1.0 / rate_hz
        self._capture()

    def state(self, which: int) -> PhysicsState:
        """What the firmware receives of a vehicle."""
        y, measured = self._flight.y[which].tolist(), self._measured[which].tolist()
        return PhysicsState(
            self.time_s - float(self._began_s[which]),
            flip_vector(tuple(measured[3:6])),
            flip_vector(tuple(measured[0:3])),
            flip_vector(tuple(y[0:3])),
            flip_attitude(tuple(y[6:10])),
            flip_vector(tuple(y[3:6])),
            REMOTE_US,
        )

    def poses(self) -> list[CapturedPose]:
        """What motion capture hands out since the last call."""
        due = self.time_s - self._arena.sensing.delay * CYCLE + 1e-9
        ready = [pose for pose in self._late if pose.time_s <= due]
        self._late = self._late[len(ready) :]
        return ready

    def _set_rate(self, rate_hz: int) -> None:
        """Vibration is white: a sample of another rate has as much of it in each hertz as one of
        400 Hz, so its variance goes with the rate."""
        sensing, finer = self._arena.sensing, math.sqrt(rate_hz * CYCLE)
        noisy = sensing._replace(
            vibration=finer * sensing.vibration, rate_noise=finer * sensing.rate_noise
        )
        self._rate_hz = rate_hz
        self._given = pinned(
            Served(
                self._arena._replace(sensing=noisy),
                self._floor,
                self._flight,
                self._drawn.rows,
                self._drawn.used,
                self._measured,
                self._captured,
            )
        )

    def _capture(self) -> None:
        """Takes a frame of the motion capture, where one is due; none once it is lost."""
        sensing = self._arena.sensing
        if self.time_s + 1e-9 < self._next_pose_s or self.time_s >= sensing.lost_at:
            return
        self._next_pose_s += sensing.period * CYCLE
        for which in range(PAIR):
            seen = self._captured[which].tolist()
            self._late.append(
                CapturedPose(which + 1, self.time_s, tuple(seen[0:3]), tuple(seen[3:7]))
            )
