"""Writes the figures of README and docs from real runs: part of `make docs`.

A block of a page between `<!-- docs/measure.py: NAME -->` and `<!-- end -->` belongs to this
script.  With names it makes only those; `--list` shows them.  Campaigns take minutes.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
from pydantic import BaseModel

import proxops
from proxops.campaigns import Campaign
from proxops.results.run import Run
from proxops.validation import Row
from proxops.validation.capture import FACILITY, MISSION
from proxops.validation.capture import flown as captured
from proxops.validation.capture import rehearsed as captured_on_facility
from proxops.validation.table import BASIS_NOUNS, published

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"(<!-- docs/measure\.py: (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
STATUSES = ("follows", "calibrated", "does-not-follow", "hardware")
ORBIT_SEEDS, FACILITY_SEEDS = range(100), range(20)


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of Markdown."""
    lines = [" | ".join(heads), *(" | ".join(row) for row in rows)]
    lines.insert(1, "|".join("---" for _ in lines[0].split(" | ")))
    return "".join(f"| {line} |\n" if line[0] != "-" else f"|{line}|\n" for line in lines)


def digits(value: float | None, unit: str = "") -> str:
    """Three digits and a unit."""
    text = "-" if value is None else f"{value:.3g}"
    return f"{text} {unit}".strip() if unit != "1" else text


# --- blocks ---------------------------------------------------------------------------------------


def validation_counts() -> str:
    """How many published numbers there are of each status, and what those that follow rest on."""
    rows = []
    for name, numbers in published().items():
        statuses = Counter(number.status for number in numbers.values())
        bases = Counter(it.basis for it in numbers.values() if it.status == "follows")
        rows.append((name, statuses, bases))
    rows.append(("together", sum((row[1] for row in rows), Counter()),
                 sum((row[2] for row in rows), Counter())))  # fmt: skip
    heads = ("`proxops validate`", "follow: results", *(nouns[1] for nouns in BASIS_NOUNS.values()))
    return table(
        (*heads, "calibrated", "do not follow", "hardware"),
        (
            (
                name,
                *(str(bases[basis]) for basis in ("result", *BASIS_NOUNS)),
                *(str(statuses[status]) for status in STATUSES[1:]),
            )
            for name, statuses, bases in rows
        ),
    )


def capture_requirements() -> str:
    """Every requirement of the shipped capture, in orbit and on the facility."""
    orbit, lab = captured(), captured_on_facility()
    pairs = zip(orbit.requirements, lab.requirements, strict=True)
    return table(
        ("requirement", "in orbit", f"on `{FACILITY}`", "limit"),
        (
            (
                f"`{here.name}`",
                digits(here.value, here.unit),
                digits(there.value, there.unit),
                f"{here.comparison} {digits(here.limit, here.unit)}",
            )
            for here, there in pairs
        ),
    )


def capture_effort() -> str:
    """What the capture takes of actuators and leaves to navigation."""
    run = captured()
    return table(
        ("in orbit", "value"),
        (
            (
                "largest force of the base until the grasp",
                digits(peak(run, "obsw.base.force"), "N"),
            ),
            ("largest torque of the base", digits(peak(run, "obsw.base.torque"), "N m")),
            ("impulse of all thrusters", digits(thrust_impulse(run), "N s")),
            ("largest speed of the wheels", digits(wheel_speed(run), "rpm")),
            ("navigation's rate error from 9 s on, rms per axis", digits(rate_error(run), "deg/s")),
            ("ledger: momentum, angular momentum, energy", ledger(run)),
        ),
    )


