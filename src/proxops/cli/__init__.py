"""What `proxops` does on a terminal.  Heavy imports stay inside the commands."""
