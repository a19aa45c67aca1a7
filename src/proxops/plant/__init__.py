"""The truth: chaser and target in orbit, advanced together with the ledger that audits them."""

from proxops.plant.build import build
from proxops.plant.model import Plant, Workspace
from proxops.plant.step import step

__all__ = ["Plant", "Workspace", "build", "step"]
