"""The whole game of Dominion: the rules of `core` with notation, texts, buttons and a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from games.dominion import answers, judge, notation, player_aids, scene
from games.dominion.actions import Action
from games.dominion.core import DominionCore
from games.dominion.glyphs import GLYPHS
from games.dominion.position import View
from games.engine.game import Done, Odds, Partial, Rejected, Seat, SeatLook, Setup, Shortcut
from games.engine.message import Msg
from games.engine.scene import Glyph, Mark, Scene
from games.engine.script import Script

_MAX_ODDS: Final = 4
"""Maximum number of moves for which the odds of a partial text are shown."""


class Dominion(DominionCore):
    """Dominion: Ancient Art of War (2003)."""

    glyphs: ClassVar[Mapping[str, Glyph]] = GLYPHS

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Return the kingdom of the seat's side of the board."""
        return scene.look(setup, seat)

    def parse(self, view: View, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
        return notation.parse(view, seat, text)

    def resume(self, view: View, seat: Seat, script: Script) -> Done[Action] | Partial | Rejected:
        """Answer Fate by standing orders, see `notation`."""
        return notation.resume(view, seat, script)

    def format(self, view: View, action: Action) -> str:
        """Return `e3-e4`, `sgt f3 h3`, `promote f3`, `demote g2=G`, `peasant g5`; for chance the log line."""
        return answers.write(view.position, action)

    def scene(self, view: View, viewer: Seat | None) -> Scene:
        """Return the board seen from the viewer's side; from the south for spectators."""
        return scene.draw(view, viewer)

    def action_marks(self, view: View, action: Action) -> tuple[Mark, ...]:
        """Return the marks where an action begins and where it leads."""
        return scene.aim(action)

    def caution(self, view: View, seat: Seat, action: Action) -> Msg | None:
        """Warn if an enemy could then take the seat's Emperor, see `player_aids`."""
        return player_aids.caution(view.position, seat, action)

    def default(self, view: View, seat: Seat) -> Action | None:
        """Return the Sergeants in the middle or a harmless answer to Fate; None for an ordinary move."""
        return player_aids.default(view.position, seat)

    def shortcuts(self, view: View, seat: Seat) -> tuple[Shortcut, ...]:
        """Return buttons for Sergeants and answers to Fate, see `player_aids`."""
        return player_aids.shortcuts(view.position, seat)

    def odds(self, view: View, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        """Return the chances of Fate after the move that the text names; without a text, after the first.

        Fate hardly depends on the move, so one move stands for all.
        """
        position = view.position
        if position.phase not in ("move", "heir") or seat not in judge.to_act(position):
            return ()
        found = notation.parse(view, seat, text)
        if isinstance(found, Rejected):
            return found
        if isinstance(found, Done):
            return (player_aids.odds(position, seat, found.action),)
        if position.phase == "heir":
            return ()
        few = found.choices[: _MAX_ODDS if text.strip() else 1]
        actions = [
            again.action for each in few if isinstance(again := notation.parse(view, seat, each), Done)
        ]
        return tuple(player_aids.odds(position, seat, action) for action in actions)


GAME: Final = Dominion()
"""The game; it holds no state."""
