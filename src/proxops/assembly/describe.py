"""A scenario's hardware in SI units, as the stages are built from it."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from proxops.assembly.gears import geared
from proxops.assembly.geometry import appendage_solids, arm_solids, hub_solids
from proxops.assembly.kept import Alike
from proxops.core.description import (
    AppendageDescription,
    ContactDescription,
    CraftDescription,
    HoldDescription,
    MountedArm,
    OrbitDescription,
    RigidInertia,
    SolidDescription,
    ThrusterDescription,
    WheelDescription,
    point_inertia,
)
from proxops.core.errors import InputError
from proxops.core.frame import Frame
from proxops.core.kept import KEPT
from proxops.core.read_only import read_only
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.units import RPM
from proxops.physics.contact.external import ContactLaw, build_law
from proxops.physics.contact.normal import EXTERNAL, HUNT_CROSSLEY, SPRING
from proxops.physics.flexible import beam
from proxops.physics.flexible.appendage import cantilever, from_modal_data
from proxops.plant.stowed import stow
from proxops.scenario.attitude import attitude, orbit_start, rate
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Arm, Mission, Orbit
from proxops.scenario.schema.appendage import ChaserAppendage, Modal, TargetAppendage
from proxops.scenario.schema.contact import CHASER, Contact, External, Hold, HuntCrossley, Spring
from proxops.scenario.urdf import parse_urdf

Laws = Mapping[str, ContactLaw]  # of the user's own, by name

# The formulas behind compiled helpers: run as they stand, describing a scenario compiles nothing.
_rotation = quat_to_rotation.py_func


def describe(
    scenario: Scenario, *, as_drawn: bool = False
) -> tuple[CraftDescription, CraftDescription, OrbitDescription | None]:
    """Chaser, target and reference orbit (None without one) at the start, SI units; their arrays
    cannot be written to.  `as_drawn` has the joints of arms with brakes on, which else are bodies
    without any."""
    return _described(Alike(scenario), as_drawn)


@lru_cache(KEPT)
def _described(
    of: Alike, as_drawn: bool
) -> tuple[CraftDescription, CraftDescription, OrbitDescription | None]:
    scenario = of.scenario
    mission = scenario.mission
    arms = tuple(
        _mounted(name, arm, scenario.files[arm.urdf]) for name, arm in mission.chaser.arms.items()
    )
    for name, gripper in mission.chaser.grippers.items():
        arms = geared(name, gripper, arms)
    chaser = CraftDescription(
        mass=mission.chaser.mass_kg,
        inertia=_symmetric(mission.chaser.inertia_kg_m2),
        p_H=np.array(mission.chaser.p_HC_m),
        v_H=np.array(mission.chaser.v_HC_m_s),
        q_N=attitude(mission, "chaser"),
        w=rate(mission, "chaser"),
        arms=arms,
        appendages=tuple(_appendage(*item) for item in mission.chaser.appendages.items()),
        wheels=describe_wheels(mission),
        shapes=_chaser_solids(scenario, arms),
    )
    target = CraftDescription(
        mass=mission.target.mass_kg,
        inertia=_symmetric(mission.target.inertia_kg_m2),
        p_H=np.zeros(3),
        v_H=np.zeros(3),
        q_N=attitude(mission, "target"),
        w=rate(mission, "target"),
        appendages=tuple(_appendage(*item) for item in mission.target.appendages.items()),
        shapes=_target_solids(mission),
    )
    held = [name for name, arm in mission.chaser.arms.items() if arm.brakes == "on"]
    chaser = chaser if as_drawn else stow(chaser, held)
    return read_only((chaser, target, None if mission.orbit is None else _orbit(mission.orbit)))


def _chaser_solids(
    scenario: Scenario, arms: tuple[MountedArm, ...]
) -> tuple[SolidDescription, ...]:
    """Of hub, appendages and arms; none where the hub is not known: the others tell too little."""
    chaser = scenario.mission.chaser
    links = [arm_solids(each, scenario.files[chaser.arms[each.name].urdf]) for each in arms]
    hub = hub_solids("chaser", chaser.shapes)
    return sum(links, hub + appendage_solids("chaser", chaser.appendages)) if hub else ()


def _target_solids(mission: Mission) -> tuple[SolidDescription, ...]:
    """Of hub and appendages; none where the hub is not known."""
    hub = hub_solids("target", mission.target.shapes)
    return hub + appendage_solids("target", mission.target.appendages) if hub else ()


def describe_interface(
    scenario: Scenario, *, shapes_only: bool = False
) -> tuple[tuple[ContactDescription, ...], tuple[HoldDescription, ...]]:
    """Contacts and holds in SI units; InputError where a law of the user's own is none.  With
    `shapes_only` no law is looked at: a recording is drawn without the code of its extensions."""
    laws = None if shapes_only else scenario.extensions.contact_laws
    return (
        tuple(_contact(*item, laws) for item in scenario.mission.contacts.items()),
        tuple(_hold(*item) for item in scenario.mission.holds.items()),
    )


def describe_thrusters(mission: Mission) -> tuple[ThrusterDescription, ...]:
    """The chaser's thrusters in SI units."""
    return tuple(
        ThrusterDescription(
            name,
            np.array(given.p_C_m),
            np.array(given.direction_C),
            given.thrust_N,
            given.rise_s,
            given.fall_s,
            given.min_pulse_s,
        )
        for name, given in mission.chaser.thrusters.items()
    )


