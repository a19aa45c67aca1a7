"""Contacts and holds mean the parts that carry them to touch, and no others."""

from typing import Any

import numpy as np
import pytest

from proxops.assembly.build import build
from proxops.plant.clearance import PART
from proxops.plant.outline import part_names
from proxops.scenario.load import Scenario, load

BUS = {"kind": "box", "size_m": [2.0, 2.0, 2.0]}
RING = {"kind": "cylinder", "radius_m": 0.5, "length_m": 0.2}
SPRING = {"kind": "spring", "stiffness_N_m": 1e3, "damping_N_s_m": 1.0}


def meant(scenario: Scenario) -> set[str]:
    built = build(scenario)
    names = part_names(built.chaser, built.target)
    rows = built.ports.outline.shapes[:, PART].astype(int)
    pairs = zip(*np.nonzero(built.ports.outline.meant), strict=True)
    return {f"{names[rows[own]]} {names[rows[other]]}" for own, other in pairs}


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("envisat-capture", set()),  # the flange, which is marked, carries all that is touched
        ("touch", {"chaser.arms.main tool target.shapes.plate"}),
        (
            "contact-rig",
            {
                "chaser.shapes.ball target.shapes.plate",
                "chaser.shapes.probe target.shapes.plate",
            },
        ),
        ("deorbit-friction", {"chaser.shapes.ring target.shapes.plate"}),
    ],
)
def test_shipped_contacts_mean_what_they_are_on(name: str, pairs: set[str]) -> None:
    assert meant(load(name)) == pairs


def scene(interface: dict[str, Any]) -> Scenario:
    shapes = {
        "chaser.shapes": {
            "bus": BUS,
            "dome": {"kind": "sphere", "radius_m": 0.3, "p_CB_m": [0.0, 0.0, 1.25]},
        },
        "target.shapes": {
            "bus": BUS,
            "ring": RING | {"p_TB_m": [0.0, 0.0, -1.1]},
        },
    }
    return load("free-tumble").replace(shapes | interface)


def contact(pads: dict[str, Any], **other: dict[str, Any]) -> dict[str, Any]:
    return {"contacts": {"one": {"pads": pads, "normal": SPRING, **other}}}


def test_pads_of_the_target_and_a_face_of_the_chaser() -> None:
    face = {"on": "chaser", "p_m": [0.0, 1.005, 0.0], "normal": [0.0, 1.0, 0.0]}
    pads = {"on": "target", "centres_m": [[0.0, 0.53, -1.1]], "radius_m": 0.025}
    given = contact(pads, face=face)
    assert meant(scene(given)) == {"chaser.shapes.bus target.shapes.ring"}
    pads["radius_m"] = 0.015  # 15 mm off the ring
    assert meant(scene(contact(pads, face=face))) == set()


def test_balls_of_both() -> None:
    ball = {"on": "target", "p_m": [0.0, 0.0, -1.0], "radius_m": 0.05}  # where bus and ring meet
    pads = {"on": "chaser", "centres_m": [[0.0, 0.0, 1.5]], "radius_m": 0.05}
    assert meant(scene(contact(pads, ball=ball))) == {
        "chaser.shapes.dome target.shapes.bus",
        "chaser.shapes.dome target.shapes.ring",
    }


def test_a_rectangle_ends_at_its_edges() -> None:
    """It stands beside the bus, of whose plane it is."""
    face = {
        "on": "target", "p_m": [0.0, 1.7, 1.0], "normal": [0.0, 0.0, 1.0],
        "along": [1.0, 0.0, 0.0], "half_sizes_m": [0.5, 0.5],
    }  # fmt: skip
    pads = {"on": "chaser", "centres_m": [[0.0, 0.0, 1.55]]}
    assert meant(scene(contact(pads, face=face))) == set()
    boundless = {key: face[key] for key in ("on", "p_m", "normal")}
    assert meant(scene(contact(pads, face=boundless))) == {"chaser.shapes.dome target.shapes.bus"}


def test_holds_mean_what_is_grasped_and_what_grasps() -> None:
    on_hub = {"holds": {"latch": {"p_TB_m": [0.0, 0.0, -1.2]}}}
    assert meant(scene(on_hub)) == {
        "chaser.shapes.bus target.shapes.ring",
        "chaser.shapes.dome target.shapes.ring",
        "chaser.arms.main base target.shapes.ring",  # it is bolted to the hub
    }
    on_arm = {"holds": {"grip": {"arm": "main", "p_TB_m": [0.0, 0.0, -1.2]}}}
    assert meant(scene(on_arm)) == {"chaser.arms.main tool target.shapes.ring"}


def test_a_port_on_the_hub_means_only_the_shapes_that_carry_it() -> None:
    port = {"p_CA_m": [0.0, 0.0, 1.55]}  # on the dome
    hold = {"p_TB_m": [0.0, 0.0, -1.2], "port": port}
    given = {"holds": {"latch": hold | {"envelope": {"offset_m": 0.02, "angle_deg": 1.0}}}}
    assert meant(scene(given)) == {"chaser.shapes.dome target.shapes.ring"}
