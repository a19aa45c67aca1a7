"""Campaigns by processes of this computer and by a dask cluster.

    python -m benchmarks.campaigns same [--cases 200 --captures 24]  pools, clusters, two hosts
    python -m benchmarks.campaigns kills [--cases 200 --rounds 20]   worker, nanny, scheduler, ...
    python -m benchmarks.campaigns poison [--cases 40]      a case that kills whoever flies it
    python -m benchmarks.campaigns refusals                 of what does not fit
    python -m benchmarks.campaigns leftovers [--rounds 10]  processes after Ctrl-C
    python -m benchmarks.campaigns trivial [--cases 10000]  overhead a case, memory
    python -m benchmarks.campaigns cold                     an empty cache of kernels
    python -m benchmarks.campaigns search [--cases 400 --rounds 20]  until a weakness is found

Everything listens on loopback, or in network namespaces of its own, which take root.  Figures are
CPU seconds where it is said.
"""

import argparse

from benchmarks.campaigns.kills import kills
from benchmarks.campaigns.leftovers import leftovers
from benchmarks.campaigns.overhead import cold, trivial
from benchmarks.campaigns.poison import poison
from benchmarks.campaigns.refusals import refusals
from benchmarks.campaigns.same import same
from benchmarks.campaigns.search import search


def main() -> None:
    """Runs one of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = ("same", "kills", "poison", "refusals", "leftovers", "trivial", "cold", "search")
    parser.add_argument("what", choices=kinds)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--captures", type=int, default=24)
    parser.add_argument("--rounds", type=int)
    asked = parser.parse_args()
    {
        "same": lambda: same(_or(asked.cases, 200), asked.captures),
        "kills": lambda: kills(_or(asked.rounds, 20), _or(asked.cases, 200)),
        "poison": lambda: poison(_or(asked.cases, 40)),
        "refusals": refusals,
        "leftovers": lambda: leftovers(_or(asked.rounds, 10)),
        "trivial": lambda: trivial(_or(asked.cases, 10_000)),
        "cold": cold,
        "search": lambda: search(_or(asked.rounds, 20), _or(asked.cases, 400)),
    }[asked.what]()


def _or(given: int | None, usual: int) -> int:
    return usual if given is None else given


if __name__ == "__main__":
    main()
