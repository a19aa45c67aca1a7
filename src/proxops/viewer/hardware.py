"""What a recording is about: the hardware behind its signals."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from proxops.assembly.describe import describe, describe_interface, describe_thrusters
from proxops.assembly.facility import Robots, fit_out
from proxops.assembly.geometry import shapes_of
from proxops.core.description import (
    ContactDescription,
    CraftDescription,
    HoldDescription,
    OrbitDescription,
    ShapeDescription,
    ThrusterDescription,
)
from proxops.core.errors import InputError
from proxops.facility.common.guard.build import Shape
from proxops.results.run import Signal
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Chaser, Target
from proxops.scenario.schema.arena import FlightArena, InArena
from proxops.scenario.schema.facility import Facility
from proxops.scenario.urdf_visual import mesh_names
from proxops.viewer.mesh import is_file_of, read_mesh

REHEARSED = ("lab.p_LTl", "lab.q_LTl", "lab.p_LCl", "lab.q_LCl", "nominal.p_HN", "nominal.q_NN")
ROBOTS = ("lab.robots.target.q", "lab.robots.chaser.q")
FLOWN = (
    *("lab.p_LTl", "lab.q_LTl", "lab.p_LCl", "lab.q_LCl", "lab.gap"),
    *(
        f"lab.vehicles.{craft}.{field}"
        for craft in ("target", "chaser")
        for field in ("p_ref", "error", "thrust", "mode")
    ),
)


class Rehearsed(NamedTuple):
    """Where and how a run was rehearsed."""

    name: str
    representation: str
    facility: Facility


class Flown(NamedTuple):
    """The flight arena that a run was flown in, and how it showed the mission."""

    name: str
    file: FlightArena
    shown: InArena


@dataclass(frozen=True)
class Hardware:
    """A scenario's hardware in SI units, and where its signals are in a row."""

    scenario: Scenario
    chaser: CraftDescription
    target: CraftDescription
    orbit: OrbitDescription | None
    contacts: tuple[ContactDescription, ...]
    holds: tuple[HoldDescription, ...]
    thrusters: tuple[ThrusterDescription, ...]
    columns: Mapping[str, slice]
    cell: Rehearsed | None = None  # of a rehearsal on robots
    arena: Flown | None = None  # of one by multirotors

    @property
    def rehearsed(self) -> bool:
        """Whether there is a laboratory to draw, whose axes the scene then has."""
        return self.cell is not None or self.arena is not None

    @cached_property
    def cell_robots(self) -> Robots | None:
        """The robots with their mock-ups, where a rehearsal has any."""
        if self.cell is None or self.cell.facility.robots is None or not self.has(*ROBOTS):
            return None
        return fit_out(self.cell.facility, self.scenario)

    def guarded(self) -> tuple[Shape, ...]:
        """The capsules that the guard of a rehearsal keeps apart."""
        from proxops.assembly.cell_guard import guarded_shapes  # brings the whole cell with it

        if self.cell is None or self.cell_robots is None:
            return ()
        hardware = self.chaser, self.contacts
        return guarded_shapes(self.cell.facility, self.cell_robots, hardware)

    def shapes(self, craft: Chaser | Target) -> dict[str, ShapeDescription]:
        """The shapes of a hub.  Of meshes those whose file is still the one that the run was made
        with: a recording from elsewhere may name any file of this machine."""
        return {
            name: shape
            for name, shape in shapes_of(craft).items()
            if shape.kind != "mesh" or self.has_mesh(shape.mesh)
        }

    def arm_text(self, arm: str) -> str:
        """The text of an arm's URDF file."""
        return self.scenario.files[self.scenario.mission.chaser.arms[arm].urdf]

    def has_mesh(self, file: str) -> bool:
        """Whether a mesh is the one that the run was made with, and can be read."""
        return is_file_of(file, self.scenario.files.get(file, "")) and read_mesh(file) is not None

    def unread_meshes(self) -> list[str]:
        """Names of the mesh files that cannot be read, or are not those of the run."""
        mission = self.scenario.mission
        shapes = [*shapes_of(mission.chaser).values(), *shapes_of(mission.target).values()]
        files = {shape.mesh for shape in shapes if shape.kind == "mesh"}
        for mounted in self.chaser.arms:
            files |= mesh_names(mounted.arm, self.arm_text(mounted.name))
        return sorted(Path(file).name for file in files if not self.has_mesh(file))

    def has(self, *names: str) -> bool:
        """Whether all these signals are recorded."""
        return all(name in self.columns for name in names)

    def of(self, name: str, rows: np.ndarray) -> np.ndarray:
        """A signal's columns (..., width) of rows (..., 1 + widths)."""
        return rows[..., self.columns[name]]


def hardware_of(provenance: Mapping[str, Any], signals: tuple[Signal, ...]) -> Hardware:
    """What a run with that provenance is about."""
    stored = provenance.get("scenario")
    if not isinstance(stored, Mapping):
        raise InputError("its provenance holds no scenario, so there is nothing to draw")
    scenario = Scenario.from_dict(stored)
    columns: dict[str, slice] = {}
    at = 1
    for signal in signals:
        columns[signal.name] = slice(at, at + signal.width)
        at += signal.width
    described = describe(scenario, as_drawn=True)
    needed = ["chaser.p_HC", "chaser.q_NC", "target.p_HT", "target.q_NT", "relative.p_CT"]
    needed += ["chaser.w_NC_C", "target.w_NT_T", "obsw.phase"]
    needed += [f"chaser.arms.{mounted.name}.q" for mounted in described[0].arms]
    if scenario.mission.robot is not None:
        needed += ["lab.p_LTl", "lab.q_LTl"]
    missing = [name for name in needed if name not in columns]
    if missing:
        raise InputError(f"{scenario.name}: cannot be drawn without {', '.join(missing)}")
    contacts, holds = describe_interface(scenario, shapes_only=True)
    thrusters = describe_thrusters(scenario.mission)
    cell = _rehearsed(provenance) if set(columns).issuperset(REHEARSED) else None
    arena = _flown(provenance, scenario) if set(columns).issuperset(FLOWN) else None
    return Hardware(scenario, *described, contacts, holds, thrusters, columns, cell, arena)


def _rehearsed(provenance: Mapping[str, Any]) -> Rehearsed | None:
    """The facility of a rehearsal, None where it is of another version or there is none."""
    given = provenance.get("facility")
    if not isinstance(given, Mapping):
        return None
    try:
        facility = Facility.model_validate(given.get("file"))
    except ValidationError:
        return None
    return Rehearsed(
        str(given.get("name", "")), str(provenance.get("representation", "")), facility
    )


def _flown(provenance: Mapping[str, Any], scenario: Scenario) -> Flown | None:
    """The flight arena of a rehearsal, None where it is of another version or there is none."""
    given = provenance.get("facility")
    if not isinstance(given, Mapping):
        return None
    try:
        file = FlightArena.model_validate(given.get("file"))
    except ValidationError:
        return None
    return Flown(str(given.get("name", "")), file, scenario.mission.arena or InArena())
