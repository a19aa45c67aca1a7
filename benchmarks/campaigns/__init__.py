"""Campaigns measured: equal cases, kills, refusals, what is left running, overhead, the search."""
