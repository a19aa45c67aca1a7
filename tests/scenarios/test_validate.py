"""Published numbers: all present, as published, and those that must agree do."""

import json
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import proxops
from proxops.core.errors import InputError
from proxops.validation import Row, Validation, figures, names
from proxops.validation.table import GATED, published

FIELDS = ["id", "text", "published", "ours", "unit", "tolerance", "status", "passed", "reason"]


@pytest.fixture(scope="module", params=names())
def shown(request, tmp_path_factory):
    """A validation through the command line, which also writes its page."""
    folder = tmp_path_factory.mktemp(request.param)
    command = [sys.executable, "-m", "proxops", "validate", request.param, "--json", "--report"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert f"report: {request.param}-validation.html" in done.stderr
    return request.param, done.returncode, json.loads(done.stdout)["rows"]


def test_every_published_number_is_shown_as_published(shown):
    name, _, rows = shown
    numbers = published()[name]
    assert [row["id"] for row in rows] == list(numbers)
    for row in rows:
        assert list(row) == FIELDS
        number = numbers[row["id"]]._asdict()
        basis = number.pop("basis")
        assert {key: row[key] for key in number} == number
        assert basis == "result" or row["reason"].startswith(basis)


def test_every_gated_number_agrees_and_the_exit_code_says_so(shown):
    _, code, rows = shown
    for row in rows:
        assert math.isfinite(row["ours"])
        assert row["passed"] == (abs(row["ours"] - row["published"]) <= row["tolerance"])
    assert [row["id"] for row in rows if row["status"] in GATED and not row["passed"]] == []
    assert code == 0


def test_numbers_that_need_not_agree_say_why(shown):
    _, _, rows = shown
    assert all(len(row["reason"]) > 20 for row in rows if row["status"] not in GATED)


@pytest.mark.parametrize("name", names())
def test_the_figures_have_something_to_draw_in_every_curve(name):
    for figure in figures(name):
        assert figure.curves
        for curve in figure.curves:
            assert np.isfinite(curve.x).any(), figure.title
            assert np.isfinite(curve.y).any(), figure.title


def test_a_gated_number_that_differs_fails_the_validation():
    row = proxops.validate("flexible").rows[0]
    assert row.gated
    assert not Validation("flexible", (replace(row, passed=False),)).passed
    other = replace(row, passed=False, status="hardware")
    assert Validation("flexible", (other,)).passed


def test_identities_and_settings_are_counted_apart_from_results():
    numbers = published()["relative"]
    rows = tuple(
        Row(key, it.text, it.published, it.published, it.unit, it.tolerance, it.status, True, "")
        for key, it in numbers.items()
    )
    found = Validation("relative", rows)
    assert (
        found.counts() == "10 of 10 that follow agree (6 identities); 1 of 1 calibrated ones agree"
    )
    one_off = (replace(rows[0], passed=False), *rows[1:])
    assert Validation("relative", one_off).counts().startswith("9 of 10 that follow agree")


def test_an_unknown_publication_is_named_with_those_there_are():
    with pytest.raises(InputError, match="flexible"):
        proxops.validate("flexibel")
