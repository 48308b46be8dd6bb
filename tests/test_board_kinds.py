"""Each package asks for the kind of a board in one file; everything else gets an object that knows it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.engine import scene
from games.engine.scene import Board
from tests.test_contracts import ROOMS, ROOT

KINDS = {
    name
    for name, kind in vars(scene).items()
    if isinstance(kind, type) and issubclass(kind, Board) and kind is not Board
}
PLACES = {"bot/messages/geography.py", "cli/bench/reference.py", "render/kinds.py"}
"""The files that may ask."""


def innocent(node: ast.AST) -> Iterator[ast.AST | None]:
    """Yield the parts of a node in which a kind is a type or is made, not asked for."""
    match node:
        case ast.arg() | ast.AnnAssign():
            yield node.annotation
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield node.returns
        case ast.Subscript():
            yield node.slice
        case ast.ClassDef():
            yield from node.bases
        case ast.Call():
            yield node.func


def asked(source: str) -> set[str]:
    """Return the kinds of boards that a module asks for, in whatever way."""
    if "games.engine" not in source or not ("scene" in source and any(kind in source for kind in KINDS)):
        return set()
    tree = ast.parse(source)
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "games.engine.scene":
            names |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name in KINDS}
        elif isinstance(node, ast.ImportFrom) and node.module == "games.engine":
            names |= {
                f"{alias.asname or alias.name}.{kind}": kind
                for alias in node.names
                if alias.name == "scene"
                for kind in KINDS
            }
    if not names:
        return set()
    allowed = {
        id(each)
        for node in ast.walk(tree)
        for part in innocent(node)
        if part is not None
        for each in ([part] if isinstance(node, ast.Call) else ast.walk(part))
    }
    return {
        names[ast.unparse(node)]
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
        and id(node) not in allowed
        and ast.unparse(node) in names
    }


def asking(house: Path) -> dict[str, set[str]]:
    """Return the kinds that are asked for, by the files that ask."""
    found = (
        (path.relative_to(house).as_posix(), asked(path.read_text("utf-8")))
        for room in ROOMS
        for path in sorted((house / room).rglob("*.py"))
    )
    return {name: kinds for name, kinds in found if kinds}


def test_one_file_of_a_package_asks_for_the_kind_of_a_board() -> None:
    assert asking(ROOT) == dict.fromkeys(PLACES, KINDS), "let `kinds` choose an object that knows the kind"


@pytest.mark.parametrize(
    "question",
    [
        "isinstance(board, Grid)",
        "isinstance(board, (int, Grid))",
        "isinstance(board, int | scene.Grid)",
        "type(board) is Grid",
        "{Grid: 1}.get(type(board))",
        "match board:\n    case Grid():\n        pass",
        "SQUARES = Grid",
    ],
)
def test_a_planted_question_is_found(question: str, tmp_path: Path) -> None:
    (tmp_path / "render").mkdir()
    planted = f"from games.engine import scene\nfrom games.engine.scene import Grid\n{question}\n"
    (tmp_path / "render" / "planted.py").write_text(planted, "utf-8")
    assert asking(tmp_path) == {"render/planted.py": {"Grid"}}


@pytest.mark.parametrize(
    "innocence",
    [
        "def wide(board: Grid, more: tuple[Grid, ...] = ()) -> Grid: ...",
        "board: Grid = Grid(8, 8)",
        "class Squares(Kind[Grid]): ...",
        "Key = tuple[Grid, int]",
    ],
)
def test_types_and_new_boards_are_no_questions(innocence: str) -> None:
    assert asked(f"from games.engine.scene import Grid\n{innocence}\n") == set()
