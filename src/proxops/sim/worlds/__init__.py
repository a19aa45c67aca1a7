"""What the loop advances: the orbit, a robot that renders the target, a cell of two robots."""
