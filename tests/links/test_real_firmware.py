"""ArduCopter in the loop with our physics, flown over our link: where the environment names it."""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pytest

import proxops

BINARY = os.environ.get("PROXOPS_ARDUCOPTER", "")
EXAMPLES = Path(__file__).parents[2] / "examples/arena"
PARAMETERS = ("vehicle.param", "software_in_the_loop.param")
LINK = "udp://127.0.0.1:14550"
TURN_S, RADIUS = 30.0, 1.8

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not BINARY, reason="PROXOPS_ARDUCOPTER names no ArduCopter: no real firmware is flown"
    ),
]


@contextmanager
def running(command: list[str], folder: Path):
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield
        finally:
            process.kill()  # one that waits for its physics does not hear anything else
            process.wait()


def firmware(number: int) -> list[str]:
    defaults = ",".join(str(EXAMPLES / name) for name in PARAMETERS)
    return [
        BINARY, "--model", "JSON:127.0.0.1", f"-I{number - 1}", "--sysid", str(number), "--wipe",
        "--home", "37.41,-6.0,10,0", "--defaults", defaults,
        "--serial0", f"udpclient:127.0.0.1:{14540 + 10 * number}",
    ]  # fmt: skip


def flown(mission: str, folder: Path):
    """The mission as two instances of the firmware fly it."""
    with ExitStack() as stack:
        for name in ("physics", "1", "2"):
            (folder / name / "scripts").mkdir(parents=True)
            shutil.copy(EXAMPLES / "mixer.lua", folder / name / "scripts")
        serve = [sys.executable, "-m", "proxops", "arena", "serve", mission]
        stack.enter_context(running(serve, folder / "physics"))
        for number in (1, 2):
            stack.enter_context(running(firmware(number), folder / str(number)))
        return proxops.rehearse(proxops.load(mission), "flight-arena", link=LINK)


@pytest.fixture(scope="module", params=["arena-circle", "arena-approach"])
def both(request, tmp_path_factory):
    real = flown(request.param, tmp_path_factory.mktemp(request.param))
    virtual = proxops.rehearse(proxops.load(request.param), "flight-arena", link="virtual")
    return request.param, real, virtual


def test_both_follow_within_six_centimetres_and_land(both):
    _, real, _ = both
    for craft in ("target", "chaser"):
        assert real[f"lab.vehicles.{craft}.error"][1].max() < 0.06
    assert {state.verdict for state in real.procedure} == {"passed"}
    assert [state.name for state in real.procedure][-2:] == ["land", "disarm"]


def response(run) -> complex:
    """Flown circle over the reference: its size is that of the radii, its angle the lag."""
    p, ref = run["lab.p_LCl"][1], run["lab.vehicles.chaser.p_ref"][1]
    flown, wanted = p[:, 0] + 1j * p[:, 1], ref[:, 0] + 1j * ref[:, 1]
    return complex(np.vdot(wanted, flown) / np.vdot(wanted, wanted))


def circles(both) -> tuple[complex, complex]:
    mission, real, virtual = both
    if mission != "arena-circle":
        pytest.skip("no circle")
    return response(real), response(virtual)


def test_the_radius_is_that_of_the_virtual_vehicle(both):
    k, expected = circles(both)
    assert abs(abs(k) - abs(expected)) * RADIUS < 0.005


def test_the_lag_is_that_of_the_virtual_vehicle(both):
    k, expected = circles(both)
    assert abs(np.angle(k) - np.angle(expected)) / (2.0 * np.pi / TURN_S) < 0.020
