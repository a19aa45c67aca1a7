"""A URDF file as the description of a serial arm.

Fixed joints are folded into the link before them.  Every remaining joint frame is turned so that
its z axis is the joint axis; the arm's kinematics stay the same, only the axes in which links
and poses are written change.  The end effector E is the frame of the last link.
"""

from collections import Counter
from functools import lru_cache
from xml.etree import ElementTree

import numpy as np

from proxops.core.description import ArmDescription, JointDescription, RigidInertia
from proxops.core.errors import InputError
from proxops.core.frame import z_onto
from proxops.scenario.urdf_elements import (
    ElementError,
    Joint,
    Link,
    Pose,
    joint_of,
    link_of,
)

CACHE_SIZE = 64  # texts whose arm is kept: each is asked for again whenever a scenario is described

_MASSLESS = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))


@lru_cache(CACHE_SIZE)
def parse_urdf(text: str, where: str) -> ArmDescription:
    """The arm that a URDF text describes; `where` is how messages call it.  Its arrays cannot be
    written to.

    All problems of the elements are reported at once, then those of the chain, one line each.
    """
    root = _xml(text, where)
    links, joints, problems = _elements(root)
    if not problems:
        problems = _chain_problems(links, joints)
    if problems:
        raise InputError("\n".join(f"{where}: {problem}" for problem in problems))
    return _frozen(_arm(root.get("name", ""), links, _in_order(links, joints), where))


def _frozen(arm: ArmDescription) -> ArmDescription:
    bodies = [arm.root, *(joint.link for joint in arm.joints)]
    arrays = [arm.R_JE, arm.p_JE, *(array for body in bodies for array in (body.com, body.inertia))]
    arrays += [array for joint in arm.joints for array in (joint.R_PJ, joint.p_PJ)]
    for array in arrays:
        array.flags.writeable = False
    return arm


def place_links(text: str, where: str) -> list[tuple[ElementTree.Element, int, Pose]]:
    """Every <link> from the root to the end effector: how many joints move it, and its frame in
    that of the last of these (in the arm's root frame A where none does)."""
    root = _xml(text, where)
    links, joints, _ = _elements(root)
    order = _in_order(links, joints)
    elements = {element.get("name", ""): element for element in root.findall("link")}
    number, X_JL = 0, Pose(np.eye(3), np.zeros(3))
    placed = [(elements[order[0].parent if order else next(iter(links))], number, X_JL)]
    for joint in order:
        if joint.kind == "fixed":
            X_JL = X_JL @ joint.origin
        else:
            number, X_JL = number + 1, Pose(z_onto(joint.axis).T, np.zeros(3))
        placed.append((elements[joint.child], number, X_JL))
    return placed


def _xml(text: str, where: str) -> ElementTree.Element:
    # A document type is the only way to define entities, and nested ones fill the memory.
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError(f"{where}: document types and entities are not supported")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise InputError(f"{where}: not well-formed XML: {error}") from None
    if root.tag != "robot":
        raise InputError(f"{where}: the root element is <{root.tag[:60]}>, not <robot>")
    return root


def _elements(
    root: ElementTree.Element,
) -> tuple[dict[str, Link], dict[str, Joint], list[str]]:
    problems = [
        f"{tag}: {count} elements are named {name!r}" if name else f"{tag}: one has no name"
        for tag in ("link", "joint")
        for name, count in Counter(item.get("name", "") for item in root.findall(tag)).items()
        if count > 1 or not name
    ]
    links: dict[str, Link] = {}
    joints: dict[str, Joint] = {}
    for element in root:
        name = element.get("name", "")
        try:
            if element.tag == "link":
                links[name] = link_of(element)
            elif element.tag == "joint":
                joints[name] = joint_of(element)
        except ElementError as problem:
            problems.append(f"{element.tag} {name!r}: {problem}")
    return links, joints, problems


def _chain_problems(links: dict[str, Link], joints: dict[str, Joint]) -> list[str]:
    """Why the links do not form one chain."""
    if not links:
        return ["has no <link>"]
    problems = [
        f"joint {joint.name!r}: there is no link {name!r}"
        for joint in joints.values()
        for name in (joint.parent, joint.child)
        if name not in links
    ]
    for count, verb in (
        (Counter(joint.child for joint in joints.values()), "is moved"),
        (Counter(joint.parent for joint in joints.values()), "is left"),
    ):
        problems += [
            f"link {name!r}: {verb} by {number} joints; only serial arms are supported"
            for name, number in count.items()
            if number > 1
        ]
    if problems:
        return problems
    children = {joint.child for joint in joints.values()}
    roots = [name for name in links if name not in children]
    if len(roots) > 1:
        return [f"links {', '.join(map(repr, roots))} hang on no joint; exactly one may"]
    chain = {roots[0], *(joint.child for joint in _in_order(links, joints))} if roots else set()
    astray = [name for name in links if name not in chain]
    return [f"links {', '.join(map(repr, astray))} form a cycle"] if astray else []


def _in_order(links: dict[str, Link], joints: dict[str, Joint]) -> list[Joint]:
    """The joints from the root link to the end effector."""
    after = {joint.parent: joint for joint in joints.values()}
    children = {joint.child for joint in joints.values()}
    name = next(name for name in links if name not in children)
    order = []
    while name in after:
        order.append(after[name])
        name = after[name].child
    return order


def _arm(name: str, links: dict[str, Link], order: list[Joint], where: str) -> ArmDescription:
    """The chain with fixed joints folded and axes along z.

    J is the frame of the last moving joint (A before the first), L the link's frame in the file.
    """
    first = order[0].parent if order else next(iter(links))
    X_JL = Pose(np.eye(3), np.zeros(3))
    body = links[first].body or _MASSLESS
    moving: list[tuple[Joint, Pose]] = []
    bodies: list[RigidInertia] = []
    for joint in order:
        if joint.kind == "fixed":
            X_JL = X_JL @ joint.origin
        else:
            R_LJ = z_onto(joint.axis)
            moving.append((joint, X_JL @ joint.origin @ Pose(R_LJ, np.zeros(3))))
            bodies.append(body)
            X_JL = Pose(R_LJ.T, np.zeros(3))
            body = _MASSLESS
        carried = links[joint.child].body
        if carried is not None:
            body = body.joined(carried.seen_from(X_JL.R, X_JL.p))
    bodies.append(body)
    for (joint, _), link in zip(moving, bodies[1:], strict=True):
        if link.mass == 0.0:
            raise InputError(f"{where}: joint {joint.name!r}: link {joint.child!r} has no mass")
    return ArmDescription(
        name=name or where,
        root=bodies[0],
        joints=tuple(
            _joint(joint, X_PJ, link)
            for (joint, X_PJ), link in zip(moving, bodies[1:], strict=True)
        ),
        R_JE=X_JL.R,
        p_JE=X_JL.p,
    )


def _joint(joint: Joint, X_PJ: Pose, link: RigidInertia) -> JointDescription:
    lower, upper, effort, speed = joint.limit
    viscous, coulomb = joint.friction
    rotor_inertia, stop_stiffness, stop_damping = joint.rotor
    return JointDescription(
        name=joint.name,
        prismatic=joint.kind == "prismatic",
        R_PJ=X_PJ.R,
        p_PJ=X_PJ.p,
        link=link,
        lower=lower,
        upper=upper,
        effort=effort,
        speed=speed,
        viscous=viscous,
        coulomb=coulomb,
        rotor_inertia=rotor_inertia,
        stop_stiffness=stop_stiffness,
        stop_damping=stop_damping,
    )
