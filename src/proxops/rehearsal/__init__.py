"""Missions on a facility: the loop, and what the facility does before, after and slowly."""

from proxops.rehearsal.lab import FacilityLab, on_facility

__all__ = ["FacilityLab", "on_facility"]
