"""An arm looks as its URDF file says."""

import math

import numpy as np
import pytest

from proxops.scenario.shipped import shipped_arms
from proxops.scenario.urdf import parse_urdf, place_links
from proxops.scenario.urdf_visual import arm_shapes, mesh_files, mesh_names

INERTIAL = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)


def arm(visual):
    return f"""<robot name="a">
      <link name="base"/>
      <joint name="turn" type="revolute">
        <parent link="base"/><child link="rod"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/>
      </joint>
      <link name="rod">{INERTIAL}{visual}</link>
      <joint name="end" type="fixed">
        <parent link="rod"/><child link="tool"/><origin xyz="0 0 2"/>
      </joint>
      <link name="tool"/>
    </robot>"""


def shapes(visual):
    text = arm(visual)
    return arm_shapes(parse_urdf(text, "a"), text)


@pytest.mark.parametrize("name", sorted(shipped_arms()))
def test_links_are_placed_where_the_arm_has_them(name):
    text = shipped_arms()[name].read_text("utf-8")
    described = parse_urdf(text, name)
    element, number, X_JE = place_links(text, name)[1][-1]
    assert number == len(described.joints)
    np.testing.assert_allclose(X_JE.R, described.R_JE, atol=1e-15)
    np.testing.assert_allclose(X_JE.p, described.p_JE, atol=1e-15)
    assert element.tag == "link"


def test_a_cylinder_stands_where_its_link_does():
    # the joint frame has z along the axis, y of the link: the link's z is the frame's y or its
    # opposite, so that a cylinder 1 m up the link is 1 m off in the plane across the axis
    ((number, shape, link),) = shapes(
        '<visual><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="2"/></geometry>'
        '<material name="red"><color rgba="1 0 0 1"/></material></visual>'
    )
    assert (number, shape.kind, shape.size) == (1, "cylinder", (0.1, 0.1, 2.0))
    assert link == "rod"
    assert shape.colour == (255, 0, 0)
    assert abs(shape.p[2]) < 1e-15
    assert math.hypot(*shape.p) == pytest.approx(1.0)


def test_boxes_and_balls_are_drawn_too():
    found = shapes(
        '<visual><geometry><box size="1 2 3"/></geometry></visual>'
        '<visual><geometry><sphere radius="0.2"/></geometry></visual>'
    )
    assert [shape.kind for _, shape, _ in found] == ["box", "sphere"]
    assert found[0][1].size == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    "visual",
    [
        "",
        '<visual><geometry><mesh filename="arm.stl"/></geometry></visual>',
        '<visual><geometry><box size="1 2"/></geometry></visual>',
        '<visual><geometry><cylinder radius="wide" length="1"/></geometry></visual>',
        "<visual><geometry/></visual>",
    ],
    ids=["none", "mesh", "two numbers", "no number", "empty"],
)
def test_what_cannot_be_drawn_becomes_a_rod_from_joint_to_joint(visual):
    found = shapes(visual)
    rods = {number: shape for number, shape, _ in found if shape.kind == "cylinder"}
    assert rods[0].size[2] == pytest.approx(0.5)
    assert rods[1].size[2] == pytest.approx(2.0)
    assert math.hypot(*rods[1].p) == pytest.approx(1.0)


MESH = '<{0}><geometry><mesh filename="{1}" scale="2 2 2"/></geometry>{2}</{0}>'


def test_a_mesh_is_drawn_where_it_can_be():
    text = arm(MESH.format("visual", "/m/rod.dae", "") + MESH.format("collision", "/m/c.stl", ""))
    described = parse_urdf(text, "a")
    ((number, shape, link),) = arm_shapes(described, text, lambda file: file == "/m/rod.dae")
    assert (number, shape.kind, shape.mesh, link) == (1, "mesh", "/m/rod.dae", "rod")
    assert shape.size == (2.0, 2.0, 2.0)
    ((_, shape, _),) = arm_shapes(described, text, lambda file: file == "/m/c.stl")
    assert shape.mesh == "/m/c.stl"  # what collides stands for what is seen


def test_a_link_whose_mesh_is_not_drawn_is_a_rod_beside_the_others():
    text = arm(MESH.format("visual", "/m/rod.dae", ""))
    ball = '<link name="base"><visual><geometry><sphere radius="0.1"/></geometry></visual></link>'
    text = text.replace('<link name="base"/>', ball)
    found = arm_shapes(parse_urdf(text, "a"), text)
    assert [(number, shape.kind) for number, shape, _ in found] == [
        (0, "sphere"),
        (1, "sphere"),
        (1, "cylinder"),
    ]


def test_meshes_that_may_be_drawn_are_files_that_were_found_of_kinds_that_are_read():
    names = ("/m/a.stl", "/m/b.STL", "/m/c.dae", "/etc/passwd", "package://x/d.stl", "/m/e.mesh")
    text = arm("".join(MESH.format("visual", name, "") for name in names))
    assert mesh_files(parse_urdf(text, "a"), text) == {"/m/a.stl", "/m/b.STL", "/m/c.dae"}
    assert mesh_names(parse_urdf(text, "a"), text) == {*names}


def test_a_colour_may_be_that_of_a_material_named_elsewhere():
    text = arm(MESH.format("visual", "/m/a.stl", '<material name="red"/>')).replace(
        "</robot>", '<material name="red"><color rgba="1 0 0 1"/></material></robot>'
    )
    ((_, shape, _),) = arm_shapes(parse_urdf(text, "a"), text, lambda file: True)
    assert shape.colour == (255, 0, 0)
