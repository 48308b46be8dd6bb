"""What people type is compared by `folded` alone: other changes of case are of texts of ours."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("bot", "cli", "matches")
NAMES = ("casefold", "lower", "upper")
OURS = {
    "bot/actions/servers/map_library.py": 1,  # the ending of a file's name
    "bot/actions/play/questions.py": 2,  # names of kinds, to offer them
    "bot/inbound/commands/common.py": 3,  # our labels, and ids, of ASCII
    "bot/inbound/commands/moderate.py": 1,
    "bot/messages/board_query.py": 1,  # codes of seats
    "bot/messages/geography.py": 2,
    "bot/platform/config.py": 5,  # settings of the operator, and the prefix of a token
    "cli/analyse.py": 1,  # endings of files' names
    "cli/check_operation.py": 1,
    "bot/messages/standing.py": 1,  # a letter of our ids
    "bot/messages/front_panel.py": 1,  # the first letter of a sentence of ours
    "cli/render.py": 1,
    "cli/story.py": 1,
    "cli/replay.py": 1,  # a pressed key
    "cli/table.py": 4,  # our names of choices
    "cli/terminal.py": 1,  # the name of an encoding
    "matches/clocks/quantities.py": 2,  # words of ours
    "matches/clocks/typed.py": 1,  # of a text that is normalised
    "matches/clocks/zones.py": 1,  # names of zones
    "matches/ids.py": 1,
    "matches/plans/grammar.py": 3,
}
"""Where case is changed otherwise, how often, and of what. Games are given normalised texts."""


def changes(path: Path) -> int:
    """Return how often a file changes the case of a text."""
    source = path.read_text(encoding="utf-8")
    if not any(name in source for name in NAMES):
        return 0
    return sum(isinstance(node, ast.Attribute) and node.attr in NAMES for node in ast.walk(ast.parse(source)))


def test_what_is_typed_is_folded_in_one_place() -> None:
    found: Counter[str] = Counter()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            found[path.relative_to(ROOT).as_posix()] = changes(path)
    assert {name: count for name, count in found.items() if count} == OURS


@pytest.mark.parametrize("source", ["x.casefold()", "map(str.lower, y)", "z.upper()"])
def test_a_change_of_case_is_found(tmp_path: Path, source: str) -> None:
    file = tmp_path / "a.py"
    file.write_text(source, encoding="utf-8")
    assert changes(file) == 1
