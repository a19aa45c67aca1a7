"""On-board software: it reads measurements and commands actuators; it never sees the truth."""
