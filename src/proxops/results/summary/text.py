"""A summary as lines for people: sections of a label and a text each."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from proxops.core.frame import rotation_of
from proxops.scenario.dispersion_text import bounds_text
from proxops.scenario.schema.pointing import BARS

_INERTIAL = {  # without an orbit
    f"{sign}{axis} of N": tuple(float(f"{sign}1") if each == axis else 0.0 for each in "xyz")
    for axis in "xyz"
    for sign in "+-"
}
_HUB = {name.removesuffix(" of N"): axis for name, axis in _INERTIAL.items()}
Directions = Mapping[str, tuple[float, ...]]
_ALONG_DEG = 0.05  # nearer to a direction than that, an axis is along it
_ROUNDED_DEG = 1e-6  # smaller angles are rounding
_LISTED = 6  # numbers of a list that are shown
_FIELDS = ("p_H_m", "angle_deg", "delta_v_m_s", "duration_s", "guidance", "corridor", "runs")
_UNITS = {"p_H_m": "m", "angle_deg": "deg", "delta_v_m_s": "m/s", "duration_s": "s"}


class Section(NamedTuple):
    """A heading, and what stands under it."""

    title: str
    rows: tuple[tuple[str, str], ...]


def sections(found: dict[str, Any]) -> list[Section]:
    """What `summary` found, in the order in which people read it; empty sections are left out."""
    every = [
        Section("orbit", tuple(_orbit(found["orbit"]))),
        *(
            Section(craft, tuple(_craft(found[craft], BARS if found["orbit"] else _INERTIAL)))
            for craft in ("chaser", "target")
        ),
        Section("at the start", tuple(_relative(found["relative"]))),
        Section("what the chaser sees", tuple(_sees(found["sees"]))),
        Section("rates", tuple(_time(found["time"]) + _controller(found["controller"]))),
        Section("interface", tuple(_interface(found))),
        Section("plan", tuple((leg["name"], _leg(leg)) for leg in found["plan"])),
        Section(
            "requirements",
            tuple((name, _demand(each)) for name, each in found["requirements"].items()),
        ),
        Section(
            "dispersions",
            tuple((name, bounds_text(each)) for name, each in found["dispersions"].items()),
        ),
    ]
    return [section for section in every if section.rows]


def _orbit(orbit: dict[str, Any] | None) -> list[tuple[str, str]]:
    if orbit is None:
        return [("none", "no gravity; the Hill frame H is the inertial frame N")]
    low, high = orbit["periapsis_altitude_km"], orbit["apoapsis_altitude_km"]
    return [
        (orbit["attractor"], f"{low:.6g} to {high:.6g} km high, {orbit['inclination_deg']:g} deg"),
        ("period", f"{orbit['period_s']:.6g} s; H turns at {orbit['w_NH_H_deg_s'][2]:.4g} deg/s"),
    ]


def _craft(craft: dict[str, Any], directions: Directions) -> list[tuple[str, str]]:
    hub, mass = craft["hub_mass_kg"], craft["mass_kg"]
    parts = "" if math.isclose(hub, mass, rel_tol=1e-9) else f", hub alone {hub:.6g} kg"
    rows = [
        ("mass", f"{mass:.6g} kg{parts}"),
        ("centre of mass", f"{_vector(craft['centre_of_mass_m'])} m from the hub's"),
        ("inertia", f"{_vector(craft['principal_inertia_kg_m2'])} kg m2, principal"),
        ("attitude", _attitude(craft["q_H"], directions)),
        ("rate in N", f"{_vector(craft['w_N_deg_s'])} deg/s, hub axes"),
    ]
    for name, arm in craft["arms"].items():
        brakes = ", brakes on" if arm["brakes"] == "on" else ""
        on = f" on {arm['mounted_on']}" if arm["mounted_on"] else ""
        joints = f"{arm['joints']} joint" + ("s" if arm["joints"] != 1 else "")
        rows.append((f"arm {name}", f"{joints}, {arm['mass_kg']:.4g} kg{on}{brakes}"))
    for name, each in craft["appendages"].items():
        bends = " and ".join(_line(line) for line in each["bends_along"])
        lies = f"along {_nearest(each['along'], _HUB)}" + (
            f", bends along {bends}" if bends else ""
        )
        text = f"{each['mass_kg']:.4g} kg {lies}; clamped at {_list(each['clamped_hz'])} Hz"
        rows.append((f"appendage {name}", text))
    if craft["free_hz"]:
        rows.append(("modes on the hub", f"{_list(craft['free_hz'])} Hz, joints locked"))
    for key, unit in (("thrusters_N", "N"), ("wheels_N_m", "N m")):
        given = craft.get(key, {})
        if given:
            low, high = min(given.values()), max(given.values())
            size = f"{low:g}" if low == high else f"{low:g} to {high:g}"
            rows.append((key.split("_")[0], f"{len(given)} of {size} {unit}"))
    return rows


def _attitude(q_H: Sequence[float], directions: Directions) -> str:
    """Where two axes of a hub point, and how far off the nearest of the directions they are."""
    R = rotation_of(np.array(q_H))
    said = []
    for axis, column in (("+x", R[:, 0]), ("+z", R[:, 2])):
        said.append(f"{axis} {_pointing(column, directions)}")
    return ", ".join(said)


def _nearest(unit: Sequence[float] | np.ndarray, directions: Directions) -> str:
    """The nearest of the directions, and how far off it is."""
    name, along = max(directions.items(), key=lambda item: float(np.dot(item[1], unit)))
    angle = math.degrees(math.acos(min(1.0, float(np.dot(along, unit)))))
    return name if angle <= _ALONG_DEG else f"{angle:.4g} deg off {name}"


def _line(unit: Sequence[float]) -> str:
    """The hub axis along which something moves to and fro."""
    axis = "xyz"[int(np.argmax(np.abs(unit)))]
    angle = math.degrees(math.acos(min(1.0, float(np.abs(unit).max()))))
    return axis if angle <= _ALONG_DEG else f"{angle:.4g} deg off {axis}"


def _pointing(unit: np.ndarray, directions: Directions) -> str:
    where = _nearest(unit, directions)
    return where if " off " in where else f"to {where}"


def _relative(relative: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [
        ("chaser in H", f"{_vector(relative['p_HC_m'])} m"),
        ("velocity in H", f"{_vector(relative['v_HC_m_s'])} m/s"),
        (
            "range",
            f"{relative['range_m']:.6g} m to the target's centre of mass, closing at "
            f"{relative['closing_m_s'] + 0.0:.4g} m/s",
        ),
    ]
    if relative.get("clearance_m") is not None:
        gap = relative["clearance_m"]
        text = f"{gap:.4g} m" if gap > 0.0 else f"none, shapes overlap by {-gap:.4g} m"
        rows.append(("clearance", text))
    text = "not given: the target's hub"
    if relative["grapple_given"]:
        off = _angle(relative["grapple_z_to_chaser_deg"])
        range_m = relative["grapple_range_m"]
        text = f"{range_m:.6g} m from the chaser's hub, its z axis {off} off that line"
    rows.append(("grapple frame G", text))
    for name, each in relative["effectors"].items():
        z = rotation_of(np.array(each["q_CE"]))[:, 2]
        text = f"{_vector(each['p_CE_m'])} m in C, its z axis {_pointing(z, _HUB)}"
        if relative["grapple_given"] and name == relative["effector_arm"]:
            text += f"; {relative['effector_to_grapple_m']:.4g} m from G"
        rows.append((f"tip of {name}", text))
    for name, port in relative["ports"].items():
        text = f"{port['offset_m']:.4g} m and {_angle(port['angle_deg'])} from its place B"
        rows.append((f"port of {name}", text))
    return rows


def _sees(seen: dict[str, dict[str, Any]]) -> list[tuple[str, str]]:
    rows = []
    for name, each in seen.items():
        verdict = "sees it" if each["sees"] else f"does not see it: {', '.join(each['why'])}"
        text = f"{each['of']} at {each['range_m']:.5g} m"
        if "off_axis_deg" in each:
            half = each["half_view_deg"]
            field = "no limit" if half is None else f"limit {half:g} deg"
            text += f", {_angle(each['off_axis_deg'])} off its axis ({field})"
        rows.append((name, f"{text}: {verdict}"))
    return rows


def _time(time: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("duration", f"{time['duration_s']:g} s")]
    if "ends_on" in time:
        rows[0] = ("duration", f"{rows[0][1]} at most, ends on {time['ends_on']}")
    rates = f"{time['control_rate_hz']:g} Hz"
    rates += f", arm {time['arm_rate_hz']:g} Hz" if "arm_rate_hz" in time else ""
    rows += [("control", rates), ("record", f"{time['record_rate_hz']:g} Hz")]
    for name, phase in time["phases"].items():
        parts = f" in {phase['substeps']} parts" if phase["substeps"] > 1 else ""
        text = f"to {phase['until_s']:g} s, step {phase['step_s']:g} s{parts}"
        rows.append((f"phase {name}", text))
    for name, pace in time["paces"].items():
        rows.append((f"pace {name}", _pace(pace)))
    if time["sensors_hz"]:
        listed = (f"{name} {rate:g}" for name, rate in time["sensors_hz"].items())
        rows.append(("sensors [Hz]", ", ".join(listed)))
    if time.get("functions_s"):
        listed = (f"{name} {period:g}" for name, period in time["functions_s"].items())
        rows.append(("functions [s]", ", ".join(listed)))
    return rows


def _controller(own: dict[str, Any] | None) -> list[tuple[str, str]]:
    """A user's own."""
    if own is None:
        return []
    rate = "" if own["rate_hz"] is None else f"{own['rate_hz']:g} Hz"
    modes = f"modes {', '.join(own['modes'])}" if own["modes"] else ""
    return [("controller", ", ".join(filter(None, (own["name"], rate, modes))))]


