"""What the link needs to be imported."""

import importlib
import sys

import pytest

from proxops.core.errors import InputError

NAME = "proxops.links.mavlink.dialect"


def imported_anew(monkeypatch):
    """The module as a fresh process would import it; the one in use stays."""
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    return importlib.import_module(NAME)


def test_without_pymavlink_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymavlink.dialects.v20", None)
    with pytest.raises(InputError, match="the extra 'arena': pip install pymavlink"):
        imported_anew(monkeypatch)


def test_checksums_that_are_ignored_are_rejected(monkeypatch):
    from pymavlink.dialects.v20 import common

    monkeypatch.setattr(common, "MAVLINK_IGNORE_CRC", "1")
    with pytest.raises(InputError, match="unset MAV_IGNORE_CRC"):
        imported_anew(monkeypatch)
