"""Progress on the terminal, on stderr."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


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
    from proxops.core.jit import is_warm

    waiting = "starting" if is_warm(kernels) else "compiling kernels, once, some 25 s"
    console = Console(stderr=True)
    if not console.is_terminal and not is_warm(kernels):
        console.print(f"{name}: {waiting}")
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(f"{name}: {waiting}", total=None)

        def report(share: float) -> None:
            progress.update(task, description=name, total=1.0, completed=share)

        yield report