def describe_wheels(mission: Mission) -> tuple[WheelDescription, ...]:
    """The chaser's wheels in SI units."""
    return tuple(
        WheelDescription(
            name=name,
            p_C=np.array(given.p_C_m),
            axis=np.array(given.axis_C),
            inertia=given.inertia_kg_m2,
            mass=given.mass_kg,
            max_torque=given.max_torque_N_m,
            max_speed=given.max_speed_rpm * RPM,
            speed=given.speed_rpm * RPM,
            viscous=given.viscous_N_m_s_rad,
            coulomb=given.coulomb_N_m,
        )
        for name, given in mission.chaser.wheels.items()
    )


class _Normal(NamedTuple):
    """The law of a normal force, as ContactDescription has it."""

    law: int
    stiffness: float
    damping: float
    exponent: float = 1.0
    depth: float = 1.0
    entry: int = 0
    parameters: tuple[float, ...] = ()


def _normal(name: str, given: Spring | HuntCrossley | External, laws: Laws) -> _Normal:
    if isinstance(given, Spring):
        return _Normal(SPRING, given.stiffness_N_m, given.damping_N_s_m)
    if isinstance(given, HuntCrossley):
        stiffness = given.force_N / given.depth_m**given.exponent
        depth = given.depth_m
        return _Normal(HUNT_CROSSLEY, stiffness, given.damping_s_m, given.exponent, depth)
    place = f"contacts.{name}.normal"
    if given.name not in laws:
        known = ", ".join(sorted(laws)) or "none"
        raise InputError(
            f"{place}.name: there is no contact law {given.name!r}; those at hand: {known}.  A law "
            "comes from a file beside the scenario: extensions=..., or --extension FILE"
        )
    try:
        law = build_law(laws[given.name], given.parameters, given.depth_m)
    except InputError as error:
        raise InputError(f"{place}: the contact law {given.name!r} {error}") from error
    return _Normal(
        EXTERNAL,
        law.stiffness,
        law.damping,
        depth=given.depth_m,
        entry=law.entry,
        parameters=law.parameters,
    )


def _contact(name: str, given: Contact, laws: Laws | None) -> ContactDescription:
    face, law, friction = given.face, given.normal, given.friction
    normal = _Normal(SPRING, 0.0, 0.0) if laws is None else _normal(name, law, laws)
    half = None if face is None else face.half_sizes_m
    return ContactDescription(
        name=name,
        arm=given.arm or "",
        pads_on_chaser=given.pads.on == CHASER,
        pads=np.array(given.pads.centres_m),
        radius=given.pads.radius_m,
        centre=np.array(given.other.p_m),
        normal=np.array([1.0, 0.0, 0.0] if face is None else face.normal),
        along=np.array([0.0, 1.0, 0.0]) if face is None else face.edge(),
        half=half or (math.inf, math.inf),
        ball_radius=0.0 if given.ball is None else given.ball.radius_m,
        **normal._asdict(),
        bilateral=isinstance(law, Spring) and law.bilateral,
        mu_static=friction.mu_static if friction else 0.0,
        mu_kinetic=friction.mu_kinetic if friction else 0.0,
        grip_stiffness=friction.stiffness_N_m if friction else 0.0,
        grip_damping=friction.damping_N_s_m if friction else 0.0,
    )


