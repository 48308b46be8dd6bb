"""What Three Walkers offers besides play: buttons, chances, reachable places, and an opinion from a file."""

from __future__ import annotations

from fractions import Fraction

from games.engine.game import Odds, Seat, Shortcut
from games.engine.grid import name
from games.engine.message import Msg, msg
from games.engine.scene import Mark
from tests.toy.rules import DIE, FILES, HAND, Action, View
from tests.toy.scene import LOOKS

MAGIC = b"walkers 1\n"


def shortcuts(view: View, seat: Seat) -> tuple[Shortcut, ...]:
    """What everybody may see on the buttons; to the seat itself also its cards, one by one."""
    if seat not in view.to_act:
        return ()
    kinds = (
        Shortcut(msg("toy.button.highest"), "highest"),
        Shortcut(msg("toy.button.lowest"), "lowest"),
        Shortcut(msg("toy.button.card"), "card"),
    )
    return (*kinds, *(Shortcut(msg("toy.button.this", card=card), f"card {card}") for card in view.hand))


def action_marks(view: View) -> tuple[Mark, ...]:
    """Where the viewer's walker stands, and where it may come to with any card."""
    if view.viewer is None or not view.hand:
        return ()
    at = view.at[view.viewer]
    far = (name(file, view.viewer) for file in range(at + 1, min(at + DIE, FILES - 1) + 1))
    return (Mark("from", name(at, view.viewer)), *(Mark("legal", place) for place in far))


def caution(view: View, action: Action) -> Msg | None:
    """Against a card between two others: it neither wins nor saves anything."""
    card, cards = action.numbers[0], view.hand
    between = len(cards) == HAND and card not in (cards[0], cards[-1])
    return msg("toy.caution.middle", card=card) if between else None


def odds(text: str) -> Odds:
    """How far the die lets the card walk, should it be the highest."""
    far = (Fraction(DIE - 1, DIE), msg("toy.odds.far"))
    return Odds(text, (far, (Fraction(1, DIE), msg("toy.odds.near"))))


def reach(view: View) -> tuple[Mark, ...]:
    """Where each walker may stand after the next roll."""
    return tuple(
        Mark("guard", name(file, seat), LOOKS[seat].ink)
        for seat, at in enumerate(view.at)
        for file in range(at + 1, min(at + DIE, FILES - 1) + 1)
        if view.phase != "over"
    )


class Opinion:
    """Values for two walkers: one byte a card, in percent. No truth, but always the same."""

    def __init__(self, table: memoryview) -> None:
        """Raises ValueError for anything but MAGIC and a byte for each of the cards of two."""
        if bytes(table[: len(MAGIC)]) != MAGIC or len(table) != len(MAGIC) + 2 * HAND:
            raise ValueError("no values of Three Walkers")
        self._table = table

    def appraise(self, view: View, seat: Seat) -> tuple[tuple[Action, float], ...] | None:
        """The cards of the seat, each with what the file says of it."""
        if len(view.teams) != 2:
            return None
        at = len(MAGIC) - 1
        return tuple((Action("card", (card,)), self._table[at + card] / 100) for card in view.hand)
