"""Ways to break the mission, and what must then be said."""

from tests.data.broken import Broken

_Q = "q_deg = [10.0, -20.0]"

MISSIONS = (
    Broken("syntax", "[chaser]\n", "[chaser\n", ("mission.toml", "line", "column")),
    Broken("key twice", "mass_kg = 500.0", "mass_kg = 1.0\nmass_kg = 2.0", ("line", "column")),
    Broken(
        "negative mass",
        "mass_kg = 500.0",
        "mass_kg = -3.0",
        ("chaser.mass_kg: must be greater than 0, found -3.0",),
    ),
    Broken("no mass", "mass_kg = 500.0\n", "", ("chaser.mass_kg: missing; Mass of the hub",)),
    Broken(
        "word for a number",
        "mass_kg = 500.0",
        'mass_kg = "500"',
        ("chaser.mass_kg: must be a number, found '500'",),
    ),
    Broken(
        "bool for a number",
        "mass_kg = 500.0",
        "mass_kg = true",
        ("chaser.mass_kg: must be a number, found True",),
    ),
    Broken(
        "date for a number",
        "mass_kg = 500.0",
        "mass_kg = 2030-01-01",
        ("chaser.mass_kg: must be a number",),
    ),
    Broken(
        "not a number",
        "p_HC_m = [0.0, -10.0, 0.0]",
        "p_HC_m = [0.0, nan, 0.0]",
        ("chaser.p_HC_m.1: must be a finite number, found nan",),
    ),
    Broken(
        "infinite",
        "v_HC_m_s = [0.0, 0.0, 0.0]",
        "v_HC_m_s = [0.0, 0.0, inf]",
        ("chaser.v_HC_m_s.2: must be a finite number, found inf",),
    ),
    Broken(
        "short vector",
        "p_HC_m = [0.0, -10.0, 0.0]",
        "p_HC_m = [0.0]",
        ("1 problem\n", "chaser.p_HC_m: too few numbers, found [0.0]"),
    ),
    Broken(
        "long vector",
        "p_HC_m = [0.0, -10.0, 0.0]",
        "p_HC_m = [0.0, -10.0, 0.0, 1.0]",
        ("chaser.p_HC_m: must have 3 numbers, found 4",),
    ),
    Broken(
        "number for a vector",
        "p_HC_m = [0.0, -10.0, 0.0]",
        "p_HC_m = 3.0",
        ("chaser.p_HC_m: must be a list, found 3.0",),
    ),
    Broken(
        "unknown key",
        "mass_kg = 500.0",
        "mas_kg = 500.0",
        ("chaser.mas_kg: unknown key; did you mean 'mass_kg'?", "chaser.mass_kg: missing"),
    ),
    Broken("unknown section", "[orbit]", "[orbits]", ("orbits: unknown key", "'orbit'")),
    Broken(
        "value for a section",
        "[requirements.calm]",
        "[requirements]\ncalm = 3\n[requirements.calmer]",
        ("requirements.calm: must be a table, found 3",),
    ),
    Broken(
        "unknown key at depth",
        "{ t_s = 1.0, q_deg",
        "{ t_s = 1.0, speed = 3, q_deg",
        ("obsw.joints.main.waypoints.0.speed: unknown key; there are: q, q_deg, t_s",),
    ),
    Broken(
        "impossible inertia",
        "[[100.0, 0.0, 0.0], [0.0, 110.0, 0.0], [0.0, 0.0, 120.0]]",
        "[[10.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 120.0]]",
        ("chaser.inertia_kg_m2: must satisfy I1 + I2 >= I3", "10, 10, 120 kg m2"),
    ),
    Broken(
        "indefinite inertia",
        "[[200.0, 0.0, 0.0], [0.0, 210.0, 0.0], [0.0, 0.0, 220.0]]",
        "[[200.0, 300.0, 0.0], [300.0, 210.0, 0.0], [0.0, 0.0, 220.0]]",
        ("target.inertia_kg_m2: must be positive definite; principal moments are -95",),
    ),
    Broken(
        "asymmetric inertia",
        "[[200.0, 0.0, 0.0], [0.0, 210.0, 0.0], [0.0, 0.0, 220.0]]",
        "[[200.0, 1.0, 0.0], [0.0, 210.0, 0.0], [0.0, 0.0, 220.0]]",
        ("target.inertia_kg_m2: must be symmetric; ",),
    ),
    Broken(
        "quaternion not unit",
        "q_NC = [1.0, 0.0, 0.0, 0.0]",
        "q_NC = [1.0, 0.1, 0.0, 0.0]",
        ("chaser.q_NC: must have norm 1", "found 1.00498756"),
    ),
    Broken(
        "step against control",
        "step_s = 0.001 }",
        "step_s = 0.003 }",
        (
            "time.phases.reach.step_s: 0.003 s does not divide the control period 0.002 s",
            "the longest that does is 0.002 s",
        ),
    ),
    Broken(
        "step against record",
        "record_rate_hz = 100.0",
        "record_rate_hz = 1000.0",
        ("time.phases.coast.step_s: 0.002 s does not divide the record period 0.001 s",),
    ),
    Broken(
        "control against phase",
        "coast = { until_s = 1.0,",
        "coast = { until_s = 1.001,",
        (
            "time.phases.coast.until_s: the control period 0.002 s does not divide the length of "
            "the phase 1.001 s",
        ),
    ),
    Broken(
        "phases out of order",
        "coast = { until_s = 1.0,",
        "coast = { until_s = 3.0,",
        ("time.phases.reach.until_s: 2 s is not after the end of phase 'coast' before it, 3 s",),
    ),
    Broken(
        "phases end early",
        "duration_s = 2.0",
        "duration_s = 2.5",
        ("time.phases.reach.until_s: the last phase ends at 2 s", "duration_s = 2.5 s"),
    ),
    Broken(
        "no whole nanoseconds",
        "control_rate_hz = 500.0",
        "control_rate_hz = 300.0",
        ("time.control_rate_hz: take 250 or 320 Hz", "0.00333333333333 s, is not a whole number"),
    ),
    Broken(
        "no phases",
        "coast = { until_s = 1.0, step_s = 0.002 }\nreach = { until_s = 2.0, step_s = 0.001 }\n",
        "",
        ("time.phases:",),
    ),
    Broken(
        "too many steps",
        "step_s = 0.001 }",
        "step_s = 0.000001, substeps = 1000 }",
        ("time.phases: 1000000500 steps in all; at most 1000000000",),
    ),
    Broken(
        "orbit inside the planet",
        "eccentricity = 0.05",
        "eccentricity = 0.5",
        ("orbit.semi_major_axis_km: periapsis a(1 - e) = 3500 km lies inside the earth",),
    ),
    Broken(
        "unknown planet",
        'attractor = "earth"',
        'attractor = "mars"',
        ("orbit.attractor: must be 'earth' or 'moon', found 'mars'",),
    ),
    Broken("hyperbola", "eccentricity = 0.05", "eccentricity = 1.2", ("orbit.eccentricity:",)),
    Broken(
        "bad name",
        "[chaser.arms.main]",
        "[chaser.arms.Main-1]",
        ("chaser.arms.Main-1: a name is made of a-z, 0-9 and _",),
    ),
    Broken(
        "control of no arm",
        "[obsw.joints.main]",
        "[obsw.joints.mian]",
        ("obsw.joints.mian: the chaser has no arm of this name; did you mean 'main'?",),
    ),
    Broken(
        "too few joint angles",
        _Q,
        "q_deg = [10.0]",
        ("chaser.arms.main.q_deg: 1 numbers given, arm 'two' has 2 joints",),
    ),
    Broken(
        "joint beyond its stop",
        _Q,
        "q_deg = [10.0, -200.0]",
        ("chaser.arms.main.q_deg: joint 'second': -200 deg is outside -114.592 .. 114.592 deg",),
    ),
    Broken(
        "joint too fast",
        _Q,
        f"{_Q}\nqd = [0.0, 0.6]",
        ("chaser.arms.main.qd: joint 'second': 0.6 rad/s is outside -0.5 .. 0.5 rad/s",),
    ),
    Broken(
        "angles given twice",
        _Q,
        f"{_Q}\nq = [0.1, 0.2]",
        ("chaser.arms.main.q_deg: give q or q_deg, not both",),
    ),
    Broken("angles not given", _Q, "", ("chaser.arms.main.q_deg: missing; give q_deg, or q",)),
    Broken(
        "gains do not fit",
        "kd = [10.0, 5.0]",
        "kd = [10.0, 5.0, 1.0]",
        ("obsw.joints.main.kd: 3 numbers given, arm 'two' has 2 joints",),
    ),
    Broken("negative gain", "kp = 50.0", "kp = -50.0", ("obsw.joints.main.kp: must be",)),
    Broken(
        "word for a gain", "kp = 50.0", 'kp = [1, "a"]', ("obsw.joints.main.kp.1: must be a n",)
    ),
    Broken(
        "waypoint beyond a stop",
        "q_deg = [30.0, 10.0]",
        "q_deg = [130.0, 10.0]",
        ("obsw.joints.main.waypoints.1.q_deg: joint 'first': 130 deg is outside",),
    ),
    Broken(
        "waypoints out of order",
        "{ t_s = 2.0,",
        "{ t_s = 0.5,",
        ("obsw.joints.main.waypoints.1.t_s: 0.5 s is not after the waypoint before it, 1 s",),
    ),
    Broken(
        "unknown arm",
        'urdf = "two.urdf"',
        'urdf = "space-amr"',
        ("chaser.arms.main.urdf: no shipped arm and no file", "did you mean 'space-arm'?"),
    ),
    Broken(
        "arm is a folder",
        'urdf = "two.urdf"',
        'urdf = "."',
        ("chaser.arms.main.urdf:", "is a directory"),
    ),
    Broken("measure", '"max-norm"', '"mean"', ("requirements.calm.measure: must be 'max-norm'",)),
    Broken("unit", '"deg/s"', '"deg/h"', ("requirements.calm.unit: unknown unit 'deg/h'",)),
    Broken(
        "component of a norm",
        'measure = "max-norm"',
        'measure = "max-norm"\ncomponent = 1',
        ("requirements.calm.component: 'max-norm' is of the whole signal",),
    ),
    Broken(
        "window backwards",
        "limit = 3.0",
        "limit = 3.0\nfrom_s = 2.0\nto_s = 1.0",
        ("requirements.calm.to_s: 1 s is before from_s = 2 s",),
    ),
    Broken("seed", "[time]\n", "[time]\nseed = 1\n", ("time.seed: unknown key",)),
)
