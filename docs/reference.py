"""Reference pages of the site, made from the code itself as the site is built.

Commands come from the Typer application, keys of files from the pydantic models that check them,
names from `proxops.__all__`; `mkdocstrings` shows their docstrings.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import typer
from pydantic import BaseModel

import proxops
from proxops.cli.main import app
from proxops.scenario.schema import Mission
from proxops.scenario.schema.arena import FlightArena
from proxops.scenario.schema.facility import Facility

# --- names of `import proxops` --------------------------------------------------------------------

# What a name is for; a name that no group has is an error of `names_page`
GROUPS = {
    "Simulate, rehearse, judge": (
        "load", "simulate", "rehearse", "check", "campaign", "validate", "open",
    ),
    "Scenarios and results": ("Scenario", "Run"),
    "Your own code": (
        "Compiled", "Briefing", "Measurements", "Estimates", "Commands",
        "Sensor", "ContactLaw", "Field", "compiled",
    ),
    "Errors": ("ProxopsError", "InputError", "ControllerError", "OutputError"),
}  # fmt: skip
# What functions return, beside `Run`
RETURNED = (
    "proxops.campaigns.Campaign",
    "proxops.feasibility.answers.Feasibility",
    "proxops.feasibility.flight.FlightFeasibility",
    "proxops.validation.table.Validation",
    "proxops.validation.table.Row",
    "proxops.results.run.Requirement",
    "proxops.results.compared.Fidelity",
)


def names_page() -> str:
    """Everything that `import proxops` offers, and what its functions return."""
    grouped = [name for names in GROUPS.values() for name in names]
    if sorted(grouped) != sorted(proxops.__all__):
        differ = sorted(set(grouped) ^ set(proxops.__all__))
        raise ValueError(f"docs/reference.py GROUPS and proxops.__all__ differ in {differ}")
    lines = [
        "# Python",
        "",
        "Everything that `import proxops` offers. Units are SI and radians unless a name says "
        "otherwise; frames are named as in [conventions](../conventions.md).",
        "",
    ]
    for title, names in GROUPS.items():
        lines += [f"## {title}", ""]
        lines += [line for name in names for line in (f"::: proxops.{name}", "")]
    lines += ["## One control cycle at a time", "", "::: proxops.stepping.Stepper", ""]
    lines += ["## What functions return", ""]
    lines += [line for name in RETURNED for line in (f"::: {name}", "")]
    return "\n".join(lines)


# --- commands -------------------------------------------------------------------------------------


def commands_page() -> str:
    """Every command with its arguments and options."""
    lines = ["# Commands", "", "Exit codes: [start here](../index.md#exit-codes).", ""]
    for name, command in _commands(typer.main.get_command(app), "proxops"):
        lines += [f"## {name.removeprefix('proxops ')}", "", *_command(name, command), ""]
    return "\n".join(lines)


def _commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def _command(name: str, command: Any) -> Iterator[str]:
    text, _, examples = re.sub(r"\[bold\]Examples?\[/bold\]", "\0", command.help).partition("\0")
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    usage = [name, *(each.metavar or each.name.upper() for each in arguments), "[OPTIONS]"]
    yield from ("```", " ".join(usage), "```", "", _plain(text), "")
    yield from ("| argument or option | | if not given |", "|---|---|---|")
    for each in command.params:
        shown = "" if each.required else _default(each)
        yield f"| {_spelt(each)} | {_cell(_plain(each.help or ''))} | {_cell(shown)} |"
    if examples:
        yield from ("", "```", *(line for line in examples.split("\n") if line.strip()), "```")


def _spelt(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    words = ", ".join(f"`{each}`" for each in (*parameter.opts, *parameter.secondary_opts))
    value = "" if parameter.is_flag else f" `{parameter.metavar or parameter.name.upper()}`"
    return words + value + (", repeatable" if parameter.multiple else "")


def _default(parameter: Any) -> str:
    if isinstance(parameter.show_default, str):
        return parameter.show_default
    if parameter.default in (None, False, ()) or callable(parameter.default):
        return ""
    if parameter.default is True:
        return f"`{parameter.opts[0]}`"
    return f"`{parameter.default}`"


def _plain(text: str) -> str:
    """Help without the marks of Rich."""
    return re.sub(r"\[/?[a-z ]+\]", "", text).strip()


# --- keys of files --------------------------------------------------------------------------------


_KINDS = {"number": "number", "integer": "integer", "string": "text", "boolean": "true, false"}
_BOUNDS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


class Table(NamedTuple):
    """A table of a file: where it stands, and the schema of its keys."""

    paths: list[str]
    schema: dict[str, Any]


def scenario_page() -> str:
    """Every key of a scenario file."""
    return _keys_page(
        "Keys of scenario files",
        Mission,
        "How they are used: [scenario files](../scenario.md). `<name>` stands for a name of your "
        "choice. A file that `extends` another gives only the keys that differ.",
    )


def facilities_page() -> str:
    """Every key of the files of both kinds of facility."""
    cell = _keys_page(
        "Keys of facility files",
        Facility,
        "A robot cell: [rehearsal](../rehearsal.md). A flight arena, below: [arena](../arena.md).",
    )
    return cell + "\n" + "\n".join(_tables(FlightArena, "a file of a flight arena"))


def _keys_page(title: str, model: type[BaseModel], text: str) -> str:
    return "\n".join([f"# {title}", "", text, "", *_tables(model, "top of the file")])


def _tables(model: type[BaseModel], top: str) -> Iterator[str]:
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    found: dict[str, Table] = {"": Table([""], schema)}
    _gather("", schema, definitions, found)
    for paths, table in found.values():
        yield from (f"## {f'`[{paths[0]}]`' if paths[0] else top.capitalize()}", "")
        if len(paths) > 1:
            yield from ("Also " + ", ".join(f"`[{path}]`" for path in paths[1:]) + ".", "")
        if paths[0]:
            yield from (" ".join(table.get("description", "").split()), "")
        yield from ("| key | | unit | value | if not given |", "|---|---|---|---|---|")
        required = table.get("required", ())
        for key, each in table["properties"].items():
            text, unit = _text_and_unit(each.get("description", ""))
            default = "**must be given**" if key in required else _shown(each.get("default"))
            cells = (f"`{key}`", text, unit, _kind(each, definitions), default)
            yield "| " + " | ".join(_cell(it) for it in cells) + " |"
        yield ""


def _gather(
    path: str, node: dict[str, Any], definitions: dict[str, Any], found: dict[str, Table]
) -> None:
    """Finds the tables below one, each once, with all places where it may stand."""
    for key, each in node["properties"].items():
        below = f"{path}.{key}" if path else key
        for reference, inner in _references(each):
            name, place = reference.rpartition("/")[2], below + inner
            if "properties" not in definitions[name]:  # any value, not a table
                continue
            kind = _discriminated(each, reference)
            place += f"` with `{kind}" if kind else ""
            if name in found:
                if place not in found[name].paths:
                    found[name].paths.append(place)
                continue
            found[name] = Table([place], definitions[name])
            _gather(below + inner, definitions[name], definitions, found)


def _references(node: Any, inner: str = "") -> Iterator[tuple[str, str]]:
    """Tables that a value may be, and what comes after its key to get there."""
    if "$ref" in node:
        yield node["$ref"], inner
    for each in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        yield from _references(each, inner)
    for each in node.get("patternProperties", {}).values():
        yield from _references(each, inner + ".<name>")
    if isinstance(node.get("additionalProperties"), dict):
        yield from _references(node["additionalProperties"], inner + ".<name>")
    if isinstance(node.get("items"), dict):
        yield from _references(node["items"], inner)


def _discriminated(node: Any, reference: str) -> str:
    """How a file says which of several tables one is, as in `kind = "box"`."""
    inner = [node, *node.get("patternProperties", {}).values(), *node.get("anyOf", ())]
    if isinstance(node.get("items"), dict):
        inner.append(node["items"])
    for each in inner:
        if "discriminator" in each:
            by = each["discriminator"]
            words = [word for word, table in by["mapping"].items() if table == reference]
            return f"{by['propertyName']} = {' or '.join(json.dumps(word) for word in words)}"
    return ""


def _text_and_unit(description: str) -> tuple[str, str]:
    """A description ends with its unit, as in `Mass of the hub [kg]`."""
    match = re.fullmatch(r"(.*?)\s*\[([^\[\]]+)\]", description, re.DOTALL)
    return (description, "") if match is None else (match[1], match[2].replace("-", ""))


def _kind(node: dict[str, Any], definitions: dict[str, Any]) -> str:
    """What a value may be, in short."""
    if "$ref" in node:
        return "table" if "properties" in definitions[node["$ref"].rpartition("/")[2]] else "value"
    if "const" in node:
        return f"`{json.dumps(node['const'])}`"
    if "enum" in node:
        return " ".join(f"`{json.dumps(each)}`" for each in node["enum"])
    choices = [
        _kind(each, definitions)
        for each in (*node.get("anyOf", ()), *node.get("oneOf", ()))
        if each.get("type") != "null"
    ]
    if choices:
        return " or ".join(dict.fromkeys(choices))
    if node.get("type") == "array":
        return _array(node, definitions)
    if node.get("type") == "object":
        return "tables by name" if list(_references(node)) else "values by name"
    kind = _KINDS.get(node.get("type", ""), "any")
    limits = [f"{sign} {node[key]:g}" for key, sign in _BOUNDS.items() if key in node]
    return " ".join([kind, ", ".join(limits)]).strip()


def _array(node: dict[str, Any], definitions: dict[str, Any]) -> str:
    if "prefixItems" in node:
        inner = [_kind(each, definitions) for each in node["prefixItems"]]
        return f"{len(inner)} × {inner[0]}" if len(set(inner)) == 1 else f"[{', '.join(inner)}]"
    inner_kind = _kind(node.get("items", {}), definitions)
    return f"list of {'tables' if inner_kind == 'table' else inner_kind}"


def _shown(default: Any) -> str:
    if default in (None, [], {}, "") or isinstance(default, dict):
        return ""
    return f"`{json.dumps(default)}`"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
