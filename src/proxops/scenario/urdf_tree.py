"""The links of a URDF file as a tree, and the way through it from the root to an arm's tip."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from proxops.core.errors import InputError
from proxops.core.safe_xml import XmlError, parse_xml
from proxops.core.text import nearest
from proxops.scenario.urdf_elements import ElementError, Joint, Link, joint_of, link_of

_LISTED = 12  # links of a message

_OTHER_FORMATS = {
    "mujoco": "is an MJCF file, which is not read: give the URDF file of the same robot",
    "sdf": "is an SDF file, which is not read: give the URDF file of the same robot",
    "COLLADA": "is a mesh, which is not an arm: give the URDF file that names it",
}


@dataclass(frozen=True)
class LinkTree:
    """A file whose links form one tree."""

    name: str
    root: str
    links: Mapping[str, Link]
    leaving: Mapping[str, Sequence[Joint]]  # joints by the link that they leave, where any do
    document: ElementTree.Element

    def below(self, name: str) -> Iterator[Joint]:
        """Every joint below a link, parents before their children."""
        waiting = [*reversed(self.leaving.get(name, ()))]
        while waiting:
            joint = waiting.pop()
            yield joint
            waiting += reversed(self.leaving.get(joint.child, ()))


def read_tree(text: str, where: str) -> LinkTree:
    """The tree of links in a URDF text; `where` is how messages call it.

    All problems of the elements are reported at once, then those of the tree, one line each.
    """
    root = _xml(text, where)
    links, joints, problems = _elements(root)
    if problems:  # with what may be wrong beside it: nobody likes to learn it one by one
        problems += [motion_problem(joint) for joint in joints if joint.problem]
    problems = problems or _tree_problems(links, joints)
    if problems:
        raise InputError("\n".join(f"{where}: {problem}" for problem in problems))
    children = {joint.child for joint in joints}
    leaving: dict[str, list[Joint]] = {}
    for joint in joints:
        leaving.setdefault(joint.parent, []).append(joint)
    first = next(name for name in links if name not in children)
    return LinkTree(root.get("name", ""), first, links, leaving, root)


def motion_problem(joint: Joint) -> str:
    """Why a joint cannot move."""
    return f"joint {joint.name!r}: {joint.problem}"


def joints_to_tip(tree: LinkTree, tip: str | None, where: str) -> list[Joint]:
    """The joints from the root to the link `tip`; without one, to where the only chain of moving
    joints and what is fixed to it ends."""
    if tip is not None and tip not in tree.links:
        raise InputError(f"{where}: tip: there is no link {tip!r}{nearest(tip, tree.links)}")
    path = _only_chain(tree, where) if tip is None else _way_to(tree, tip)
    for joint in path:
        if joint.follows:
            raise InputError(
                f'{where}: give tip = "{joint.parent}", or another link before {joint.child!r}: '
                f"joint {joint.name!r} follows {joint.follows!r} (<mimic>), which is possible only "
                "off the way to the tip, where joints are locked at zero"
            )
    return path


def _way_to(tree: LinkTree, tip: str) -> list[Joint]:
    arriving = {joint.child: joint for joint in tree.below(tree.root)}
    path: list[Joint] = []
    while tip in arriving:
        path.append(arriving[tip])
        tip = path[-1].parent
    return path[::-1]


def _only_chain(tree: LinkTree, where: str) -> list[Joint]:
    # Whether anything moves beyond a link, found from the leaves on: below() has parents first
    moving: set[str] = set()
    for joint in reversed([*tree.below(tree.root)]):
        if joint.child in moving or not joint.fixed:
            moving.add(joint.parent)
    at, path = tree.root, []
    while at in tree.leaving:
        leaving = tree.leaving[at]
        onward = [each for each in leaving if each.child in moving or not each.fixed] or [*leaving]
        if len(onward) > 1:
            ends = [each.child for each in tree.below(at) if each.child not in tree.leaving]
            raise InputError(
                f'{where}: give tip = "<link>", the link of the end effector: {len(onward)} '
                f"branches leave link {at!r}; they end at {_listed(ends)}"
            )
        path += onward
        at = onward[0].child
    return path


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(map(repr, names[:_LISTED])) + more


def _xml(text: str, where: str) -> ElementTree.Element:
    try:
        root = parse_xml(text)
    except XmlError as error:
        raise InputError(f"{where}: {error}") from None
    tag = root.tag.rpartition("}")[2]
    if tag in _OTHER_FORMATS:
        raise InputError(f"{where}: {_OTHER_FORMATS[tag]}")
    if root.tag != "robot":
        raise InputError(f"{where}: the root element is <{root.tag[:60]}>, not <robot>")
    if any("xacro" in each.tag for each in root):
        raise InputError(f"{where}: expand it first: xacro {where} > arm.urdf; it has macros")
    return root


def _elements(root: ElementTree.Element) -> tuple[dict[str, Link], list[Joint], list[str]]:
    problems = [
        f"{tag}: {count} elements are named {name!r}" if name else f"{tag}: one has no name"
        for tag in ("link", "joint")
        for name, count in Counter(item.get("name", "") for item in root.findall(tag)).items()
        if count > 1 or not name
    ]
    links: dict[str, Link] = {}
    joints: list[Joint] = []
    for element in root:
        name = element.get("name", "")
        try:
            if element.tag == "link":
                links[name] = link_of(element)
            elif element.tag == "joint":
                joints.append(joint_of(element))
        except ElementError as problem:
            problems.append(f"{element.tag} {name!r}: {problem}")
    return links, joints, problems


def _tree_problems(links: Mapping[str, Link], joints: list[Joint]) -> list[str]:
    """Why the links do not form one tree."""
    if not links:
        return ["has no <link>"]
    problems = [
        f"joint {joint.name!r}: there is no link {name!r}"
        for joint in joints
        for name in (joint.parent, joint.child)
        if name not in links
    ]
    problems += [
        f"link {name!r}: is moved by {number} joints; loops are not supported"
        for name, number in Counter(joint.child for joint in joints).items()
        if number > 1
    ]
    if problems:
        return problems
    children = {joint.child for joint in joints}
    roots = [name for name in links if name not in children]
    if len(roots) > 1:
        return [f"links {_listed(roots)} hang on no joint; exactly one may"]
    after: dict[str, list[str]] = {}
    for joint in joints:
        after.setdefault(joint.parent, []).append(joint.child)
    reached, waiting = set(roots), roots
    while waiting:
        waiting = [child for name in waiting for child in after.get(name, ())]
        reached.update(waiting)
    astray = [name for name in links if name not in reached]
    return [f"links {_listed(astray)} form a cycle"] if astray else []
