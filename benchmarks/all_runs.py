"""Flies every shipped mission, and rehearses it where that is possible: rows, events, verdicts.

`same_results.py` starts this with the sources of a revision: only names that users know are used.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

import proxops.core.jit as jit
from proxops.core.errors import ProxopsError


def main() -> None:
    """Writes one file with everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.exact:
        jit._COMMON["fastmath"] = False  # not for users, who would only get other last bits
    import proxops  # compiles with it

    kept: dict[str, np.ndarray] = {}
    library = Path(str(proxops.__file__)).parent / "scenario" / "library" / "missions"
    for mission in sorted(file.stem for file in library.glob("*.toml")):
        for place in ("orbit", "ideal", "oos-sim"):
            run = f"{mission} {place}"
            if options.only not in run:
                continue
            scenario = proxops.load(mission)
            try:
                flown = (
                    proxops.simulate(scenario)
                    if place == "orbit"
                    else proxops.rehearse(scenario, place)
                )
            except ProxopsError as error:
                kept[f"{run}/verdict"] = np.array(f"rejected: {type(error).__name__}")
                sys.stderr.write(f"{run}: {error}\n")
                continue
            keep(run, flown, kept)
            sys.stderr.write(f"{run}: {flown.outcome}\n")
    np.savez(options.file, **kept)


def keep(name: str, run, kept: dict[str, np.ndarray]) -> None:
    """Verdicts, events with their instants, and all signals."""
    verdicts = [run.outcome, *(f"{item.name} {item.status}" for item in run.requirements)]
    kept[f"{name}/verdict"] = np.array("; ".join(verdicts))
    kept[f"{name}/events"] = np.array([event.name for event in run.events] or [""])
    kept[f"{name}/signals/event times"] = np.array([event.t_s for event in run.events])
    for signal in run.signals():
        kept[f"{name}/signals/{signal.name}"] = run[signal.name][1]


if __name__ == "__main__":
    main()
