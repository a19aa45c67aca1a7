"""What a user's code has raised, and where in it."""

from pathlib import Path
from traceback import extract_tb

MOST_LINES = 4
_OURS = str(Path(__file__).resolve().parents[1])
_LIBRARIES = ("site-packages", "dist-packages", "<frozen")


def told(error: BaseException) -> str:
    """The error, and the last places of the user's own files on the way to it."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    places = [
        f"  {Path(frame.filename).name}:{frame.lineno} in {frame.name}: {frame.line}"
        for frame in extract_tb(error.__traceback__)
        if not frame.filename.startswith(_OURS)
        and not any(library in frame.filename for library in _LIBRARIES)
    ]
    if isinstance(error, SyntaxError) and error.filename:  # it has not come to run
        line = (error.text or "").strip()
        places.append(f"  {Path(error.filename).name}:{error.lineno}: {line}")
    return "\n".join([text, *places[-MOST_LINES:]])
