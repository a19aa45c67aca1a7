"""Docstrings as the site shows them: examples that Python would run become blocks of code."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)


class Examples(griffe.Extension):
    """Fences examples; Markdown would take `>>>` for three quotations."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Called once for everything that has a docstring."""
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", text)
