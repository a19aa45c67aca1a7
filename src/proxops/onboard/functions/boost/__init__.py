"""The boost: engines push a captured target, and hold its attitude by being off in turn."""
