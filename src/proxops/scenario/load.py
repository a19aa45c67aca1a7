"""Scenarios: read from a shipped name, a file or a recording, checked as a whole."""

import copy
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from proxops.core.description import ArmDescription
from proxops.core.errors import InputError
from proxops.core.text import nearest
from proxops.scenario.faults import explain, raise_faults, section_at, shown, shown_path
from proxops.scenario.files import (
    find_mesh,
    read_arm,
    read_from,
    read_history,
    shipped_missions,
)
from proxops.scenario.fit import arm_faults, carrier_faults, control_faults
from proxops.scenario.history import parse_history
from proxops.scenario.injected import joint_faults
from proxops.scenario.schema import Arm, JointControl, Mission, Wrench
from proxops.scenario.schema.base import Fault, Section
from proxops.scenario.schema.injected import StuckJoint
from proxops.scenario.schema.shape import ChaserMesh, Mesh, TargetMesh
from proxops.scenario.source import read_source
from proxops.scenario.urdf import parse_urdf

_Part = TypeVar("_Part", bound=Section)
_Reader = Callable[[str, Path], str]  # text (of a mesh: path) of a name, seen from a folder


@dataclass(frozen=True)
class Scenario:
    """A checked mission with every text that it refers to: nothing else is needed to run it."""

    name: str
    mission: Mission
    files: Mapping[str, str]  # URDF and CSV texts, by the string that the mission has for each
    folder: Path = field(default=Path("."), compare=False, repr=False)  # of relative paths

    def replace(self, changes: Mapping[str, Any]) -> "Scenario":
        """The scenario with other values at dotted keys, checked like a file.

        None takes a key away; a new table may be added as a whole.
        """
        document = self.mission.model_dump(mode="json", exclude_none=True)
        faults = [fault for key, value in changes.items() for fault in _put(document, key, value)]
        raise_faults(self.name, faults)

        drawn = self._meshes()

        def read(reader: _Reader, name: str) -> str:
            if reader is find_mesh and name in drawn:
                return name  # its file may be gone: a stored run is to be changed all the same
            return self.files[name] if name in self.files else reader(name, self.folder)

        return _checked(self.name, self.name, document, read, self.folder)

    def _meshes(self) -> set[str]:
        """Paths of the meshes."""
        crafts = (self.mission.chaser, self.mission.target)
        shapes = [shape for craft in crafts for shape in craft.shapes.values()]
        return {shape.file for shape in shapes if isinstance(shape, Mesh)}

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `from_dict` turns into the same scenario, bit by bit."""
        return {
            "name": self.name,
            "mission": self.mission.model_dump(mode="json", exclude_none=True),
            "files": dict(self.files),
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> "Scenario":
        """The scenario that `to_dict` wrote."""
        name, mission, files = (data.get(key) for key in ("name", "mission", "files"))
        if not (isinstance(name, str) and isinstance(mission, dict) and isinstance(files, dict)):
            raise InputError("stored scenario: must have a name, a mission and files")

        def read(reader: _Reader, key: str) -> str:
            if reader is find_mesh:
                return key
            if not isinstance(files.get(key), str):
                raise InputError("its text is not stored with the scenario")
            return str(files[key])

        return _checked(name, f"stored scenario {name!r}", mission, read, Path("."))


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

    Arms and histories are looked at even where the schema found faults elsewhere, so that all come
    at once.
    """
    faults = _place_meshes(document, read)
    mission: Mission | None = None
    try:
        mission = Mission.model_validate(document)
    except ValidationError as error:
        faults += explain(error, document)
    files: dict[str, str] = {}
    descriptions: dict[str, ArmDescription] = {}
    for key, arm in _sound(document, ("chaser", "arms"), Arm).items():
        path = ("chaser", "arms", key)
        try:
            files[arm.urdf] = read(read_arm, arm.urdf)
            descriptions[key] = parse_urdf(files[arm.urdf], arm.urdf)
        except InputError as error:
            faults += [((*path, "urdf"), line) for line in str(error).splitlines()]
        else:
            faults += arm_faults(path, arm, descriptions[key])
            faults += carrier_faults(path, arm, descriptions)
    for key, control in _sound(document, ("obsw", "joints"), JointControl).items():
        if key in descriptions:
            faults += control_faults(("obsw", "joints", key), control, descriptions[key])
    for key, stuck in _sound(document, ("faults",), StuckJoint).items():
        if stuck.arm in descriptions:
            faults += joint_faults(("faults", key), stuck, descriptions[stuck.arm])
    for craft in ("chaser", "target"):
        wrench = _sound(document, (craft,), Wrench).get("wrench")
        if wrench is not None:
            try:
                files[wrench.file] = read(read_history, wrench.file)
                parse_history(files[wrench.file], wrench.file)
            except InputError as error:
                faults.append(((craft, "wrench", "file"), str(error)))
    raise_faults(where, faults)
    assert mission is not None  # no faults: it was valid
    return Scenario(name, mission, files, folder)


def _place_meshes(document: Mapping[str, Any], read: Callable[[_Reader, str], str]) -> list[Fault]:
    """Makes the paths of meshes absolute; those that lead to no file are faults."""
    faults: list[Fault] = []
    for craft, kind in (("chaser", ChaserMesh), ("target", TargetMesh)):
        for key, mesh in _sound(document, (craft, "shapes"), kind).items():
            try:
                document[craft]["shapes"][key]["file"] = read(find_mesh, mesh.file)
            except InputError as error:
                faults.append(((craft, "shapes", key, "file"), str(error)))
    return faults


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
            continue  # reported with the mission's faults
    return sound


def _put(document: dict[str, Any], key: str, value: Any) -> list[Fault]:
    """Sets the value at a dotted key; says what is wrong with the key if it leads nowhere."""
    *parents, last = key.split(".")
    node: Any = document
    path: tuple[str | int, ...] = ()
    for part in parents:
        fault = _unknown(document, node, path, part)
        if fault:
            return [fault]
        node = node[int(part)] if isinstance(node, list) else node.setdefault(part, {})
        path += (part,)
    fault = _unknown(document, node, path, last, new=isinstance(value, Mapping))
    if fault:
        return [fault]
    if isinstance(node, list):
        node[int(last)] = _plain(value)
    elif value is None:
        node.pop(last, None)
    else:
        node[last] = _plain(value)
    return []


def _unknown(
    document: object, node: Any, path: tuple[str | int, ...], part: str, new: bool = False
) -> Fault | None:
    """Why a node of the document has no such part; `new` allows a table's new entry."""
    here = (*path, part)
    if isinstance(node, list):
        if part.isdecimal() and int(part) < len(node):
            return None
        return here, f"no such place; {shown_path(path)} has {len(node)}, counted from 0"
    if not isinstance(node, dict):
        return here, f"unknown key; {shown_path(path)} is a single value"
    section = section_at(path, document)
    known = section.model_fields if section else node
    if part in known or (new and not section):
        return None
    return here, "unknown key" + nearest(part, known)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; the caller's own tables are left alone."""
    return value.tolist() if hasattr(value, "tolist") else copy.deepcopy(value)
