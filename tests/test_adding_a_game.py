"""What docs/adding-a-game.md says of the examples and of the interface is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.engine import registry
from games.engine.extras import Extras
from games.engine.game import Game
from tests.rows import rows

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
HOOKS = sorted(name for name in vars(Extras) if not name.startswith("_") and name != "key")
NEEDED = sorted(Game.__abstractmethods__)


def length(example: str) -> int:
    """Return the number of lines of an example game with its texts, without the goldens."""
    files = [file for file in (ROOT / "tests" / example).rglob("*") if file.suffix in (".py", ".toml")]
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def test_a_small_game_takes_at_most_200_lines_with_its_texts() -> None:
    assert length("three") <= 200


@pytest.mark.parametrize(
    ("example", "said"), re.findall(r"`tests/(\w+)/` is .*? in (?:some )?(\d+)\s", PAGE, re.DOTALL)
)
def test_the_examples_are_as_long_as_the_page_says(example: str, said: str) -> None:
    assert round(length(example), -1) == int(said) or round(length(example), -2) == int(said)


@rows("name", NEEDED + HOOKS)
def test_the_page_names_what_a_game_can_have(name: str) -> None:
    assert re.search(rf"`{name}(\([^`]*\))?`", PAGE)


@rows("key", registry.KEYS)
def test_each_game_has_what_the_page_names_in_one_file_of_that_name(key: str) -> None:
    files = re.findall(r"\(`(\w+\.py)`\)", PAGE)
    assert len(files) >= 8
    found = {name: [*(ROOT / "games" / key).rglob(name)] for name in files}
    assert {name: places for name, places in found.items() if len(places) != 1} == {}


@rows("hook", HOOKS)
def test_each_hook_has_a_user(hook: str) -> None:
    games = [type(game) for game in registry.all_games()]
    assert any(hook in vars(kind) for game in games for kind in game.__mro__ if kind not in (Game, Extras))
