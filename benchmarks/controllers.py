"""A user's own controller on the plant of the capture: Python with NumPy, and compiled."""

import statistics
import time
from pathlib import Path

import proxops
from benchmarks.timing import Effort, table
from proxops.onboard.user.file import from_file

EXAMPLES = Path(__file__).parents[1] / "examples"
RATE = 100.0  # [Hz]
MAX_ROUNDS = 5  # each is a whole mission


class Silent:
    """Asks for nothing: what is left is the way to Python and back."""

    rate_hz = RATE

    def control(self, measurements: proxops.Measurements, commands: proxops.Commands) -> None:
        """Leaves all as it is."""


def braking(parameters, memory, measurements, commands):
    """Brakes the base's rate."""
    for i in range(3):
        commands.torque[i] = -parameters[0] * measurements.gyro.w[i]


def controller_cost(effort: Effort) -> str:
    """CPU time of missions that controllers fly."""
    scenario = proxops.load(EXAMPLES / "hold_place.toml")
    seconds = scenario.mission.time.duration_s
    controllers = {
        "NumPy, `examples/hold_place.py`": from_file(f"{EXAMPLES / 'hold_place.py'}:HoldPlace"),
        "Python, nothing but the call": Silent,
        "compiled": proxops.Compiled(braking, parameters=[500.0], rate_hz=RATE),
    }
    taken: dict[str, list[float]] = {name: [] for name in controllers}
    for lap in range(1 + min(effort.rounds, MAX_ROUNDS)):
        for name, controller in controllers.items():
            start = time.process_time()
            proxops.simulate(scenario, controller=controller)
            if lap > 0:  # the first one may compile
                taken[name].append(time.process_time() - start)
    goals = {name: "20 x" if name.startswith("NumPy") else "" for name in controllers}
    medians = {name: statistics.median(times) for name, times in taken.items()}
    rows = [
        [name, f"{cpu:.2f} s", f"{seconds / cpu:.0f} x", goals[name]]
        for name, cpu in medians.items()
    ]
    head = [f"chaser of `envisat-capture`, 1 kHz, controller at {RATE:g} Hz, {seconds:g} s"]
    return table([*head, "CPU time", "against real time", "goal"], rows) + "\n"
