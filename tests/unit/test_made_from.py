"""An edit of anything that a stored kernel is made of is another kernel; any other edit is not."""

import importlib
import sys

import pytest

from proxops.core import made_from
from proxops.core.by_address import JIT_IS_OFF
from proxops.core.made_from import digest_of

LAWS = """
from typing import NamedTuple

from proxops.core.jit import helper, kernel, part
from laws_package import constants as of


class Spring(NamedTuple):
    stiffness: float
    rest: float


@helper
def stretch(spring, x):
    '''By how much it is longer than at rest.'''
    return x - spring.rest


def law_of(power):
    @part
    def force(spring, x):
        return -of.SHARE * spring.stiffness * of.doubled(stretch(spring, x)) ** power

    return force


_force = law_of(1)


@kernel
def energy(x):
    spring = Spring(2.0, of.REST)
    return 0.5 * _force(spring, x) ** 2 / spring.stiffness


@kernel
def other(x):
    return 2.0 * x
"""
CONSTANTS = """
from proxops.core.jit import helper

SHARE = 1.0
REST = 0.25
UNUSED = 1


@helper
def doubled(x):
    return 2.0 * x


"""


@pytest.fixture(params=["laws_package", "proxops"])
def digests(tmp_path, monkeypatch, request):
    """Digests of both kernels of a package with these laws and constants, edited; as if it were
    ours, and as a user's."""
    if JIT_IS_OFF and request.param == "proxops":
        pytest.skip("without compilation a user's kernels are plain Python")
    monkeypatch.setattr(made_from, "_OURS", request.param)

    def of(before="", after="", constants=CONSTANTS):
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        folder = root / "laws_package"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / "constants.py").write_text(constants)
        assert before in LAWS
        (folder / "laws.py").write_text(LAWS.replace(before, after) if before else LAWS)
        monkeypatch.syspath_prepend(str(root))
        for name in [each for each in sys.modules if each.startswith("laws_package")]:
            monkeypatch.delitem(sys.modules, name)
        laws = importlib.import_module("laws_package.laws")
        return [digest_of(each.py_func) for each in (laws.energy, laws.other)]

    return of


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("0.5 * _force", "0.25 * _force"),  # its own code
        ("x - spring.rest", "x + spring.rest"),  # what a callee calls
        ("law_of(1)", "law_of(3)"),  # what a closure holds
        ("    rest: float", "    length: float\n    rest: float"),  # a named tuple
        ("of.REST", "of.SHARE"),
    ],
)
def test_an_edit_of_anything_that_a_kernel_is_made_of_is_another_kernel(digests, before, after):
    (energy, other), edited = digests(), digests(before, after)
    assert edited[0] != energy
    assert edited[1] == other


def test_an_edit_of_what_is_called_by_its_module_is_another_kernel(digests):
    energy, other = digests()
    changed = digests(constants=CONSTANTS.replace("2.0 * x", "3.0 * x"))
    assert changed[0] != energy
    assert changed[1] == other


@pytest.mark.parametrize("name", ["SHARE", "REST"])
def test_another_constant_of_another_module_is_another_kernel(digests, name):
    energy, other = digests()
    changed = digests(constants=f"{CONSTANTS}{name} = 7.0\n")
    assert changed[0] != energy
    assert changed[1] == other


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("By how much it is longer", "How much longer it is"),  # a docstring
        ("return 2.0 * x", "return 3.0 * x"),  # another kernel of the same file
        ("@helper", "# a comment\n\n@helper"),
    ],
)
def test_an_edit_of_anything_else_leaves_a_kernel_as_it_is(digests, before, after):
    assert digests(before, after)[0] == digests()[0]


def test_a_constant_that_it_does_not_use_leaves_a_kernel_as_it_is(digests):
    assert digests(constants=CONSTANTS.replace("UNUSED = 1", "UNUSED = 2")) == digests()
