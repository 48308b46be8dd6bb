"""The optional hooks of Three Walkers: buttons, odds, reachable places, and values from a file."""

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
    """Return buttons that everyone may see, and for the seat itself one for each of its cards."""
    if seat not in view.to_act:
        return ()
    kinds = (
        Shortcut(msg("toy.button.highest"), "highest"),
        Shortcut(msg("toy.button.lowest"), "lowest"),
        Shortcut(msg("toy.button.card"), "card"),
    )
    return (*kinds, *(Shortcut(msg("toy.button.this", card=card), f"card {card}") for card in view.hand))


def action_marks(view: View) -> tuple[Mark, ...]:
    """Mark where the viewer's walker is, and where any card may take it."""
    if view.viewer is None or not view.hand:
        return ()
    at = view.at[view.viewer]
    far = (name(file, view.viewer) for file in range(at + 1, min(at + DIE, FILES - 1) + 1))
    return (Mark("from", name(at, view.viewer)), *(Mark("legal", place) for place in far))


def caution(view: View, action: Action) -> Msg | None:
    """Warn of playing the middle one of three cards."""
    card, cards = action.numbers[0], view.hand
    between = len(cards) == HAND and card not in (cards[0], cards[-1])
    return msg("toy.caution.middle", card=card) if between else None


def odds(text: str) -> Odds:
    """Return the odds of a long or a short walk, if the card is the highest."""
    far = (Fraction(DIE - 1, DIE), msg("toy.odds.far"))
    return Odds(text, (far, (Fraction(1, DIE), msg("toy.odds.near"))))


def reach(view: View) -> tuple[Mark, ...]:
    """Mark where each walker may be after the next roll."""
    return tuple(
        Mark("guard", name(file, seat), LOOKS[seat].ink)
        for seat, at in enumerate(view.at)
        for file in range(at + 1, min(at + DIE, FILES - 1) + 1)
        if view.phase != "over"
    )


class FakeOracle:
    """Made-up values for two walkers: one byte per card, in percent."""

    def __init__(self, table: memoryview) -> None:
        """Raise ValueError unless the table is MAGIC and one byte for each card of two seats."""
        if bytes(table[: len(MAGIC)]) != MAGIC or len(table) != len(MAGIC) + 2 * HAND:
            raise ValueError("no values of Three Walkers")
        self._table = table

    def appraise(self, view: View, seat: Seat) -> tuple[tuple[Action, float], ...] | None:
        """Return the cards of the seat, each with its value in the file."""
        if len(view.teams) != 2:
            return None
        at = len(MAGIC) - 1
        return tuple((Action("card", (card,)), self._table[at + card] / 100) for card in view.hand)
