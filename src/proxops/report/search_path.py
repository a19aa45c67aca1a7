"""How a search came to its worst case."""

import numpy as np

from proxops.campaigns import Campaign
from proxops.campaigns.margins import margins_of
from proxops.core.plot import BOLD, POINTS, Curve, Figure, Level


def search_path(campaign: Campaign) -> Figure:
    """The smallest margin of each case in the order in which they were flown, and of those so
    far."""
    names = [each.name for each in campaign.spreads]
    least = margins_of(campaign.cases, names).min(axis=1)
    number = np.arange(1.0, len(least) + 1.0)
    notes = tuple(f"seed {case['seed']}" for case in campaign.cases)
    return Figure(
        "Smallest margin of each case",
        "margin, as a share of the limit [-]",
        (
            Curve("each case", number, least, POINTS, 0, notes),
            Curve("smallest so far", number, np.fmin.accumulate(least), BOLD, 1),
        ),
        "case",
        "Below zero a requirement is not met; -1: twice the limit or worse, a collision, or an "
        "event that never came.",
        levels=(Level("limit", 0.0),),
        linked=False,
    )
