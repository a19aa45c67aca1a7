"""Services below every on-board controller: the base's wrench shared between its actuators."""
