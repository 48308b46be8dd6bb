"""Fill the caches of drawing, wording and lessons, so that the first who need them don't wait."""

from __future__ import annotations

import render
from bot.messages.lessons import taught_games
from games.engine import registry
from games.engine.message import Who, msg
from locales import Catalogue


def warm_up(catalogue: Catalogue, theme: str) -> None:
    """Draw the first board of each game, say a sentence in each language, and try the lessons. Blocks."""
    for game in registry.all_games():
        for language in catalogue.languages:
            voice = catalogue.speaker(language)
            voice(msg("bot.board.next", n=1, who=(Who(0), Who(1))))
            scene = game.scene(game.view(game.start(game.setup(game.seats[0])).state, None), None)
            render.draw(scene, voice, theme=theme)
    taught_games()
