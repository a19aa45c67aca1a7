"""Ctrl-C before the command line is there ends like any other."""

import sys

import pytest

from proxops.__main__ import INTERRUPTED, main
from proxops.cli.common import EXIT_INTERRUPTED


class Interrupting:
    """Finds a module by being interrupted."""

    def find_spec(self, name, path=None, target=None):
        if name == "proxops.cli.main":
            raise KeyboardInterrupt


def test_ctrl_c_while_modules_load_is_no_traceback(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "proxops.cli.main", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == INTERRUPTED == EXIT_INTERRUPTED
    assert capsys.readouterr().err == "proxops: interrupted\n"