def capture_dispersed() -> str:
    """The shipped dispersions, flown in orbit and on the facility."""
    orbit, lab = (dispersed(*each) for each in ((ORBIT_SEEDS, None), (FACILITY_SEEDS, FACILITY)))
    rows = [
        ("cases that passed", *(f"{it.passed_count} of {len(it.cases)}" for it in (orbit, lab)), "")
    ]
    for here, there in zip(orbit.spreads, lab.spreads, strict=True):
        worst = (digits(it.worst, it.unit) for it in (here, there))
        limit = f"{here.comparison} {digits(here.limit, here.unit)}"
        rows.append((f"`{here.name}`, worst", *worst, limit))
    heads = (
        f"in orbit, seeds 0-{ORBIT_SEEDS[-1]}",
        f"on `{FACILITY}`, seeds 0-{FACILITY_SEEDS[-1]}",
    )
    return table(("", *heads, "limit"), rows)


def capture_bounds() -> str:
    """What the software may follow, as `proxops check` has it."""
    found = proxops.check(proxops.load(MISSION), facility=FACILITY).tumble
    return table(
        ("bound", "value", "limit", "margin"),
        (
            (it.name, digits(it.value, it.unit), digits(it.bound, it.unit), f"{it.margin:.0%}")
            for it in found
        ),
    )


def relative_rows() -> str:
    """The laws of relative motion, as validated."""
    rows = proxops.validate("relative").rows
    return table(
        ("row", "expected", "computed", "status"),
        ((f"`{row.id}`: {row.text}", *asked_and_found(row), row.status) for row in rows),
    )


def asked_and_found(row: Row) -> tuple[str, str]:
    unit = row.unit.replace("2", "²")
    asked = digits(row.published, "") + " ± " if row.published else "≤ "
    return asked + digits(row.tolerance, unit), digits(row.ours, unit)


def fields() -> str:
    """Every field of the bus, by who makes it."""
    from proxops.bus.bus import T, command_fields
    from proxops.onboard.functions import ground
    from proxops.onboard.functions.allocation import allocate
    from proxops.onboard.functions.base_control import function as base_control
    from proxops.onboard.functions.berthing import function as berthing
    from proxops.onboard.functions.boost import boost
    from proxops.onboard.functions.capture import cycle
    from proxops.onboard.functions.guidance import function as guidance
    from proxops.onboard.functions.navigation import function as navigation
    from proxops.onboard.functions.orbital_navigation import function as orbital
    from proxops.onboard.functions.plan import function as plan
    from proxops.sensors.sensor import Chaser, block_fields
    from proxops.sensors.shipped import OPTIONAL, SHIPPED

    chaser, known = Chaser(joints=9, thrusters=12), (*SHIPPED, *OPTIONAL)
    makers = {"the loop": (T,)}
    makers |= {f"`[sensors.{each.name}]`": block_fields(each, chaser) for each in known}
    makers |= {
        "navigation": navigation.FIELDS,
        "orbital_navigation": orbital.FIELDS,
        "plan": plan.FIELDS,
        "guidance": guidance.FIELDS,
        "base_control": base_control.FIELDS,
        "capture": cycle.FIELDS,
        "berthing": berthing.FIELDS,
        "boost": boost.FIELDS,
        "allocation": (*allocate.FIELDS, *allocate.monitor_fields(("",) * 12)),
        "`[ground]`": ground.FIELDS,
        "commands": command_fields(("",) * 7, ("",) * 2, ("",) * 12, ("",)),
    }
    rows = [
        (
            f"`{each.name}`",
            each.title,
            each.unit,
            each.frame,
            f"`{each.signal}`" * bool(each.signal),
            maker,
        )
        for maker, declared in makers.items()
        for each in declared
    ]
    return table(("field", "", "unit", "axes", "signal", "made by"), rows)


def berthing_keys() -> str:
    """Every key of a gripper and of a berthing, with what it is if it is not given."""
    from proxops.scenario.schema import berthing as given
    from proxops.scenario.schema.gripper import Gripper

    tables = {
        "chaser.grippers.<name>": Gripper,
        "obsw.berthing": given.Berthing,
        "obsw.berthing.triggers": given.Triggers,
        "obsw.berthing.free_target": given.FreeTarget,
        "obsw.berthing.grip": given.Grip,
        "obsw.berthing.joints": given.JointControl,
        "obsw.berthing.limits": given.MotionLimits,
        "obsw.berthing.paths.<name>": given.ArmPath,
        "obsw.berthing.paths.<name>.points": given.PathPoint,
    }
    return _keys_of(tables)


