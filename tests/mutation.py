"""Finds an expression in a function of a source file, and puts another in its place.

Anchors are trees, not text: line breaks, comments and what stands around may change.
"""

import ast
import textwrap
from collections.abc import Iterator
from functools import lru_cache

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
