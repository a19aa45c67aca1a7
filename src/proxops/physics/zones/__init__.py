"""Distances from the surfaces that bound safety zones about a target."""
