"""A spacecraft from a URDF file: its hub, its appendages, and where things are mounted on it.

    [target]
    urdf = "satellite.urdf"        # all links that no appendage takes are the hub, joints at zero

    [target.appendages.left]
    kind = "beam"                  # or "modal"
    link = "left_array"            # with all that hangs on it; clamped at its joint

    [target.grapple]
    link = "grapple_frame"         # arms of the chaser may stand on a link likewise

What the file says is written into the mission as keys, below those that the mission gives itself:
the mission that is run, stored and changed by --set names no URDF file.  The hub's frame has the
axes of the root link and its origin at the hub's centre of mass.

A beam has the mass of its links, points from its joint to their centre of mass c, is 2|c| long and
bends along the axis about which they have the largest inertia.  The hub takes the difference of
inertia between the links and the beam, so that mass, centre of mass and inertia of the undeflected
spacecraft are those of the file.
"""

import os
import re
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from proxops.core.description import RigidInertia, ShapeDescription, point_inertia
from proxops.core.errors import InputError
from proxops.core.frame import quaternion_of
from proxops.core.text import nearest
from proxops.scenario.files import Reader, read_craft
from proxops.scenario.problems import KINDS, raise_problems, shown
from proxops.scenario.schema.base import Problem
from proxops.scenario.schema.shape import LONGEST_M, MAX_SHAPES, MESH_KINDS, SHORTEST_M
from proxops.scenario.source import URDF, merged
from proxops.scenario.urdf_elements import Pose
from proxops.scenario.urdf_tree import LinkTree, read_tree
from proxops.scenario.urdf_visual import looks_of

LINK = "link"
_PLACE = re.compile(r"[pq]_[CT][ABG](_m)?")  # keys that a link takes the place of
_LETTERS = {"chaser": "C", "target": "T"}


class _Craft(NamedTuple):
    """A file, and what is where in its root link's frame."""

    tree: LinkTree
    at: Mapping[str, Pose]  # of each link
    letter: str  # of the hub's frame

    def body_of(self, links: set[str]) -> RigidInertia:
        """Some links as one body, in the root link's frame."""
        whole = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))
        for name in links:
            body, X = self.tree.links[name].body, self.at[name]
            whole = whole if body is None else whole.joined(body.seen_from(X.R, X.p))
        return whole

    def with_all_below(self, link: str) -> set[str]:
        return {link, *(joint.child for joint in self.tree.below(link))}

    def pose_keys(self, X: Pose, frame: str) -> dict[str, Any]:
        """Keys that place a frame on the hub."""
        place = f"{self.letter}{frame}"
        return {f"p_{place}_m": X.p.tolist(), f"q_{place}": quaternion_of(X.R).tolist()}


def with_urdf(
    where: str, document: Mapping[str, Any], read: Callable[[Reader, str], str]
) -> dict[str, Any]:
    """The document with what its spacecraft's URDF files say, as keys."""
    whole = dict(document)
    for craft, letter in _LETTERS.items():
        table = document.get(craft)
        if isinstance(table, Mapping) and URDF in table:
            problems: list[Problem] = []
            keys = _keys_of(table, letter, read, problems)
            raise_problems(where, [((craft, *path), text) for path, text in problems])
            whole[craft] = merged(keys, _without_links(table))
    return whole


