"""Plan, guidance and control of a rendezvous, from the scenario as its operators know it."""

import math
from collections.abc import Sequence

import numpy as np

from proxops.assembly.describe import describe, describe_thrusters
from proxops.assembly.planned_paths import berthed
from proxops.assembly.platform import platform_of
from proxops.bus.bus import Bus
from proxops.core.clock import to_ns
from proxops.core.description import CraftDescription, RigidInertia, point_inertia
from proxops.core.errors import InputError
from proxops.core.spatial.quaternion import quat_exp, quat_to_rotation
from proxops.core.tuples import tuple3
from proxops.facility.robot_cell.arms import links_of
from proxops.onboard.function import Function
from proxops.onboard.functions.allocation.authority import force_in_any_direction
from proxops.onboard.functions.base_control import function as base_control
from proxops.onboard.functions.capture.modes import (
    ABORT,
    APPROACH,
    GRASP,
    RIGIDISE,
    SYNCHRONISE,
)
from proxops.onboard.functions.guidance import function as guidance
from proxops.onboard.functions.guidance.cone_programme import SolverFault
from proxops.onboard.functions.guidance.prediction import Orbit
from proxops.onboard.functions.guidance.problem import Corridor, Plume
from proxops.onboard.functions.guidance.replanning import GuidanceSettings
from proxops.onboard.functions.plan import function as plan_function
from proxops.onboard.functions.plan import legs as leg_at
from proxops.onboard.functions.plan.legs import LegDescription, Legs, legs_of
from proxops.physics.orbit.reference import MU, ORBIT_WIDTH, R0, V0
from proxops.scenario.load import Scenario
from proxops.scenario.schema.arm_leg import ArmLeg
from proxops.scenario.schema.plan import (
    Avoid,
    CaptureUpTo,
    FlyAround,
    FlyTo,
    Leg,
    Plan,
    Rest,
    RunFunctions,
    StationKeep,
)
from proxops.scenario.schema.zones import Corridor as ZoneCorridor

_CAPTURE = {"synchronise": SYNCHRONISE, "reach": APPROACH, "grip": GRASP, "detumble": RIGIDISE}
_ABORTED = f"capture.mode >= {ABORT}"
_ACTIONS = {
    "fly-to": leg_at.FLY_TO,
    "station-keep": leg_at.STATION_KEEP,
    "avoid": leg_at.AVOID,
    "rest": leg_at.REST,
    "run": leg_at.RUN,
    **dict.fromkeys(_CAPTURE, leg_at.RUN),
    "fly-around": leg_at.FLY_AROUND,
}
_BASE = {"free": leg_at.FREE, "attitude": leg_at.REST, "hold": leg_at.STATION_KEEP}
_GUIDANCE = {
    "straight": leg_at.STRAIGHT,
    "convex": leg_at.CONVEX,
    "two-impulse": leg_at.TWO_IMPULSE,
    "hcw": leg_at.HCW,
}
_POINTING = {"hill": leg_at.HILL, "target": leg_at.TARGET}
RENDEZVOUS_FIELDS = (*plan_function.FIELDS, *guidance.FIELDS, *base_control.FIELDS)
_SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def whole_chaser(chaser: CraftDescription) -> RigidInertia:
    """Hub, arms as they stand, wheels and appendages as one rigid body, about Co in C."""
    whole = RigidInertia(chaser.mass, np.zeros(3), chaser.inertia)
    for each in (*links_of(chaser.jointed), *(one.rigid for one in chaser.appendages)):
        whole = whole.joined(each)
    return whole


def orbit_row(believed: Scenario) -> np.ndarray:
    """The believed orbit, see physics.orbit.reference."""
    _, _, orbit = describe(believed)
    if orbit is None:
        raise InputError("obsw.plan: legs are flown in the Hill frame; give the mission an [orbit]")
    row = np.zeros(ORBIT_WIDTH)
    row[MU] = orbit.mu
    row[R0 : R0 + 3], row[V0 : V0 + 3] = orbit.R, orbit.V
    return row


def build_legs(believed: Scenario, bus: Bus) -> Legs:
    """The legs of a scenario's plan on its bus."""
    plan = believed.mission.obsw.plan
    assert plan is not None
    if plan.moves and "orbital.p_HC" not in bus.estimates.layout:
        raise InputError(
            "obsw.plan: needs to know where the chaser is; add [obsw.orbital_navigation]"
        )
    zones = believed.mission.zones
    corridors = list(zones.corridors) if zones else []
    replan = believed.mission.obsw.guidance.replan_s
    return legs_of(tuple(_leg(plan, *each, corridors, replan) for each in plan.legs.items()), bus)


