"""A job made ready to fly its cases, from its plain data."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from proxops.assembly.extensions import changed_files, read_extensions
from proxops.assembly.facility import Lab, load_facility
from proxops.core.errors import InputError
from proxops.onboard.user.controller import copied, sha256_of, taken
from proxops.onboard.user.file import from_file
from proxops.scenario.load import Scenario

CHANGED = "has changed since the campaign began; start the campaign again"


class Prepared(NamedTuple):
    """What a job flies in a process of its own."""

    scenario: Scenario
    lab: Lab | None
    controller: Any
    lanes: int | None = None

    def own_controller(self) -> Any:
        """The controller of one more case, which remembers nothing of another."""
        return None if self.controller is None else copied(self.controller)


def prepare(made: Mapping[str, Any]) -> Prepared:
    """What plain data of a job say; extensions and controller are run from their files, which must
    be those that the campaign began with."""
    data = made["scenario"]
    recorded = data.get("extensions", {})
    extensions = read_extensions(recorded)
    for path in changed_files(recorded, extensions.sources):
        raise InputError(f"{path}: {CHANGED}")
    scenario = Scenario.from_dict(data).extended(extensions)
    text = made.get("controller")
    controller = None if text is None else from_file(text)
    if controller is not None and _hash_in(scenario) != sha256_of(taken(controller)):
        raise InputError(f"{text}: {CHANGED}")
    lab = None if made["facility"] is None else load_facility(made["facility"])
    return Prepared(scenario, lab, controller, made.get("lanes"))


def _hash_in(scenario: Scenario) -> str | None:
    """SHA-256 of the controller that a scenario names."""
    section = scenario.mission.obsw.controller
    return None if section is None else section.sha256
