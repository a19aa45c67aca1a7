"""What sensors say, what functions estimate and what is commanded, by name: nothing is copied."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from proxops.bus.fields import Field, Fields
from proxops.core.by_address import named_tuple
from proxops.core.text import nearest


class Group:
    """Fields whose names begin alike: arrays are views, numbers are floats."""

    def __init__(self, name: str, fields: dict[str, tuple[Field, np.ndarray]]) -> None:
        self._name = name
        self._numbers = {key: array for key, (each, array) in fields.items() if not each.shape}
        for key, (each, array) in fields.items():
            if each.shape:
                setattr(self, key, array)

    def __getattr__(self, key: str) -> float:
        numbers = self.__dict__.get("_numbers", {})
        if key in numbers:
            return float(numbers[key][0])
        known = [each for each in (*vars(self), *numbers) if not each.startswith("_")]
        raise AttributeError(f"{self._name} has no {key!r}{nearest(key, known)}")

    def __setattr__(self, key: str, value: Any) -> None:
        if key in self.__dict__.get("_numbers", {}):
            raise AttributeError(f"{self._name}.{key} cannot be written by others")
        super().__setattr__(key, value)

    def __repr__(self) -> str:
        numbers = {key: float(array[0]) for key, array in self._numbers.items()}
        return _shown(self._name, numbers | _public(self))


class OwnGroup(Group):
    """Fields that may be written: numbers by assignment, arrays as well."""

    def __init__(self, name: str, fields: dict[str, tuple[Field, np.ndarray]]) -> None:
        super().__init__(name, fields)
        self.__dict__["_arrays"] = {key: array for key, (_, array) in fields.items()}

    def __setattr__(self, key: str, value: Any) -> None:
        arrays = self.__dict__.get("_arrays")
        if arrays is None or key.startswith("_"):
            super().__setattr__(key, value)
        elif key in arrays:
            arrays[key][:] = value
        else:
            raise AttributeError(f"{self._name} has no {key!r}{nearest(key, arrays)}")


class Sample(Group):
    """The latest sample of a sensor."""

    @property
    def t(self) -> float:
        """When it was taken [s]; it may have arrived later."""
        return float(self._numbers["t"][0])

    @property
    def count(self) -> int:
        """How many have arrived; zero: this one says nothing."""
        return int(self._numbers["count"][0])


class Measurements:
    """What sensors say: `measurements.gyro.w`, `measurements.camera.p`, and so on for each.

    Every sensor also has `t`, when the sample was taken [s], and `count`, how many have arrived;
    `q`, `qd` and `wheels` are the joints' and wheels' encoders.  `docs/extending.md` has a table of
    all fields with units and frames; a name that there is not is an error with the nearest.

    >>> def control(self, measurements, commands):
    ...     if measurements.gyro.count:  # nothing has arrived before
    ...         w = measurements.gyro.w  # inertial rate of the chaser, in C [rad/s]
    ...         commands.torque = [-10.0 * each for each in w]  # N m
    """

    star: Any
    gyro: Any
    camera: Any
    wrist: Any
    encoders: Any
    telemetry: Any

    def __init__(self, fields: Fields, of_arms: int) -> None:
        read = Fields(fields.layout, fields.array.view())
        read.array.flags.writeable = False
        self._t = read["t"]
        for name, members in _grouped(read).items():
            setattr(self, name, Sample(f"measurements.{name}", members))
        wrench = self.wrist.wrench
        self.wrist.force, self.wrist.torque = wrench[:3], wrench[3:]  # on the effector, at E in E
        self.q = self.encoders.q[:of_arms]  # [rad or m]
        self.qd = self.encoders.qd[:of_arms]  # [rad/s or m/s]
        self.wheels = self.encoders.qd[of_arms:]  # their rates [rad/s]

    @property
    def t(self) -> float:
        """Now [s]."""
        return float(self._t[0])

    def __repr__(self) -> str:
        sensors = {name: each for name, each in _public(self).items() if isinstance(each, Sample)}
        counts = {name: f"{each.count} samples" for name, each in sensors.items()}
        return _shown("measurements", {"t": self.t} | counts)

    def __getattr__(self, key: str) -> Any:
        known = [each for each in vars(self) if not each.startswith("_")]
        raise AttributeError(f"no sensor is called {key!r}{nearest(key, known)}")


class Estimates:
    """What functions on board make for each other, by function and field; a function may write its
    own.

    >>> def run(self, measurements, estimates, commands):
    ...     p = estimates.navigation.p_CG  # grapple frame from the chaser's hub, in C [m]
    """

    def __init__(self, fields: Fields, own: str) -> None:
        mine = [each.name for each in fields.layout if each.name.startswith(f"{own}.")]
        for name, members in _grouped(fields.only(mine)).items():
            kind = OwnGroup if name == own else Group
            self.__dict__[name] = kind(f"estimates.{name}", members)
        self.__dict__["_own"] = own

    def __setattr__(self, key: str, value: Any) -> None:
        own = self.__dict__["_own"]
        raise AttributeError(f"estimates.{key} cannot be written: estimates.{own}.{key}, if any")

    def __repr__(self) -> str:
        return f"estimates({', '.join(_public(self))})"

    def __getattr__(self, key: str) -> Any:
        raise AttributeError(
            f"no function makes estimates called {key!r}"
            f"{nearest(key, [each for each in vars(self) if each != '_own'])}"
        )


class Holds:
    """Commands of the holds, by their names."""

    def __init__(self, array: np.ndarray, names: tuple[str, ...]) -> None:
        self._array, self._names = array, names

    def __getitem__(self, name: str) -> bool:
        return bool(self._array[self._where(name)])

    def __setitem__(self, name: str, closed: bool) -> None:
        self._array[self._where(name)] = 1.0 if closed else 0.0

    def __repr__(self) -> str:
        return repr({name: self[name] for name in self._names})

    def _where(self, name: str) -> int:
        if name not in self._names:
            raise KeyError(f"no hold is called {name!r}{nearest(name, self._names)}")
        return self._names.index(name)


class Commands:
    """What is commanded; whatever is left alone stays as it was in the last cycle.

    >>> def control(self, measurements, commands):
    ...     commands.force = [0.0, 2.0, 0.0]  # N on the base, at Co in C
    ...     commands.joints = -5.0 * measurements.qd  # N m or N, motors of all arms
    ...     commands.holds["grip"] = True  # by their names; `hold` commands all
    ...     commands.mode = 1  # of the controller's own `modes`
    """

    __slots__ = ("_all_holds", "_force", "_joints", "_mode", "_torque", "holds", "misfit")

    def __init__(self, commands: Fields, mode: np.ndarray) -> None:
        self._force, self._torque = commands["base.force"], commands["base.torque"]
        self._joints, self._all_holds = commands["joints"], commands["holds"]
        self._mode = mode
        names = next(each.parts for each in commands.layout if each.name == "holds")
        self.holds = Holds(self._all_holds, names)
        self.misfit = ""  # what could not be taken over, for its size

    def __repr__(self) -> str:
        names = ("force", "torque", "joints", "holds", "mode")
        return _shown("commands", {name: getattr(self, name) for name in names})

    def __setattr__(self, key: str, value: Any) -> None:
        if not hasattr(type(self), key):
            known = [each for each in dir(type(self)) if not each.startswith("_")]
            known.remove("misfit")
            raise AttributeError(f"commands has no {key!r}{nearest(key, known)}")
        super().__setattr__(key, value)

    @property
    def force(self) -> np.ndarray:
        """On the base, at Co in C [N]."""
        return self._force

    @force.setter
    def force(self, value: ArrayLike) -> None:
        self._put("force", self._force, value)

    @property
    def torque(self) -> np.ndarray:
        """On the base, in C [N m]."""
        return self._torque

    @torque.setter
    def torque(self, value: ArrayLike) -> None:
        self._put("torque", self._torque, value)

    @property
    def joints(self) -> np.ndarray:
        """Of every joint of the arms, in the order of `Briefing.joints` [N m or N]."""
        return self._joints

    @joints.setter
    def joints(self, value: ArrayLike) -> None:
        self._put("joints", self._joints, value)

    @property
    def hold(self) -> bool:
        """Whether all commanded holds shall be closed; `holds` has them one by one."""
        return bool(self._all_holds.size) and bool(self._all_holds.all())

    @hold.setter
    def hold(self, value: bool) -> None:
        self._all_holds[:] = 1.0 if value else 0.0

    @property
    def mode(self) -> int:
        """A number of the controller's own; its changes are events."""
        return int(self._mode[0])

    @mode.setter
    def mode(self, value: int) -> None:
        self._mode[0] = value

    def _put(self, name: str, place: np.ndarray, value: ArrayLike) -> None:
        given = np.asarray(value, dtype=float)
        if given.shape in ((), place.shape):
            place[:] = given
        else:
            self.misfit = f"{name}: shape {given.shape}, where {place.shape} was expected"


