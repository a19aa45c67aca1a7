"""Guidance laws."""
