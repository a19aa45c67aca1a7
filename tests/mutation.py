"""Finds an expression in a function of a source file, and puts another in its place.

Anchors are trees, not text: line breaks, comments and what stands around may change.
"""

import ast
import gc
import inspect
import textwrap
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType

Node = ast.expr | ast.stmt


class AnchorError(Exception):
    """The expression does not stand exactly once where it should."""


def mutate(source: str, function: str, expression: str, becomes: str) -> str:
    """The source with the expression, or statement, replaced in the function of that qualified
    name; an empty name is the module's own body."""
    wanted = _parsed(expression)
    alike = (node for node in nodes_of(scope(source, function)) if type(node) is type(wanted))
    found = [node for node in alike if ast.dump(node) == ast.dump(wanted)]
    if len(found) != 1:
        where = function or "the module"
        raise AnchorError(f"stands {len(found)} times in {where}, not once: {expression}")
    return _replaced(source, found[0], becomes)


def scope(source: str, function: str) -> ast.AST:
    """The function (or class) of a qualified name."""
    here: ast.AST = _tree(source)
    for name in filter(None, function.split(".")):
        inside = [node for node in ast.walk(here) if getattr(node, "name", None) == name]
        defined = [node for node in inside if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        if len(defined) != 1:
            raise AnchorError(f"{len(defined)} functions are called {function}")
        here = defined[0]
    return here


@lru_cache(maxsize=1)
def _tree(source: str) -> ast.Module:
    return ast.parse(source)


def nodes_of(root: ast.AST) -> Iterator[Node]:
    """All expressions and statements inside; of a module, those outside its functions."""
    for node in ast.iter_child_nodes(root):
        if isinstance(root, ast.Module) and isinstance(node, ast.FunctionDef):
            continue
        if isinstance(node, ast.expr | ast.stmt):
            yield node
        yield from nodes_of(node)


def _parsed(expression: str) -> Node:
    (statement,) = ast.parse(textwrap.dedent(expression)).body
    return statement.value if isinstance(statement, ast.Expr) else statement


def _replaced(source: str, node: Node, becomes: str) -> str:
    start, end = span(source, node)
    if isinstance(node, ast.expr):
        return f"{source[:start]}({becomes}){source[end:]}"
    indent = " " * node.col_offset
    return source[:start] + textwrap.indent(becomes, indent).lstrip() + source[end:]


def span(source: str, node: Node) -> tuple[int, int]:
    """Where a node begins and ends in the text."""
    lines = source.splitlines(keepends=True)

    def at(line: int, column: int) -> int:
        """Columns count bytes."""
        before = sum(len(each) for each in lines[: line - 1])
        return before + len(lines[line - 1].encode()[:column].decode())

    begin = node.lineno, node.col_offset
    end = node.end_lineno or begin[0], node.end_col_offset or begin[1]
    return at(*begin), at(*end)


def break_loaded(path: Path, broken: str) -> bool:
    """Gives the functions of a module that is loaded the code of its broken source, wherever they
    are known; False where that does not do, since the break is in what loading the module did."""
    try:
        pairs = list(_paired(*(compile(text, path, "exec") for text in (path.read_text(), broken))))
    except ValueError:  # it has another number of functions
        return False
    if not all(_runs_later(old) or _alike(old, new) for old, new in pairs):
        return False
    replaced = {old: new for old, new in pairs if _runs_later(old) and old != new}
    live = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
    of_file = [each for each in live if each.__code__.co_filename == str(path)]
    hit = [each for each in of_file if each.__code__ in replaced]
    try:
        for each in hit:
            each.__code__ = replaced[each.__code__]
    except ValueError:  # it uses another number of variables of what encloses it
        return False
    return bool(hit)


def _paired(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """A module's code and that of all its functions and classes, before and after."""
    yield old, new
    inside = ([c for c in code.co_consts if isinstance(c, CodeType)] for code in (old, new))
    for pair in zip(*inside, strict=True):
        yield from _paired(*pair)


def _runs_later(code: CodeType) -> bool:
    """A function's, not that of a module or of a class's body."""
    return bool(code.co_flags & inspect.CO_OPTIMIZED)


def _alike(old: CodeType, new: CodeType) -> bool:
    """Whether two do the same but for the functions that they define."""
    own = [[each for each in c.co_consts if not isinstance(each, CodeType)] for c in (old, new)]
    return own[0] == own[1] and old.co_code == new.co_code and old.co_names == new.co_names
