"""What both robots do before and after a run: park, move to start, tare, engage, stop, retreat."""