def _keys_of(
    table: Mapping[str, Any],
    letter: str,
    read: Callable[[Reader, str], str],
    problems: list[Problem],
) -> dict[str, Any]:
    """What the file says, as keys of a spacecraft."""
    file = table[URDF]
    if not isinstance(file, str):
        problems.append(((URDF,), f"must be a string, found {shown(file)}"))
        return {}
    try:
        text = read(read_craft, file)
        tree = read_tree(text, file)
    except InputError as error:
        problems += [((URDF,), line) for line in str(error).splitlines()]
        return {}
    at = {tree.root: Pose(np.eye(3), np.zeros(3))}
    for joint in tree.below(tree.root):
        at[joint.child] = at[joint.parent] @ joint.origin
    craft = _Craft(tree, at, letter)
    bending = _bending(craft, table, problems)
    hub_links = set(tree.links).difference(*bending.values())
    hub = craft.body_of(hub_links)
    if hub.mass == 0.0:
        text = f"{file}: the hub, link {tree.root!r} and what no appendage takes, has no mass"
        problems.append(((URDF,), text))
    if problems:
        return {}
    origin = Pose(np.eye(3), -hub.com)  # root link in the hub's frame
    inertia = hub.inertia - point_inertia(hub.mass, hub.com)
    appendages: dict[str, Any] = {}
    for name, links in bending.items():
        given = table["appendages"][name]
        body = craft.body_of(links).seen_from(origin.R, origin.p)
        X = origin @ at[given[LINK]]
        if given.get("kind") == "modal":
            appendages[name] = _modal(craft, body, X)
        else:
            appendages[name], spare = _beam(craft, body, X)
            inertia = inertia + spare
        appendages[name] |= {key: given[key] for key in KINDS if key in given}
    return {
        "mass_kg": hub.mass,
        "inertia_kg_m2": (0.5 * (inertia + inertia.T)).tolist(),
        "shapes": _shapes(craft, text, hub_links, origin),
        "appendages": appendages,
        **_mounted(craft, table, origin, problems),
    }


def _bending(
    craft: _Craft, table: Mapping[str, Any], problems: list[Problem]
) -> dict[str, set[str]]:
    """The links of each appendage that names one."""
    found: dict[str, set[str]] = {}
    taken: dict[str, str] = {}
    for name, link in _links_in(table.get("appendages")).items():
        path = ("appendages", name, LINK)
        problem = _link_problem(craft, link)
        if problem is None and link == craft.tree.root:
            problem = f"{shown(link)} is the root link, which is the hub"
        if problem is None:
            links = craft.with_all_below(link)
            shared = next((taken[each] for each in links if each in taken), None)
            if shared is not None:
                problem = f"{shown(link)} and the link of appendages.{shared} hang on each other"
            elif craft.body_of(links).mass == 0.0:
                problem = f"{shown(link)} has no mass, with all that hangs on it"
            else:
                taken |= dict.fromkeys(links, name)
                found[name] = links
        if problem is not None:
            problems.append((path, problem))
    return found


def _links_in(tables: object) -> dict[str, Any]:
    """Links that tables name, by the names of the tables."""
    named = tables.items() if isinstance(tables, Mapping) else ()
    return {name: each[LINK] for name, each in named if isinstance(each, Mapping) and LINK in each}


def _link_problem(craft: _Craft, link: object) -> str | None:
    if isinstance(link, str) and link in craft.at:
        return None
    return f"the file has no link {shown(link)}{nearest(str(link), craft.at)}"


def _beam(craft: _Craft, body: RigidInertia, X: Pose) -> tuple[dict[str, Any], np.ndarray]:
    """Keys of a beam for a body that is clamped at X, both in the hub's frame; and the inertia that
    the body has and the beam has not (3, 3) [kg m2], which hub and beam turn with alike."""
    c = body.com - X.p
    half = float(np.linalg.norm(c))
    x = c / max(half, 1e-300)
    inertia = body.inertia - point_inertia(body.mass, body.com)
    across = np.eye(3) - np.outer(x, x)
    z = np.linalg.eigh(across @ inertia @ across)[1][:, -1]
    z = across @ z * np.sign(z[np.argmax(np.abs(z))])
    z /= np.linalg.norm(z)
    R = np.column_stack([x, np.cross(z, x), z])
    keys = {"mass_kg": body.mass, "length_m": 2.0 * half, **craft.pose_keys(Pose(R, X.p), "B")}
    width = float(np.sqrt(12.0 * max(0.0, x @ inertia @ x) / body.mass))  # of a thin plate
    if SHORTEST_M <= width <= LONGEST_M:
        keys["drawn_width_m"] = width
    return keys, inertia - body.mass * half**2 / 3.0 * across


def _modal(craft: _Craft, body: RigidInertia, X: Pose) -> dict[str, Any]:
    """Keys of an appendage whose modes the mission gives, for such a body."""
    back = Pose(X.R.T, -X.R.T @ X.p)
    own = body.seen_from(back.R, back.p)
    inertia = own.inertia - point_inertia(own.mass, own.com)
    return {
        "mass_kg": own.mass,
        "com_m": own.com.tolist(),
        "inertia_kg_m2": (0.5 * (inertia + inertia.T)).tolist(),
        **craft.pose_keys(X, "B"),
    }


