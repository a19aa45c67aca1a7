"""Ways to break the arm, and what must then be said."""

from tests.data.broken import Broken

_SECOND = '<axis xyz="0 1 0"/>\n    <limit lower="-2" upper="2" effort="50" velocity="0.5"/>'
_SECOND_JOINT = '<joint name="second" type="revolute">'
_HAND = '<mass value="2"/> <inertia ixx="0.02" iyy="0.02" izz="0.01"'
_JOINT = '<joint name="j" type="fixed"><parent link="{}"/><child link="{}"/></joint>'
_END = "</robot>"

_ARM_CASES = (
    ("not closed", _END, "", ("not well-formed XML", "line")),
    ("entities", '<robot name="two">', '<!DOCTYPE a><robot name="two">', ("document types",)),
    ("no robot", '<robot name="two">', "<model><robot/>", ("not well-formed XML: mismatched",)),
    (
        "axis zero",
        '<axis xyz="0 1 0"/>',
        '<axis xyz="0 0 0"/>',
        ("two.urdf: joint 'second': <axis> has no direction",),
    ),
    (
        "axis of two numbers",
        '<axis xyz="0 1 0"/>',
        '<axis xyz="0 1"/>',
        ("joint 'second': <axis> xyz must be 3 finite numbers, found '0 1'",),
    ),
    (
        "origin not finite",
        '<origin xyz="0 0 1"/>',
        '<origin xyz="0 0 nan"/>',
        ("joint 'second': <origin> xyz must be 3 finite numbers, found '0 0 nan'",),
    ),
    (
        "mass negative",
        '<mass value="2"/>',
        '<mass value="-2"/>',
        ("link 'hand': mass must not be negative, found -2",),
    ),
    ("mass no number", '<mass value="2"/>', '<mass value="2 kg"/>', ("link 'hand': <mass> value",)),
    (
        "inertia impossible",
        _HAND,
        _HAND.replace("0.01", "0.05"),
        ("link 'hand': inertia must satisfy I1 + I2 >= I3", "0.02, 0.02, 0.05 kg m2"),
    ),
    (
        "inertia missing",
        ' izz="0.01" ixy="0" ixz="0" iyz="0"/>\n    </inertial>\n  </link>\n</robot>',
        "/></inertial></link></robot>",
        ("link 'hand': <inertia> has no izz",),
    ),
    ("limits missing", _SECOND, '<axis xyz="0 1 0"/>', ("joint 'second': a revolute joint needs",)),
    (
        "limits reversed",
        _SECOND,
        _SECOND.replace('"-2"', '"3"'),
        ("joint 'second': <limit> lower 3 is not below upper 2",),
    ),
    (
        "no effort",
        _SECOND,
        _SECOND.replace('effort="50"', 'effort="0"'),
        ("joint 'second': <limit> effort and velocity must be greater than 0, found 0 and 0.5",),
    ),
    (
        "friction negative",
        _SECOND,
        _SECOND + '<dynamics friction="-1"/>',
        ("joint 'second': <dynamics> friction must not be negative, found -1",),
    ),
    (
        "unknown attribute of ours",
        _SECOND,
        _SECOND + '<proxops rotor="1"/>',
        ("joint 'second': <proxops> has unknown attribute 'rotor'", "rotor_inertia"),
    ),
    (
        "kind of joint",
        _SECOND_JOINT,
        _SECOND_JOINT.replace("revolute", "floating"),
        ("joint 'second': type 'floating' is not supported; there are: revolute",),
    ),
    (
        "coupled joint",
        _SECOND,
        _SECOND + '<mimic joint="first"/>',
        ('give tip = "boom"', "joint 'second' follows 'first' (<mimic>)"),
    ),
    (
        "inertia without mass",
        '<mass value="2"/>',
        '<mass value="0"/>',
        ("link 'hand': has an inertia but no mass",),
    ),
    (
        "macros",
        _END,
        '<a:xacro xmlns:a="http://www.ros.org/wiki/xacro"/></robot>',
        ("expand it first: xacro two.urdf > arm.urdf",),
    ),
    (
        "joint without a child",
        '<child link="hand"/>',
        "",
        ("joint 'second': <joint> has no <child>",),
    ),
    (
        "joint to nowhere",
        '<child link="hand"/>',
        '<child link="hnad"/>',
        ("joint 'second': there is no link 'hnad'",),
    ),
    (
        "two links of one name",
        _END,
        '<link name="hand"/></robot>',
        ("link: 2 elements are named 'hand'",),
    ),
    (
        "branch",
        _END,
        '<link name="x"/>' + _JOINT.format("boom", "x").replace("fixed", "continuous") + _END,
        ('give tip = "<link>"', "2 branches leave link 'boom'; they end at 'hand', 'x'"),
    ),
    (
        "closed loop",
        _END,
        _JOINT.format("hand", "boom") + _END,
        ("link 'boom': is moved by 2 joints",),
    ),
    (
        "cycle",
        _END,
        _JOINT.format("hand", "root") + _END,
        ("links 'root', 'boom', 'hand' form a cycle",),
    ),
    (
        "cycle beside the chain",
        _END,
        '<link name="x"/><link name="y"/>'
        + _JOINT.format("x", "y")
        + _JOINT.format("y", "x").replace('"j"', '"k"')
        + _END,
        ("links 'x', 'y' form a cycle",),
    ),
    ("two roots", _END, '<link name="x"/></robot>', ("links 'root', 'x' hang on no joint",)),
    (
        "massless end",
        _END,
        '<link name="x"/>' + _JOINT.format("hand", "x").replace("fixed", "continuous") + _END,
        ("joint 'j': link 'x' has no mass",),
    ),
)
ARMS = tuple(Broken(*case, in_arm=True) for case in _ARM_CASES)
