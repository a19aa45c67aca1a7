"""Scenario and facility files as they are read, and those that build on another of their kind.

    extends = "touch"                     a shipped one, or a path from this file's folder
    without = ["target.shapes.array"]     keys of that one that are left out

Tables are merged key by key; anything else, and a table of another `kind`, takes the place of what
was there.  A file may build on one that builds on another in turn.
"""

import os
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from proxops.core.errors import InputError
from proxops.core.text import nearest, nearest_file
from proxops.scenario.files import files_beside, parse_toml, read_text
from proxops.scenario.problems import KINDS, shown
from proxops.scenario.schema.base import alternatives_to
from proxops.scenario.shipped import shipped_facilities, shipped_missions

EXTENDS, WITHOUT, URDF = "extends", "without", "urdf"
OF_URDF = ("mass_kg", "inertia_kg_m2", "shapes", "appendages")  # what such a file says of a hub

TELLING = {  # keys that files of one kind alone have
    "scenario": {"chaser", "target", "orbit", "obsw", "requirements", "time"},
    "facility": {"robots", "carriers", "servo", "guard", "vehicle", "limits", "motion_capture"},
}


class Library(NamedTuple):
    """What comes with the package of one kind of file."""

    what: str  # is in such a file
    shipped: Mapping[str, Traversable]
    other: str  # what files of the other kind contain, and those that are shipped
    others: Mapping[str, Traversable]

    @property
    def cure(self) -> str:
        """What to type where a file of the other kind was given."""
        if self.what == "scenario":
            return "; a facility follows a mission: proxops check MISSION --facility NAME"
        return "; --facility takes one of a facility; proxops list names those that are shipped"


@dataclass(frozen=True)
class Source:
    """A scenario or facility file, with what it builds on merged in."""

    name: str
    where: str  # for messages
    document: dict[str, Any]
    folders: tuple[Path, ...]  # in which its paths are looked for, in that order


def read_source(given: str) -> Source:
    """The shipped scenario of that name, or a file."""
    return _read_from(
        Library("scenario", shipped_missions(), "facility", shipped_facilities()), given
    )


def read_facility_file(given: str) -> Source:
    """The shipped facility of that name, or a file."""
    return _read_from(
        Library("facility", shipped_facilities(), "scenario", shipped_missions()), given
    )


def _read_from(library: Library, given: str) -> Source:
    own = _read(library, given, Path("."))
    told = [kind for kind, keys in TELLING.items() if keys & own.document.keys()]
    if told[:1] == [library.other]:
        raise InputError(f"{own.where}: is a {library.other}, not a {library.what}{library.cure}")
    return _whole(library, own, (_identity(library, given, Path(".")),))


def _whole(library: Library, own: Source, chain: tuple[str, ...]) -> Source:
    """A file with all that it builds on; `chain` are the files from the first one to this one."""
    if EXTENDS not in own.document:
        if WITHOUT in own.document:
            raise InputError(
                f"{own.where}: {WITHOUT}: only where it {EXTENDS} another {library.what}"
            )
        return own
    base = _base(library, own, chain)
    changes = {key: own.document[key] for key in own.document if key not in (EXTENDS, WITHOUT)}
    return Source(
        own.name,
        f"{own.where} (extends {base.where})",
        merged(_less_hub(_less(own, base), changes), changes),
        (*own.folders, *base.folders),
    )


def _less_hub(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The base without what a spacecraft's URDF file in the changes says of it."""
    left = dict(base)
    for craft, table in changes.items():
        old = left.get(craft)
        if isinstance(table, Mapping) and URDF in table and isinstance(old, Mapping):
            left[craft] = {key: value for key, value in old.items() if key not in OF_URDF}
    return left


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of `base` with those of `changes` laid over them."""
    replaced = {other for key in changes for other in alternatives_to(key)}
    whole = {key: value for key, value in base.items() if key not in replaced}
    for key, value in changes.items():
        old = whole.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping) and _alike(old, value):
            whole[key] = merged(old, value)
        else:
            whole[key] = value
    return whole


def _alike(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether a table may still be of the kind that it was."""
    return all(key not in new or new[key] == old.get(key) for key in KINDS)


def _read(library: Library, given: str, folder: Path) -> Source:
    """What is shipped under that name, or a file seen from a folder."""
    if given in library.shipped:
        text = library.shipped[given].read_text("utf-8")
        return Source(given, given, parse_toml(text, given), (Path("."),))
    if given in library.others:
        found = f"{shown(given)} is a {library.other}, not a {library.what}"
        raise InputError(found + library.cure)
    path = folder / given
    if not (given and os.path.lexists(path)):
        beside = files_beside(given, folder, ".toml")
        if path.suffix == ".toml":
            raise InputError(f"{given}: No such file{nearest_file(given, beside)}")
        known = [*library.shipped, *beside]
        raise InputError(
            f"no shipped {library.what} and no file {shown(given)}{nearest(given, known)}"
        )
    return Source(path.stem, given, parse_toml(read_text(path), given), (path.parent,))


def _base(library: Library, own: Source, chain: tuple[str, ...]) -> Source:
    """What a file builds on, with all that this one builds on."""
    given = own.document[EXTENDS]
    if not isinstance(given, str):
        raise InputError(f"{own.where}: {EXTENDS}: must be a string, found {shown(given)}")
    try:
        base = _read(library, given, own.folders[0])
        identity = _identity(library, given, own.folders[0])
        if identity in chain:
            raise InputError(f"{shown(given)} goes in a circle: it builds on this file itself")
        return _whole(library, base, (*chain, identity))
    except InputError as error:
        raise InputError(f"{own.where}: {EXTENDS}: {error}") from None


def _identity(library: Library, given: str, folder: Path) -> str:
    """The same for the same file, however it is named."""
    return given if given in library.shipped else os.path.realpath(folder / given)


def _less(own: Source, base: Source) -> dict[str, Any]:
    """The base's document without the keys that are left out."""
    keys, left = own.document.get(WITHOUT, []), deepcopy(base.document)
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise InputError(f"{own.where}: {WITHOUT}: must be a list of dotted keys")
    for key in keys:
        *parents, last = key.split(".")
        node: Any = left
        for part in parents:
            node = node.get(part) if isinstance(node, dict) else None
        if not isinstance(node, dict) or last not in node:
            raise InputError(f"{own.where}: {WITHOUT}: {base.where} has no {shown(key)}")
        del node[last]
    return left
