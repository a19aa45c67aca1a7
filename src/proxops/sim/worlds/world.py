"""What a simulation knows of the world that its loop advances, see sim.loop."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from proxops.assembly.build import Built
from proxops.results.run import Event, Signal
from proxops.sim.state import STEPS_PER_CALL


class World:
    """A world in which nothing is random, nothing happens that the loop does not see, and nothing
    stops by itself; others say what differs."""

    given: Built  # the scenario as it stands
    built: Built  # what of it is modelled
    touching: Built  # whose contacts and holds are watched
    kernels: str  # name of what must be compiled
    kernel: Any  # the loop of this world
    stages: tuple[Any, ...]  # begin, show, advance and write, see sim.loop
    lab: Any  # what the loop hands to its functions
    provenance: dict[str, Any]  # what it adds to the scenario's
    signals: tuple[Signal, ...]  # recorded after the loop's own
    has_brakes = False  # carries out brakes of the arms; else joints are held by their motors
    steps_per_call = STEPS_PER_CALL  # for which it has random numbers in store
    ticks_per_call = STEPS_PER_CALL  # fewer where they take time: Ctrl-C is heard between calls

    def draw(self, steps: int) -> None:
        """Makes random numbers for so many steps of the plant."""

    def events(self) -> list[Event]:
        """What happened in it since it was last asked."""
        return []

    def close(self) -> None:
        """Ends what goes on outside of this process; once is enough."""

    @contextmanager
    def closed_if_interrupted(self) -> Iterator[None]:
        """Where something is raised in here, nothing outside goes on while recordings are kept."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def why(self, status: int, ended: bool) -> str | None:
        """Why it stopped, with that status or at the end of the mission; None if it did not."""
        return None