def _mounted(
    craft: _Craft, table: Mapping[str, Any], origin: Pose, problems: list[Problem]
) -> dict[str, Any]:
    """Where the grapple frame and the roots of arms are that stand on a link."""
    found: dict[str, Any] = {}
    for name, link in _links_in({"grapple": table.get("grapple")}).items():
        problem = _link_problem(craft, link)
        if problem is None:
            found[name] = craft.pose_keys(origin @ craft.at[link], "G")
        else:
            problems.append(((name, LINK), problem))
    for name, link in _links_in(table.get("arms")).items():
        problem = _link_problem(craft, link)
        if problem is None:
            placed = craft.pose_keys(origin @ craft.at[link], "A")
            found.setdefault("arms", {})[name] = placed
        else:
            problems.append((("arms", name, LINK), problem))
    return found


def _without_links(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table without the keys that only this module knows."""
    left = {key: each for key, each in table.items() if key != URDF}
    if isinstance(left.get("grapple"), Mapping):
        left["grapple"] = _less_link(left["grapple"])
    for kind in ("appendages", "arms"):
        if isinstance(left.get(kind), Mapping):
            left[kind] = {name: _less_link(each) for name, each in left[kind].items()}
    return left


def _less_link(table: object) -> object:
    """A table without its link, which takes the place of a place given by numbers."""
    if not isinstance(table, Mapping) or LINK not in table:
        return table
    return {key: it for key, it in table.items() if key != LINK and not _PLACE.fullmatch(key)}


def _shapes(craft: _Craft, text: str, links: set[str], origin: Pose) -> dict[str, Any]:
    """How the hub is drawn: the visuals of its links, those that a mission can have."""
    found: dict[str, Any] = {}
    for looks in looks_of(text, craft.tree.name, craft.tree.root):
        if looks.link not in links:
            continue
        drawn = [*looks.shapes, *filter(_is_readable, looks.meshes)]
        drawn = drawn or [*filter(_is_readable, looks.collisions)]
        for shape in filter(_is_possible, drawn):
            if len(found) < MAX_SHAPES:
                found[_free_name(looks.link, found)] = _shape(craft, shape, origin)
    return found


def _is_readable(shape: ShapeDescription) -> bool:
    """Whether a mesh was found, of a kind that is read, and has one scale."""
    kind = os.path.splitext(shape.mesh)[1].lower()
    return os.path.isabs(shape.mesh) and kind in MESH_KINDS and len({*shape.size}) == 1


def _is_possible(shape: ShapeDescription) -> bool:
    if shape.kind == "mesh":
        return 1e-6 <= shape.size[0] <= 1e6
    return all(SHORTEST_M <= length <= LONGEST_M for length in shape.size)


def _shape(craft: _Craft, shape: ShapeDescription, origin: Pose) -> dict[str, Any]:
    X = origin @ Pose(np.eye(3), np.array(shape.p))
    w, x, y, z = shape.q
    keys: dict[str, Any] = {
        "kind": shape.kind,
        "colour": "#{:02x}{:02x}{:02x}".format(*shape.colour),
    }
    keys |= {f"p_{craft.letter}B_m": X.p.tolist(), f"q_{craft.letter}B": [w, x, y, z]}
    if shape.kind == "box":
        return keys | {"size_m": [*shape.size]}
    if shape.kind == "mesh":
        return keys | {"file": shape.mesh, "scale": shape.size[0]}
    keys["radius_m"] = shape.size[0]
    return keys if shape.kind == "sphere" else keys | {"length_m": shape.size[2]}


def _free_name(link: str, taken: Mapping[str, Any]) -> str:
    """A name of a shape: the link's, as far as keys can be called so."""
    plain = re.sub(r"[^a-z0-9_]", "_", link.lower())
    plain = plain if re.match(r"[a-z]", plain) else f"link_{plain}"
    names = (plain if number == 1 else f"{plain}_{number}" for number in count(1))
    return next(name for name in names if name not in taken)
