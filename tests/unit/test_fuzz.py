"""A small part of `python tests/fuzz.py`: what is shipped, broken at random, is refused in words or
gives finite numbers."""

import pytest
from tests import fuzz


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_what_is_broken_is_refused_in_words_or_gives_finite_numbers(kind: str) -> None:
    fuzz.recorded()  # sound
    tried = [fuzz.try_one(2026, number, [kind]) for number in range(12)]
    assert [finding for _, _, finding in tried if finding is not None] == []


def test_the_fuzzer_finds_what_it_is_made_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of another kind, a number that is none, and a hang."""

    def crash(*_: object) -> str:
        raise KeyError("x")

    def lie(*_: object) -> str:
        fuzz.finite("rows", [0.0, float("nan")])
        return "run"

    def hang(*_: object) -> str:
        while True:
            pass

    monkeypatch.setattr(fuzz, "KINDS", {"crash": crash, "lie": lie, "hang": hang})
    for kind, words in (("crash", "KeyError"), ("lie", "AssertionError"), ("hang", "Hang")):
        monkeypatch.setattr(fuzz, "PATIENCE_S", 0.1 if kind == "hang" else 60.0)
        finding = fuzz.try_one(0, 0, [kind])[2]
        assert finding is not None
        assert finding.words.split(":")[0] == words
