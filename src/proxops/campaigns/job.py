"""What a campaign is about: everything that a worker needs to fly any of its cases."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from proxops.campaigns.target import compile_target
from proxops.core.jit import source_hash
from proxops.results.provenance import versions
from proxops.scenario.load import Scenario


def installation() -> dict[str, Any]:
    """What the bits of results depend on, beside the job."""
    return {
        "versions": versions(),
        "sources": source_hash(),  # the same version may have been changed
        "target": compile_target(),
    }


@dataclass(frozen=True)
class Job:
    """A scenario whose cases are flown in orbit, or on a facility (as provenance has it), by its
    own on-board software or by a controller: FILE:NAME, with the file's absolute path."""

    scenario: Scenario
    facility: Mapping[str, Any] | None = None
    controller: str | None = None
    lanes: int | None = None  # in which cases are flown, see sim.lanes; None: each by itself

    @property
    def title(self) -> str:
        """The scenario's name, and where it is rehearsed if it is."""
        where = f" on {self.facility['name']}" if self.facility else ""
        return f"{self.scenario.name}{where}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data that says how to make the same cases again."""
        made = {
            "scenario": self.scenario.to_dict(),  # with files of extensions, which run there
            "facility": self.facility,
            "controller": self.controller,  # its SHA-256 is in the scenario
        }
        lanes = {} if self.lanes is None else {"lanes": self.lanes}
        return made | lanes | installation()

    def text(self, kernels: str) -> str:
        """What a worker is sent, as JSON; with the kernels that its cases take."""
        return json.dumps(self.to_dict() | {"kernels": kernels})

    @property
    def hash(self) -> str:
        """SHA-256: equal hashes mean that cases of equal seeds are equal."""
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()
