"""A mission in a document, checked as a whole: the schema, then what belongs together."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from proxops.core.description import ArmDescription
from proxops.core.errors import InputError
from proxops.scenario.arm_file import read_arm_file
from proxops.scenario.bounds import bound_problems
from proxops.scenario.dispersion import dispersion_problems
from proxops.scenario.fault_injection import joint_problems, power_problems
from proxops.scenario.files import Reader, find_mesh, hash_mesh, read_history
from proxops.scenario.fit import (
    arm_problems,
    capture_problems,
    carrier_problems,
    control_problems,
    whole_problems,
)
from proxops.scenario.history import parse_history
from proxops.scenario.problems import explain, raise_problems
from proxops.scenario.schema import Arm, JointControl, Mission, Wrench
from proxops.scenario.schema.base import Problem, Section
from proxops.scenario.schema.capture import Capture
from proxops.scenario.schema.fault_injection import PowerLoss, StuckJoint
from proxops.scenario.schema.shape import ChaserMesh, TargetMesh

_Part = TypeVar("_Part", bound=Section)


def checked_mission(
    where: str, document: Mapping[str, Any], read: Callable[[Reader, str], str]
) -> tuple[Mission, dict[str, str]]:
    """The mission in a document and the texts that it refers to, by the string that it has for
    each; or one error with everything that is wrong.

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
            descriptions[key], texts = read_arm_file(arm, read)
        except InputError as error:
            problems += [((*path, "urdf"), line) for line in str(error).splitlines()]
        else:
            files |= texts
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
    for key, loss in _sound(document, ("faults",), PowerLoss).items():
        for name in loss.strikes(_sound(document, ("chaser", "arms"), Arm)):
            if name in descriptions:
                problems += power_problems(("faults", key), name, descriptions[name])
    for craft in ("chaser", "target"):
        wrench = _sound(document, (craft,), Wrench).get("wrench")
        if wrench is not None:
            try:
                files[wrench.file] = read(read_history, wrench.file)
                parse_history(files[wrench.file], wrench.file)
            except InputError as error:
                problems.append(((craft, "wrench", "file"), str(error)))
    if mission is not None:
        problems += whole_problems(mission) + dispersion_problems(mission)
    raise_problems(where, problems)
    assert mission is not None  # no problems: it was valid
    return mission, files


def _place_meshes(
    document: Mapping[str, Any], read: Callable[[Reader, str], str]
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
