"""Laws of the rules as people read them: short pages, each with a picture from a position of the game."""

from __future__ import annotations

import pytest

import render
from bot.actions.rules_pages import rules_pages
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.game import AnyGame
from games.engine.message import msg
from games.engine.teaching import MAX_PAGE, page_scene
from locales import Catalogue

READER = Reader(Catalogue())
GAMES = [registry.get(key) for key in registry.KEYS]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.key))
def test_each_page_is_short_and_has_a_picture(game: AnyGame) -> None:
    pages = rules_pages(READER, game.key)
    assert len(game.rules_pages) == len(pages)
    for key in pages:
        assert 0 < len(READER.say(msg(key))) <= MAX_PAGE, key


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.key))
def test_a_page_has_one_idea_which_it_names_first(game: AnyGame) -> None:
    for key in rules_pages(READER, game.key):
        if key.startswith(f"{game.key}.rules."):
            lines = READER.say(msg(key)).splitlines()
            assert [line for line in lines if line.startswith("**")] == lines[:1], key


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.key))
def test_a_picture_follows_from_a_position_of_the_game(game: AnyGame) -> None:
    for page in game.rules_pages:
        assert game.refuse_setup(game.setup(page.seats, page.options)) is None, page
        assert not page.lesson or page.lesson in {step.key for step in game.lessons}
        scene = page_scene(game, page)
        assert scene == page_scene(game, page), f"the same at each look: {page}"
        assert render.alt_text(scene, READER.say), page
