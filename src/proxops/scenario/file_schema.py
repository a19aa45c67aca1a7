"""The JSON Schema of scenario files, for editors."""

from typing import Any

from proxops.scenario.craft_urdf import LINK
from proxops.scenario.schema import Mission
from proxops.scenario.schema.arena import FlightArena
from proxops.scenario.schema.facility import Facility
from proxops.scenario.source import EXTENDS, URDF, WITHOUT

VERSION = 2  # of the file format: 1 had other names of keys
CHANGED = "Changed"  # behind the names of sections that need not be whole


def file_schema() -> dict[str, Any]:
    """The JSON Schema of files: a whole mission, or one that extends another, of which nothing
    need be whole."""
    whole, changed = Mission.model_json_schema(), _loosened(Mission.model_json_schema())
    sections = whole.pop("$defs")
    sections |= {f"{name}{CHANGED}": each for name, each in changed.pop("$defs").items()}
    extending = {
        EXTENDS: {
            "type": "string",
            "description": "A shipped scenario's name, or a file's path from this file's folder, "
            "that this one extends",
        },
        WITHOUT: {
            "type": "array",
            "items": {"type": "string"},
            "description": "Dotted keys of the extended file to remove",
        },
    }
    _add_urdf(sections)
    changed["properties"] = extending | changed["properties"]
    changed["required"] = [EXTENDS]
    kept = {key: whole[key] for key in ("title", "description", "type")}
    return kept | {
        "$id": f"urn:proxops:scenario:{VERSION}",
        "properties": {name: {} for name in changed["properties"]},
        "if": {"required": [EXTENDS]},
        "then": {"$ref": f"#/$defs/Mission{CHANGED}"},
        "else": {"$ref": "#/$defs/Mission"},
        "$defs": sections | {"Mission": whole, f"Mission{CHANGED}": changed},
    }


def facility_schema(flies: bool) -> dict[str, Any]:
    """The JSON Schema of facility files, those that extend another included: with robots, or of a
    flight arena."""
    found = (FlightArena if flies else Facility).model_json_schema()
    base = {"type": "string", "description": "A shipped facility's name, or a file's path"}
    return found | {"properties": {EXTENDS: base} | found["properties"], "required": []}


def _add_urdf(sections: dict[str, Any]) -> None:
    """A spacecraft with a URDF file need not be whole, and what is mounted on it names links."""
    urdf = "URDF file of this spacecraft, its path from this file's folder: mass, inertia, shapes"
    link = "Link of the spacecraft's URDF file that gives its mass, if it has one, and its place"
    for craft in ("Chaser", "Target"):
        sections[f"{craft}{CHANGED}"]["properties"][URDF] = {"type": "string", "description": urdf}
        sections[f"{craft}Whole"] = sections[craft]
        sections[craft] = {
            "if": {"required": [URDF]},
            "then": {"$ref": f"#/$defs/{craft}{CHANGED}"},
            "else": {"$ref": f"#/$defs/{craft}Whole"},
        }
    for name in ("ChaserBeam", "ChaserModal", "TargetBeam", "TargetModal", "Grapple", "Arm"):
        mounted = sections[f"{name}{CHANGED}"]["properties"]
        mounted[LINK] = {"type": "string", "description": link}


def _loosened(node: Any) -> Any:
    """A schema in which nothing is required, whose sections have other names."""
    if isinstance(node, list):
        return [_loosened(each) for each in node]
    if isinstance(node, str) and node.startswith("#/$defs/"):
        return node + CHANGED
    if not isinstance(node, dict):
        return node
    # a list under this key is the keyword; a field of that name would be a table
    return {
        key: _loosened(each)
        for key, each in node.items()
        if not (key == "required" and isinstance(each, list))
    }
