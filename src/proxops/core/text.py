"""Words for people: what was possible, when something else was found."""

import difflib
import os
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


def nearest_file(given: str, beside: Iterable[str]) -> str:
    """The same for files of one kind in one folder: neither makes one near."""
    named = {_stem(file): file for file in beside}
    close = difflib.get_close_matches(_stem(given), sorted(named), n=1, cutoff=0.6)
    return f"; did you mean {named[close[0]]!r}?" if close else nearest("", named.values())


def _stem(file: str) -> str:
    return os.path.splitext(os.path.basename(file))[0]
