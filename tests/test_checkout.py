"""The checkout is enough: no file of it looks for something beside it, which few machines would have."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.test_contracts import ROOMS, ROOT

FOLDERS = (*ROOMS, "deploy", "docs", "tests")
PLANTED = """
HERE = Path(__file__)
ROOT = HERE.resolve().parent.parent
fine = [HERE.parents[1] / "docs", (ROOT / "a/b").parent.parent, other.parents[9]]
wrong = [HERE.parents[2], ROOT.parent, ROOT / "..", ROOT / "../shared"]
"""


def levels(node: ast.AST, known: dict[str, int]) -> int | None:
    """Return how far a path climbs from the file, which is 0; None if it doesn't start there."""
    match node:
        case ast.Name(name):
            return known.get(name)
        case ast.Attribute(inner, "parent"):
            above = levels(inner, known)
            return None if above is None else above + 1
        case ast.Subscript(ast.Attribute(inner, "parents"), ast.Constant(int(index))):
            above = levels(inner, known)
            return None if above is None else above + 1 + index
        case ast.Call(ast.Attribute(inner, "resolve" | "absolute")) | ast.Call(ast.Name("Path"), [inner, *_]):
            return levels(inner, known)
        case ast.BinOp(inner, ast.Div(), ast.Constant(str(text))):
            above = levels(inner, known)
            parts = Path(text).parts
            return None if above is None else above + (parts.count("..") or -len(parts))
    return None


def outside(source: str, depth: int) -> list[int]:
    """Return the lines of paths that leave the checkout, for a file so many levels below it."""
    known = {"__file__": 0, "ROOT": depth}  # many import it
    lines: list[int] = []
    if not any(start in source for start in known):
        return lines
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            above = levels(node.value, known)
            if above is not None:
                known[node.targets[0].id] = above
        above = levels(node, known)
        if above is not None and above > depth:
            lines.append(node.lineno)  # type: ignore[attr-defined]  # an expression has one
    return lines


def test_paths_that_leave_a_checkout_are_found() -> None:
    assert outside(PLANTED, 2) == [5] * 4


def test_no_file_looks_outside_the_checkout() -> None:
    files = [file.relative_to(ROOT) for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    assert len(files) > 500
    found = {str(file): outside((ROOT / file).read_text("utf-8"), len(file.parts)) for file in files}
    assert {file: lines for file, lines in found.items() if lines} == {}


def test_no_file_has_marks_of_a_merge() -> None:
    kept = {".css", ".js", ".md", ".py", ".sql", ".toml", ".txt"}
    files = [*ROOT.iterdir(), *(file for folder in FOLDERS for file in (ROOT / folder).rglob("*"))]
    texts = [file for file in files if file.suffix in kept and file.is_file()]
    assert len(texts) > 1000
    marks = tuple(sign * 7 + " " for sign in "<>|")
    found = [
        file for file in texts for line in file.read_text("utf-8").splitlines() if line.startswith(marks)
    ]
    assert not found, found
