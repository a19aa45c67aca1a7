"""A run shown while it goes on, by a process of its own: the loop never waits for a browser.

Only the newest row passes over, through a `Mailbox`.  When the run has ended, the process opens its
recording and shows it whole.
"""

import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import viser

from proxops.core.errors import ProxopsError
from proxops.results import store
from proxops.results.run import Signal
from proxops.viewer.controls import add_cameras, add_looks
from proxops.viewer.framing import newtons_per_metre
from proxops.viewer.hardware import hardware_of
from proxops.viewer.mailbox import Mailbox
from proxops.viewer.panel import Head
from proxops.viewer.playback import Playback
from proxops.viewer.poses import Poses
from proxops.viewer.serve import FRAME_S, Viewer
from proxops.viewer.server import announce, free_port, start, stop, url_of
from proxops.viewer.stage import Stage

_MAX_POINTS = 2000  # rows of the way so far
_PATIENCE = 5.0  # [s] for the process to end


class Show(NamedTuple):
    """What a process needs to show a run."""

    name: str
    provenance: Mapping[str, Any]
    signals: tuple[Signal, ...]
    host: str
    port: int
    browser: bool


class LiveView:
    """A run being shown while it goes on: once opened, it takes rows as they are made."""

    def __init__(
        self, name: str, echo: Callable[[str], None], host: str, port: int, *, browser: bool
    ) -> None:
        self._name, self._echo, self._browser = name, echo, browser
        self._host, self._port = host, free_port(host, port)  # refused before anything runs
        self._process: SpawnProcess | None = None

    def open(self, provenance: Mapping[str, Any], signals: tuple[Signal, ...]) -> "LiveView":
        """Starts the process that shows rows of these signals."""
        show = Show(self._name, provenance, signals, self._host, self._port, self._browser)
        self._mailbox = Mailbox(1 + sum(each.width for each in signals))
        shared = get_context("spawn")
        self._pipe, theirs = shared.Pipe()
        # A daemon: it ends with this process, whatever happens
        self._process = shared.Process(
            target=_work, args=(show, self._mailbox, theirs), name="proxops-live", daemon=True
        )
        self._process.start()
        theirs.close()
        self._echo(f"live scene: {url_of(self._host, self._port)}")
        return self

    def write(self, rows: np.ndarray) -> None:
        """Shows the last of these rows, unless newer ones come before it is drawn."""
        self._mailbox.write(rows)

    def complete(self, folder: Path) -> None:
        """Shows the whole run, recorded into a folder."""
        self._send(str(folder.absolute()))

    def wait(self) -> None:
        """Returns when the process ends, or on Ctrl-C."""
        if self._process is not None:
            with suppress(KeyboardInterrupt):
                self._process.join()

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._send(None)
            self._process.join(_PATIENCE)
            self._process.kill()

    def _send(self, message: str | None) -> None:
        with suppress(OSError):  # it has ended; the run does not depend on it
            self._pipe.send(message)


def _work(show: Show, mailbox: Mailbox, pipe: Connection) -> None:
    """The process: shows rows until it hears of the recording, then that, until told to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which then tells us
    server = start(show.host, show.port, show.name)
    announce(server, lambda _: None, show.browser)
    try:
        folder = _follow(server, show, mailbox, pipe)
        if folder is not None:
            server.scene.reset()
            server.gui.reset()
            viewer = Viewer(server, store.open(folder))
            pipe.recv()
            viewer.close()
    except (EOFError, ProxopsError):
        pass  # whoever runs has gone, or has said what is wrong
    finally:
        stop(server)


def _follow(
    server: viser.ViserServer, show: Show, mailbox: Mailbox, pipe: Connection
) -> str | None:
    """Draws the newest row again and again; returns the folder of the recording, or None."""
    live: _Live | None = None
    seen = 0
    while not pipe.poll(FRAME_S):
        count = mailbox.count()
        row = mailbox.newest() if count > seen else None
        if row is None:
            continue
        if live is None:
            live = _Live(server, show, mailbox.first())
        live.show(row)
        seen = count
    if live is not None:
        live.stage.retire()
    folder: str | None = pipe.recv()
    return folder


class _Live:
    """The scene of a run that goes on, and what can be changed of it."""

    def __init__(self, server: viser.ViserServer, show: Show, first: np.ndarray) -> None:
        self._hardware = hardware_of(show.provenance, show.signals)
        self._server = server
        playback = Playback(self._hardware, first[None])
        self._playback, self._path = playback, [first]
        mission = self._hardware.scenario.mission
        self._phases = list(mission.time.phase_ends_s)
        self._poses: Poses = playback.at(0.0)[1]
        with server.atomic():
            self.stage = Stage(server, self._hardware, playback)
            end = mission.time.duration_ns / 1e9
            self._head = Head(server.gui, mission.title, ("RUNNING", "warn"), "", end)
            self._done = server.gui.add_progress_bar(0.0)
            self._end = end
            add_cameras(server.gui, self.stage, lambda: self._poses, _at_the_next_row)
            with server.gui.add_folder("View"):
                add_looks(server.gui, self.stage, _at_the_next_row)

    def show(self, row: np.ndarray) -> None:
        """Draws a row."""
        t, look = float(row[0]), self.stage.look
        self._path.append(row)
        if len(self._path) > _MAX_POINTS:
            del self._path[1::2]
        self._poses = self._playback.poses(row)
        self.stage.track.take(np.array(self._path))
        # The largest force is not known before the end: the scale grows with it.
        needed = newtons_per_metre(self._hardware, self.stage.scene, row[None])
        look.newtons_per_metre = max(look.newtons_per_metre, needed)
        phase = self._phases[int(self._hardware.of("obsw.phase", row)[0])]
        with self._server.atomic():
            self.stage.show(row, self._poses)
            state, facts = self.stage.state(row), self.stage.facts(row)
            self._head.show(t, phase, self.stage.notes(), state, facts=facts)
            self._done.value = 100.0 * t / self._end  # type: ignore[misc]  # mypy misses its setter


def _at_the_next_row() -> None:
    """What the onlooker changes shows when the next row comes."""
