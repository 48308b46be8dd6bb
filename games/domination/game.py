"""Domination as people meet it: the rules of `core` with notation, texts, buttons, pictures and computer
players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from games.domination.commands import notation
from games.domination.commands.tokens import MAX_TEXT_LENGTH
from games.domination.computer import levels
from games.domination.core import DominationCore
from games.domination.rules import options, recap
from games.domination.rules.actions import Action
from games.domination.rules.position import View
from games.domination.view import buttons, cautions, forecast, odds, private_hand, scene
from games.domination.view.glyphs import GLYPHS
from games.engine.game import (
    Done,
    Fact,
    Json,
    Odds,
    Partial,
    Player,
    Rejected,
    Seat,
    SeatLook,
    Setup,
    Shortcut,
)
from games.engine.message import Msg
from games.engine.scene import Glyph, Mark, Scene
from games.engine.script import Script


class Domination(DominationCore):
    """Domination, the world conquest of yura.net."""

    glyphs: ClassVar[Mapping[str, Glyph]] = GLYPHS
    max_text_length: ClassVar[int] = MAX_TEXT_LENGTH
    actions_are_moves: ClassVar[bool] = False

    def admits(self, option: str, value: Json) -> bool:
        """Return whether a value is a whole map that a match can be played on."""
        return options.admits(option, value)

    def choice(self, option: str, value: Json) -> Msg:
        """Return the name of an option's value; an uploaded map goes by its own title."""
        return options.choice(option, value) or super().choice(option, value)

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Return the colour of the seat's armies."""
        return scene.look(setup, seat)

    def parse(self, view: View, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        """Read what a person typed, one order or several, see `notation`."""
        return notation.parse(view, seat, text)

    def resume(self, view: View, seat: Seat, script: Script) -> Done[Action] | Partial | Rejected:
        """Match the next command of a script with what is possible now, see `notation`."""
        return notation.resume(view, seat, script)

    def format(self, view: View, action: Action) -> str:
        """Return the action as a person would type it; for chance, the log's line."""
        return notation.write(view, action)

    def scene(self, view: View, viewer: Seat | None) -> Scene:
        """Draw the map, which never turns, and next to it what each player has."""
        return scene.draw(view, viewer)

    def action_marks(self, view: View, action: Action) -> tuple[Mark, ...]:
        """Return marks where an action begins and where it leads."""
        return scene.action_marks(view, action)

    def hand(self, view: View, seat: Seat) -> tuple[Msg, ...]:
        """Return the seat's cards, its mission, and what it decided in secret."""
        return private_hand.hand(view, seat)

    def caution(self, view: View, seat: Seat, action: Action) -> Msg | None:
        """Return why an order may soon be regretted, see `cautions`."""
        return cautions.caution(view, seat, action)

    def shortcuts(self, view: View, seat: Seat) -> tuple[Shortcut, ...]:
        """Return buttons for what is sensible right now, see `buttons`."""
        return buttons.shortcuts(view, seat)

    def odds(self, view: View, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        """Return the exact chances of a battle; without a text, those of the best attacks."""
        return odds.odds(view, seat, text)

    def forecast(self, view: View, seat: Seat, text: str) -> tuple[Msg, ...]:
        """Return what a script would probably lead to, see `forecast`."""
        return forecast.forecast(view, seat, text)

    def recap(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Return a turn in short: armies placed, countries taken, losses on both sides."""
        return recap.recap(facts)

    def computers(self) -> Mapping[str, Player]:
        """Return the levels: easy, average and hard."""
        return levels.COMPUTERS


GAME: Final = Domination()
"""The game; it holds no state."""
