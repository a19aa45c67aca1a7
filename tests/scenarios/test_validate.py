"""Published numbers: all present, as published, and those that must agree do."""

import io
import json
import math
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import replace

import numpy as np
import pytest
import typer

import proxops
from proxops.cli.installation import validate
from proxops.core.errors import InputError
from proxops.validation import Row, Validation, figures
from proxops.validation.table import GATED, published
from tests.scenarios.publications import PUBLICATIONS

FIELDS = ["id", "text", "published", "ours", "unit", "tolerance", "status", "passed", "reason"]


@pytest.fixture(scope="module", params=PUBLICATIONS)
def shown(request, tmp_path_factory):
    """A validation as the command has it, which also writes its page."""
    output, errors = io.StringIO(), io.StringIO()
    with (
        chdir(tmp_path_factory.mktemp(request.param)),
        redirect_stdout(output),
        redirect_stderr(errors),
        pytest.raises(typer.Exit) as end,
    ):
        validate(request.param, report=True, json=True)
    assert f"report: {request.param}-validation.html" in errors.getvalue()
    return request.param, end.value.exit_code, json.loads(output.getvalue())["rows"]


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


@pytest.mark.parametrize("name", PUBLICATIONS)
def test_the_figures_have_something_to_draw_in_every_curve(name):
    for figure in figures(name):
        assert figure.curves
        for curve in figure.curves:
            assert np.isfinite(curve.x).any(), figure.title
            assert np.isfinite(curve.y).any(), figure.title


def test_a_gated_number_that_differs_fails_the_validation():
    key, it = next(iter(published()["flexible"].items()))
    row = Row(key, it.text, it.published, 0.0, it.unit, it.tolerance, it.status, False, "")
    assert row.gated
    assert not Validation("flexible", (row,)).passed
    other = replace(row, status="hardware")
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