def _leg(plan: Plan, name: str, given: Leg, corridors: list[str], replan: float) -> LegDescription:
    leg = LegDescription(
        name=name,
        action=_ACTIONS.get(given.does, leg_at.FREE),
        until=given.until,
        settle=given.settle_s,
        abort_if=given.abort_if,
        timeout=given.timeout_s or np.inf,
        next=given.next,
        abort_leg=plan.abort_leg(given),
        pointing=_POINTING[given.pointing],
        q_HC=given.q_HC or plan.q_HC,
        replan=given.periods_s.get("guidance", replan),
        periods=tuple(
            (each, to_ns(period)) for each, period in given.periods_s.items() if each != "guidance"
        ),
    )
    own: dict[str, object] = {}
    if isinstance(given, FlyTo):
        own = {
            "place": given.p_H_m,
            "duration": given.duration_s,
            "guidance": _GUIDANCE[given.guidance],
            "corridor": corridors.index(given.corridor) if given.corridor else -1,
        }
    elif isinstance(given, FlyAround):
        angle = math.radians(given.angle_deg)
        own = {
            "place": _around(given.p_H_m, given.axis_H, angle),
            "duration": given.duration_s,
            "direction": given.axis_H,
            "angle": angle,
        }
    elif isinstance(given, StationKeep) and given.p_H_m is not None:
        own = {"place": given.p_H_m}
    elif isinstance(given, RunFunctions):
        own = {"runs": given.runs}
    elif isinstance(given, CaptureUpTo):
        mode = _CAPTURE[given.does]
        ready = () if mode == RIGIDISE else (f"capture.ready > {mode}",)
        own = {
            "runs": given.runs,
            "permitted": mode,
            "until": (*ready, *given.until),
            "abort_if": (_ABORTED, *given.abort_if),
        }
    elif isinstance(given, Rest):
        own = {"action": _BASE[given.base], "with_target": given.with_target}
    elif isinstance(given, ArmLeg):
        own = {
            "action": _BASE[given.base],
            "until": ("berthing.done >= 1", *given.until),
            "abort_if": ("berthing.abort >= 1", *given.abort_if),
        }
    elif isinstance(given, Avoid):
        own = {
            "direction": given.direction_H,
            "delta_v": given.delta_v_m_s,
            "away": given.away_m_s,
        }
    return LegDescription(**{**leg.__dict__, **own})


def _around(
    p: tuple[float, float, float], axis: tuple[float, float, float], angle: float
) -> tuple[float, float, float]:
    """Where a point ends that goes around a unit axis by an angle [rad]."""
    q = quat_exp.py_func(tuple(angle * each for each in axis))
    R = np.array(quat_to_rotation.py_func(q)).reshape(3, 3)
    return tuple3(R @ np.array(p))


def control_of(believed: Scenario, legs: Legs) -> base_control.ControlParams:
    """Control of the base, from the scenario as it is believed to be."""
    chaser, _, _ = describe(believed)
    whole = whole_chaser(chaser)
    given = believed.mission.obsw.control
    w, zeta = given.bandwidth_rad_s, given.damping_ratio
    attitude, attitude_zeta = given.attitude_bandwidth_rad_s, given.attitude_damping_ratio
    thrusters = describe_thrusters(believed.mission)
    plan = believed.mission.obsw.plan
    evades = [name for name, leg in plan.legs.items() if isinstance(leg, Avoid)] if plan else []
    forces = np.array([each.thrust * each.direction for each in thrusters]).reshape(-1, 3)
    R_CK = np.array(quat_to_rotation.py_func(believed.mission.sensors.camera.q_CK)).reshape(3, 3)
    return base_control.ControlParams(
        legs=legs.rows,
        orbit=orbit_row(believed),
        mass=float(whole.mass),
        inertia=np.array([_about_its_centre(each) for each in (whole, _pair(believed, whole))]),
        centre=np.array(whole.com, dtype=float),
        boresight=np.ascontiguousarray(R_CK[:, 2]),
        gains=np.array(
            [w * w, 2.0 * zeta * w, attitude * attitude, 2.0 * attitude_zeta * attitude]
        ),
        dead_band=np.array([given.dead_band_m, given.dead_band_m_s]),
        wheels=platform_of(believed).wheels,
        max_force=_max_force(forces, evades),
        pulse_period=believed.mission.obsw.platform.pulse_period_s,
    )


