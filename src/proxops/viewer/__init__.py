"""A run as a scene in the browser: `proxops view` and `proxops run --live`.

What is in a scene (`parts`), where it is at an instant (`poses`) and how it bends (`bend`) know
nothing of the browser; `draw`, `panel` and what serves them do.  A new kind of hardware is one
more function in `parts.SOURCES`, and frames for it in `poses`.
"""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from proxops.core.errors import InputError

if TYPE_CHECKING:
    from proxops.results.run import Run
    from proxops.viewer.live_view import LiveView

LOOPBACK = "127.0.0.1"
PORT = 8080


def view(
    run: "Run",
    echo: Callable[[str], None],
    *,
    host: str = LOOPBACK,
    port: int = PORT,
    browser: bool = True,
) -> None:
    """Shows a run in the browser until Ctrl-C; `echo` prints where."""
    needs_viser()
    from proxops.viewer.serve import serve

    serve(run, echo, host, port, browser=browser)


def export(run: "Run", file: Path, *, overwrite: bool = False) -> str:
    """Writes an offline scene as one HTML file; says what is in it."""
    needs_viser()
    from proxops.viewer.offline import write_offline

    return write_offline(run, file, overwrite=overwrite)


def live(
    name: str,
    echo: Callable[[str], None],
    *,
    host: str = LOOPBACK,
    port: int = PORT,
    browser: bool = True,
) -> "LiveView":
    """A view of a run that is still to be made; its `open` is what `simulate` takes as `watch`."""
    needs_viser()
    from proxops.viewer.live_view import LiveView

    return LiveView(name, echo, host, port, browser=browser)


def needs_viser() -> None:
    """Refuses to go on without viser."""
    if find_spec("viser") is None:
        command = f"{sys.executable} -m pip install --editable '.[viewer]'"
        raise InputError(f"the viewer needs viser; in the project's folder: {command}")
