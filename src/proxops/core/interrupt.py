"""Ctrl-C, heard whatever the process is at, and never at the cost of a recording.

Python runs its signal handlers between two instructions of the main thread: while that is inside a
compiled loop or inside LLVM, nothing is heard.  So a thread listens too, on the socket to which
the system's own handler writes each signal at once.  It acts only where the main thread does not.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from select import select
from time import monotonic
from types import FrameType
from typing import Any

EXIT_INTERRUPTED = 130
_PATIENCE_S = 0.5  # for the main thread to answer
_POLL_S = 0.02
_CLOSING_S = 20.0  # for a recording to be closed before the process ends
_SHOW_CURSOR = "\x1b[?25h"  # progress bars hide it


class Interrupted(KeyboardInterrupt):
    """Ctrl-C was pressed.  A KeyboardInterrupt of another type is somebody's own."""


class CtrlC:
    """What happens on Ctrl-C, the first time and the next times.

    While `gentle` is true, the first press only sets `pressed`, for a loop to end between two
    steps, unless kernels compile; the second raises Interrupted.  Else the first one raises it.
    Where the main thread does not answer, the process ends with exit code 130, after `keep` has
    closed what must not be lost and has said where it is: on the third press, and in a process that
    is `owned` on the second, or on the first while kernels compile.
    """

    def __init__(
        self, keep: Callable[[], str] | None, gentle: Callable[[], bool], owned: bool
    ) -> None:
        self._keep, self._gentle, self.owned = keep, gentle, owned
        self._arrived: list[int] = []
        self._heard = 0  # presses that the main thread knows of
        self._closing = threading.Lock()  # held by whoever closes
        self._closed, self._hinted = False, False
        self._shields, self._pending = 0, False
        self._ear, self._mouth = socket.socketpair()
        self._ear.setblocking(False)
        self._mouth.setblocking(False)

    def pressed(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._heard > 0

    def close(self) -> None:
        """From here on presses change nothing: what must not be lost is being closed."""
        if self._closed:
            return
        self._closed = True
        if not self._closing.acquire(blocking=False):
            threading.Event().wait()  # the listener closes it, and then ends the process

    @contextmanager
    def shield(self) -> Iterator[None]:
        """A press waits until this is done."""
        self._shields += 1
        try:
            yield
        finally:
            self._shields -= 1
        if not self._shields:
            self.raise_pending()

    def raise_pending(self) -> None:
        """Raises a press that waits."""
        if self._pending and not self._closed:
            self._pending = False
            raise Interrupted

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hears presses."""
        handler = signal.signal(signal.SIGINT, self._hear)
        wakeup = signal.set_wakeup_fd(self._mouth.fileno(), warn_on_full_buffer=False)
        thread = threading.Thread(target=self._listen, name="proxops-ctrl-c", daemon=True)
        thread.start()
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
            signal.signal(signal.SIGINT, handler)
            self._mouth.send(b"\0")
            thread.join()
            self._ear.close()
            self._mouth.close()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        """The main thread's own handler."""
        self._collect()
        self._heard = max(1, len(self._arrived))
        with suppress(OSError):
            self._mouth.send(b"\xff")  # the listener looks at it too, now that it was heard
        if self._closed or (self._heard == 1 and self._gentle() and not compiling()):
            return
        if self._shields:
            self._pending = True
            return
        raise Interrupted

    def _listen(self) -> None:
        while True:
            select([self._ear], [], [])
            if not self._collect():
                return
            presses = 0
            while presses < len(self._arrived) and not self._settled():
                presses = len(self._arrived)
                self._insist(presses)

    def _insist(self, presses: int) -> None:
        """So many presses were not enough."""
        heard = presses < 3 and self._heard >= presses
        enough = 1 if self.owned and compiling() else 2 if self.owned else 3
        if not heard and presses >= enough and self._closing.acquire(blocking=False):
            self._end()
        if presses == 1 and not self._hinted:
            self._hinted = True
            _say("interrupted: waiting for a step; Ctrl-C again ends it now, the recording is kept")

    def _collect(self) -> bool:
        """Takes what has arrived, in either thread; false once nobody listens any more."""
        try:
            data = self._ear.recv(64)
        except BlockingIOError:  # the other thread was faster
            return True
        self._arrived += [number for number in data if number == signal.SIGINT]
        return b"\0" not in data

    def _settled(self) -> bool:
        """Whether the main thread closes in time, or listens no more."""
        end, presses = monotonic() + _PATIENCE_S, len(self._arrived)
        while monotonic() < end:
            if self._closing.locked():
                return True
            select([], [], [], _POLL_S)
            if not self._collect():
                self._mouth.send(b"\0")  # for the outer loop
                return True
            if presses != len(self._arrived):
                end, presses = monotonic() + _PATIENCE_S, len(self._arrived)
        return False

    def _end(self) -> None:
        said = ["interrupted"]
        if self._keep is not None:
            keep = self._keep
            closing = threading.Thread(target=lambda: said.append(keep()), daemon=True)
            closing.start()
            closing.join(_CLOSING_S)
        _say(said[-1])
        os._exit(EXIT_INTERRUPTED)


def _say(text: str) -> None:
    """Past all buffers and locks, which a thread that does not come back may hold."""
    before = f"{_SHOW_CURSOR}\n" if os.isatty(2) else ""
    with suppress(OSError):
        os.write(2, f"{before}proxops: {text}\n".encode())


_listeners: list[CtrlC] = []
_ignored = False  # here: it is for the process that has started this one


def leave_to_parent() -> None:
    """Ctrl-C is for the process that has started this one and ends it: none is heard here, and no
    run pays for a thread that listens."""
    global _ignored
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _ignored = True


@contextmanager
def listening(
    keep: Callable[[], str] | None = None,
    *,
    gentle: Callable[[], bool] = lambda: False,
    owned: bool = False,
) -> Iterator[CtrlC]:
    """Ctrl-C as CtrlC says; `owned` where the process is ours to end.  Signals reach the main
    thread only: another one hears nothing."""
    made = CtrlC(keep, gentle, owned or any(each.owned for each in _listeners))
    if _ignored or threading.current_thread() is not threading.main_thread():
        yield made
        return
    with made.listening():
        _listeners.append(made)
        try:
            yield made
        finally:
            _listeners.remove(made)


@contextmanager
def shield() -> Iterator[None]:
    """A press of Ctrl-C waits until this is done."""
    if not _listeners or threading.current_thread() is not threading.main_thread():
        yield
        return
    with _listeners[-1].shield():
        yield


def raise_shielded() -> None:
    """Raises a press that waits for a shield to be left, where it can be raised already."""
    if _listeners and threading.current_thread() is threading.main_thread():
        _listeners[-1].raise_pending()


def is_ctrl_c(error: BaseException) -> bool:
    """Whether an error stands for Ctrl-C and is not the own one of the code that raised it."""
    return isinstance(error, Interrupted) or (
        isinstance(error, KeyboardInterrupt) and not _listeners
    )


def compiling() -> bool:
    """Whether Numba compiles, or loads what it has compiled."""
    module: Any = sys.modules.get("numba.core.compiler_lock")
    if module is None:
        return False
    lock = module.global_compiler_lock._lock
    if lock._is_owned():
        return True
    if lock.acquire(blocking=False):
        lock.release()
        return False
    return True
