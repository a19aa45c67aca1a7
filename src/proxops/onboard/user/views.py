"""What sensors say and what is asked, by name: views of the flat arrays, nothing is copied."""

import numpy as np
from numpy.typing import ArrayLike

from proxops.bus import commands as to
from proxops.bus import measurements as at


class Sample:
    """The latest sample of a sensor."""

    __slots__ = ("_block",)

    def __init__(self, measurements: np.ndarray, start: int) -> None:
        self._block = measurements[start:]

    @property
    def t(self) -> float:
        """When it was taken [s]; it may have arrived later."""
        return float(self._block[0])

    @property
    def count(self) -> int:
        """How many have arrived; zero: this one says nothing."""
        return int(self._block[at.COUNT_AFTER_T])


class Attitude(Sample):
    """Of the star tracker."""

    __slots__ = ("q",)

    def __init__(self, measurements: np.ndarray) -> None:
        super().__init__(measurements, at.STAR_T)
        self.q = measurements[at.STAR_Q : at.STAR_Q + 4]  # q_NC


class Rate(Sample):
    """Of the gyro."""

    __slots__ = ("w",)

    def __init__(self, measurements: np.ndarray) -> None:
        super().__init__(measurements, at.GYRO_T)
        self.w = measurements[at.GYRO_W : at.GYRO_W + 3]  # w_NC_C [rad/s]


class Picture(Sample):
    """Of the camera."""

    __slots__ = ("p", "q")

    def __init__(self, measurements: np.ndarray) -> None:
        super().__init__(measurements, at.CAMERA_T)
        self.p = measurements[at.CAMERA_P : at.CAMERA_P + 3]  # p_KG [m]
        self.q = measurements[at.CAMERA_Q : at.CAMERA_Q + 4]  # q_KG


class Wrench(Sample):
    """Of the wrist's force sensor."""

    __slots__ = ("force", "torque")

    def __init__(self, measurements: np.ndarray) -> None:
        super().__init__(measurements, at.FORCE_T)
        self.force = measurements[at.FORCE : at.FORCE + 3]  # on the end effector, at E in E [N]
        self.torque = measurements[at.FORCE + 3 : at.FORCE + 6]  # [N m]


class Report(Sample):
    """Of the actuators."""

    __slots__ = ("thrust",)

    def __init__(self, measurements: np.ndarray, start: int) -> None:
        super().__init__(measurements, start)
        self.thrust = self._block[at.THRUST :]  # of each thruster [N]

    @property
    def lateness(self) -> float:
        """Of the commands that were carried out then [s]."""
        return float(self._block[at.LATENESS])


class Measurements:
    """What sensors say."""

    __slots__ = (
        "array",
        "camera",
        "encoders",
        "gyro",
        "q",
        "qd",
        "star",
        "telemetry",
        "wheels",
        "wrist",
    )

    def __init__(self, array: np.ndarray, joints: int, of_arms: int) -> None:
        measurements = array.view()
        measurements.flags.writeable = False
        rates = at.ENCODERS + joints
        self.array = measurements  # see bus.measurements
        self.star, self.gyro, self.camera = (
            Attitude(measurements),
            Rate(measurements),
            Picture(measurements),
        )
        self.wrist, self.encoders = Wrench(measurements), Sample(measurements, at.ENCODERS_T)
        self.q = measurements[at.ENCODERS : at.ENCODERS + of_arms]  # [rad or m]
        self.qd = measurements[rates : rates + of_arms]  # [rad/s or m/s]
        self.wheels = measurements[rates + of_arms : rates + joints]  # their rates [rad/s]
        self.telemetry = Report(measurements, at.telemetry(joints))

    @property
    def t(self) -> float:
        """Now [s]."""
        return float(self.array[at.T])


class Commands:
    """What is asked; whatever is left alone stays as it was in the last turn."""

    __slots__ = ("array", "misfit")

    def __init__(self, array: np.ndarray) -> None:
        self.array = array  # see bus.commands
        self.misfit = ""  # what could not be taken over, for its size

    @property
    def force(self) -> np.ndarray:
        """On the base, at Co in C [N]."""
        return self.array[to.FORCE : to.FORCE + 3]

    @force.setter
    def force(self, value: ArrayLike) -> None:
        self._put("force", self.force, value)

    @property
    def torque(self) -> np.ndarray:
        """On the base, in C [N m]."""
        return self.array[to.TORQUE : to.TORQUE + 3]

    @torque.setter
    def torque(self, value: ArrayLike) -> None:
        self._put("torque", self.torque, value)

    @property
    def joints(self) -> np.ndarray:
        """Of every joint of the arms, in the order of `Briefing.joints` [N m or N]."""
        return self.array[to.JOINTS :]

    @joints.setter
    def joints(self, value: ArrayLike) -> None:
        self._put("joints", self.joints, value)

    @property
    def hold(self) -> bool:
        """Whether commanded holds shall be closed."""
        return bool(self.array[to.HOLD])

    @hold.setter
    def hold(self, value: bool) -> None:
        self.array[to.HOLD] = 1.0 if value else 0.0

    @property
    def mode(self) -> int:
        """A number of the controller's own; its changes are events."""
        return int(self.array[to.MODE])

    @mode.setter
    def mode(self, value: int) -> None:
        self.array[to.MODE] = value

    def _put(self, name: str, place: np.ndarray, value: ArrayLike) -> None:
        given = np.asarray(value, dtype=float)
        if given.shape in ((), place.shape):
            place[:] = given
        else:
            self.misfit = f"{name}: shape {given.shape}, where {place.shape} was expected"
