"""Scenarios: read from a shipped name, a file or a recording, checked as a whole."""

import dataclasses
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from proxops.core.description import ArmDescription
from proxops.core.errors import InputError
from proxops.core.extensions import NO_EXTENSIONS, Extensions
from proxops.scenario.bounds import bound_problems
from proxops.scenario.dispersion import Case, dispersion_problems, draw, stored_case, whole_seed
from proxops.scenario.fault_injection import joint_problems
from proxops.scenario.files import (
    find_mesh,
    hash_mesh,
    read_arm,
    read_from,
    read_history,
    shipped_missions,
)
from proxops.scenario.fit import arm_problems, capture_problems, carrier_problems, control_problems
from proxops.scenario.history import parse_history
from proxops.scenario.keys import put
from proxops.scenario.problems import explain, raise_problems, shown
from proxops.scenario.schema import Arm, JointControl, Mission, Wrench
from proxops.scenario.schema.base import Problem, Section
from proxops.scenario.schema.capture import Capture
from proxops.scenario.schema.injected import StuckJoint
from proxops.scenario.schema.shape import ChaserMesh, Mesh, TargetMesh
from proxops.scenario.source import read_source
from proxops.scenario.urdf import parse_urdf

_Part = TypeVar("_Part", bound=Section)
_Reader = Callable[[str, Path], str]  # text (of a mesh: path, hash) of a name, from a folder


@dataclass(frozen=True)
class Scenario:
    """A checked mission with every text that it refers to: nothing else is needed to run it."""

    name: str
    mission: Mission
    # URDF and CSV texts, and the hashes of meshes, by the string that the mission has for each
    files: Mapping[str, str]
    folder: Path = field(default=Path("."), compare=False, repr=False)  # of relative paths
    case: Case | None = None  # of a dispersed one
    extensions: Extensions = field(default=NO_EXTENSIONS, compare=False, repr=False)

    @property
    def believed(self) -> "Scenario":
        """What on-board software knows: the scenario before it was dispersed, if it was."""
        return self.case.believed if self.case else self

    def dispersed(self, seed: int) -> "Scenario":
        """The case of that seed: true values drawn by `[dispersions]`, all noise by the seed.

        A case has no dispersions left; they stay in what is believed.
        """
        seed, believed = whole_seed(seed), self.believed
        drawn = draw(believed.mission, seed)
        changes = {each.key: each.value for each in drawn.values()}
        changes |= {"seed": seed, "dispersions": None}
        truth = believed._changed(changes, f"{self.name}, case {seed}")
        return dataclasses.replace(truth, case=Case(seed, believed, drawn))

    def replace(self, changes: Mapping[str, Any]) -> "Scenario":
        """The scenario with other values at dotted keys, checked like a file.

        None takes a key away; a new table may be added as a whole.  Of a dispersed case, what is
        believed is changed, and the same case drawn from it.
        """
        changed = self.believed._changed(changes, self.name)
        return changed.dispersed(self.case.seed) if self.case else changed

    def _changed(self, changes: Mapping[str, Any], where: str) -> "Scenario":
        document = self.mission.model_dump(mode="json", exclude_none=True)
        problems = [
            problem for key, value in changes.items() for problem in put(document, key, value)
        ]
        raise_problems(where, problems)

        drawn = self._meshes()

        def read(reader: _Reader, name: str) -> str:
            if reader is find_mesh and name in drawn:
                return name  # its file may be gone: a stored run is to be changed all the same
            return self.files[name] if name in self.files else reader(name, self.folder)

        changed = _checked(self.name, where, document, read, self.folder)
        return changed.extended(self.extensions)

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
            "mission": self.mission.model_dump(mode="json", exclude_none=True),
            "files": dict(self.files),
        }
        if self.extensions.sources:
            data["extensions"] = dict(self.extensions.sources)  # for people: no code is stored
        if self.case is None:
            return data
        believed = self.believed.to_dict()["mission"]
        drawn = self.case.plain_draws()
        return data | {"case": {"seed": self.case.seed, "drawn": drawn, "believed": believed}}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> "Scenario":
        """The scenario that `to_dict` wrote."""
        if not isinstance(data, Mapping):
            raise InputError(f"stored scenario: must be a table, found {shown(data)}")
        name, mission, files = (data.get(key) for key in ("name", "mission", "files"))
        if not (isinstance(name, str) and isinstance(mission, dict) and isinstance(files, dict)):
            raise InputError("stored scenario: must have a name, a mission and files")

        def read(reader: _Reader, key: str) -> str:
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
        seed, drawn, believed = stored_case(case)
        return dataclasses.replace(checked(mission), case=Case(seed, checked(believed), drawn))