def _hold(name: str, given: Hold) -> HoldDescription:
    return HoldDescription(
        name=name,
        arm=given.arm or "",
        p_TB=np.array(given.p_TB_m),
        R_TB=_matrix(given.q_TB),
        stiffness=np.array(given.stiffness_N_m),
        rotational_stiffness=np.array(given.stiffness_N_m_rad),
        damping=np.array(given.damping_N_s_m),
        rotational_damping=np.array(given.damping_N_m_s_rad),
        pull=np.array(given.pull_N),
        max_force=given.limit_N or math.inf,
        max_torque=given.limit_N_m or math.inf,
        start=given.from_s,
        end=given.until_s or math.inf,
        commanded=given.commanded,
        **_closing(given),
    )


def _closing(given: Hold) -> dict[str, Any]:
    """From where it closes, and its port if it has one."""
    envelope = given.envelope
    if given.port is None or envelope is None:  # the schema has both or none
        return {"reach": given.reach_m if given.arm else math.inf}
    return {
        "port": Frame(_matrix(given.port.q_CA), np.array(given.port.p_CA_m)),
        "reach": envelope.offset_m,
        "max_angle": math.radians(envelope.angle_deg),
        "max_speed": envelope.speed_m_s or math.inf,
        "max_rate": math.radians(envelope.rate_deg_s or math.inf),
    }


def _symmetric(matrix: tuple[tuple[float, ...], ...]) -> np.ndarray:
    """The inertia without what is left of the schema's tolerance on its symmetry."""
    array = np.array(matrix)
    return np.asarray(0.5 * (array + array.T))


def _mounted(name: str, arm: Arm, text: str) -> MountedArm:
    return MountedArm(
        name=name,
        arm=parse_urdf(text, arm.urdf, arm.tip),
        R_CA=_matrix(arm.q_CA),
        p_CA=np.array(arm.p_CA_m),
        q=arm.pose_si(),
        qd=arm.rates_si(),
        mounted_on=arm.mounted_on or "",
    )


def _appendage(name: str, given: ChaserAppendage | TargetAppendage) -> AppendageDescription:
    """An appendage as its hub feels it."""
    position, attitude = given.root()
    p, R = np.array(position), _matrix(attitude)
    if isinstance(given, Modal):
        return _modal(name, given, p, R)
    data = beam.Beam(
        given.mass_kg,
        given.length_m,
        given.bending_stiffness,
        given.damping_ratio,
        given.shapes,
        given.axes,
    )
    return cantilever(name, data, R, p, given.start())


def _modal(name: str, given: Modal, p: np.ndarray, R: np.ndarray) -> AppendageDescription:
    """Modal data moved from the root frame B, at p and turned by R, to the hub.

    S = R S_B,   H = R H_B + p × S
    """
    com = np.array(given.com_m)
    about_root = _symmetric(given.inertia_kg_m2) + point_inertia(given.mass_kg, com)
    rigid = RigidInertia(given.mass_kg, com, about_root).seen_from(R, p)
    modes = []
    for mode in given.modes:
        S = R @ np.array(mode.translation)
        H = R @ np.array(mode.rotation) + np.cross(p, S)
        modes.append((2.0 * math.pi * mode.frequency_hz, mode.damping_ratio, S, H))
    return from_modal_data(name, rigid, modes, given.start())


def _matrix(q: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(_rotation(q)).reshape(3, 3)


def _orbit(orbit: Orbit) -> OrbitDescription:
    mu, R, V = orbit_start(orbit)
    described = OrbitDescription(mu=mu, R=R, V=V)
    if orbit.inside is None:
        return described
    given = orbit.inside
    return replace(described, inside=given.radius_m, drop=given.drop, exchange=given.exchange)
