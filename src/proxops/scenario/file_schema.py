"""The JSON Schema of scenario files, for editors."""

from typing import Any

from proxops.scenario.schema import Mission
from proxops.scenario.source import EXTENDS, WITHOUT

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
