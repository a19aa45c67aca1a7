"""Motion relative to a nominal one, which a laboratory can hold.  See docs/relative.md."""
