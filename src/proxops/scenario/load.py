"""Scenarios: read from a shipped name, a file or a recording, checked as a whole."""

import dataclasses
import marshal
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from proxops.core.errors import InputError
from proxops.core.extensions import NO_EXTENSIONS, Extensions
from proxops.scenario.case import Case, Point, checked_point, integer_seed, stored_case
from proxops.scenario.checked import checked_mission
from proxops.scenario.craft_urdf import with_urdf
from proxops.scenario.dispersion import draw
from proxops.scenario.files import Reader, find_mesh, hash_mesh, read_from, shipped_missions
from proxops.scenario.keys import put_all
from proxops.scenario.problems import raise_problems, shown
from proxops.scenario.schema import Mission
from proxops.scenario.schema.shape import Mesh
from proxops.scenario.source import read_source


@dataclass(frozen=True, repr=False)
class Scenario:
    """A checked mission with every text that it refers to: nothing else is needed to run it.

    `mission` has its sections as in the file; what is in the file's units has them in its name.

    >>> scenario = proxops.load("free-tumble")
    >>> scenario.mission.target.mass_kg  # the hub alone, without arms and appendages
    8200.0
    """

    name: str
    mission: Mission
    # URDF and CSV texts, and the hashes of meshes, by the string that the mission has for each
    files: Mapping[str, str]
    folder: Path = field(default=Path("."), compare=False)  # of relative paths
    case: Case | None = None  # of a dispersed one
    extensions: Extensions = field(default=NO_EXTENSIONS, compare=False)

    def __repr__(self) -> str:
        case = f", case {self.case.seed}" if self.case else ""
        seconds = f"{self.mission.time.duration_s:g} s"
        return f"Scenario({self.name!r}{case}, {seconds}: {self.mission.title})"

    def _repr_html_(self) -> str:
        from proxops.report.notebook import scenario_html

        return scenario_html(self)

    @property
    def believed(self) -> "Scenario":
        """What on-board software knows: the scenario before it was dispersed, if it was."""
        return self.case.believed if self.case else self

    def dispersed(
        self, seed: int, point: Point | None = None, *, noise_seed: int | None = None
    ) -> "Scenario":
        """The case of that seed: true values drawn by `[dispersions]`, all noise by the seed.

        A case has no dispersions left; they stay in what is believed.  `point` gives numbers from
        0 to 1 for each dispersion that varies, in place of the seed's: a design of a campaign does.
        `noise_seed` is that of all noise, if it is not `seed`.

        >>> case = proxops.load("envisat-capture").dispersed(17)
        >>> case.mission.seed, case.believed.mission.seed
        (17, 0)
        """
        seed, believed = integer_seed(seed), self.believed
        noise = seed if noise_seed is None else integer_seed(noise_seed)
        at = None if point is None else checked_point(point)
        drawn = draw(believed.mission, seed, at, believed.document())
        changes = {each.key: each.value for each in drawn.values()}
        changes |= {"seed": noise, "dispersions": None}
        truth = believed._changed(changes, f"{self.name}, case {seed}")
        case = Case(seed, believed, drawn, at, noise_seed)
        return dataclasses.replace(truth, case=case)

    def replace(self, changes: Mapping[str, Any]) -> "Scenario":
        """The scenario with other values at dotted keys, checked like a file.

        None takes a key away; a new table may be added as a whole.  Of a dispersed case, what is
        believed is changed, and the same case drawn from it.

        >>> heavier = proxops.load("free-tumble").replace({"target.mass_kg": 9000.0})
        >>> heavier.mission.target.mass_kg
        9000.0
        """
        changed = self.believed._changed(changes, self.name)
        if self.case is None:
            return changed
        seed, point, noise = self.case.seed, self.case.point, self.case.noise_seed
        return changed.dispersed(seed, point, noise_seed=noise)

    def _changed(self, changes: Mapping[str, Any], where: str) -> "Scenario":
        document = self.document()
        raise_problems(where, put_all(document, changes))

        drawn = self._meshes()

        def read(reader: Reader, name: str) -> str:
            if reader is find_mesh and name in drawn:
                return name  # its file may be gone: a stored run is to be changed all the same
            return self.files[name] if name in self.files else reader(name, self.folder)

        changed = _checked(self.name, where, document, read, self.folder)
        return changed.extended(self.extensions)

    def document(self) -> dict[str, Any]:
        """The mission as plain data, of which the caller may change what it likes."""
        return dict(marshal.loads(self._dumped))

    @cached_property
    def _dumped(self) -> bytes:
        """Its bytes: they are read faster than made from the mission."""
        return marshal.dumps(self.mission.model_dump(mode="json", exclude_none=True))

    @cached_property
    def content(self) -> tuple[bytes, tuple[tuple[str, str], ...]]:
        """Equal for scenarios with the same mission and the same files, whatever they are called
        and whichever cases they are."""
        return self._dumped, tuple(self.files.items())

    def _meshes(self) -> set[str]:
        """Paths of the meshes."""
        crafts = (self.mission.chaser, self.mission.target)
        shapes = [shape for craft in crafts for shape in craft.shapes.values()]
        return {shape.file for shape in shapes if isinstance(shape, Mesh)}

    def extended(self, extensions: Extensions) -> "Scenario":
        """The scenario with a user's own sensors, functions and contact laws at hand."""
        extended = dataclasses.replace(self, extensions=extensions)
        if self.case is None:
            return extended
        believed = self.case.believed.extended(extensions)
        return dataclasses.replace(extended, case=dataclasses.replace(self.case, believed=believed))

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `from_dict` turns into the same scenario, bit by bit."""
        data = {
            "name": self.name,
            "mission": self.document(),
            "files": dict(self.files),
        }
        if self.extensions.sources:
            data["extensions"] = dict(self.extensions.sources)  # for people: no code is stored
        if self.case is None:
            return data
        return data | {"case": self.case.to_dict()}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> "Scenario":
        """The scenario that `to_dict` wrote."""
        if not isinstance(data, Mapping):
            raise InputError(f"stored scenario: must be a table, found {shown(data)}")
        name, mission, files = (data.get(key) for key in ("name", "mission", "files"))
        if not (isinstance(name, str) and isinstance(mission, dict) and isinstance(files, dict)):
            raise InputError("stored scenario: must have a name, a mission and files")

        def read(reader: Reader, key: str) -> str:
            if reader is find_mesh:
                return key
            if reader is hash_mesh:  # older recordings have none: no file is that of the run
                return str(files.get(key, ""))
            if not isinstance(files.get(key), str):
                raise InputError("its text is not stored with the scenario")
            return str(files[key])

        def checked(document: dict[str, Any]) -> Scenario:
            return _checked(name, f"stored scenario {name!r}", document, read, Path("."))

        case = data.get("case")
        if case is None:
            return checked(mission)
        fields, believed = stored_case(case)
        return dataclasses.replace(
            checked(mission), case=Case(believed=checked(believed), **fields)
        )


def shipped() -> dict[str, str]:
    """Titles of the shipped missions, by name."""
    return {
        name: str(tomllib.loads(item.read_text("utf-8"))["title"])
        for name, item in shipped_missions().items()
    }


def load(name_or_path: str | os.PathLike[str]) -> Scenario:
    """A shipped scenario, or one from a file."""
    source = read_source(os.fspath(name_or_path))

    def read(reader: Reader, name: str) -> str:
        return read_from(reader, name, source.folders)

    document = with_urdf(source.where, source.document, read)
    return _checked(source.name, source.where, document, read, source.folders[0])


def parse_set(text: str, option: str = "--set") -> tuple[str, Any]:
    """Key and value of `key=value`; the value is TOML, a bare word is a string."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not (key and equals and value):
        raise InputError(f"{option} {shown(text)}: must be key=value")
    try:
        parsed = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError) as error:
        if value[0] in "[{\"'":
            raise InputError(
                f"{option} {key}: {shown(value)} is not a TOML value: {error}"
            ) from None
        return key, value
    if list(parsed) != ["value"]:
        raise InputError(f"{option} {key}: {shown(value)} is more than one value")
    return key, parsed["value"]


def _checked(
    name: str,
    where: str,
    document: Mapping[str, Any],
    read: Callable[[Reader, str], str],
    folder: Path,
) -> Scenario:
    """The scenario in a document, or one error with everything that is wrong with it."""
    mission, files = checked_mission(where, document, read)
    return Scenario(name, mission, files, folder)
