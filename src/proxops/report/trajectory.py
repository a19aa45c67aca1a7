"""The way of the chaser about the target, as seen by someone who looks along the orbit's normal."""

import numpy as np

from proxops.core.plot import POINTS, Curve, Figure
from proxops.results.run import Run

WORTH_SEEING = 1.0  # [m]: less of a way is not drawn
CHASER, TARGET = "chaser.p_HC", "target.p_HT"


def path(run: Run) -> list[Figure]:
    """The figure, if the run has such a way and an orbit to see it from."""
    names = set(run)
    scenario = run.provenance.get("scenario")
    mission = scenario.get("mission") if isinstance(scenario, dict) else None
    if not isinstance(mission, dict) or "orbit" not in mission or not {CHASER, TARGET} <= names:
        return []
    ways = {"chaser": run[CHASER][1], "target": run[TARGET][1]}
    apart = ways["chaser"] - ways["target"]
    if not len(apart) or not np.ptp(apart, axis=0).max() > WORTH_SEEING:
        return []
    curves = [Curve(name, way[:, 1], way[:, 0]) for name, way in ways.items()]
    curves += [
        Curve(f"{name} at the start", way[:1, 1], way[:1, 0], POINTS, colour)
        for colour, (name, way) in enumerate(ways.items())
    ]
    return [
        Figure(
            "Way of the chaser in the Hill frame",
            "radial, x in H [m]",
            tuple(curves),
            x="along-track, y in H [m]",
            equal=True,
            linked=False,
        )
    ]
