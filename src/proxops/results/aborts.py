"""Legs of a plan that a run has left by their way out, and why."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

# As onboard.functions.plan says it; a recording holds no more than the text
_LEFT = re.compile(r"obsw\.plan: (?P<leg>\S+) (?P<reason>aborted: .*|timed out after .*)")


@dataclass(frozen=True)
class Abort:
    """A leg that was left by its way out."""

    t_s: float
    leg: str
    way_out: str  # the leg that it led to
    reason: str  # the condition that decided, its value and its limit

    @property
    def said(self) -> str:
        """All of it, in a line."""
        return f"{self.leg} {self.reason}; then {self.way_out}"


class _Event(Protocol):
    @property
    def t_s(self) -> float: ...
    @property
    def name(self) -> str: ...
    @property
    def detail(self) -> str: ...


def aborts_of(events: Iterable[_Event]) -> tuple[Abort, ...]:
    """The legs that were left so, in their order."""
    left = ((event, _LEFT.fullmatch(event.detail)) for event in events)
    return tuple(
        Abort(event.t_s, found["leg"], event.name, found["reason"])
        for event, found in left
        if found
    )
