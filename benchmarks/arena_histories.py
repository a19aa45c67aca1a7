"""The wrenches that arena-* missions fly with, made from Hill's equations.

python -m benchmarks.arena_histories [--write]

Says which of the shipped histories are what comes out; --write writes them.

Forced motion in the Hill frame of a circle of the published |R0|, for a servicer of 100 kg:

    f = m (a - [3n²x + 2n v_y, -2n v_x, -n²z])

arena-approach: a constant force for 20 s leads to the origin at 600 s; another one brings the
servicer to rest 1.53 m from it.  Both solve Hill's equations exactly, burns included.
"""

import argparse
import math
from pathlib import Path

import numpy as np

import proxops
from proxops.physics.orbit.attractors import EARTH

FOLDER = Path(proxops.__file__).parent / "scenario" / "library" / "histories"
HEAD = "t_s,fx_N,fy_N,fz_N,tx_N_m,ty_N_m,tz_N_m"
MASS = 100.0  # [kg]
SEMI_MAJOR_AXIS = 6700393.173431392  # [m], |R0| of the publication
RATE = math.sqrt(EARTH.mu / SEMI_MAJOR_AXIS**3)  # n [rad/s]
RADIUS, TURNS, SAMPLES = 1.8, 3, 900  # of the circles [m], [-], [-]
START = np.array([4.3743, 2.4216, 1.0178])  # of the approach [m]
TRANSFER, BURN, EDGE = 600.0, 20.0, 1e-3  # [s]: to the origin, of each burn, of its edges
LEFT = 1.53  # from the origin where it stops [m]


def circle(turn: float, roll: float = 0.0) -> list[str]:
    """Forces in C of turns of so many seconds, rolled by an angle [rad] from the Hill frame."""
    rate, c, s = math.tau / turn, math.cos(roll), math.sin(roll)
    rows = []
    for t in np.linspace(0.0, TURNS * turn, SAMPLES + 1):
        x, y = RADIUS * math.cos(rate * t), RADIUS * math.sin(rate * t)
        fx = MASS * (-(rate**2) * x - 3.0 * RATE**2 * x - 2.0 * RATE * rate * x)
        fy = float(f"{MASS * (-(rate**2) * y - 2.0 * RATE * rate * y):.9g}")  # as arena-circle
        fz = -0.0 if roll == 0.0 else -s * fy
        rows.append(f"{t:.10g},{fx:.9g},{c * fy:.9g},{fz:.9g},0,0,0")
    return rows


def circle_facing(turn: float) -> list[str]:
    """The constant force in C that keeps a servicer which faces its target on the circle; 3n²x, a
    thousandth of it, is left out: it turns against C."""
    rate = math.tau / turn
    inwards = MASS * RADIUS * rate * (rate + 2.0 * RATE)
    return [f"{t:g},{inwards!r},0,0,0,0,0" for t in (0.0, TURNS * turn)]


def transition(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Φ_pp, Φ_pv, Φ_vp, Φ_vv of Hill's equations over t [s]."""
    n, s, c = RATE, math.sin(RATE * t), math.cos(RATE * t)
    pp = np.array([[4 - 3 * c, 0, 0], [6 * (s - n * t), 1, 0], [0, 0, c]])
    pv = np.array([[s, 2 * (1 - c), 0], [2 * (c - 1), 4 * s - 3 * n * t, 0], [0, 0, s]]) / n
    vp = np.array([[3 * n * s, 0, 0], [6 * n * (c - 1), 0, 0], [0, 0, -n * s]])
    vv = np.array([[c, 2 * s, 0], [-2 * s, 4 * c - 3, 0], [0, 0, c]])
    return pp, pv, vp, vv


def pushed(until: float, begins: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity at `until` [s] by a unit acceleration for BURN from `begins` on."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    at = begins + 0.5 * BURN * (1.0 + nodes)
    each = [transition(until - t) for t in at.tolist()]
    half = 0.5 * BURN
    return (
        sum(half * w * terms[1] for w, terms in zip(weights, each, strict=True)),
        sum(half * w * terms[3] for w, terms in zip(weights, each, strict=True)),
    )


def approach() -> list[str]:
    """Forces in H, which are those in C, of both burns."""
    first = np.linalg.solve(pushed(TRANSFER, 0.0)[0], -transition(TRANSFER)[0] @ START)

    def stopped(begins: float) -> tuple[np.ndarray, float]:
        """The second acceleration, and where it comes to rest."""
        end = begins + BURN
        (p, v), (by, speed) = pushed(end, 0.0), pushed(end, begins)
        pp, _, vp, _ = transition(end)
        second = np.linalg.solve(speed, -(vp @ START + v @ first))
        return second, float(np.linalg.norm(pp @ START + p @ first + by @ second))

    low, high = 0.5 * TRANSFER, TRANSFER - BURN
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stopped(middle)[1] > LEFT else (low, middle)
    on, off = MASS * first, MASS * stopped(low)[0]
    none = np.full(3, -0.0)
    rows = [(0.0, on), (BURN, on), (BURN + EDGE, none), (low - EDGE, none), (low, off)]
    rows += [(low + BURN, off), (low + BURN + EDGE, none)]
    return [f"{t:.9g},{f[0]:.9g},{f[1]:.9g},{f[2]:.9g},0,0,0" for t, f in rows]


HISTORIES = {
    "arena-circle": lambda: circle(30.0),
    "arena-circle-fast": lambda: circle(10.0),
    "arena-tilt": lambda: circle(30.0, math.radians(10.0)),
    "arena-circle-yaw": lambda: circle_facing(30.0),
    "arena-approach": approach,
}


def text_of(name: str) -> str:
    """A history as its file has it."""
    return "\n".join([HEAD, *HISTORIES[name]()]) + "\n"


def main() -> None:
    """Compares or writes all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write them into the library")
    write = parser.parse_args().write
    for name in HISTORIES:
        file, text = FOLDER / f"{name}.csv", text_of(name)
        same = file.is_file() and file.read_text() == text
        print(f"{name}: {'as shipped' if same else 'differs'}")  # noqa: T201 - a script
        if write and not same:
            file.write_text(text)


if __name__ == "__main__":
    main()
