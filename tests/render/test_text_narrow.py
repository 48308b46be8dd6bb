"""Text boards for a phone: none is too wide, and nothing is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from games.engine.match import walk
from games.engine.record import read
from games.engine.scene import Scene
from render import text_board
from render.text_cells import PHONE_COLUMNS as COLUMNS
from tests.laws.checks import catalogue

GAMES = Path(__file__).parents[1] / "games"
HEXES = ("dominance/golden/2.txt", "dominance/golden/2-board-hex5.txt")


def scenes(path: Path) -> list[Scene]:
    """Return positions of a match, each with the marks of its last move."""
    found = []
    steps = list(walk(read(path.read_text("utf-8")).entries))
    for match, facts in steps[:: max(1, len(steps) // 12)]:
        scene = match.game.scene(match.game.view(match.state, None), None)
        marks = tuple(mark for fact in facts if fact.to is None for mark in fact.marks)
        found.append(replace(scene, marks=scene.marks + marks))
    return found


@pytest.mark.parametrize(
    "name", ["focus/golden/2.txt", "focus/golden/4.txt", "dominion/golden/4.txt", *HEXES]
)
def test_boards_fit_a_phone_and_omit_nothing(name: str) -> None:
    say = catalogue().speaker("en")
    for scene in scenes(GAMES / name):
        text = text_board(scene, say, narrow=True)
        assert max(map(len, text.splitlines())) <= COLUMNS, text
        heights: dict[str, int] = {}
        for token in scene.tokens:
            heights[token.at] = heights.get(token.at, 0) + 1
        for at, height in heights.items():
            if height > 1:
                pile = sorted((t.level, t.code) for t in scene.tokens if t.at == at)
                assert f"{at} {''.join(code for _, code in pile)}" in text
        for mark in scene.marks:
            if mark.kind == "to":
                assert f"[{mark.at}]" in text


@pytest.mark.parametrize("name", ["two_domains/golden/2-v2.txt", "domination/golden/4-world-resigned.txt"])
def test_lines_of_dice_and_tables_of_countries_fit_too(name: str) -> None:
    say = catalogue().speaker("en")
    for scene in scenes(GAMES / name):
        text = text_board(scene, say, narrow=True)
        assert max(map(len, text.splitlines())) <= COLUMNS, text
        wide = text_board(scene, say)
        assert "".join(text.split()) == "".join(wide.split()), "all that the wide one says"
