"""From when to when on-board software was in which mode."""

from proxops.onboard.functions.capture.modes import MODES
from proxops.results.run import Phase, Run


def modes(run: Run) -> list[Phase]:
    """The modes of a capture, one after the other; none where there is no capture."""
    entered = [event for event in run.events if event.name in MODES]
    ends = [*(event.t_s for event in entered[1:]), float(run.rows[-1, 0]) if entered else 0.0]
    return [Phase(mode.name, mode.t_s, end) for mode, end in zip(entered, ends, strict=False)]
