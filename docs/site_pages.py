"""Hook of the site (`make site`): adds the pages that are made from code, and those that stand
outside of docs."""

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))
import reference  # noqa: E402 - beside this file, not installed

MADE = {
    "reference/python.md": reference.names_page,
    "reference/commands.md": reference.commands_page,
    "reference/scenario-keys.md": reference.scenario_page,
    "reference/facility-keys.md": reference.facilities_page,
}
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def on_files(files: Files, config: Any) -> Files:
    """Adds pages to those of docs."""
    for path, make in MADE.items():
        files.append(File.generated(config, path, content=make()))
    for name, path in OUTSIDE.items():
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to pages outside of docs lead to their copies in the site."""
    for name, path in OUTSIDE.items():
        markdown = re.sub(rf"\]\((\.\./)?{re.escape(name)}", f"]({path}", markdown)
    return markdown
