"""What a recording is about: the hardware behind its signals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from proxops.core.description import (
    ContactDescription,
    CraftDescription,
    HoldDescription,
    OrbitDescription,
    ThrusterDescription,
)
from proxops.core.errors import InputError
from proxops.run import Signal
from proxops.scenario.describe import describe, describe_interface, describe_thrusters
from proxops.scenario.load import Scenario


@dataclass(frozen=True)
class Subject:
    """A scenario's hardware in SI units, and where its signals are in a row."""

    scenario: Scenario
    chaser: CraftDescription
    target: CraftDescription
    orbit: OrbitDescription | None
    contacts: tuple[ContactDescription, ...]
    holds: tuple[HoldDescription, ...]
    thrusters: tuple[ThrusterDescription, ...]
    columns: Mapping[str, slice]

    def has(self, *names: str) -> bool:
        """Whether all these signals are recorded."""
        return all(name in self.columns for name in names)

    def of(self, name: str, rows: np.ndarray) -> np.ndarray:
        """A signal's columns (..., width) of rows (..., 1 + widths)."""
        return rows[..., self.columns[name]]


def subject_of(provenance: Mapping[str, Any], signals: tuple[Signal, ...]) -> Subject:
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
    described = describe(scenario)
    needed = ["chaser.p_HC", "chaser.q_NC", "target.p_HT", "target.q_NT", "relative.p_CT"]
    needed += ["chaser.w_NC_C", "target.w_NT_T", "obsw.phase"]
    needed += [f"chaser.arms.{mounted.name}.q" for mounted in described[0].arms]
    if scenario.mission.robot is not None:
        needed += ["lab.p_LTl", "lab.q_LTl"]
    missing = [name for name in needed if name not in columns]
    if missing:
        raise InputError(f"{scenario.name}: cannot be drawn without {', '.join(missing)}")
    contacts, holds = describe_interface(scenario.mission)
    thrusters = describe_thrusters(scenario.mission)
    return Subject(scenario, *described, contacts, holds, thrusters, columns)
