"""Dispersions in words: how far a value may be from what is believed, and what a case has drawn."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from proxops.scenario.schema.dispersion import METHODS

_MOST = 4  # numbers of a value that are listed
_CORNER = 1e-12  # nearer to 0 or 1 than this, a number of a point is at its bound


class DrawText(NamedTuple):
    """What a dispersion came to in a case; the key has the unit of the value."""

    name: str
    key: str
    change: str
    value: str
    at_bound: bool  # of a case that a design has placed: all its numbers are at their bounds


def bounds_text(found: Mapping[str, Any]) -> str:
    """How far the value may be from what is believed, of a dispersion's key, `method`, `bound` and
    distribution."""
    bound, distribution = found["bound"], found.get("distribution", "uniform")
    how = {
        "scale": lambda: f"± {100.0 * bound:.4g} %",
        "shift": lambda: f"± {_numbers(bound)}",
        "rotation_deg": lambda: f"rotated by up to {bound:g} deg",
        "isotropic": lambda: f"any direction, length {bound[0]:g} to {bound[1]:g}",
        "choice": lambda: f"one of {_numbers(bound)}",
    }[found["method"]]()
    if distribution == "lognormal":
        how = f"× 1/{1.0 + bound:g} to {1.0 + bound:g}"
    parts = [f"{found['key']} {how}"]
    parts += [f"{distribution} (3 sigma)"] if distribution != "uniform" else []
    linked = (found.get("correlated_with") or {}).items()
    parts += [f"correlated with {other} by {share:g}" for other, share in linked]
    if found.get("same_draw_as"):
        parts.append(f"with the draw of {found['same_draw_as']}")
    return ", ".join(parts)


def draw_texts(
    drawn: Mapping[str, Any],
    declared: Mapping[str, Any],
    point: Mapping[str, Sequence[float]] | None = None,
) -> list[DrawText]:
    """What each dispersion of a case came to; `declared` are the mission's dispersions."""
    return [
        DrawText(
            name,
            each["key"],
            _change(method_of(declared.get(name, {})), each["by"]),
            _numbers(each["value"]),
            _is_corner((point or {}).get(name, ())),
        )
        for name, each in drawn.items()
    ]


def texts_of_case(stored: Mapping[str, Any]) -> list[DrawText]:
    """The same of a case as it is stored with its scenario."""
    believed = stored.get("believed", {})
    return draw_texts(stored["drawn"], believed.get("dispersions", {}), stored.get("point"))


def method_of(declared: Mapping[str, Any]) -> str:
    """The one of METHODS that a dispersion is declared by; empty where nothing is declared."""
    return next((method for method in METHODS if declared.get(method) is not None), "")


def _change(method: str, by: Any) -> str:
    """By how much the value has moved."""
    if not isinstance(by, int | float):
        return f"+ {_numbers(by)}" if method == "shift" else _numbers(by)
    if method == "scale":
        return f"× {by:.5g}"
    if method == "shift":
        return f"{by:+.4g}"
    if method == "rotation_deg":
        return f"rotated by {abs(by):.4g} deg"
    if method == "isotropic":
        return f"length {by:.5g}"
    return f"choice {by}" if method == "choice" else _numbers(by)


def _is_corner(numbers: Sequence[float]) -> bool:
    return bool(numbers) and all(min(abs(u), abs(1.0 - u)) < _CORNER for u in numbers)


def _numbers(value: Any) -> str:
    """A value with few numbers; only how many of those that have more."""
    if isinstance(value, list | tuple):
        if value and all(isinstance(each, list | tuple) for each in value):
            return f"{len(value)} × {len(value[0])} numbers"
        if len(value) > _MOST:
            return f"{len(value)} numbers"
        return "[" + ", ".join(_numbers(each) for each in value) + "]"
    return f"{value + 0.0:.5g}" if isinstance(value, int | float) else str(value)
