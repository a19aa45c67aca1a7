"""Sensors asked tick after tick, by tests."""

import math

import numpy as np
from scipy.spatial.transform import Rotation
from tests.bus_rows import measured

from proxops.bus.bus import Bus, bus_of
from proxops.bus.truth import Truth
from proxops.core.jit import kernel
from proxops.onboard import schedule
from proxops.onboard.schedule import ScheduledSensor, nothing_done, scheduled
from proxops.sensors.camera import Camera
from proxops.sensors.encoders import Encoders
from proxops.sensors.gyro import Gyro
from proxops.sensors.sampling import Block, Memory
from proxops.sensors.sensor import Chaser, build
from proxops.sensors.shipped import SHIPPED
from proxops.sensors.star_tracker import StarTracker
from proxops.sensors.telemetry import Telemetry
from proxops.sensors.wrist import Wrist

JOINTS = 2
THRUSTERS = 2
CHASER = Chaser(JOINTS, THRUSTERS)
PUSH = 10.0  # [N]
PUSHED = 300.0  # by its first thruster so far [N s]
TICK = 1_000_000  # [ns]
NS_PER_S = 1e9
SEEN = measured(JOINTS, THRUSTERS)
IDEAL = {
    "star_tracker": StarTracker(),
    "gyro": Gyro(),
    "camera": Camera(),
    "wrist": Wrist(),
    "encoders": Encoders(),
    "telemetry": Telemetry(),
}


def truth_at(now, *, w=(0.0, 0.0, 0.0), p_CT=(0.0, 0.0, 5.0), wrench=0.0, q=0.0, qd=0.0, late=0.0):
    """The chaser at the origin, turning evenly from the identity, the target at rest beside it; its
    commands are late by that [s], and its thrusters push with 10 and 11 N, and have given 300 and
    301 N s."""
    angle = np.linalg.norm(w) * now / NS_PER_S
    axis = np.array(w) / (np.linalg.norm(w) or 1.0)
    return Truth(
        clock=np.array([now, 0], dtype=np.int64),
        draw=np.zeros(1, dtype=np.int64),
        p_OC=np.zeros(3),
        q_NC=np.array([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * axis)]),
        v_OC=np.zeros(3),
        w_NC_C=np.array(w, dtype=float),
        p_OT=np.array(p_CT, dtype=float),
        q_NT=np.array([1.0, 0.0, 0.0, 0.0]),
        v_OT=np.zeros(3),
        w_NT_T=np.zeros(3),
        q=np.full(JOINTS, q),
        qd=np.full(JOINTS, qd),
        wrench=np.broadcast_to(np.asarray(wrench, dtype=float), 6).copy(),
        lateness=np.array([late], dtype=float),
        thrust=PUSH + np.arange(THRUSTERS),
        impulse=PUSHED + np.arange(THRUSTERS),
        p_OCcm=np.zeros(3),
        v_OCcm=np.zeros(3),
        p_OTcm=np.array(p_CT, dtype=float),
        v_OTcm=np.zeros(3),
        R_NO=np.zeros(3),
        sun_N=np.zeros(3),
        attractor_radius=np.zeros(1),
        ready=np.zeros(0),
        closed=np.zeros(0),
    )


# --- random numbers: in a row of these tests, whether samples are lost, then each sensor's own ----

OWN: dict[str, np.ndarray] = {}  # columns of each sensor's own numbers
WIDTH = len(SHIPPED)
for each in SHIPPED:
    OWN[each.name] = np.arange(WIDTH, WIDTH + each.draws(CHASER))
    WIDTH += each.draws(CHASER)
LOST = {each.name: column for column, each in enumerate(SHIPPED)}


def rows_of(ticks, seed=0):
    """The start's row of random numbers, then one for each call."""
    return np.random.default_rng(seed).standard_normal((ticks + 1, WIDTH))


# --- sensors in their schedule -------------------------------------------------------------------


def made(given, rows, tick=TICK):
    """Parameters and memory of each sensor, in their order; what is not given is ideal."""
    described = IDEAL | given
    return [
        build(
            each,
            described[each.name],
            CHASER,
            tick,
            rows[0, OWN[each.name]],
            np.ascontiguousarray(rows[1:, [LOST[each.name], *OWN[each.name]]]),
        )
        for each in SHIPPED
    ]


@kernel
def ask(scheduled, progress, drawn, now):
    """Lets all sensors measure."""
    schedule.sample(scheduled, progress, drawn, now)


class Sensing:
    """Sensors that are shown the truth of a test, in the schedule of a chaser."""

    def __init__(self, sensors):
        self.bus: Bus = bus_of([each for each in SEEN.layout if each.name != "t"], (), (), ())
        self.seen = self.bus.measurements.array
        self.sensors = sensors
        self._truth, self._progress = truth_at(0), nothing_done()
        ready = [
            ScheduledSensor(
                each.name, each.sample, params, memory, Block(self.seen[SEEN.block(each.block)])
            )
            for each, (params, memory) in zip(SHIPPED, sensors, strict=True)
        ]
        self._scheduled = scheduled([], len(ready), self.bus, np.zeros((0, 3), dtype=np.int64))
        self._scheduled.link(ready, self._truth, [], self.bus)

    def look(self, truth):
        """What they have said by the instant of that truth."""
        for own, given in zip(self._truth, truth, strict=True):
            if own is not self._truth.draw:
                own[:] = given
        now = int(truth.clock[0])
        self.seen[SEEN["t"]] = now / NS_PER_S
        ask(self._scheduled.schedule, self._progress, self._truth.draw, now)
        return self.seen

    def copied(self):
        """Sensors that go on from here by themselves."""
        snapshot = [
            (params, Memory(*(array.copy() for array in memory))) for params, memory in self.sensors
        ]
        copy = Sensing(snapshot)
        copy.seen[:] = self.seen
        copy._truth.draw[:], copy._progress[:] = self._truth.draw, self._progress
        return copy


def watched(given, ticks, truth=truth_at, tick=TICK, rows=None):
    """What is seen at 0, 1, ... ticks, a row each."""
    rows = rows_of(ticks) if rows is None else rows
    sensing = Sensing(made(given, rows, tick))
    return np.array([sensing.look(truth(k * tick)).copy() for k in range(ticks)])


def turn_between(q, r):
    """Rotation vectors [rad] from attitudes q to attitudes r, (n, 4) or (4,)."""
    first, second = (Rotation.from_quat(each, scalar_first=True) for each in (q, r))
    return (first.inv() * second).as_rotvec()
