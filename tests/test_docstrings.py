"""Public functions name in their docstrings what they raise: `Raises ErrorName ...`, or as another does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.test_contracts import ROOMS, ROOT

EXEMPT = {"AssertionError", "TypeError", "NotImplementedError", "SystemExit", "Sorry", "ClickException"}
"""What no caller handles: bugs, and the sentences with which a command of the shell ends."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def public(node: ast.AST) -> Iterator[Function]:
    """Yield the public functions and methods of a module or class, without the commands of the shell."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef) and child.name.startswith("_"):
            continue
        if isinstance(child, ast.ClassDef):
            yield from public(child)
        elif isinstance(child, Function) and not any(
            "command" in ast.unparse(d) for d in child.decorator_list
        ):
            yield child


def raised(node: ast.AST) -> Iterator[str]:
    """Yield the names of the errors that a function raises in its own body and doesn't handle itself."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(child, ast.Try) and child.handlers:
            for part in (*child.handlers, *child.orelse, *child.finalbody):
                yield from raised(part)
            continue
        if isinstance(child, ast.Raise) and child.exc is not None:
            error = child.exc.func if isinstance(child.exc, ast.Call) else child.exc
            name = ast.unparse(error).rpartition(".")[2]
            if name[0].isupper():
                yield name
        yield from raised(child)


def unnamed(source: str) -> list[str]:
    """Return each public function of a source, and what it raises without saying so."""
    found: list[str] = []
    if "raise " not in source:
        return found
    for function in public(ast.parse(source)):
        *_, promise = re.split(r"\b[Rr]aises? ", ast.get_docstring(function) or "", maxsplit=1)
        if not promise.startswith("as `"):
            missing = {*raised(function)} - EXEMPT - {*re.findall(r"\w+", promise)}
            found += [f"{function.name}: {error}" for error in sorted(missing)]
    return found


def test_what_is_raised_is_named() -> None:
    files = [file for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    assert len(files) > 400
    missing = {str(file.relative_to(ROOT)): unnamed(file.read_text("utf-8")) for file in files}
    assert {path: names for path, names in missing.items() if names} == {}


def test_a_planted_silence_is_seen() -> None:
    told = 'def find(key):\n    """Find. Raises KeyError without one."""\n    raise KeyError(key)\n'
    assert unnamed(told) == []
    assert unnamed(told.replace("KeyError without", "an error without")) == ["find: KeyError"]
    handled = "def find(key):\n    try:\n        raise KeyError\n    except KeyError:\n        return\n"
    assert unnamed(handled) == []
