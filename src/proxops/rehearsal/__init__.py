"""A scenario on a facility, and what the facility does before and after it."""

from proxops.rehearsal.ready import on_facility

__all__ = ["on_facility"]
