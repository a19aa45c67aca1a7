"""The panel beside the scene: verdict, time, what to jump to, cameras and looks."""

import html
from collections.abc import Callable, Sequence

import viser

from proxops.viewer.scene import Look
from proxops.viewer.timeline import SPEEDS, Clock, Mark, clock_text

BADGES = {"passed": "#2f9e44", "failed": "#e03131", "invalid": "#e03131"}
_OTHER = "#e8930c"


class Panel:
    """Inputs of the onlooker; they change clock and look, then call `changed`."""

    def __init__(
        self,
        gui: viser.GuiApi,
        clock: Clock,
        look: Look,
        listed: Sequence[Mark],
        changed: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._changed = changed
        self._head = gui.add_html("")
        self._play = gui.add_button("Play", icon=viser.Icon.PLAYER_PLAY)
        self._scrub = gui.add_slider("Time [s]", 0.0, max(clock.end, 1e-3), _step(clock.end), 0.0)
        speed = gui.add_dropdown("Speed", [_times(each) for each in SPEEDS], _times(clock.speed))
        self._jump = gui.add_dropdown("Jump to", [_entry(m, clock.end) for m in listed] or ["-"])

        self._play.on_click(lambda _: self._toggle())
        self._scrub.on_update(self._scrubbed)
        speed.on_update(lambda _: self._set_speed(float(speed.value[:-1])))
        times = {_entry(mark, clock.end): mark.t for mark in listed}
        self._jump.on_update(lambda _: self._go(times.get(self._jump.value, 0.0)))

    def head(self, title: str, outcome: str, t: float, phase: str) -> None:
        """Shows run, verdict, time and phase."""
        colour = BADGES.get(outcome, _OTHER)
        time = clock_text(t, self._clock.end)
        self._head.content = (
            f'<div style="padding:0.2em 0.9em 0.5em;line-height:1.35">'
            f'<div><span style="background:{colour};color:#fff;border-radius:4px;'
            f'padding:0.1em 0.5em;font-weight:700;letter-spacing:0.03em">'
            f"{html.escape(outcome.upper())}</span> "
            f'<span style="font-size:1.25em;font-weight:600;margin-left:0.4em;'
            f'font-variant-numeric:tabular-nums">{time}</span> '
            f'<span style="opacity:0.75">of {clock_text(self._clock.end, self._clock.end)}</span>'
            f"</div>"
            f'<div style="margin-top:0.25em">phase <b>{html.escape(phase or "-")}</b></div>'
            f'<div style="margin-top:0.25em;font-size:0.85em;opacity:0.8">{html.escape(title)}</div>'
            f"</div>"
        )

    def follow(self) -> None:
        """Shows the clock's time and whether it goes on."""
        self._scrub.value = self._clock.t
        playing = self._clock.playing
        self._play.label = "Pause" if playing else "Play"
        self._play.icon = viser.Icon.PLAYER_PAUSE if playing else viser.Icon.PLAYER_PLAY

    def _toggle(self) -> None:
        self._clock.toggle()
        self._changed()

    def _scrubbed(self, event: viser.GuiEvent[viser.GuiSliderHandle[float]]) -> None:
        if event.client is not None:  # else it was `follow`
            self._go(self._scrub.value)

    def _go(self, t: float) -> None:
        self._clock.playing = False
        self._clock.t = t
        self._changed()

    def _set_speed(self, speed: float) -> None:
        self._clock.speed = speed
        self._changed()


def _times(speed: float) -> str:
    return f"{speed:g}x"


def _entry(mark: Mark, end: float) -> str:
    return f"{clock_text(mark.t, end)}  {mark.text}"[:80]


def _step(end: float) -> float:
    """A thousandth of a run, or finer: a power of ten [s]."""
    step = 1.0
    while step > 1e-3 and step * 2000.0 > end:
        step /= 10.0
    return step