def _pace(pace: dict[str, Any]) -> str:
    when = "else"
    if "within_m" in pace:
        when = f"within {pace['within_m']:g} m"
    elif pace["contact"]:
        when = "in contact"
    elif pace["arms"]:
        when = "while arms move"
    record = f", record {pace['record_rate_hz']:g} Hz" if "record_rate_hz" in pace else ""
    return f"{when}: step {pace['step_s']:g} s{record}"


def _interface(found: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [(key, ", ".join(found[key])) for key in ("contacts", "holds") if found[key]]
    if found["faults"]:
        rows.append(("faults", ", ".join(f"{n} ({kind})" for n, kind in found["faults"].items())))
    return rows


def _leg(leg: dict[str, Any]) -> str:
    said = [leg["does"]]
    for key in _FIELDS:
        if key in leg:
            value = leg[key]
            text = _vector(value) if isinstance(value, list) and key in _UNITS else _plain(value)
            said.append(f"{text} {_UNITS[key]}" if key in _UNITS else f"{key} {text}")
    if leg.get("until"):
        said.append("until " + " and ".join(leg["until"]))
    if leg.get("settle_s"):
        said.append(f"for {leg['settle_s']:g} s")
    if leg.get("timeout_s"):
        said.append(f"at most {leg['timeout_s']:g} s")
    ways = [f"then {leg['next']}"] if leg.get("next") else ["stays"]
    ways += [f"else {leg['on_abort']}"] if leg["on_abort"] else []
    return ", ".join([*said, *ways])


def _demand(each: dict[str, Any]) -> str:
    what = each.get("signal") or each.get("event")
    part = f"[{each['component']}]" if "component" in each else ""
    unit = "" if each["unit"] == "1" else f" {each['unit']}"
    edges = [f"during {each['during']}"] if "during" in each else []
    for edge, word in (("from", "from"), ("to", "to")):
        if f"{edge}_s" in each:
            edges.append(f"{word} {each[f'{edge}_s']:g} s")
        if f"{edge}_event" in each:
            edges.append(f"{word} {each[f'{edge}_event']}")
    limit = f"{each['comparison']} {each['limit']:g}{unit}"
    return " ".join([f"{each['measure']} of {what}{part} {limit}", *edges])


def _angle(degrees: float) -> str:
    return f"{degrees if degrees > _ROUNDED_DEG else 0.0:.4g} deg"


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_plain(each) for each in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _vector(values: Sequence[float]) -> str:
    return "[" + ", ".join(f"{_zeroed(x, values):.5g}" for x in values) + "]"


def _zeroed(x: float, values: Sequence[float]) -> float:
    """Zero for what is only rounding beside the others."""
    return 0.0 if abs(x) < 1e-12 * max(1.0, *(abs(each) for each in values)) else x


def _list(values: Sequence[float]) -> str:
    listed = ", ".join(f"{each:.4g}" for each in values[:_LISTED])
    return listed + (f", ... {values[-1]:.4g}" if len(values) > _LISTED else "")
