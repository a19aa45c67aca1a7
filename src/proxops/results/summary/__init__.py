"""What a mission is, before any run: as plain data, and as lines for people."""

from proxops.results.summary.content import summary
from proxops.results.summary.text import Section, sections

__all__ = ["Section", "sections", "summary"]
