"""Domination as people meet it: the rules of `core` with notation, texts, buttons, pictures and computer
players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from games.domination.commands import notation
from games.domination.commands.tokens import MAX_TEXT_LENGTH
from games.domination.computer import levels, outlook
from games.domination.computer.position_model import Strategy
from games.domination.computer.predictions import TurnPredictions
from games.domination.core import DominationCore
from games.domination.rules import options, recap
from games.domination.view import (
    attack_odds,
    buttons,
    cautions,
    forecast,
    private_hand,
    puzzle_choices,
    reasons,
    scene,
)
from games.domination.view.glyphs import GLYPHS
from games.domination.view.lessons import LESSONS, RULES
from games.engine.game import Json, Player
from games.engine.message import Msg
from games.engine.predictions import PredictionWatcher


class Domination(DominationCore):
    """Domination, the world conquest of yura.net."""

    lengths: ClassVar[Mapping[str, int]] = {
        "2": 157,
        "2 mode=capital": 17,
        "3 mode=mission": 79,
        "4": 150,
        "5 mode=capital": 377,
        "6 mode=mission": 36,
    }
    lessons = LESSONS
    rules_pages = RULES
    glyphs = GLYPHS
    max_text_length = MAX_TEXT_LENGTH
    actions_are_moves = False

    admits = staticmethod(options.admits)
    look = staticmethod(scene.look)
    action_marks = staticmethod(scene.action_marks)
    read = staticmethod(notation.parse)
    resume = staticmethod(notation.resume)
    format = staticmethod(notation.write)
    hand = staticmethod(private_hand.hand)
    caution = staticmethod(cautions.caution)
    shortcuts = staticmethod(buttons.shortcuts)
    odds = staticmethod(attack_odds.odds)
    effects = staticmethod(reasons.effects)
    puzzle_choice = staticmethod(puzzle_choices.puzzle_choice)
    forecast = staticmethod(forecast.forecast)
    recap = staticmethod(recap.recap)
    scene = staticmethod(scene.draw)
    imagine = staticmethod(outlook.imagine)
    imagined_spread = outlook.SPREAD

    def choice(self, option: str, value: Json) -> Msg:
        """Return the name of an option's value; an uploaded map goes by its own title."""
        return options.choice(option, value) or super().choice(option, value)

    def computers(self) -> Mapping[str, Player]:
        """Return the levels from beginner to expert."""
        return levels.COMPUTERS

    def benchmarks(self) -> Mapping[str, Player]:
        """Return the greedy grabber of continents, and players that fight by one rule each."""
        return levels.BENCHMARKS

    def predictions(self) -> PredictionWatcher:
        """Return what compares predictions of continents, capitals, campaigns and kills with what happens."""
        return TurnPredictions(Strategy())


GAME: Final = Domination()
"""The game; it holds no state."""
