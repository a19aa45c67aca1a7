"""Flies the tumble in Basilisk and stores it for the tests that run without Basilisk.

python -m tests.cross.make_basilisk_reference
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.peers.model import State
from tests.cross.tumbles import Flight, flight

REFERENCE = Path(__file__).parent / "data" / "basilisk_tumble.json"
HOLD_S = 1e-3


def load() -> Flight:
    """The stored flight, with the step and with half of it."""
    stored = json.loads(REFERENCE.read_text())
    return _states(stored["step"]), _states(stored["half_step"])


def _states(rows: list[dict[str, Any]]) -> list[State]:
    return [State(**{name: np.array(value) for name, value in row.items()}) for row in rows]


def _rows(states: list[State]) -> list[dict[str, Any]]:
    return [{name: value.tolist() for name, value in state._asdict().items()} for state in states]


def main() -> None:
    from benchmarks.peers.basilisk_peer import BasiliskPeer

    step, half_step = flight(BasiliskPeer, HOLD_S)
    stored = {
        "engine": f"Basilisk {BasiliskPeer.version}",
        "hold_s": HOLD_S,
        "step": _rows(step),
        "half_step": _rows(half_step),
    }
    REFERENCE.parent.mkdir(exist_ok=True)
    REFERENCE.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
