"""Words for people: what was possible, when something else was found."""

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """A clause for an error message: the nearest known word, else the known ones."""
    known = sorted(known)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    if not known:
        return "; there are none"
    shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    return f"; there are: {shown}"