def _about_its_centre(body: RigidInertia) -> list[float]:
    """Inertia about its centre of mass: xx yy zz xy xz yz."""
    inertia = body.inertia - point_inertia(body.mass, body.com)
    return [inertia[i, j] for i, j in _SIX]


def _pair(believed: Scenario, chaser: RigidInertia) -> RigidInertia:
    """The chaser with the target at its port, about Co in C; alone where there is no port."""
    if believed.mission.obsw.berthing is None:
        return chaser
    _, target, _ = describe(believed)
    X_CT = berthed(believed, believed.mission.obsw.berthing.port)
    return chaser.joined(whole_chaser(target).seen_from(X_CT.R, X_CT.p))


def _max_force(forces: np.ndarray, evades: list[str]) -> float:
    """Force that thrusters can give in any direction [N]."""
    found = force_in_any_direction(forces)
    if evades and not found > 0.0:
        raise InputError(
            f"obsw.plan.legs.{evades[0]}: evades, but the chaser's thrusters cannot push in every "
            "direction"
        )
    return found


def guidance_of(believed: Scenario) -> GuidanceSettings:
    """Convex guidance, from the scenario as it is believed to be."""
    chaser, _, _ = describe(believed)
    given, zones = believed.mission.obsw.guidance, believed.mission.zones
    row, thrusters = orbit_row(believed), describe_thrusters(believed.mission)
    if given.passive_safety and zones is None:
        raise InputError(
            "obsw.guidance.passive_safety: add [zones], whose keep-out zone it is about"
        )
    whole = whole_chaser(chaser)
    thrust = np.array([each.thrust for each in thrusters], dtype=float)
    directions = np.array([each.direction for each in thrusters]).reshape(-1, 3)
    arms = np.array([each.p_C for each in thrusters]).reshape(-1, 3) - whole.com
    plume = None
    if given.plume_distance_m > 0.0:
        half = math.radians(given.plume_half_angle_deg)
        plume = Plume(distance=given.plume_distance_m, half_angle=half)
    return GuidanceSettings(
        orbit=Orbit(mu=row[MU], R0=tuple3(row[R0 : R0 + 3]), V0=tuple3(row[V0 : V0 + 3])),
        directions=directions,
        torques=np.cross(arms, directions),
        a_max=given.thrust_share * thrust / whole.mass,
        corridors=dict(enumerate(map(_corridor, zones.corridors.values()))) if zones else {},
        keep_out=zones.keep_out_m if zones else 0.0,
        passive_safety=given.passive_safety,
        safety_ends=given.passive_safety_ends_m,
        thrust_error=given.thrust_error,
        speed_floor=given.speed_limit_m_s or math.inf,
        speed_slope=given.speed_limit_per_m_1_s,
        plume=plume,
        replan=given.replan_s,
        delay=given.computing_delay_s,
        intervals=given.intervals,
        burn=given.burn_s,
        execution=given.execution_m_s_sqrt_s,
        probability=given.probability,
    )


def _corridor(given: ZoneCorridor) -> Corridor:
    axis = np.array(given.axis_H)
    return Corridor(
        apex=tuple3(given.apex_m * axis),
        axis=tuple3(axis),
        half_angle=math.radians(given.half_angle_deg),
    )


def rendezvous_functions(
    believed: Scenario,
    legs: Legs,
    bus: Bus,
    tick: int,
    failures: Sequence[tuple[float, float, str]] = (),
) -> list[Function]:
    """Plan, guidance and control of the base, in their order, every tick [ns]; the plan alone where
    no leg moves the chaser itself.  Plans that are begun within failures, from and until [s], fail
    in that way."""
    plan = believed.mission.obsw.plan
    assert plan is not None
    manager = plan_function.function(legs, bus, tick)
    if not plan.moves:
        return [manager]
    fails = tuple((begin, end, SolverFault(mode)) for begin, end, mode in failures)
    return [
        manager,
        guidance.function(guidance_of(believed), legs.rows, bus, tick, fails),
        base_control.function(control_of(believed, legs), tick),
    ]
