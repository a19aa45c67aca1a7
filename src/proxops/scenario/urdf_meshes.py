"""Where the meshes of a URDF file are: on this machine, near the file, or nowhere.

A file says `package://name/meshes/base.stl`, `file:///...` or `meshes/base.stl`.  Packages are
looked for in the file's folder and in every one above it; nothing is fetched.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

# No part of it can run past the next tag: a hostile text costs no more than its length.
_MESH = re.compile(r"""(<mesh\b[^<>]*?\bfilename\s*=\s*)(["'])([^"'<>]*)\2""")
_SCHEME = re.compile(r"([a-z]+)://+")


def place_meshes(text: str, folder: Path) -> str:
    """The text of a URDF file in that folder, the names of those meshes that exist made absolute
    paths."""

    def placed(found: re.Match[str]) -> str:
        from xml.sax.saxutils import escape, unescape  # with all that speaks to the web

        start, quote, name = found.groups()
        path = _find(unescape(name, {"&quot;": '"', "&apos;": "'"}), folder)
        if path is None:
            return found.group()
        written = escape(path, {'"': "&quot;", "'": "&apos;"})
        return f"{start}{quote}{written}{quote}"

    return _MESH.sub(placed, text)


def _find(name: str, folder: Path) -> str | None:
    return next(filter(os.path.isfile, _candidates(name, folder)), None)


def _candidates(name: str, folder: Path) -> Iterator[str]:
    """Absolute paths that a name may mean, the likeliest first."""
    scheme = _SCHEME.match(name)
    kind = scheme.group(1) if scheme else ""
    rest = name[scheme.end() :] if scheme else name
    if kind == "file" or (not kind and os.path.isabs(rest)):
        yield os.path.abspath(os.sep + rest.lstrip("/") if kind else rest)
    elif kind in ("", "package", "model"):
        here = Path(os.path.abspath(folder))
        _, _, inside = rest.partition("/")  # of a package, whatever its folder is called
        for above in (here, *here.parents):
            yield os.path.abspath(above / rest)
            if kind and inside:
                yield os.path.abspath(above / inside)
