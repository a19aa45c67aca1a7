"""A scenario's hardware in SI units, as the stages are built from it."""

import math

import numpy as np

from proxops.core.description import CraftDescription, MountedArm, OrbitDescription
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Arm, Orbit
from proxops.scenario.urdf import parse_urdf

# The formulas behind compiled helpers: run as they stand, describing a scenario compiles nothing.
_rotation = quat_to_rotation.py_func


def describe(
    scenario: Scenario,
) -> tuple[CraftDescription, CraftDescription, OrbitDescription | None]:
    """Chaser, target and reference orbit (None without one) at the start, SI units."""
    mission = scenario.mission
    chaser = CraftDescription(
        mass=mission.chaser.mass_kg,
        inertia=_symmetric(mission.chaser.inertia_kg_m2),
        p_H=np.array(mission.chaser.p_HC_m),
        v_H=np.array(mission.chaser.v_HC_m_s),
        q_N=np.array(mission.chaser.q_NC),
        w=np.radians(mission.chaser.w_NC_C_deg_s),
        arms=tuple(
            _mounted(name, arm, scenario.files[arm.urdf])
            for name, arm in mission.chaser.arms.items()
        ),
    )
    target = CraftDescription(
        mass=mission.target.mass_kg,
        inertia=_symmetric(mission.target.inertia_kg_m2),
        p_H=np.zeros(3),
        v_H=np.zeros(3),
        q_N=np.array(mission.target.q_NT),
        w=np.radians(mission.target.w_NT_T_deg_s),
    )
    return chaser, target, None if mission.orbit is None else _orbit(mission.orbit)


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """q_AB (wxyz, w ≥ 0) of the rotation R_AB.

    With q the eigenvector of the largest eigenvalue of K, whose entries are sums of R's; exact
    for every rotation (Bar-Itzhack 2000).
    """
    (a, b, c), (d, e, f), (g, h, i) = R
    K = np.array(
        [
            [a + e + i, h - f, c - g, d - b],
            [h - f, a - e - i, b + d, c + g],
            [c - g, b + d, e - a - i, f + h],
            [d - b, c + g, f + h, i - a - e],
        ]
    )
    q: np.ndarray = np.linalg.eigh(K)[1][:, -1]
    return -q if q[0] < 0.0 else q


def _symmetric(matrix: tuple[tuple[float, ...], ...]) -> np.ndarray:
    """The inertia without what is left of the schema's tolerance on its symmetry."""
    array = np.array(matrix)
    return np.asarray(0.5 * (array + array.T))


def _mounted(name: str, arm: Arm, text: str) -> MountedArm:
    return MountedArm(
        name=name,
        arm=parse_urdf(text, arm.urdf),
        R_CA=np.array(_rotation(arm.q_CA)).reshape(3, 3),
        p_CA=np.array(arm.p_CA_m),
        q=arm.pose_si(),
        qd=arm.rates_si(),
    )


def _orbit(orbit: Orbit) -> OrbitDescription:
    from proxops.physics.orbit.attractors import ATTRACTORS
    from proxops.physics.orbit.kepler import state_from_elements

    mu = ATTRACTORS[orbit.attractor].mu
    R, V = state_from_elements(
        mu,
        orbit.semi_major_axis_km * 1e3,
        orbit.eccentricity,
        math.radians(orbit.inclination_deg),
        math.radians(orbit.raan_deg),
        math.radians(orbit.argument_of_periapsis_deg),
        math.radians(orbit.true_anomaly_deg),
    )
    return OrbitDescription(mu=mu, R=np.array(R), V=np.array(V))