def shipped() -> dict[str, str]:
    """Titles of the shipped missions, by name."""
    return {
        name: str(tomllib.loads(item.read_text("utf-8"))["title"])
        for name, item in shipped_missions().items()
    }


def load(name_or_path: str | os.PathLike[str]) -> Scenario:
    """A shipped scenario, or one from a file."""
    source = read_source(os.fspath(name_or_path))

    def read(reader: _Reader, name: str) -> str:
        return read_from(reader, name, source.folders)

    return _checked(source.name, source.where, source.document, read, source.folders[0])


def parse_set(text: str) -> tuple[str, Any]:
    """Key and value of `key=value`; the value is TOML, a bare word is a string."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not (key and equals and value):
        raise InputError(f"--set {shown(text)}: must be key=value")
    try:
        parsed = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError) as error:
        if value[0] in "[{\"'":
            raise InputError(f"--set {key}: {shown(value)} is not a TOML value: {error}") from None
        return key, value
    if list(parsed) != ["value"]:
        raise InputError(f"--set {key}: {shown(value)} is more than one value")
    return key, parsed["value"]


def _checked(
    name: str,
    where: str,
    document: Mapping[str, Any],
    read: Callable[[_Reader, str], str],
    folder: Path,
) -> Scenario:
    """The scenario in a document, or one error with everything that is wrong with it.

    Arms and histories are looked at even where the schema found problems elsewhere, so that all
    come at once.
    """
    raise_problems(where, bound_problems(document))
    problems, files = _place_meshes(document, read)
    mission: Mission | None = None
    try:
        mission = Mission.model_validate(document)
    except ValidationError as error:
        problems += explain(error, document)
    descriptions: dict[str, ArmDescription] = {}
    for key, arm in _sound(document, ("chaser", "arms"), Arm).items():
        path = ("chaser", "arms", key)
        try:
            files[arm.urdf] = read(read_arm, arm.urdf)
            descriptions[key] = parse_urdf(files[arm.urdf], arm.urdf)
        except InputError as error:
            problems += [((*path, "urdf"), line) for line in str(error).splitlines()]
        else:
            problems += arm_problems(path, arm, descriptions[key])
            problems += carrier_problems(path, arm, descriptions)
    for key, control in _sound(document, ("obsw", "joints"), JointControl).items():
        if key in descriptions:
            problems += control_problems(("obsw", "joints", key), control, descriptions[key])
    for capture in _sound(document, ("obsw",), Capture).values():
        if capture.arm in descriptions:
            by = descriptions[capture.arm]
            problems += capture_problems(("obsw", "capture"), capture, by)
    for key, stuck in _sound(document, ("faults",), StuckJoint).items():
        if stuck.arm in descriptions:
            problems += joint_problems(("faults", key), stuck, descriptions[stuck.arm])
    for craft in ("chaser", "target"):
        wrench = _sound(document, (craft,), Wrench).get("wrench")
        if wrench is not None:
            try:
                files[wrench.file] = read(read_history, wrench.file)
                parse_history(files[wrench.file], wrench.file)
            except InputError as error:
                problems.append(((craft, "wrench", "file"), str(error)))
    problems += dispersion_problems(mission) if mission else []
    raise_problems(where, problems)
    assert mission is not None  # no problems: it was valid
    return Scenario(name, mission, files, folder)


def _place_meshes(
    document: Mapping[str, Any], read: Callable[[_Reader, str], str]
) -> tuple[list[Problem], dict[str, str]]:
    """Makes the paths of meshes absolute; those that lead to no file are problems.  With the hashes
    of the files."""
    problems: list[Problem] = []
    hashes: dict[str, str] = {}
    for craft, kind in (("chaser", ChaserMesh), ("target", TargetMesh)):
        for key, mesh in _sound(document, (craft, "shapes"), kind).items():
            try:
                path = document[craft]["shapes"][key]["file"] = read(find_mesh, mesh.file)
                hashes[path] = read(hash_mesh, path)
            except InputError as error:
                problems.append(((craft, "shapes", key, "file"), str(error)))
    return problems, hashes


def _sound(document: Mapping[str, Any], at: tuple[str, ...], kind: type[_Part]) -> dict[str, _Part]:
    """Those entries of a table in the document that are valid in themselves."""
    node: Any = document
    for key in at:
        node = node.get(key) if isinstance(node, Mapping) else None
    sound: dict[str, _Part] = {}
    for key, value in node.items() if isinstance(node, Mapping) else ():
        try:
            sound[key] = kind.model_validate(value)
        except ValidationError:
            continue  # reported with the mission's problems
    return sound
