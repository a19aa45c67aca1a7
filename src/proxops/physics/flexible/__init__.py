"""Flexible appendages as modes of the hub that carries them.  See docs/flexible.md."""
