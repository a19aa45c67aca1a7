"""A URDF file as the description of a serial arm: the way from its root link to its tip.

Fixed joints are folded into the link before them.  Joints off the way to the tip are locked at
zero, and the links beyond them count as part of the link that they hang on.  Every remaining joint
frame is turned so that its z axis is the joint axis; the arm's kinematics stay the same, only the
axes in which links and poses are written change.  The end effector E is the frame of the tip.
"""

from functools import lru_cache
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from proxops.core.description import (
    ArmDescription,
    JointDescription,
    RigidInertia,
    point_inertia,
)
from proxops.core.errors import InputError
from proxops.core.frame import z_onto
from proxops.core.read_only import read_only
from proxops.scenario.schema.body import inertia_problem
from proxops.scenario.urdf_elements import Joint, JointMotion, Pose
from proxops.scenario.urdf_tree import LinkTree, joints_to_tip, motion_problem, read_tree

CACHE_SIZE = 64  # texts whose arm is kept: each is asked for again whenever a scenario is described

_MASSLESS = RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))


class _Moved(NamedTuple):
    """A joint on the way to the tip."""

    joint: Joint
    motion: JointMotion
    X_PJ: Pose  # its frame in the one before


class _Placed(NamedTuple):
    """A link: how many joints move it, and its frame in that of the last of these."""

    link: str
    number: int
    X_JL: Pose


class LinkElement(NamedTuple):
    """A <link>, placed likewise."""

    element: Element
    number: int
    X_JL: Pose


@lru_cache(CACHE_SIZE)
def parse_urdf(text: str, where: str, tip: str | None = None) -> ArmDescription:
    """The arm from the root link to the link `tip` that a URDF text describes; `where` is how
    messages call it.  Its arrays cannot be written to.

    All problems of the elements are reported at once, then those of the tree, of the way to the
    tip and of the bodies on it, one line each.
    """
    tree = read_tree(text, where)
    path = joints_to_tip(tree, tip, where)
    moved, placed = _walk(tree, path, where)
    bodies = _bodies(tree, placed, len(moved))
    _check(bodies, moved, where)
    end = path[-1].child if path else tree.root
    X_JE = next(each.X_JL for each in placed if each.link == end)
    on_the_way = {joint.name for joint in path}
    arm = ArmDescription(
        name=tree.name or where,
        root=bodies[0],
        joints=tuple(_joint(each, body) for each, body in zip(moved, bodies[1:], strict=True)),
        R_JE=X_JE.R,
        p_JE=X_JE.p,
        tip=end,
        locked=tuple(
            joint.name
            for joint in tree.below(tree.root)
            if not joint.fixed and joint.name not in on_the_way
        ),
    )
    return read_only(arm)


def place_links(text: str, where: str, tip: str | None = None) -> tuple[Element, list[LinkElement]]:
    """The <robot>, and every <link> in it: how many joints move it, and its frame in that of the
    last of these (in the arm's root frame A where none does)."""
    tree = read_tree(text, where)
    _, placed = _walk(tree, joints_to_tip(tree, tip, where), where)
    elements = {each.get("name", ""): each for each in tree.document.iterfind("link")}
    found = [LinkElement(elements[each.link], each.number, each.X_JL) for each in placed]
    return tree.document, found


def _walk(tree: LinkTree, path: list[Joint], where: str) -> tuple[list[_Moved], list[_Placed]]:
    """The joints that move the arm, and where every link of the tree is.

    J is the frame of the last moving joint (A before the first), L the link's frame in the file.
    """
    problems = [f"{where}: {motion_problem(joint)}" for joint in path if joint.problem]
    if problems:
        raise InputError("\n".join(problems))
    motions = {joint.name: joint.motion for joint in path}
    moved: list[_Moved] = []
    at = {tree.root: _Placed(tree.root, 0, Pose(np.eye(3), np.zeros(3)))}
    for joint in tree.below(tree.root):
        before = at[joint.parent]
        motion = motions.get(joint.name)
        if motion is None:
            here = _Placed(joint.child, before.number, before.X_JL @ joint.origin)
        else:
            R_LJ = z_onto(motion.axis)
            X_PJ = before.X_JL @ joint.origin @ Pose(R_LJ, np.zeros(3))
            moved.append(_Moved(joint, motion, X_PJ))
            here = _Placed(joint.child, len(moved), Pose(R_LJ.T, np.zeros(3)))
        at[joint.child] = here
    return moved, [*at.values()]


def _bodies(tree: LinkTree, placed: list[_Placed], joints: int) -> list[RigidInertia]:
    """What is bolted to the hub, then what each joint moves, each in its joint's frame."""
    bodies = [tree.links[tree.root].body or _MASSLESS, *[_MASSLESS] * joints]
    for link, number, X_JL in placed[1:]:
        body = tree.links[link].body
        if body is not None:
            bodies[number] = bodies[number].joined(body.seen_from(X_JL.R, X_JL.p))
    return bodies


def _check(bodies: list[RigidInertia], moved: list[_Moved], where: str) -> None:
    """Whether matter can have these inertias: of the whole that moves, as files carry zeros and
    guesses for small parts."""
    names = ["the root link", *(f"link {each.joint.child!r}" for each in moved)]
    problems = [
        f"joint {each.joint.name!r}: {name} has no mass"
        for each, name, body in zip(moved, names[1:], bodies[1:], strict=True)
        if body.mass == 0.0
    ]
    for name, body in zip(names, bodies, strict=True):
        about_com = body.inertia - point_inertia(body.mass, body.com)
        problem = body.mass > 0.0 and inertia_problem(about_com, thin=body is bodies[0])
        if problem:
            problems.append(f"{name}: inertia {problem}, with what is fixed to it")
    if problems:
        raise InputError("\n".join(f"{where}: {problem}" for problem in problems))


def _joint(moved: _Moved, link: RigidInertia) -> JointDescription:
    motion = moved.motion
    lower, upper, effort, speed = motion.limit
    viscous, coulomb = motion.friction
    rotor_inertia, stop_stiffness, stop_damping = motion.rotor
    return JointDescription(
        name=moved.joint.name,
        prismatic=motion.prismatic,
        R_PJ=moved.X_PJ.R,
        p_PJ=moved.X_PJ.p,
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
