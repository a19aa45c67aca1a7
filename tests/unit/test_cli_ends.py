"""How a command ends: what stopped it is named, with the exit code that the README gives it."""

import errno
import os
import subprocess
import sys

import numpy as np
import pytest
from typer.main import get_command

from proxops.cli import main
from proxops.core.errors import OutputError

COMMANDS = sorted(get_command(main.app).commands)


def ended(monkeypatch, capsys, error: BaseException) -> tuple[int, str]:
    """Exit code and message of a command that raises."""

    def fail() -> None:
        raise error

    monkeypatch.setattr(main, "app", fail)
    monkeypatch.delenv("PROXOPS_DEBUG", raising=False)
    with pytest.raises(SystemExit) as end:
        main.main()
    assert isinstance(end.value.code, int)
    return end.value.code, capsys.readouterr().err


def exhausted() -> BaseException:
    with pytest.raises(MemoryError) as caught:
        np.zeros(2**55)
    return caught.value


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 3, "proxops: out of memory\n"),
        (exhausted(), 3, "proxops: out of memory: Unable to allocate"),
        (OSError(errno.ENOSPC, "No space left"), 2, "standard output: cannot be written: No space"),
        (OSError(errno.ENOSPC, "No space left", "/x/y"), 2, "/x/y: cannot be written: No space"),
        (BrokenPipeError(), 2, "standard output was closed"),
        (OutputError("runs/x: no space"), 2, "proxops: runs/x: no space"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ZeroDivisionError("x"), 3, "internal fault: ZeroDivisionError: x"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_ended_a_command_is_named(error, code, words, monkeypatch, capsys):
    found, said = ended(monkeypatch, capsys, error)
    assert found == code
    assert words in said
    assert ("internal fault" in said) == isinstance(error, ZeroDivisionError)


@pytest.mark.parametrize("hidden", [BrokenPipeError(), EOFError()])
def test_what_typer_calls_a_failure_is_none(hidden, monkeypatch, capsys):
    """It would end both with 1, as if a requirement had failed."""

    @main.app.command("hide")
    def hide() -> None:
        raise hidden

    monkeypatch.setattr(sys, "argv", ["proxops", "hide"])
    with pytest.raises(SystemExit) as end:
        main.main()
    main.app.registered_commands.pop()
    assert end.value.code == (2 if isinstance(hidden, BrokenPipeError) else 3)
    words = (
        "standard output was closed"
        if isinstance(hidden, BrokenPipeError)
        else "internal fault: EOFError"
    )
    assert words in capsys.readouterr().err


def run(*words: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "proxops", *words], stderr=subprocess.PIPE, text=True, **options
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("run", "--help")])
def test_a_full_standard_output_is_named(words):
    with open("/dev/full", "w") as full:
        done = run(*words, stdout=full)
    assert done.returncode == 2
    line = "proxops: standard output: cannot be written: No space left on device\n"
    assert done.stderr == line


def test_a_pipe_that_nobody_reads_is_named():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = run("schema", stdout=pipe)
    assert done.returncode == 2
    assert done.stderr.startswith("proxops: standard output was closed")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_shows_flags_without_a_value(command, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["proxops", *command.split(), "--help"])
    with pytest.raises(SystemExit) as end:
        main.main()
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert "--help" in shown
    assert "bool" not in shown.lower()
