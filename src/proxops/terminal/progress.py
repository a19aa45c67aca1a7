"""Progress on the terminal, on stderr."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

# What compiling takes on a machine of 2025 that does nothing else [s]
COMPILING = {"run": 20, "rendering": 25, "run-capture": 50, "rehearsal": 80}
LONG = 120  # all else


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign of life for work whose share done is not known."""
    console = Console(stderr=True)
    if not console.is_terminal:
        console.print(what)
        yield
        return
    with console.status(what):
        yield


@contextmanager
def bar(name: str, kernels: str) -> Iterator[Callable[[float], None]]:
    """A bar that takes the share done; before the first share it says whether the named kernels
    compile."""
    columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with _bar(name, kernels, columns) as (progress, task, _):

        def report(share: float) -> None:
            progress.update(task, description=name, total=1.0, completed=share)

        yield report


class _CasesPerMinute(ProgressColumn):
    """How fast cases are done, over the last of them."""

    def render(self, task: Task) -> Text:
        """See `ProgressColumn`."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{60.0 * speed:.3g}/min", style="progress.percentage")


@contextmanager
def tally(name: str, kernels: str) -> Iterator[Callable[[int, int, int], None]]:
    """A bar that takes how many cases are done, have passed and are asked for."""
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        _CasesPerMinute(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with _bar(name, kernels, columns) as (progress, task, waiting):

        def report(done: int, passed: int, asked: int) -> None:
            text = f"{name}: {passed} of {done} passed" if done else waiting
            progress.update(task, description=text, total=asked, completed=done)

        yield report


@contextmanager
def _bar(
    name: str, kernels: str, columns: tuple[ProgressColumn, ...]
) -> Iterator[tuple[Progress, TaskID, str]]:
    """A bar, and what it says while nothing is done yet."""
    from proxops.core.jit import is_warm

    waiting = f"compiling kernels, once, some {COMPILING.get(kernels, LONG)} s"
    waiting = f"{name}: {'starting' if is_warm(kernels) else waiting}"
    console = Console(stderr=True)
    if not console.is_terminal and not is_warm(kernels):
        console.print(waiting)
    words = TextColumn("{task.description}")
    hidden = not console.is_terminal
    with Progress(words, *columns, console=console, transient=True, disable=hidden) as progress:
        yield progress, progress.add_task(waiting, total=None), waiting
