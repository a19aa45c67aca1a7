"""What the orbital navigation believes, from the scenario as its operators know it."""

import math
from typing import Any

import numpy as np

from proxops import plant
from proxops.assembly.describe import describe
from proxops.assembly.sensors import describe_sensors
from proxops.bus.fields import Field
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.onboard.function import Function
from proxops.onboard.functions.orbital_navigation import function as orbital
from proxops.onboard.functions.orbital_navigation.model import (
    FarMotion,
    FarSensors,
    FarTrust,
    build,
    correlated_factor,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.build import start_state
from proxops.plant.mobility import stance
from proxops.scenario.load import Scenario
from proxops.scenario.schema.orbital_navigation import OrbitalNavigation
from proxops.sensors.sensor import Chaser, block_fields
from proxops.sensors.shipped import OPTIONAL, SHIPPED

_LEAST_NOISE = 1e-6  # [m, rad, m/s]: no filter can believe that a sensor makes no errors
_LONGEST = 1e4  # [s], that errors of an attitude may be correlated over


def orbital_navigation_of(believed: Scenario, given: OrbitalNavigation) -> Function:
    """The orbital navigation of a scenario, as it is believed to be."""
    chaser, target, orbit = describe(believed)
    bodies = plant.build(chaser, target, orbit)
    tree = Tree(bodies.chaser, bodies.chaser_topology)
    y, parts = start_state(bodies, chaser, target), layout.slices(bodies)
    q = np.concatenate([np.zeros(0), *(mounted.q for mounted in chaser.jointed)])
    p, v = _start(y[parts.chaser], tree, q)
    motion = FarMotion(
        mass=float(bodies.chaser[:, at.MASS].sum()),
        orbit=bodies.orbit,
        p=tuple(p),
        v=tuple(v),
        p_sigma=given.position_sigma_m,
        v_sigma=given.velocity_sigma_m_s,
        thrust_sigma=given.thrust_sigma,
        push_noise=given.process_noise_m_s_rt_s,
        push_share=given.execution_noise_rt_s,
    )
    there = [each for each in OPTIONAL if (each.name,) in believed.mission.sensors.all()]
    described = describe_sensors(believed.mission, (*SHIPPED, *there))
    lever = np.array(believed.mission.target.grapple.p_TG_m) - bodies.target[0, at.COM : at.COM + 3]
    sensors = _sensors(described, 1.0 / given.rate_hz)
    trust = _trust(given, described, float(np.linalg.norm(lever)))
    params = build(sensors, motion, trust, tree, 1.0 / given.rate_hz)
    reach = max((described[each.name].timing.delay for each in there), default=0.0)
    return orbital.function(params, reach, believed.mission.time.control_ns)


def absent_fields(scenario: Scenario, chaser: Chaser) -> list[Field]:
    """Fields of sensors that a scenario does not have and its orbital navigation could read: they
    never say anything, and are not recorded."""
    if scenario.mission.obsw.orbital_navigation is None:
        return []
    given = scenario.mission.sensors.all()
    missing = (each for each in OPTIONAL if (each.name,) not in given)
    fields = (field for each in missing for field in block_fields(each, chaser))
    return [Field(each.name, each.unit, each.frame, each.shape, each.title) for each in fields]


def _start(y: np.ndarray, tree: Tree, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity of the chaser's centre of mass in O at the start, its joints at rest;
    O starts at the target's centre of mass.

    p = p_OC + R_NC c,   v = v_OC + R_NC (w × c)
    """
    here, masses = stance(tree, q), tree.bodies[:, at.MASS]
    centres = here.p + np.einsum("bij,bj->bi", here.R, tree.bodies[:, at.COM : at.COM + 3])
    c = masses @ centres / masses.sum()
    R = np.array(quat_to_rotation.py_func(tuple(y[layout.Q : layout.Q + 4]))).reshape(3, 3)
    p, v, w = (y[first : first + 3] for first in (layout.P, layout.V, layout.W))
    return p + R @ c, v + R @ np.cross(w, c)


def _sensors(described: dict[str, Any], period: float) -> FarSensors:
    """What is believed of the sensors; those that are not there keep the plain figures."""
    star, gyro = described["star_tracker"], described["gyro"]
    made: dict[str, Any] = {}
    camera = described.get("bearing_camera")
    if camera is not None:
        between = max(camera.timing.period, period)
        # How long stars take to correct the attitude: star noise against the gyro's random walk
        noise = max(star.noise) * math.sqrt(star.timing.period)
        lasts = min(noise / gyro.noise, _LONGEST) if gyro.noise > 0.0 else _LONGEST * (noise > 0.0)
        made |= {
            "p_CK": camera.X_CK[:3],
            "q_CK": camera.X_CK[3:],
            "bearing_sigma": max(camera.noise, _LEAST_NOISE),
            # A tracker that is turned against the camera looks like an error of the camera
            "bearing_bias": math.hypot(camera.bias_sigma, _constant(star)),
            "attitude_factor": correlated_factor(between, lasts),
        }
    finder = described.get("range_finder")
    if finder is not None:
        made |= {
            "p_CL": finder.p_CL,
            "range_sigma": max(finder.noise, _LEAST_NOISE),
            "range_share": finder.noise_per_range,
            "range_bias": finder.bias_sigma,
        }
    gnss = described.get("relative_gnss")
    if gnss is not None:
        noise = (*gnss.noise, *gnss.speed_noise)
        made |= {
            "gnss_sigma": tuple(max(each, _LEAST_NOISE) for each in noise),
            "gnss_bias": gnss.bias_sigma,
        }
    return FarSensors(**made)


def _trust(given: OrbitalNavigation, described: dict[str, Any], lever: float) -> FarTrust:
    camera, star = described["camera"], described["star_tracker"]
    constant = np.hypot(camera.bias, camera.bias_sigma)
    return FarTrust(
        restart=given.max_refused,
        near_doubt=given.near_doubt,
        near_age=given.near_image_age_s,
        near_after=given.near_after_s,
        far_after=given.far_after_s,
        near_sigmas=given.handover_sigmas,
        pose_bias=math.hypot(constant[:3].max(), lever * constant[3:].max()),
        pose_angle=_constant(star),
        ready_p=given.ready_m,
        ready_share=given.ready_per_range,
        ready_v=given.ready_m_s,
    )


def _constant(star: Any) -> float:
    """Standard deviation of a star tracker's constant error, the largest axis [rad]."""
    return float(np.hypot(star.bias, star.bias_sigma).max())
