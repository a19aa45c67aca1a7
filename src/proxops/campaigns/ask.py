"""What is asked of a worker: a case, or as many as it flies at once, as JSON text."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from proxops.scenario.case import Point
from proxops.scenario.load import Scenario


@dataclass(frozen=True)
class Ask:
    """A case by its seed; of a design also by its point, and by the seed of its noise."""

    seed: int
    point: Point | None = None  # by dispersion: numbers from 0 to 1; drawn by the seed if None
    noise_seed: int | None = None  # the seed itself if None

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        if self.point is None:
            return {"seed": self.seed}
        return {"seed": self.seed, "point": dict(self.point), "noise_seed": self.noise_seed}

    def case_of(self, scenario: Scenario) -> Scenario:
        """That case of a scenario."""
        return scenario.dispersed(self.seed, self.point, noise_seed=self.noise_seed)


def text_of(asks: Iterable[Ask]) -> str:
    """As JSON: cases that one worker flies at once."""
    return json.dumps([each.to_dict() for each in asks])


def ask_in(data: Mapping[str, Any]) -> Ask:
    """What plain data ask for: those of an `Ask`, or of a case that was flown."""
    return Ask(data["seed"], data.get("point"), data.get("noise_seed"))
