"""Recording while it happens: rows go through a queue to a thread that writes them."""

import logging
import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Thread
from time import monotonic
from typing import Any, NoReturn

import numpy as np

from proxops.core.errors import OutputError
from proxops.core.interrupt import shield
from proxops.results.run import Signal
from proxops.results.store.container import RunFile
from proxops.results.store.folder import (
    RECORDING,
    SUMMARY,
    alone_in,
    clear,
    make_folder,
    place_in,
    put_in_place,
    remove_folders,
    remove_run,
    write_text,
    writing,
)
from proxops.results.store.layout import Layout
from proxops.results.store.plain import strict, to_json
from proxops.results.store.set_aside import CUT, bring_back, came_to_its_end

# Rows wait at most this long before the operating system has them, so that a killed process loses
# less than a second.
_FLUSH_PERIOD_S = 0.25
_QUEUE_PIECES = 64  # of at most one chunk each
_POLL_S = 0.1
_log = logging.getLogger("proxops")


class Recorder:
    """Writes a run into a folder while it is simulated.

    End it with `finish` or `discard`.  A folder left without either, by a crash or a kill, holds
    everything but the last moments, for `recover`.  An earlier run in it is not touched before this
    one is complete.  Ctrl-C waits for each of its methods.
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
        self._given = Path(folder)
        self._folder = self._given.absolute()
        self._layout = Layout(signals)
        self._open = True
        self._error: BaseException | None = None
        self.rows = 0  # that it has taken
        self._lock = ExitStack()
        with writing(self._folder):
            self._made = make_folder(self._folder)
            self._place = self._claim(overwrite)
        try:
            with writing(self._place):
                self._file = RunFile(self._place / RECORDING, self._layout, name, provenance)
        except BaseException as error:
            if isinstance(error.__cause__, FileExistsError):  # it is another's: hands off
                self._lock.close()
                raise OutputError(f"{self._folder}: another process records into it") from error
            self._release()
            raise
        self._queue: Queue[np.ndarray | None] = Queue(_QUEUE_PIECES)
        # A daemon, so that a program that dies of an exception is not held back by it
        self._thread = Thread(target=self._work, name="proxops-recorder", daemon=True)
        self._thread.start()

    def _claim(self, overwrite: bool) -> Path:
        """The folder to record in, once nobody else writes there."""
        if not self._lock.enter_context(alone_in(self._folder)):
            self._lock.close()
            raise OutputError(f"{self._folder}: another process is recording into it")
        try:
            if overwrite:
                bring_back(self._folder)
            return place_in(self._folder, overwrite)
        except BaseException:
            self._lock.close()
            raise

    def write(self, rows: np.ndarray) -> None:
        """Records a copy of rows (n, 1 + widths): time [s], then the signals in order."""
        with shield():
            self._check_open()
            self._layout.check(rows)
            for piece in self._layout.pieces(rows):
                self._hand_over(np.array(piece, np.float64, order="C"))
            if self._error is not None:
                self._fail(self._error)
            self.rows += len(rows)

    def finish(self, summary: Mapping[str, Any]) -> Path:
        """Completes the recording with the verdicts, as `Run.summary` gives them; the folder that
        holds it: a run that was ended early does not replace one that was not."""
        with shield():
            self._check_open()
            text = to_json(strict(summary), "the summary", indent=2)
            self._stop()
            try:
                self._file.finish(text)
                if self._place != self._folder:
                    self._file.sync()  # before the earlier run goes
                self._file.close()
            except OSError as error:
                self._fail(error)
            self._open = False
            try:
                self._settle(summary.get("outcome"), text)
            except OSError as error:
                self._keep(error)
            finally:
                self._lock.close()
        return self._given / self._place.relative_to(self._folder)

    def discard(self) -> None:
        """Removes what was written; an earlier run that it was to replace stays."""
        with shield():
            if not self._open:
                return
            self._open = False
            if self._error is None:
                self._hand_over(None)
            self._thread.join()
            self._file.close()
            self._release()

    def _settle(self, outcome: Any, summary: str) -> None:
        """Puts a complete recording where it belongs."""
        if self._place == self._folder:
            write_text(self._folder / SUMMARY, summary)
            return
        if outcome in CUT and came_to_its_end(self._folder / RECORDING):
            write_text(self._place / SUMMARY, summary)
            _log.warning(
                "%s: the run in it stays; the run that was to replace it ended early "
                "and is in %s", self._given, self._given / self._place.name,
            )  # fmt: skip
            return
        put_in_place(self._folder, self._place, summary)
        self._place = self._folder
        clear(self._folder)

    def _keep(self, error: OSError) -> NoReturn:
        """Says where a recording is that is whole, though not all around it could be written."""
        place = self._place if (self._place / RECORDING).exists() else self._folder
        raise OutputError(
            f"proxops recover {self._given}: the recording in {place} is whole, but not its "
            f"{SUMMARY}: {error.strerror or error}"
        ) from error

    def _release(self) -> None:
        """Removes all that was made for this recording."""
        remove_run(self._place)
        if self._place != self._folder:
            remove_folders((self._place,))
        remove_folders(self._made)
        self._lock.close()

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
