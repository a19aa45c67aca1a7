"""A run as a scene in the browser: `proxops view` and `proxops run --live`.

What is in a scene (`parts`), where it is at an instant (`poses`) and how it bends (`bend`) know
nothing of the browser; `draw`, `panel` and what serves them do.  A new kind of hardware is one
more function in `parts.SOURCES`, and frames for it in `poses`.
"""

from typing import TYPE_CHECKING

from proxops.core.errors import InputError

if TYPE_CHECKING:
    from proxops.run import Run

LOOPBACK = "127.0.0.1"
PORT = 8080


def view(run: "Run", host: str = LOOPBACK, port: int = PORT, *, browser: bool = True) -> None:
    """Shows a run in the browser until Ctrl-C; says on stderr where."""
    _needs_viser()
    from proxops.viewer.serve import serve

    serve(run, host, port, browser=browser)


def _needs_viser() -> None:
    try:
        import viser  # noqa: F401  # only looked for
    except ImportError as error:
        raise InputError(
            f"the viewer needs viser ({error}): pip install 'proxops[viewer]'"
        ) from error
