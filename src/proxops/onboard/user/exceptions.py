"""What a user's code has raised, and where in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb

from proxops.core.errors import ControllerError
from proxops.core.interrupt import is_ctrl_c

MAX_LINES = 4
_OURS = str(Path(__file__).resolve().parents[2])  # all of the package
_LIBRARIES = ("site-packages", "dist-packages", "<frozen")


@contextmanager
def blaming(what: str, of: object = None) -> Iterator[None]:
    """Whatever a user's code raises is a ControllerError that says where, or where `of` stands;
    Ctrl-C is not its own."""
    try:
        yield
    except BaseException as error:
        if is_ctrl_c(error) or isinstance(error, ControllerError):
            raise
        raise ControllerError(f"{what}: {format_error(error, of)}") from None


def format_error(error: BaseException, of: object = None) -> str:
    """The error, and the last places of the user's own files on the way to it; where there is none
    of them, where the function `of` stands."""
    said = _said(error)
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    places = [
        f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}: {frame.line}"
        for frame in extract_tb(error.__traceback__)
        if not frame.filename.startswith(_OURS)
        and not any(library in frame.filename for library in _LIBRARIES)
    ]
    if isinstance(error, SyntaxError) and error.filename:  # it has not come to run
        line = (error.text or "").strip()
        places.append(f"  {Path(error.filename).name}:{error.lineno}: {line}")
    return "\n".join([text, *(places[-MAX_LINES:] or place_of(of))])


def _said(error: BaseException) -> str:
    try:
        return str(error).strip()
    except Exception:  # its own text fails: its type has to do
        return ""


def place_of(of: object) -> list[str]:
    """Where a function stands."""
    code = getattr(getattr(of, "py_func", of), "__code__", None)
    if code is None:
        return []
    return [f"  {Path(code.co_filename).name}:{code.co_firstlineno} in {code.co_name}"]