def facility_keys() -> str:
    """Every key of a facility with robots, likewise."""
    from typing import get_args, get_origin

    from proxops.scenario.schema.facility import Facility

    def inner(annotation: object) -> list[type[BaseModel]]:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            return [annotation]
        return [each for part in get_args(annotation) for each in inner(part)]

    def sections(section: type[BaseModel], path: str) -> dict[str, type[BaseModel]]:
        found = {path: section}
        for key, field in section.model_fields.items():
            named = f"{key}.<name>" if get_origin(field.annotation) is dict else key
            for below in inner(field.annotation):
                found |= sections(below, f"{path}.{named}" if path else named)
        return found

    return _keys_of(sections(Facility, ""))


def _keys_of(tables: Mapping[str, type[BaseModel]]) -> str:
    from pydantic_core import PydanticUndefined

    from proxops.scenario.schema.base import Section

    rows = []
    for name, section in tables.items():
        for key, field in section.model_fields.items():
            default = field.default
            if isinstance(default, Section) or default in ({}, (), None):
                shown = ""
            elif default is PydanticUndefined:
                shown = "must be given"
            else:
                shown = f"`{json.dumps(default)}`"
            rows.append((f"`{name}`", f"`{key}`", shown, field.description or ""))
            name = ""
    return table(("table", "key", "if not given", ""), rows).replace("``", "")


BLOCKS: dict[str, Callable[[], str]] = {
    "fields": fields,
    "berthing-keys": berthing_keys,
    "facility-keys": facility_keys,
    "validation-counts": validation_counts,
    "capture-requirements": capture_requirements,
    "capture-effort": capture_effort,
    "capture-dispersed": capture_dispersed,
    "capture-bounds": capture_bounds,
    "relative-rows": relative_rows,
}


# --- figures --------------------------------------------------------------------------------------


@cache
def dispersed(seeds: range, facility: str | None) -> Campaign:
    return proxops.campaign(proxops.load(MISSION), seeds=seeds, facility=facility, progress=True)


def before_the_grasp(run: Run) -> np.ndarray:
    grasp = next(event.t_s for event in run.events if event.name == "grasp")
    return run.rows[:, 0] <= grasp


def peak(run: Run, signal: str) -> float:
    return float(np.linalg.norm(run[signal][1][before_the_grasp(run)], axis=1).max())


def thrust_impulse(run: Run) -> float:
    t, thrust = run["chaser.thrusters.thrust"]
    return float(np.trapezoid(thrust.sum(axis=1), t))


def wheel_speed(run: Run) -> float:
    speeds = [np.abs(run[f"chaser.wheels.{name}.speed"][1]).max() for name in "xyz"]
    return float(max(speeds) * 30.0 / np.pi)


def rate_error(run: Run) -> float:
    t, true = run["relative.w_CT_C"]
    known = run["obsw.navigation.w_CG_C"][1]
    when = (t >= 9.0) & before_the_grasp(run)
    return float(np.degrees(np.sqrt(np.mean((true - known)[when] ** 2))))


def ledger(run: Run) -> str:
    it = run.ledger
    residuals = (it.momentum_residual, it.angular_momentum_residual, it.energy_residual)
    return ", ".join(f"{residual:.0e}" for residual in residuals)


def main(names: list[str]) -> None:
    """Makes the blocks that are named, or all."""
    if names == ["--list"]:
        print("\n".join(BLOCKS))  # noqa: T201 - what was asked for
        return
    made: dict[str, str] = {}
    for page in PAGES:
        text = page.read_text("utf-8")
        for name in BLOCK.findall(text):
            if not names or name[1] in names:
                made[name[1]] = BLOCKS[name[1]]()
        page.write_text(BLOCK.sub(lambda it: it[1] + made.get(it[2], it[3]) + it[4], text), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
