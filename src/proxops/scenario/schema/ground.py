"""What the ground sends to the chaser, as a scenario scripts it."""

from pydantic import Field

from proxops.scenario.schema.base import Problem, Section
from proxops.scenario.schema.sampled import Windows
from proxops.scenario.schema.time import Time


class Ground(Section):
    """An operator's go, and the link by which the chaser hears of it."""

    go: Windows = Field(default=(), description="When the operator says go; else it is no go")
    link_lost: Windows = Field(
        default=(), description="When the chaser hears nothing: what it heard last stays"
    )

    def late(self, time: Time) -> list[Problem]:
        """What is wrong with windows that begin when the mission is over."""
        given = (("go", self.go), ("link_lost", self.link_lost))
        return [
            ((key, i, *path), text)
            for key, windows in given
            for i, window in enumerate(windows)
            for path, text in window.late(time)
        ]
