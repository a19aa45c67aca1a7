"""Publications whose numbers and figures several modules look at: one process computes each once.

The quick tests have the one that takes the least.
"""

import pytest

from proxops.validation import names

QUICK = "rendezvous"


def _marked(name: str):
    group = pytest.mark.xdist_group(f"validate-{name}")
    return pytest.param(name, marks=[group] if name == QUICK else [group, pytest.mark.slow])


PUBLICATIONS = [_marked(name) for name in names()]
