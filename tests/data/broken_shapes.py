"""Ways to break shapes, and what must then be said."""

from tests.data.broken import Broken

BUS = """\
[chaser.shapes]
bus = { kind = "box", size_m = [1.0, 2.0, 3.0], p_CB_m = [0.1, 0.0, 0.0], colour = "#a0b1c2" }
dish = { kind = "mesh", file = "dish.stl", scale = 0.001 }
"""

_BUS, _DISH = "chaser.shapes.bus", "chaser.shapes.dish"


def _broken(name: str, find: str, put: str, *says: str) -> Broken:
    """The bus with an edit, in front of the on-board software; the dish only where it is broken."""
    text = BUS if find in BUS.splitlines()[2] else "".join(BUS.splitlines(keepends=True)[:2])
    assert text.count(find) == 1
    return Broken(name, "[obsw.j", f"{text.replace(find, put)}\n[obsw.j", ("1 problem\n", *says))


_SIZE = "size_m = [1.0, 2.0, 3.0]"
_SMALL = "must be greater than or equal to 0.001"
_LARGE = "must be less than or equal to 10000"

SHAPES = (
    _broken("shape without a kind", 'kind = "box", ', "", f"{_BUS}.kind: missing"),
    _broken("shape of no kind", '"box"', '"pyramid"', f"{_BUS}.kind: must be 'box' or 'cyl"),
    _broken("value for a shape", BUS.splitlines()[1], "bus = 3", f"{_BUS}: must be a table"),
    _broken("value for shapes", "[chaser.shapes]", "[chaser.shapes]\nall = true", "shapes.all"),
    _broken("no size", f"{_SIZE}, ", "", f"{_BUS}.size_m: missing; Lengths along B's x, y"),
    _broken("flat box", _SIZE, "size_m = [1.0, 2.0]", f"{_BUS}.size_m: too few numbers"),
    _broken("empty box", _SIZE, "size_m = [1.0, 0.0, 3.0]", f"{_BUS}.size_m.1: {_SMALL}"),
    _broken("negative box", _SIZE, "size_m = [1.0, 2.0, -3.0]", f"{_BUS}.size_m.2: {_SMALL}"),
    _broken("vast box", _SIZE, "size_m = [1e19, 2.0, 3.0]", f"{_BUS}.size_m.0: {_LARGE}"),
    _broken("box of no number", _SIZE, "size_m = [nan, 2.0, 3.0]", f"{_BUS}.size_m.0: must"),
    _broken("endless box", _SIZE, "size_m = [inf, 2.0, 3.0]", f"{_BUS}.size_m.0: must"),
    _broken("box of words", _SIZE, 'size_m = "big"', f"{_BUS}.size_m: must be a list"),
    _broken("shape far away", "[0.1,", "[-1e19,", f"{_BUS}.p_CB_m.0: must be greater"),
    _broken(
        "shape on the other spacecraft",
        "p_CB_m",
        "p_TB_m",
        f"{_BUS}.p_TB_m: unknown key; did you mean 'p_CB_m'?",
    ),
    _broken(
        "key of another shape", _SIZE, f"{_SIZE}, radius_m = 1.0", f"{_BUS}.radius_m: unknown key"
    ),
    _broken("attitude of no length", "p_CB_m = [", "q_CB = [0.0, ", f"{_BUS}.q_CB: must have norm"),
    _broken("colour by name", "#a0b1c2", "gold", f"{_BUS}.colour: must be a colour such as"),
    _broken("short colour", "#a0b1c2", "#abc", f"{_BUS}.colour: must be a colour", "'#abc'"),
    _broken("colour of no digits", "#a0b1c2", "#a0b1cg", f"{_BUS}.colour: must be a colour"),
    _broken("no mesh", "dish.stl", "no.stl", f"{_DISH}.file: no file", "no.stl'"),
    _broken("mesh of no kind", "dish.stl", "two.urdf", f"{_DISH}.file: must end in .stl, .obj"),
    _broken("mesh of no name", "dish.stl", "", f"{_DISH}.file: must"),
    _broken("mesh of a bad name", "dish.stl", "a\\u0000b.stl", f"{_DISH}.file: no file"),
    _broken("mesh of no size", "0.001", "0.0", f"{_DISH}.scale: must be greater"),
    _broken(
        "too many shapes",
        "[chaser.shapes]",
        "[chaser.shapes]\n"
        + "\n".join(f"s{i} = {{ kind = 'sphere', radius_m = 1.0 }}" for i in range(200)),
        "chaser.shapes: must have 200 entries or fewer, found 201",
    ),
)
