"""Where the two spacecraft are at the start, and what the chaser's sensors see of the target."""

import math
from typing import Any

import numpy as np

from proxops.assembly.build import Built
from proxops.assembly.start_poses import (
    Start,
    angle_deg,
    grapple_in_chaser,
    grapple_off_axis_deg,
)
from proxops.core.description import CraftDescription
from proxops.core.frame import Frame, frame, quaternion_of
from proxops.facility.robot_cell.arms import arm_frames
from proxops.results.start_clearance import clearance_of
from proxops.scenario.schema import Mission
from proxops.scenario.schema.craft import Grapple
from proxops.scenario.schema.far_sensors import BearingCamera, RangeFinder
from proxops.scenario.schema.sensors import Camera


def relative_summary(mission: Mission, chaser: CraftDescription, start: Start) -> dict[str, Any]:
    """Distances and angles between what the two are to bring together."""
    p, v = start.X_HC.p, start.v_HC
    distance = float(np.linalg.norm(p))
    X_CG = grapple_in_chaser(mission, start)
    found: dict[str, Any] = {
        "p_HC_m": p.tolist(),
        "v_HC_m_s": v.tolist(),
        "range_m": distance,
        "closing_m_s": float(-(p @ v) / distance) if distance > 0.0 else 0.0,
        "grapple_given": mission.target.grapple != Grapple(),
        "grapple_p_CG_m": X_CG.p.tolist(),
        "grapple_range_m": float(np.linalg.norm(X_CG.p)),
        "grapple_z_to_chaser_deg": grapple_off_axis_deg(X_CG),
    }
    frames = arm_frames(chaser.arms)
    found["effectors"] = {
        name: {"p_CE_m": own[-1].p.tolist(), "q_CE": quaternion_of(own[-1].R).tolist()}
        for name, own in frames.items()
    }
    if chaser.arms:
        first = chaser.arms[0].name
        found["effector_to_grapple_m"] = float(np.linalg.norm(frames[first][-1].p - X_CG.p))
        found["effector_arm"] = first
    found["ports"] = _ports(mission, frames, start)
    return found


def clearance_summary(built: Built, start: Start) -> dict[str, Any]:
    """What only shapes that were built can tell of the distance."""
    return {"clearance_m": clearance_of(built, start)}


def _ports(
    mission: Mission, frames: dict[str, tuple[Frame, ...]], start: Start
) -> dict[str, dict[str, float]]:
    """Distance and angle between the frames A and B of every hold with a port."""
    ports: dict[str, dict[str, float]] = {}
    for name, hold in mission.holds.items():
        if hold.port is None:
            continue
        body = frames[hold.arm][-1] if hold.arm else Frame(np.eye(3), np.zeros(3))
        X_CA = body @ frame(hold.port.p_CA_m, hold.port.q_CA)
        X_AB = X_CA.inverse() @ start.X_CT @ frame(hold.p_TB_m, hold.q_TB)
        turned = math.acos(min(1.0, max(-1.0, 0.5 * (np.trace(X_AB.R) - 1.0))))
        ports[name] = {
            "offset_m": float(np.linalg.norm(X_AB.p)),
            "angle_deg": math.degrees(turned),
        }
    return ports


def seen_by(mission: Mission, start: Start) -> dict[str, dict[str, Any]]:
    """Range and bearing of what each sensor looks at, and why it does not see that, if so."""
    sensors, found = mission.sensors, dict[str, dict[str, Any]]()
    obsw = mission.obsw
    reads = obsw.capture or obsw.berthing or obsw.controller or obsw.functions
    target = start.X_HC.inverse().p  # centre of mass, in C
    if sensors.camera != Camera() or reads:
        p_CG = grapple_in_chaser(mission, start).p
        found["camera"] = {"of": "grapple frame"} | _view(sensors.camera, p_CG)
    if sensors.bearing_camera is not None:
        found["bearing_camera"] = {"of": "target"} | _view(sensors.bearing_camera, target)
    if sensors.range_finder is not None:
        finder = sensors.range_finder
        distance = float(np.linalg.norm(target - np.array(finder.p_CL_m)))
        found["range_finder"] = _answer(finder, "target", distance)
    if sensors.relative_gnss is not None:
        gnss = sensors.relative_gnss
        found["relative_gnss"] = _answer(gnss, "target", float(np.linalg.norm(target)))
    return found


def _answer(sensor: RangeFinder | Any, of_what: str, distance: float) -> dict[str, Any]:
    why = _out_of_range(sensor, distance)
    return {"of": of_what, "range_m": distance, "sees": not why, "why": why}


def _view(camera: Camera | BearingCamera, p_C: np.ndarray) -> dict[str, Any]:
    """A point in C as a camera has it."""
    p_K = (frame(camera.p_CK_m, camera.q_CK).inverse() @ Frame(np.eye(3), p_C)).p
    distance, off = float(np.linalg.norm(p_K)), angle_deg(np.array([0.0, 0.0, 1.0]), p_K)
    why = _out_of_range(camera, distance)
    if camera.half_view_deg is not None and off > camera.half_view_deg:
        why.append(f"{off:.4g} deg off its axis, it sees {camera.half_view_deg:g} deg")
    return {
        "range_m": distance,
        "azimuth_deg": math.degrees(math.atan2(p_K[0], p_K[2])),
        "elevation_deg": math.degrees(math.atan2(p_K[1], math.hypot(p_K[0], p_K[2]))),
        "off_axis_deg": off,
        "half_view_deg": camera.half_view_deg,
        "sees": not why,
        "why": why,
    }


def _out_of_range(sensor: Any, distance: float) -> list[str]:
    if distance < sensor.nearest_m:
        return [f"nearer than {sensor.nearest_m:g} m"]
    if sensor.farthest_m is not None and distance > sensor.farthest_m:
        return [f"farther than {sensor.farthest_m:g} m"]
    return []
