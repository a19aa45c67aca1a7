"""A small run with every awkward thing that a recording must carry."""

import numpy as np

from proxops.results.run import Event, Ledger, Phase, Requirement, Run, Signal

TABLE = (
    Signal("chaser.p_HC", "m", "H", (3,)),
    Signal("chaser.arms.main.q", "rad", "", (7,)),
    Signal("chaser.arms.none.q", "rad", "", (0,)),
    Signal("target.q_NT", "", "N", (4,)),
    Signal("chaser.inertia", "kg m2", "C", (3, 3)),
    Signal("obsw.phase", "", "", ()),
    Signal("ledger.energy", "J", "", (1,)),
    Signal("heartbeat", "", "", ()),
)
WIDTH = 1 + sum(signal.width for signal in TABLE)
PROVENANCE = {
    "scenario": {"name": "tumble", "target": {"mass_kg": 9000.0, "limit": float("inf")}},
    "seed": 7,
    "hash": "00ff",
    "note": "Grüße, \N{GREEK SMALL LETTER OMEGA}",
}


def rows_of(count: int, seed: int = 1) -> np.ndarray:
    """Rows at 1 kHz with normal, huge, tiny, signed-zero and non-finite values."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, WIDTH)) * 10.0 ** rng.integers(-300, 300, size=(count, WIDTH))
    rows[:, 0] = np.arange(count) / 1000.0
    odd = [0.0, -0.0, np.inf, -np.inf, 5e-324]
    rows[3 % max(count, 1) :: 11, 5:10] = odd
    # A NaN that is not the usual one: its bits, too, must survive.
    rows[::7, 12] = np.array([0x7FF8_0000_DEAD_BEEF], np.uint64).view(np.float64)[0]
    return rows


def run_of(rows: np.ndarray, outcome: str = "failed", name: str = "tumble") -> Run:
    """A run with one of each verdict."""
    return Run(
        name=name,
        provenance=PROVENANCE,
        table=TABLE,
        rows=rows,
        events=(Event(0.25, "contact", "ring touches cone"),),
        phases=(Phase("coast", 0.0, 0.5), Phase("capture", 0.5, 1.0)),
        requirements=(
            Requirement("miss distance", 0.02, "<=", 0.05, "m", 0.03, "passed"),
            Requirement("grip", None, "<=", 1.0, "s", None, "not-reached"),
            Requirement("rate", float("inf"), "<=", 5.0, "deg/s", float("-inf"), "failed"),
        ),
        ledger=Ledger(1e-13, 2e-13, 3e-9, True),
        outcome=outcome,
    )


def cut_short(name, provenance, signals, rows):
    """What recovery is given to judge the rows that are left."""
    assert signals == TABLE
    assert provenance == PROVENANCE
    return run_of(rows, outcome="cut-short", name=name)


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are equal to the bit, whatever NaN says."""
    return a.shape == b.shape and a.tobytes() == b.tobytes()
