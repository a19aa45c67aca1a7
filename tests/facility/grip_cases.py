"""A gripper of two fingers at the tip of the arm, which closes on a boss of the target."""

import math

import proxops

AHEAD = 0.06  # how far pads are before E [m], see finger.urdf
ASIDE = 0.05  # of the fingers' rails from E, to either side [m]
PAD = 0.01  # radius [m]
E_X, E_Z = 2.051097, 0.102151  # of the end effector of `touch` in C at the start, y is zero [m]
BOSS_X, BOSS_Y = -2.95, 0.004  # middle of the boss in T: beside that of the gripper [m]
HALF = 0.03  # of its width [m]
SPIN = math.radians(-1.0)  # of both spacecraft about y [rad/s]
STEP = 0.001  # [s]

# Continuous as it touches: a force that jumps is felt late by another part of a step each time
SPRING = {"kind": "hunt-crossley", "force_N": 20.0, "depth_m": 0.01, "damping_s_m": 4.0}
GRIP = {"mu_static": 0.3, "mu_kinetic": 0.25, "stiffness_N_m": 2000.0, "damping_N_s_m": 40.0}
SLIDE = {"kp": [2000.0], "kd": [100.0], "waypoints": [{"t_s": 0.5, "q": [0.02]}]}


def finger(side):
    """An arm on the end effector, its x along z of E and its z towards the other one: along y of E
    from side -1, against it from side 1."""
    return {
        "urdf": "finger",
        "mounted_on": "main",
        "p_CA_m": [0.0, side * ASIDE, 0.0],
        "q_CA": [0.5, side * 0.5, -0.5, side * 0.5],
        "q": [0.0],
    }


def on_boss(arm, side):
    """A finger's pad and the side of the boss that it meets."""
    return {
        "pads": {"on": "chaser", "arm": arm, "centres_m": [[0.0, 0.0, 0.0]], "radius_m": PAD},
        "face": {
            "on": "target",
            "p_m": [BOSS_X, BOSS_Y + side * HALF, E_Z],
            "normal": [0.0, side, 0.0],
            "along": [1.0, 0.0, 0.0],
            "half_sizes_m": [0.05, 0.03],
        },
        "normal": SPRING,
        "friction": GRIP,
    }


def gripping(step=STEP, **more):
    """The chaser goes with the target, but for 5 mm/s to the side, and closes its fingers in half a
    second; the arm yields to what they do."""
    x = BOSS_X - E_X - AHEAD
    return proxops.load("touch").replace(
        {
            "time": {
                "duration_s": 1.2,
                "control_rate_hz": 250.0,
                "record_rate_hz": 250.0,
                "phases": {"grip": {"until_s": 1.2, "step_s": step}},
            },
            "chaser.p_HC_m": [x, 0.0, 0.0],
            "chaser.v_HC_m_s": [0.0, 0.005, -SPIN * x],
            "chaser.arms.left": finger(-1.0),
            "chaser.arms.right": finger(1.0),
            "contacts": {"left": on_boss("left", -1.0), "right": on_boss("right", 1.0)},
            "obsw.joints.main.waypoints.0.t_s": 1.0,
            "obsw.joints.left": SLIDE,
            "obsw.joints.right": SLIDE,
            "requirements": {},
        }
        | more
    )