def _public(views: object) -> dict[str, Any]:
    """Names that users have, and what they stand for."""
    return {name: each for name, each in vars(views).items() if not name.startswith("_")}


def _shown(name: str, values: dict[str, Any]) -> str:
    """name(key = value, ...): short, with numbers to four digits."""

    def text(value: Any) -> str:
        if isinstance(value, np.ndarray):
            return np.array2string(value, precision=4, separator=", ", threshold=12)
        return f"{value:.6g}" if isinstance(value, float) else str(value)

    return f"{name}({', '.join(f'{key} = {text(value)}' for key, value in values.items())})"


def _grouped(fields: Fields) -> dict[str, dict[str, tuple[Field, np.ndarray]]]:
    """Fields and their views by group and name."""
    groups: dict[str, dict[str, tuple[Field, np.ndarray]]] = {}
    for each in fields.layout:
        group, dot, name = each.name.partition(".")
        if dot:
            groups.setdefault(group, {})[name.replace(".", "_")] = each, fields[each.name]
    return groups


# --- for compiled functions: named tuples of the same names; a number is an array of one --------


def compiled_measurements(fields: Fields, of_arms: int) -> Any:
    """As `Measurements`: measurements.gyro.w[0], measurements.t[0]."""
    groups = {name: _tuple(name, members) for name, members in _grouped(fields).items()}
    encoders = fields["encoders.q"], fields["encoders.qd"]
    rest = {
        "t": fields["t"],
        "q": encoders[0][:of_arms],
        "qd": encoders[1][:of_arms],
        "wheels": encoders[1][of_arms:],
    }
    return named_tuple("Measurements", {**rest, **groups})


def compiled_estimates(fields: Fields) -> Any:
    """As `Estimates`: estimates.navigation.p_CG[0]."""
    groups = {name: _tuple(name, members) for name, members in _grouped(fields).items()}
    return named_tuple("Estimates", groups or {"none": np.zeros(0)})


def compiled_commands(commands: Fields, mode: np.ndarray) -> Any:
    """As `Commands`: commands.force[0], commands.hold (all holds), commands.hold_<name>[0] (one of
    them), commands.mode[0]."""
    views = {
        "force": commands["base.force"],
        "torque": commands["base.torque"],
        "joints": commands["joints"],
        "hold": commands["holds"],
        "mode": mode,
    }
    holds = next(each for each in commands.layout if each.name == "holds")
    views |= {f"hold_{part}": commands[f"holds.{part}"] for part in holds.parts}
    return named_tuple("Commands", views)


def _tuple(name: str, members: dict[str, tuple[Field, np.ndarray]]) -> Any:
    views = {key: array for key, (_, array) in members.items()}
    if name == "wrist":
        wrench = views["wrench"]
        views |= {"force": wrench[:3], "torque": wrench[3:]}
    return named_tuple(name.capitalize(), views)
