"""A mission that a user's own controller flies."""

from typing import Annotated

from pydantic import Field

from proxops.scenario.schema.base import Problem, Section
from proxops.scenario.schema.extension import period_ns, rate_problem
from proxops.scenario.schema.time import Time


class OwnController(Section):
    """A user's own controller, which is given beside this file, in place of all other on-board
    software; a recording says which it was."""

    rate_hz: float | None = Field(
        default=None,
        gt=0.0,
        description="Its rate, if it has none of its own; time.control_rate_hz if not given [Hz]",
    )
    name: str | None = Field(default=None, description="Controller of a recorded mission")
    sha256: str | None = Field(default=None, description="Hash of its source, likewise")
    modes: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        default=(), description="Names of its modes, likewise: events that requirements can name"
    )

    def period_ns(self, tick: int) -> int:
        """Its period, cycles of on-board software being `tick` apart [ns]."""
        return period_ns(self.rate_hz, tick)


def controller_problems(controller: OwnController, time: Time) -> list[Problem]:
    """A rate that cycles of on-board software cannot keep."""
    problem = rate_problem(controller.rate_hz, time)
    return [(("controller", "rate_hz"), problem)] if problem else []
