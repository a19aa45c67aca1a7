"""The recorded clearance is the least distance of what is drawn, but for what is to be touched."""

import numpy as np
import pytest

import proxops
from proxops.core.description import ShapeDescription
from proxops.core.frame import Frame, frame
from proxops.core.spatial.convex import CLOSE, distance
from proxops.results.run import Run
from proxops.viewer.hardware import hardware_of
from proxops.viewer.parts import arms, hubs
from proxops.viewer.playback import Playback
from proxops.viewer.pose import Pose
from proxops.viewer.poses import CHASER
from proxops.viewer.scene import Solid
from tests.laws.written import written

CLEARANCE = "relative.clearance"
APPROACH = {  # 10 m apart, face to face, at 0.5 m/s; nothing turns
    "chaser.arms": {}, "obsw.joints": {}, "requirements": {},
    "chaser.p_HC_m": [-10.0, 0.0, 0.0], "chaser.v_HC_m_s": [0.5, 0.0, 0.0],
    "chaser.q_NC": [1.0, 0.0, 0.0, 0.0], "chaser.w_NC_C_deg_s": [0.0, 0.0, 0.0],
    "target.q_NT": [1.0, 0.0, 0.0, 0.0], "target.w_NT_T_deg_s": [0.0, 0.0, 0.0],
    "chaser.shapes": {"bus": {"kind": "box", "size_m": [2.0, 2.0, 2.0]}},
}  # fmt: skip
TANK = {"kind": "sphere", "radius_m": 1.5, "p_TB_m": [0.0, 0.4, 0.0]}
ROD = {"kind": "cylinder", "radius_m": 0.1, "length_m": 2.0, "p_TB_m": [-2.0, 0.0, 0.0]}
ALONG_X = [0.7071067811865476, 0.0, 0.7071067811865476, 0.0]


def short(scenario: proxops.Scenario, duration: float, rate: float) -> Run:
    step = next(iter(scenario.mission.time.phases.values())).step_s
    time = {
        "duration_s": duration,
        "control_rate_hz": 1.0 / step,
        "record_rate_hz": rate,
        "phases": {"only": {"until_s": duration, "step_s": step}},
    }
    return proxops.simulate(scenario.replace({"requirements": {}, "time": time}))


@pytest.mark.parametrize(("touched", "reach"), [(True, 1.5), (False, 3.0)])
def test_a_bus_nears_a_tank_and_then_overlaps_it(touched: bool, reach: float) -> None:
    """10 m less the bus's 1 m, less what the target reaches towards it, less the way."""
    shapes = {"tank": TANK, "rod": ROD | {"q_TB": ALONG_X, "exclude_from_clearance": touched}}
    scenario = proxops.load("free-tumble").replace(APPROACH | {"target.shapes": shapes})
    t, clearance = short(scenario, 20.0, 1.0)[CLEARANCE]
    expected = np.maximum(0.0, 10.0 - 1.0 - reach - 0.5 * t)
    np.testing.assert_allclose(clearance, expected, rtol=0.0, atol=2.0 * CLOSE)


@pytest.mark.parametrize("gone", ["chaser.shapes", "target.shapes"])
def test_there_is_no_clearance_of_a_hub_that_has_no_shapes(gone: str) -> None:
    scenario = proxops.load("free-tumble").replace({gone: {}})
    assert CLEARANCE not in {signal.name for signal in short(scenario, 0.1, 10.0).signals()}


def test_there_is_no_clearance_from_what_is_only_to_be_touched() -> None:
    ring = {"target.shapes": {"ring": ROD | {"exclude_from_clearance": True}}}
    run = short(proxops.load("free-tumble").replace(ring), 0.1, 10.0)
    assert CLEARANCE not in {signal.name for signal in run.signals()}


def test_fingers_count_where_they_stand() -> None:
    """Against the frames and shapes that the viewer draws, which come another way.  The arm is
    stretched out, so that a finger is nearest to the bus."""
    scenario = proxops.load("envisat-capture")
    stretched = {"chaser.arms.main.q_deg": [10.0, -45.0, 5.0, 80.0, 0.0, -35.0, 20.0]}
    run = short(scenario.replace(stretched), 0.1, 50.0)
    hardware = hardware_of(run.provenance, run.signals())
    playback = Playback(hardware, run.rows)
    things = [thing for thing in hubs(hardware) + arms(hardware) if isinstance(thing, Solid)]
    own = [thing for thing in things if thing.frame.startswith(CHASER)]
    (bus,) = (thing for thing in things if thing.name == "target/hub/bus")
    for t, clearance in zip(*run[CLEARANCE], strict=True):
        _, poses = playback.at(t)
        apart = {
            thing.name: between(thing.shape, poses[thing.frame], bus.shape, poses[bus.frame])
            for thing in own
        }
        nearest = min(apart, key=apart.__getitem__)
        assert "/left/1" in nearest or "/right/1" in nearest
        # positions of metres, known to 1e-13 or so, are nothing beside the tolerance of the search
        assert clearance == pytest.approx(apart[nearest], abs=2.0 * CLOSE)


def between(a: ShapeDescription, X_HA: Pose, b: ShapeDescription, X_HB: Pose) -> float:
    """Distance of two shapes, each in its frame [m]."""
    X_A, X_B = (placed(X) @ frame(s.p, s.q) for s, X in ((a, X_HA), (b, X_HB)))
    X = X_A.inverse() @ X_B
    R, p = tuple(X.R.ravel().tolist()), tuple(X.p.tolist())
    return float(written(distance)(solid(a), solid(b), R, p, np.inf))


def placed(X: Pose) -> Frame:
    return frame(X.p, X.q)


def solid(shape: ShapeDescription) -> tuple[tuple[float, float, float], float, float]:
    x, y, z = (0.5 * each for each in shape.size)
    if shape.kind == "cylinder":
        return (0.0, 0.0, z), shape.size[0], 0.0
    assert shape.kind in ("box", "panel")
    return (x, y, z), 0.0, 0.0
