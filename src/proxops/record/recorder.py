"""Recording while it happens: rows go through a queue to a thread that writes them."""

import os
from collections.abc import Mapping
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Thread
from time import monotonic
from typing import Any, NoReturn

import numpy as np

from proxops.core.errors import OutputError
from proxops.record.container import RunFile
from proxops.record.folder import RECORDING, SUMMARY, claim, release, settle, write_text, writing
from proxops.record.layout import Layout
from proxops.record.plain import strict, to_json
from proxops.run import Signal

# Rows wait at most this long before the operating system has them, so that a killed process loses
# less than a second.
_FLUSH_PERIOD_S = 0.25
_QUEUE_PIECES = 64  # of at most one chunk each
_POLL_S = 0.1


class Recorder:
    """Writes a run into a folder while it is simulated.

    End it with `finish` or `discard`.  A folder left without either, by a crash or a kill, holds
    everything but the last moments, for `recover`.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        provenance: Mapping[str, Any],
        signals: tuple[Signal, ...],
        name: str,
        overwrite: bool = False,
    ) -> None:
        # Absolute, so that a later change of the working directory does not matter
        self._folder = Path(folder).absolute()
        self._layout = Layout(signals)
        self._open = True
        self._error: BaseException | None = None
        self._made = claim(self._folder, overwrite)
        try:
            with writing(self._folder):
                self._file = RunFile(self._folder / RECORDING, self._layout, name, provenance)
        except BaseException as error:
            if isinstance(error.__cause__, FileExistsError):  # it is another's: hands off
                raise OutputError(f"{self._folder}: another process records into it") from error
            release(self._folder, self._made)
            raise
        self._queue: Queue[np.ndarray | None] = Queue(_QUEUE_PIECES)
        # A daemon, so that a program that dies of an exception is not held back by it
        self._thread = Thread(target=self._work, name="proxops-recorder", daemon=True)
        self._thread.start()

    def write(self, rows: np.ndarray) -> None:
        """Records a copy of rows (n, 1 + widths): time [s], then the signals in order."""
        self._check_open()
        self._layout.check(rows)
        for piece in self._layout.pieces(rows):
            self._hand_over(np.array(piece, np.float64, order="C"))
        if self._error is not None:
            self._fail(self._error)

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Completes the recording with the verdicts, as `Run.summary` gives them."""
        self._check_open()
        text = to_json(strict(summary), "the summary", indent=2)
        self._stop()
        try:
            self._file.finish(text)
            self._file.close()
            write_text(self._folder / SUMMARY, text)
            settle(self._folder)
        except OSError as error:
            self._fail(error)
        self._open = False

    def discard(self) -> None:
        """Removes what was written; an earlier run that it was to replace is back."""
        if not self._open:
            return
        self._open = False
        if self._error is None:
            self._hand_over(None)
        self._thread.join()
        self._file.close()
        release(self._folder, self._made)

    def _check_open(self) -> None:
        if self._error is not None:
            self._fail(self._error)
        if not self._open:
            raise OutputError(f"{self._folder}: this recording has ended")

    def _hand_over(self, piece: np.ndarray | None) -> None:
        while self._error is None:
            try:
                self._queue.put(piece, timeout=_POLL_S)
                return
            except Full:
                continue

    def _stop(self) -> None:
        self._hand_over(None)
        self._thread.join()
        if self._error is not None:
            self._fail(self._error)

    def _fail(self, error: BaseException) -> NoReturn:
        self._error = error
        self.discard()
        reason = getattr(error, "strerror", None) or str(error)
        raise OutputError(f"{self._folder}: recording failed: {reason}") from error

    def _work(self) -> None:
        try:
            self._record()
        except BaseException as error:  # whatever it is, the simulation must hear of it
            self._error = error

    def _record(self) -> None:
        waiting: list[np.ndarray] = []
        count = 0
        due = 0.0
        while True:
            piece: np.ndarray | None = None
            ended = False
            try:
                piece = self._queue.get(timeout=max(0.0, due - monotonic()) if waiting else None)
                ended = piece is None
            except Empty:
                pass
            if piece is not None:
                if not waiting:
                    due = monotonic() + _FLUSH_PERIOD_S
                waiting.append(piece)
                count += len(piece)
            if waiting and (ended or count >= self._layout.chunk_rows or monotonic() >= due):
                self._file.append(np.concatenate(waiting))
                waiting.clear()
                count = 0
            if ended:
                return
