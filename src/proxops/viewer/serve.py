"""The server that shows a run in the browser."""

import contextlib
import threading
import time

from proxops.run import Run
from proxops.viewer.cameras import FIELD_OF_VIEW, framings, size_for, up_of, view_of
from proxops.viewer.draw import Canvas
from proxops.viewer.film import Film
from proxops.viewer.panel import Panel
from proxops.viewer.parts import scene_of
from proxops.viewer.scene import Look
from proxops.viewer.server import announce, start, stop
from proxops.viewer.subject import subject_of
from proxops.viewer.timeline import Clock, marks, phase_at, speed_for
from proxops.viewer.track import Track

FRAME_S = 1.0 / 30.0


class Viewer:
    """A run being shown; `close` ends it."""

    def __init__(self, run: Run, host: str, port: int) -> None:
        self._run = run
        subject = subject_of(run.provenance, run.signals())
        self._title = subject.scenario.mission.title
        self._film = Film(subject, run.rows)
        scene = scene_of(subject)
        rows = self._film.rows
        self.look = Look(size=size_for(subject, rows, scene))
        self.clock = Clock(self._film.end, speed=speed_for(self._film.end))
        self.server = start(host, port, run.name)
        self._wake = threading.Event()
        self._open = True
        frames = framings(subject, rows, scene, self.look.size)
        up = up_of(subject)
        self.server.scene.set_up_direction(tuple(up.tolist()))
        start = view_of(next(iter(frames.values())), up)
        camera = self.server.initial_camera
        camera.position, camera.look_at, camera.up = start.position, start.look_at, start.up
        camera.fov = FIELD_OF_VIEW
        camera.near, camera.far = 0.02, 1e5
        self._canvas = Canvas(self.server.scene, scene, Track(subject, rows))
        self._panel = Panel(
            self.server.gui, self.clock, self.look, marks(run.events, run.phases), self._wake.set
        )
        self._show()
        self._thread = threading.Thread(target=self._play, name="proxops-viewer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the server."""
        self._open = False
        self._wake.set()
        self._thread.join()
        stop(self.server)

    def _play(self) -> None:
        before = time.monotonic()
        while self._open:
            self._wake.wait(None if not self.clock.playing else FRAME_S)
            self._wake.clear()
            now = time.monotonic()
            self.clock.advance(now - before)
            before = now
            self._show()
            time.sleep(max(0.0, FRAME_S - (time.monotonic() - now)))

    def _show(self) -> None:
        row, poses = self._film.at(self.clock.t)
        with self.server.atomic():
            self._canvas.show(row, poses, self.look)
            self._panel.follow()
            phase = phase_at(self._run.phases, self.clock.t)
            self._panel.head(self._title, self._run.outcome, self.clock.t, phase)


def serve(run: Run, host: str, port: int, *, browser: bool) -> None:
    """Shows a run until Ctrl-C."""
    viewer = Viewer(run, host, port)
    try:
        announce(viewer.server, browser)
        wait_for_ctrl_c()
    finally:
        viewer.close()


def wait_for_ctrl_c() -> None:
    """Returns when Ctrl-C is pressed."""
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(3600.0)
