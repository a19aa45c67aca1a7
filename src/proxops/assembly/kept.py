"""What is built of equal scenarios is built once: what software believes, above all, is the same
in all cases of a campaign."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from proxops.core.kept import KEPT, own_copy
from proxops.scenario.load import Scenario

_T = TypeVar("_T")
_P = ParamSpec("_P")


class Alike:
    """A scenario that equals all others with the same mission and files."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alike) and other.scenario.content == self.scenario.content

    def __hash__(self) -> int:
        return hash(self.scenario.content)


def kept(build: Callable[_P, _T]) -> Callable[_P, _T]:
    """A function of a scenario's mission and files, and of sections, which returns named tuples of
    arrays and numbers: run once for equal ones, each caller gets arrays of its own."""
    run: Any = build

    @lru_cache(KEPT)
    def built(of: Alike, *sections: Hashable) -> Any:
        return run(of.scenario, *sections)

    @wraps(build)
    def handed_out(scenario: Scenario, *sections: Hashable) -> Any:
        return own_copy(built(Alike(scenario), *sections))

    typed: Any = handed_out
    return typed  # type: ignore[no-any-return]
