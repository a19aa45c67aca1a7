"""Stored kernels: whatever is wrong with them, a kernel runs, and gives the same bits."""

import errno
import hashlib
import math
import os
import pickle
import shutil
import stat
from pathlib import Path

import numba
import pytest

from proxops.core import jit, kernel_store, regular_file
from proxops.core.kernel_store import KernelStore, open_folder

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
AT = 0.7310585786300049


def law(x):
    return math.sin(x) * 1.1 + x * x


def other_law(x):
    return math.cos(x) * 1.3 - x


def fresh(folder: Path, function=law):
    """A kernel as a new process has it: nothing is compiled yet."""
    kernel_store._Said.dropped = kernel_store._Said.unsaved = False
    dispatcher = jit._cached(function, {})
    dispatcher._cache = KernelStore(function, folder)
    return dispatcher


def hits(dispatcher) -> int:
    return sum(dispatcher.stats.cache_hits.values())


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two kernels."""
    folder = open_folder(tmp_path_factory.mktemp("cache"), "kernels")
    for function in (law, other_law):
        fresh(folder, function)(AT)
    assert len(list(folder.iterdir())) == 2
    return folder


@pytest.fixture
def folder(stored: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(stored, tmp_path / "kernels"))


def edited(edit):
    """Damages every file by a function of its bytes."""

    def damage(folder: Path) -> None:
        for path in folder.iterdir():
            path.write_bytes(edit(path.read_bytes()))

    return damage


def replaced(make):
    """Puts something else in the place of every file."""

    def damage(folder: Path) -> None:
        for path in list(folder.iterdir()):
            path.unlink()
            make(path)

    return damage


def flipped(data: bytes, share: float) -> bytes:
    at = int(share * (len(data) - 1))
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


def exchanged(folder: Path) -> None:
    one, two = sorted(folder.iterdir())
    content = one.read_bytes(), two.read_bytes()
    one.write_bytes(content[1])
    two.write_bytes(content[0])


class Intruder:
    """Runs when it is unpickled."""

    def __reduce__(self):
        return os.mkdir, ("intruded",)


def sealed(path: Path) -> None:
    """A pickle of someone who knows how files are sealed, whom only the owner gives away."""
    data = pickle.dumps((0, Intruder()))
    path.write_bytes(hashlib.sha256(path.name.encode() + data).digest() + data)


def sealed_by_another_user(path: Path) -> None:
    sealed(path)
    os.chown(path, 12345, 12345)


def sealed_and_writable_by_all(path: Path) -> None:
    sealed(path)
    path.chmod(0o666)


def a_full_folder(path: Path) -> None:
    path.mkdir()
    (path / "file").write_text("")


DAMAGES = {
    "empty": edited(lambda data: b""),
    "one byte": edited(lambda data: data[:1]),
    "shorter than its hash": edited(lambda data: data[:20]),
    "hash alone": edited(lambda data: data[:32]),
    "half": edited(lambda data: data[: len(data) // 2]),
    "last byte gone": edited(lambda data: data[:-1]),
    "extra bytes": edited(lambda data: data + b"x"),
    "zeros": edited(lambda data: bytes(len(data))),
    "text": edited(lambda data: b"not a kernel"),
    "first byte": edited(lambda data: flipped(data, 0.0)),
    "byte in the middle": edited(lambda data: flipped(data, 0.5)),
    "byte in the object file": edited(lambda data: flipped(data, 0.25)),
    "last byte": edited(lambda data: flipped(data, 1.0)),
    "pickle without a hash": edited(lambda data: pickle.dumps(Intruder())),
    "files exchanged": exchanged,
    "folder": replaced(a_full_folder),
    "pipe": replaced(os.mkfifo),
    "link to a device": replaced(lambda path: path.symlink_to("/dev/zero")),
    "link to nowhere": replaced(lambda path: path.symlink_to("nowhere")),
    "link to a sealed file": replaced(
        lambda path: (sealed(path.with_suffix(".real")), path.symlink_to(path.stem + ".real"))
    ),
    "writable by all": replaced(sealed_and_writable_by_all),
    "larger than a kernel may be": lambda folder: None,
}
OF_ANOTHER_USER = {"of another user": replaced(sealed_by_another_user)}
AS_ROOT = {} if os.geteuid() else OF_ANOTHER_USER  # only root can give files away


@pytest.mark.parametrize("damage", DAMAGES | AS_ROOT)
def test_a_damaged_kernel_is_dropped_in_one_line_and_compiled(
    damage: str, folder: Path, tmp_path: Path, monkeypatch, caplog
) -> None:
    expected = law(AT)
    monkeypatch.chdir(tmp_path)
    if damage == "larger than a kernel may be":
        monkeypatch.setattr(kernel_store, "_LARGEST", 10)
    (DAMAGES | AS_ROOT)[damage](folder)
    first = fresh(folder)
    assert first(AT) == expected
    assert hits(first) == 0
    assert not (tmp_path / "intruded").exists()
    assert [record.message.startswith("dropped a stored") for record in caplog.records] == [True]
    assert "\n" not in caplog.records[0].message
    monkeypatch.undo()
    again = fresh(folder)
    assert again(AT) == expected
    assert hits(again) == 1  # what was dropped is stored anew


def test_a_sound_kernel_is_read_without_a_word(folder: Path, caplog) -> None:
    kernel = fresh(folder)
    assert kernel(AT) == law(AT)
    assert hits(kernel) == 1
    assert not caplog.records


def test_a_kernel_that_is_gone_is_compiled_without_a_word(folder: Path, caplog) -> None:
    shutil.rmtree(folder)
    kernel = fresh(folder)
    assert kernel(AT) == law(AT)
    assert not caplog.records
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EACCES])
def test_a_full_disk_is_said_once_and_leaves_nothing(
    code: int, tmp_path: Path, monkeypatch, caplog
) -> None:
    class Full:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def write(self, _):
            raise OSError(code, os.strerror(code))

    def opened(descriptor, mode):
        os.close(descriptor)
        return Full()

    monkeypatch.setattr(kernel_store.os, "fdopen", opened)
    folder = open_folder(tmp_path, "kernels")
    for function in (law, other_law):
        kernel = jit._cached(function, {})
        kernel._cache = KernelStore(function, folder)
        kernel_store._Said.unsaved = function is other_law
        assert kernel(AT) == function(AT)
    assert [os.strerror(code) in record.message for record in caplog.records] == [True]
    assert not list(folder.iterdir())
    assert not kernel_store.all_stored()
    monkeypatch.setattr(jit, "CACHE", folder)
    jit.mark_warm("law")
    assert not jit.is_warm("law")


def test_a_folder_in_the_place_of_the_kernels_is_not_needed(tmp_path: Path, caplog) -> None:
    file = tmp_path / "kernels"
    file.write_text("")
    kernel = fresh(file)
    assert kernel(AT) == law(AT)
    assert len(caplog.records) == 2  # dropped, and not stored


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.chmod(0o770), r"^chmod go-w .*: others may write it"),
        (lambda path: path.chmod(0o707), r"^chmod go-w .*: others may write it"),
        (
            lambda path: path.symlink_to(path.rename("real").absolute()),
            "^remove .*: it is a link",
        ),
    ],
)
def test_a_folder_that_others_can_write_is_not_read(spoil, words, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = open_folder(tmp_path / "root", "hash")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in (folder, folder.parent):
        spoil(path)
        with pytest.raises(PermissionError, match=words):
            open_folder(tmp_path / "root", "hash")
        shutil.rmtree(tmp_path / "real", ignore_errors=True)
        path.unlink() if path.is_symlink() else path.chmod(0o700)


@pytest.mark.parametrize("of_another", ["root", "root/hash"])
def test_a_folder_of_another_user_is_not_read(of_another, tmp_path, monkeypatch) -> None:
    open_folder(tmp_path / "root", "hash")
    real = os.lstat

    def lstat(path, **kwargs):
        found = real(path, **kwargs)
        if Path(path) != tmp_path / of_another:
            return found
        return os.stat_result((*found[:4], found.st_uid + 1, *found[5:10]))

    monkeypatch.setattr(os, "lstat", lstat)
    monkeypatch.setattr(Path, "lstat", lstat)
    with pytest.raises(PermissionError, match=r"^remove .*: it belongs to another user"):
        open_folder(tmp_path / "root", "hash")


def test_a_cache_that_cannot_be_used_is_said_and_not_used(tmp_path, monkeypatch, caplog) -> None:
    monkeypatch.setattr(jit._settings, "CACHE_DIR", str(tmp_path))
    assert jit._open_cache() == tmp_path / "proxops" / jit._settings_hash()
    (tmp_path / "proxops").chmod(0o777)
    assert jit._open_cache() is None
    (record,) = caplog.records
    assert "compiled again in every process: chmod go-w" in record.message


def test_a_kernel_of_another_constant_is_another_one(folder: Path) -> None:
    """The code alone does not tell: constants, and what a closure holds, are elsewhere."""

    def made(factor):
        def scaled(x):
            return factor * x

        return scaled

    for factor in (2.0, 3.0, 2.0):
        assert fresh(folder, made(factor))(AT) == factor * AT


def test_a_file_that_grows_while_it_is_read_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 11)
    descriptor = os.open(path, os.O_RDONLY)
    with pytest.raises(regular_file.TooLargeError):
        regular_file._read(descriptor, 10)
