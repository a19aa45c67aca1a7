"""Play, speed, scrub, and what to jump to."""

from collections.abc import Callable, Sequence
from typing import Any

import viser

from proxops.viewer.timeline import SPEEDS, Clock, Mark, clock_text

_TICKS = 24  # event marks on the time slider


class Transport:
    """Inputs that move the clock, then call `changed`."""

    def __init__(
        self,
        gui: viser.GuiApi,
        clock: Clock,
        listed: Sequence[Mark],
        changed: Callable[[], None],
    ) -> None:
        self._clock, self._listed, self._changed = clock, listed, changed
        self._play = gui.add_button("Play", icon=viser.Icon.PLAYER_PLAY)
        self._scrub = gui.add_slider(
            "Time [s]", 0.0, max(clock.end, 1e-3), _step(clock.end), 0.0, marks=_ticks(listed)
        )
        speeds = [f"{each:g}x" for each in SPEEDS]
        self._speed = gui.add_dropdown("Speed", speeds, initial_value=f"{clock.speed:g}x")
        self._entries = {self._entry(mark): mark.t for mark in listed}
        self._jump = gui.add_dropdown("Jump to", list(self._entries) or ["-"])
        step = gui.add_button_group("Event", ("previous", "next"))

        self._play.on_click(lambda _: self._toggle())
        self._scrub.on_update(self._scrubbed)
        self._speed.on_update(lambda _: self._set_speed())
        self._jump.on_update(self._jumped)
        step.on_click(lambda _: self._step_to(1 if step.value == "next" else -1))

    def follow(self) -> None:
        """Shows the clock's time and whether it goes on."""
        self._scrub.value = self._clock.t  # type: ignore[misc]  # mypy misses its setter
        playing = self._clock.playing
        self._play.label = "Pause" if playing else "Play"
        self._play.icon = viser.Icon.PLAYER_PAUSE if playing else viser.Icon.PLAYER_PLAY

    def _toggle(self) -> None:
        self._clock.toggle()
        self._changed()

    def _scrubbed(self, event: "viser.GuiEvent[Any]") -> None:
        if event.client is not None:  # else it was `follow`
            self._go(float(self._scrub.value))

    def _jumped(self, event: "viser.GuiEvent[Any]") -> None:
        if event.client is not None:
            self._go(self._entries.get(self._jump.value, 0.0))

    def _step_to(self, direction: int) -> None:
        """Goes to the next mark, or to the one before."""
        times = sorted({mark.t for mark in self._listed})
        if direction > 0:
            after = [t for t in times if t > self._clock.t + 1e-6]
            self._go(after[0] if after else self._clock.end)
        else:
            before = [t for t in times if t < self._clock.t - 1e-6]
            self._go(before[-1] if before else 0.0)

    def _go(self, t: float) -> None:
        self._clock.playing = False
        self._clock.t = t
        self._changed()

    def _set_speed(self) -> None:
        self._clock.speed = float(self._speed.value.removesuffix("x"))
        self._changed()

    def _entry(self, mark: Mark) -> str:
        return f"{clock_text(mark.t, self._clock.end)}  {mark.text}"[:70]


def _ticks(listed: Sequence[Mark]) -> tuple[float, ...]:
    """Times at which the slider has a mark."""
    times = sorted({mark.t for mark in listed})
    return tuple(times[:: max(1, len(times) // _TICKS)])


def _step(end: float) -> float:
    """A power of ten [s], fine enough for two thousand places."""
    step = 1.0
    while step > 1e-3 and step * 2000.0 > end:
        step /= 10.0
    return step
