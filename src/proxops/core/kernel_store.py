"""Compiled kernels on disk.  Nothing in there can stop a run, or run what is not ours.

What is stored is a pickle with machine code: reading it runs it.  So a file is read only if it
belongs to the user, nobody else may write it, and the hash of its content stands before it; a
truncated object file would otherwise crash the process.  Anything else is dropped, said in one
line, and compiled anew.
"""

import hashlib
import logging
import os
import pickle
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import llvmlite
import numba
from numba.core.caching import Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from proxops.core.made_from import digest_of
from proxops.core.regular_file import NotRegularError, check_own, read_own

_log = logging.getLogger("proxops")
_LARGEST = 500_000_000  # bytes; the largest kernels have a hundredth of it
_HASH = hashlib.sha256
VERSIONS_KEPT = 4  # of each function
_VERSIONS = f"{sys.implementation.cache_tag} {numba.__version__} {llvmlite.__version__}"


def open_folder(root: Path, name: str) -> Path:
    """The folder of that name, made if there is none; OSError unless it is safe to read."""
    folder = root / name
    for path in (root, folder):
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.is_symlink():
            raise PermissionError(f"remove {path}: it is a link")
        check_own(path.lstat(), path)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"{folder} is not writable")
    return folder


class _Said:
    """What was said already: one line a process and kind of trouble is enough."""

    dropped = False
    unsaved = False


def all_stored() -> bool:
    """Whether every kernel that was compiled in this process could be stored."""
    return not _Said.unsaved


class KernelStore(Cache):
    """The stored versions of one function, a file each; takes the place of Numba's cache."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._py_func, self._folder = function, folder
        self.enable()

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def flush(self) -> None:
        """Forgets nothing: files are named by what they were made from."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled version of a signature; None where there is none that can be used."""
        path: Path | None = None
        try:
            key = self._index_key(sig, target_context.codegen())
            path = self._path(key)
            stored, parts = pickle.loads(_unsealed(path, read_own(path, _LARGEST)))
            return CompileResult._rebuild(target_context, *parts) if stored == key else None
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever is wrong with it: it can be compiled
            _drop(path, error)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Stores a compiled version, if that is possible."""
        try:
            if data.library.has_dynamic_globals:
                return  # it holds addresses of this process
            key = self._index_key(sig, data.codegen)
            path = self._path(key)
            _write(path, _sealed(path, dumps((key, data._reduce()))))
            with suppress(OSError):  # another process may be doing the same
                self._prune()
        except Exception as error:
            if not _Said.unsaved:
                _log.warning("kernels are compiled again in every process: %s", _reason(error))
            _Said.unsaved = True

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Signature and processor.  Numba adds a hash of what a closure holds, which is another one
        in every process; here the digest of what the function is made of has it."""
        return sig, codegen.magic_tuple()

    def _path(self, key: Any) -> Path:
        text = f"{_VERSIONS} {self._label} {digest_of(self._py_func)} {key!r}"
        return self._folder / f"{self._label}-{_HASH(text.encode()).hexdigest()[:24]}.kernel"

    @property
    def _label(self) -> str:
        name = f"{self._py_func.__module__}.{self._py_func.__qualname__}"
        return "".join(each for each in name if each.isalnum() or each in "._")[-100:]

    def _prune(self) -> None:
        """Removes the oldest versions: each edit would otherwise leave one behind."""
        versions = list(self._folder.glob(f"{self._label}-*.kernel"))
        versions.sort(key=lambda path: path.stat().st_mtime)
        for path in versions[:-VERSIONS_KEPT]:
            path.unlink()


def _sealed(path: Path, data: bytes) -> bytes:
    return _HASH(path.name.encode() + data).digest() + data


def _unsealed(path: Path, stored: bytes) -> bytes:
    size = _HASH().digest_size
    data = stored[size:]
    if _HASH(path.name.encode() + data).digest() != stored[:size]:
        raise ValueError(f"{path}: is not what was stored")
    return data


def _write(path: Path, data: bytes) -> None:
    """The whole file or none."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # it may have been cleaned away
    part = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _drop(path: Path | None, error: Exception) -> None:
    if not _Said.dropped:
        words = (
            f"{path}: {error.strerror}" if isinstance(error, NotRegularError) else _reason(error)
        )
        _log.warning("dropped a stored kernel, compiling it anew: %s", words)
    _Said.dropped = True
    if path is None:
        return
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _reason(error: Exception) -> str:
    """In one line."""
    words = str(error).splitlines()
    return words[0][:300] if words else type(error).__name__
