"""Shares of engines: torque first, then thrust."""

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.onboard.functions.boost.achievable_torque import achievable_text, is_achievable, reach
from proxops.onboard.functions.boost.allocation import allocate, build, workspace_for

SQUARE = np.array([[0.0, y, z] for y in (0.5, -0.5) for z in (0.5, -0.5)])
THRUST = np.array([375.0, 0.0, 0.0])
COM = np.array([4.205, 0.08, 0.1])
PUBLISHED = np.cross(SQUARE - COM, THRUST)  # torques of the four engines about it


@kernel
def allocated(model, torque, workspace, shares):
    """`allocate`, callable from Python."""
    return allocate(model, (torque[0], torque[1], torque[2]), workspace, shares)


def shares_of(torques, torque):
    """Shares, and by how much they miss the torque."""
    model = build(torques)
    shares = np.zeros(len(torques))
    missed = allocated(model, np.asarray(torque, dtype=float), workspace_for(model), shares)
    return shares, missed


def engines(rng, kind):
    """Torques of up to eight engines: any, of parallel engines, or many of them alike."""
    n = int(rng.integers(1, 9))
    if kind == "any":
        return rng.normal(size=(n, 3)) * 100.0
    if kind == "parallel":
        return np.cross(rng.normal(size=(n, 3)), [300.0, 60.0, 90.0])
    return np.round(rng.normal(size=(n, 3))) * 100.0


def test_four_engines_share_as_published():
    """Proportional to 1 + y yᵢ/0.25 + z zᵢ/0.25 with the largest one at full thrust."""
    shares, missed = shares_of(PUBLISHED, np.zeros(3))
    wanted = 1.0 + SQUARE[:, 1] * 0.08 / 0.25 + SQUARE[:, 2] * 0.1 / 0.25
    np.testing.assert_allclose(shares, wanted / wanted.max(), rtol=1e-13)
    assert missed < 1e-12 * 300.0


@pytest.mark.parametrize("kind", ["any", "parallel", "alike"])
def test_a_torque_is_met_wherever_some_shares_meet_it(kind):
    """Also on the surface of the achievable set: shares drawn at their bounds half of the time."""
    rng = np.random.default_rng(11)
    for _ in range(400):
        torques = engines(rng, kind)
        drawn = rng.uniform(-0.5, 1.5, len(torques)).clip(0.0, 1.0)
        shares, missed = shares_of(torques, drawn @ torques)
        assert shares.min() >= 0.0
        assert shares.max() <= 1.0
        # the solver stops at 1e-12 of all torques together
        assert missed <= 3e-12 * np.linalg.norm(torques, axis=1).sum()


@pytest.mark.parametrize("kind", ["any", "parallel", "alike"])
def test_the_nearest_torque_is_given_where_none_meets_it(kind):
    """Nearest: no engine could bring it nearer (Kuhn-Tucker), the set being convex."""
    rng = np.random.default_rng(12)
    beyond = 0
    for _ in range(400):
        torques = engines(rng, kind)
        asked = rng.normal(size=3) * 300.0
        shares, missed = shares_of(torques, asked)
        away = shares @ torques - asked
        assert missed == pytest.approx(np.linalg.norm(away), abs=1e-9)
        slope = torques @ away  # of ½|away|² by each share
        rounding = 1e-9 * max(1.0, np.abs(torques).sum()) * max(1.0, np.linalg.norm(away))
        assert np.all(slope[shares < 1.0 - 1e-9] >= -rounding)
        assert np.all(slope[shares > 1e-9] <= rounding)
        beyond += missed > 1.0
    assert beyond > 100


def test_beyond_equal_sharing_the_shares_are_those_nearest_to_full_thrust():
    """Kuhn-Tucker of min |v|², B v given, 0 ≤ v ≤ 1:  v = clip(Bᵀλ, 0, 1)  for some λ."""
    rng = np.random.default_rng(13)
    seen = 0
    for _ in range(600):
        torques = rng.normal(size=(8, 3))
        drawn = rng.beta(0.2, 0.2, 8).clip(0.01, 0.99)  # near their bounds, inside
        asked = drawn @ torques
        model = build(torques)
        alone, even = model.inverse @ asked, model.even
        ends = np.sort([-alone / even, (1.0 - alone) / even], axis=0)
        if ends[0].max() <= ends[1].min():
            continue
        seen += 1
        shares, _ = shares_of(torques, asked)
        off = 1.0 - shares
        free = (off > 1e-9) & (off < 1.0 - 1e-9)
        assert free.sum() >= 3  # generic engines, and a torque inside the achievable set
        multiplier = np.linalg.lstsq(torques[free], off[free], rcond=None)[0]
        # multipliers are solved for with 1e-10 of a share, at the condition of a few engines
        np.testing.assert_allclose(off, (torques @ multiplier).clip(0.0, 1.0), atol=1e-7)
    assert seen > 50


def test_reach_ends_where_torques_stop_being_met():
    rng = np.random.default_rng(14)
    for kind in ("any", "parallel", "alike"):
        for _ in range(60):
            torques = engines(rng, kind)
            way = rng.uniform(0.0, 1.0, len(torques)) @ torques
            size = np.linalg.norm(torques, axis=1).sum()
            if np.linalg.norm(way) <= 1e-3 * size:
                continue
            low, high = reach(torques, np.zeros(3), way)
            assert low <= 1e-9
            assert high >= 1.0 - 1e-9
            assert shares_of(torques, high * way)[1] < 1e-8 * size
            assert is_achievable(torques, 0.999 * high * way)
            assert not is_achievable(torques, 1.001 * high * way)
            # beyond it by 1e-3 |way| ≥ 1e-6 of all torques; the surface may be met at a slant
            assert shares_of(torques, (high + 1e-3) * way)[1] > 1e-8 * size


def test_an_impossible_torque_names_what_is_possible():
    """About y alone the upper engines turn most, one of them less so that nothing turns about z:
    375 N · 0.4 m (1 + 0.42/0.58); about the thrust none does."""
    most = 375.0 * 0.4 * (1.0 + 0.42 / 0.58)
    text = achievable_text(PUBLISHED, np.array([0.0, 400.0, 0.0]))
    assert text.startswith(
        f"commanded 400 N m along [0, 1, 0] in C, achievable up to {most:.4g} N m; "
        "x with the others as commanded: none; y with the others as commanded: "
    )
    assert f" to {most:.4g} N m; z with the others as commanded: none" in text
    about_thrust = achievable_text(PUBLISHED, np.array([1.0, 0.0, 0.0]))
    assert "achievable up to 0 N m; x with the others as commanded: 0 to 0 N m; " in about_thrust
