"""Commands two latches by their switches: each when it has been ready for a while, and again if it
has missed.

    proxops run examples/latches.toml --controller examples/latches.py:Latching
"""

SOFT, HARD = 0, 1  # order of the holds in the scenario
SETTLED = 0.5  # for which the hard latch is ready before it is told to close [s]
GIVEN_UP = 1.0  # after which a latch that has not closed is opened again [s]
HELD = 30.0  # between closing and opening [s]


class Latching:
    """Soft latch, hard latch, and both open again."""

    modes = ("drifting", "drawing-in", "latched", "released")

    def start(self, briefing):
        """Called once before a run."""
        self.ready_since = self.told = self.latched = None

    def control(self, measurements, commands):
        """Called at the control rate."""
        t, switches = measurements.t, measurements.latches
        if switches.count == 0 or commands.mode == 3:
            return
        if commands.mode == 0 and self.closes("soft", SOFT, 0.0, t, switches, commands):
            commands.mode = 1
        elif commands.mode == 1 and self.closes("hard", HARD, SETTLED, t, switches, commands):
            commands.mode, self.latched = 2, t
        elif commands.mode == 2 and t >= self.latched + HELD:
            commands.holds["soft"] = commands.holds["hard"] = False
            commands.mode = 3

    def closes(self, name, number, settled, t, switches, commands):
        """Whether a latch has closed; until then it is told to, again and again."""
        if switches.closed[number]:
            self.ready_since = self.told = None
            return True
        if commands.holds[name]:
            if t >= self.told + GIVEN_UP:  # it has missed: it must be opened to be closed again
                commands.holds[name] = False
        elif not switches.ready[number]:
            self.ready_since = None
        else:
            self.ready_since = t if self.ready_since is None else self.ready_since
            if t >= self.ready_since + settled:
                commands.holds[name], self.told = True, t
        return False
