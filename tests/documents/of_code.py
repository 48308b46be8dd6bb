"""What other programs may call, from the code and its docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from types import ModuleType

from tests.documents.pages import table


def api_of(*modules: ModuleType) -> str:
    """Return the public functions, classes and methods of modules: how each is called, and its docstring."""
    rows = [row for module in modules for row in _members(ast.parse(inspect.getsource(module)), "")]
    return table(("call", "what it does"), rows)


def _members(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, str]]:
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef) and not child.name.startswith("_"):
            says = ast.get_docstring(child) or ""
            if isinstance(child, ast.ClassDef):
                yield f"`{prefix}{child.name}{_fields(child)}`", says
                yield from _members(child, f"{child.name}.")
            else:
                marks = {ast.unparse(mark) for mark in child.decorator_list}
                yield f"`{prefix}{child.name}{'' if 'property' in marks else _call(child)}`", says


def _fields(node: ast.ClassDef) -> str:
    """Return the fields of a class of data, as its constructor takes them."""
    if "dataclass" not in " ".join(map(ast.unparse, node.decorator_list)) and "NamedTuple" not in " ".join(
        map(ast.unparse, node.bases)
    ):
        return ""
    given = ((ast.unparse(each.target), each) for each in node.body if isinstance(each, ast.AnnAssign))
    fields = [f"{name}: {ast.unparse(each.annotation)}" for name, each in given if not name.startswith("_")]
    return f"({', '.join(fields)})"


def _call(node: ast.FunctionDef) -> str:
    """Return arguments and result as they stand in the source, without `self`."""
    args = re.sub(r"^(self|cls)(, /)?(, |$)", "", ast.unparse(node.args))
    return f"({args})" + (f" → {ast.unparse(node.returns)}" if node.returns else "")
