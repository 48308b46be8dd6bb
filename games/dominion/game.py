"""The whole game of Dominion: the rules of `core` with notation, texts, buttons and a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from games.dominion import answers, judge, notation, player_aids, reasons, scene
from games.dominion.actions import Action
from games.dominion.core import DominionCore
from games.dominion.glyphs import GLYPHS
from games.dominion.lessons import LESSONS, RULES
from games.dominion.position import View
from games.engine.game import Done, Odds, Rejected, Seat
from games.engine.reasons import Effect
from games.engine.scene import Mark

_MAX_ODDS: Final = 4
"""Maximum number of moves for which the odds of a partial text are shown."""


class Dominion(DominionCore):
    """Dominion: Ancient Art of War (2003)."""

    lengths: ClassVar[Mapping[str, int]] = {"2": 147, "3": 148, "2v2": 132, "4": 161}
    lessons = LESSONS
    rules_pages = RULES
    glyphs = GLYPHS

    look = staticmethod(scene.look)
    read = staticmethod(notation.parse)
    resume = staticmethod(notation.resume)
    scene = staticmethod(scene.draw)
    caution = staticmethod(player_aids.caution)
    shortcuts = staticmethod(player_aids.shortcuts)

    def format(self, view: View, action: Action) -> str:
        """Return `e3-e4`, `sgt f3 h3`, `promote f3`, `demote g2=G`, `peasant g5`; for chance the log line."""
        return answers.write(view.position, action)

    def effects(self, view: View, seat: Seat, action: Action) -> tuple[Effect, ...]:
        """Return what a legal action of the seat leads to."""
        return reasons.effects(view.position, seat, action)

    def action_marks(self, view: View, action: Action) -> tuple[Mark, ...]:
        """Return the marks where an action begins and where it leads."""
        return scene.aim(action)

    def default(self, view: View, seat: Seat) -> Action | None:
        """Return the Sergeants in the middle or a harmless answer to Fate; None for an ordinary move."""
        return player_aids.default(view.position, seat)

    def odds(self, view: View, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        """Return the chances of Fate after the move that the text names; without a text, after the first.

        Fate hardly depends on the move, so one move stands for all.
        """
        position = view.position
        if position.phase not in ("move", "heir") or seat not in judge.to_act(position):
            return ()
        found = self.parse(view, seat, text)
        if isinstance(found, Rejected):
            return found
        if isinstance(found, Done):
            return (player_aids.odds(position, seat, found.action),)
        few = found.choices[: _MAX_ODDS if text.strip() else 1] if position.phase == "move" else ()
        parsed = (self.parse(view, seat, each) for each in few)
        return tuple(player_aids.odds(position, seat, a.action) for a in parsed if isinstance(a, Done))


GAME: Final = Dominion()
"""The game; it holds no state."""
