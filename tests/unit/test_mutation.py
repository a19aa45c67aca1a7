"""How mutants find what they break."""

import ast

import pytest
from tests.mutants import ROOT, all_mutants
from tests.mutation import AnchorError, mutate

SOURCE = '''
LIMIT = 2.0 * 3.0


def force(k, x):
    """k x."""
    if x > 0.0:
        return -k * (
            x  # stretch
        )
    return -2.0 * k * x


class Spring:
    def energy(self, x):
        return 0.5 * self.k * x * x
'''


def test_an_expression_is_found_by_its_tree_whatever_its_line_breaks() -> None:
    broken = mutate(SOURCE, "force", "-k * x", "k * x")
    assert "return (k * x)\n" in broken
    assert "-2.0 * k * x" in broken


def test_a_broken_sum_keeps_its_place_in_a_product() -> None:
    broken = mutate("def f(a, b):\n    return a * (b * b)\n", "f", "b * b", "b + b")
    scope: dict[str, object] = {}
    exec(broken, scope)
    assert scope["f"](3.0, 2.0) == 12.0  # type: ignore[operator]


def test_statements_methods_and_module_constants_are_found() -> None:
    assert "LIMIT = 5.0" in mutate(SOURCE, "", "LIMIT = 2.0 * 3.0", "LIMIT = 5.0")
    assert "return (self.k * x)" in mutate(
        SOURCE, "Spring.energy", "0.5 * self.k * x * x", "self.k * x"
    )


@pytest.mark.parametrize(
    ("function", "expression"),
    [("force", "k + x"), ("force", "x"), ("springs", "x"), ("Spring.force", "x")],
)
def test_an_anchor_that_is_not_there_once_is_an_error(function: str, expression: str) -> None:
    with pytest.raises(AnchorError):
        mutate(SOURCE, function, expression, "0.0")


@pytest.mark.parametrize("mutant", all_mutants(), ids=lambda mutant: mutant.file)
def test_every_mutant_breaks_what_stands_there(mutant) -> None:
    broken = mutant.applied((ROOT / mutant.file).read_text())
    if mutant.file.endswith(".py"):
        compile(broken, mutant.file, "exec")
        assert ast.dump(ast.parse(mutant.becomes)) != ast.dump(ast.parse(mutant.expression))
    assert (ROOT / mutant.test.partition("::")[0]).is_file()
