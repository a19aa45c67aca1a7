"""A recorded run in the browser."""

import contextlib
import threading
import time
from collections.abc import Callable

import viser

from proxops.results.modes import modes
from proxops.results.run import Run
from proxops.viewer.controls import add_cameras, add_looks
from proxops.viewer.hardware import hardware_of
from proxops.viewer.panel import Head, spans_text, states_text, title_of, why
from proxops.viewer.playback import Playback
from proxops.viewer.plots import Plots
from proxops.viewer.poses import Poses
from proxops.viewer.server import announce, start, stop
from proxops.viewer.stage import Stage
from proxops.viewer.timeline import Clock, marks, phase_at, speed_for
from proxops.viewer.transport import Transport

FRAME_S = 1.0 / 30.0
PLOT_S = 0.2  # between two moves of the cursors while playing


class Viewer:
    """A run being shown on a server; `close` ends its playing."""

    def __init__(self, server: viser.ViserServer, run: Run) -> None:
        hardware = hardware_of(run.provenance, run.signals())
        self._run, self.server = run, server
        self._modes = modes(run)
        self._legs = "phases" if hardware.scenario.mission.obsw.plan is None else "legs"
        self._playback = Playback(hardware, run.rows)
        self.clock = Clock(self._playback.end, speed=speed_for(self._playback.end))
        self._changed = threading.Event()
        self._open = True
        with server.atomic():
            self.stage = Stage(server, hardware, self._playback)
            self._lay_out(server.gui, title_of(run, hardware.scenario.mission.title))
            self._plots = Plots(server.gui, hardware, self._playback.rows)
            with server.gui.add_folder("View", expand_by_default=False):
                add_looks(server.gui, self.stage, self._changed.set)
        self._drawn_plots = 0.0
        self._show()
        self._thread = threading.Thread(target=self._work, name="proxops-viewer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the playing; the server goes on."""
        self._open = False
        self._changed.set()
        self._thread.join()

    def go(self, t: float) -> None:
        """Shows another time [s]."""
        self.clock.t = t
        self._changed.set()

    def _lay_out(self, gui: viser.GuiApi, title: str) -> None:
        run = self._run
        self._head = Head(gui, title, (run.headline, run.mood), why(run), self.clock.end)
        listed = marks(self._run.events, self._run.phases)
        self._transport = Transport(gui, self.clock, listed, self._changed.set)
        add_cameras(gui, self.stage, self._poses, self._changed.set)

    def _poses(self) -> Poses:
        return self._playback.at(self.clock.t)[1]

    def _sequences(self, t: float) -> list[str]:
        """Where the instant is among phases, or legs of a plan, and modes, in a line each."""
        sequences = ((self._legs, self._run.phases), ("modes", self._modes))
        found = [spans_text(title, spans, t) for title, spans in sequences]
        return [text for text in found if text]

    def _states(self, t: float) -> list[str]:
        """What the facility did, in a line, where there was one; its time may go faster."""
        text = states_text(self._run.procedure, t / self.stage.time_scale)
        return [text] if text else []

    def _work(self) -> None:
        """Draws at most thirty times a second, and only while something changes."""
        before = time.monotonic()
        while self._open:
            was_playing = self.clock.playing
            self._changed.wait(FRAME_S if was_playing else None)
            self._changed.clear()
            now = time.monotonic()
            if was_playing:
                self.clock.advance(now - before)
            before = now
            self._show()
            time.sleep(max(0.0, FRAME_S - (time.monotonic() - now)))

    def _show(self) -> None:
        t = self.clock.t
        row, poses = self._playback.at(t)
        with self.server.atomic():
            self.stage.show(row, poses)
            self._transport.follow()
            phase = phase_at(self._run.phases, t)
            stage, state, light = self.stage, self.stage.state(row), self.stage.light(t)
            facts = [*stage.facts(row), *self._sequences(t), *self._states(t)]
            self._head.show(t, phase, stage.notes(), state, light, facts)
            if not self.clock.playing or time.monotonic() - self._drawn_plots > PLOT_S:
                self._plots.point_at(t)
                self._drawn_plots = time.monotonic()


def serve(run: Run, echo: Callable[[str], None], host: str, port: int, *, browser: bool) -> None:
    """Shows a run until Ctrl-C."""
    server = start(host, port, run.name)
    try:
        viewer = Viewer(server, run)
        with contextlib.suppress(KeyboardInterrupt):  # also one that comes as it is announced
            announce(server, echo, browser)
            wait_for_ctrl_c()
        viewer.close()
    finally:
        stop(server)


def wait_for_ctrl_c() -> None:
    """Returns when Ctrl-C is pressed."""
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(3600.0)
