"""Files that are read whole: regular ones of a bounded size, never a pipe or a device.

Opening a pipe waits for whoever writes into it, reading a device may never end, and opening one may
already set it going.
"""

import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


class NotRegularError(OSError):
    """What stands there is no file that can be read whole; `strerror` says what it is."""


class TooLargeError(OSError):
    """The file has more bytes than it may have."""


def read_regular(path: str | os.PathLike[str], largest: int) -> bytes:
    """The bytes of a regular file; OSError (or ValueError, of a NUL in the path) otherwise."""
    _check(os.stat(path), largest)  # before it is opened
    return _read(os.open(path, _FLAGS), largest)


def read_own(path: Path, largest: int) -> bytes:
    """The same, of a file that belongs to the user, that nobody else may write, and no link."""
    found = os.lstat(path)
    _check(found, largest)
    check_own(found, path)
    return _read(os.open(path, _FLAGS | _NO_LINKS), largest, own=path)


def check_own(found: os.stat_result, path: Path) -> None:
    """Raises unless what was found at a path belongs to the user and nobody else may write it."""
    if not hasattr(os, "geteuid"):  # pragma: no cover  # Windows keeps users' folders apart itself
        return
    if found.st_uid != os.geteuid():
        raise PermissionError(f"remove {path}: it belongs to another user (uid {found.st_uid})")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"chmod go-w {path}: others may write it")


def _read(descriptor: int, largest: int, own: Path | None = None) -> bytes:
    try:
        found = os.fstat(descriptor)  # it may have been exchanged since
        _check(found, largest)
        if own is not None:
            check_own(found, own)
    except OSError:
        os.close(descriptor)
        raise
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:  # it has grown since
        raise TooLargeError
    return data


_KINDS = (
    (stat.S_ISDIR, "is a directory, not a file"),
    (stat.S_ISFIFO, "is a pipe, not a file"),
    (stat.S_ISCHR, "is a device, not a file"),
    (stat.S_ISBLK, "is a device, not a file"),
    (stat.S_ISSOCK, "is a socket, not a file"),
    (stat.S_ISLNK, "is a link, not a file"),
)


def _check(found: os.stat_result, largest: int) -> None:
    for is_kind, words in _KINDS:
        if is_kind(found.st_mode):
            raise NotRegularError(0, words)
    if found.st_size > largest:
        raise TooLargeError
