"""Both notations of Three Walkers: `card 5` for machines and people, who may omit the word.

`5 ! 3` orders two cards: the second is played in the next round, if the seat is to act again at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.message import msg
from games.engine.notation import nearest, words
from games.engine.space_notation import DECORATION
from games.engine.values import Script
from tests.toy.rules import KINDS, Action, View, judge

_EXTREMES: dict[str, Callable[[tuple[int, ...]], int]] = {"highest": max, "lowest": min}


@dataclass(frozen=True, slots=True)
class CardOrder:
    """An ordered card: its number, `highest` or `lowest`; empty if none is named yet."""

    card: str
    span: tuple[int, int]


def encode(action: Action) -> str:
    """Return `deal 3 1 2 ...`, `card 5` or `roll 2`."""
    return " ".join((action.kind, *map(str, action.numbers)))


def decode(wire: str) -> Action:
    """Return the action that `encode` wrote. Raises ValueError for anything else."""
    kind, *numbers = wire.split(" ")
    if kind not in KINDS or not numbers or any(not n.isascii() or len(n) > 2 for n in numbers):
        raise ValueError(f"{wire!r} is not an action")
    action = Action(kind, tuple(int(n) for n in numbers))
    if encode(action) != wire:
        raise ValueError(f"{wire!r} is not in canonical form")
    return action


def parse(view: View, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
    """Parse `5`, `c5`, `card 5`, `highest`; `5 ! 3` orders two; a partial text asks for the card."""
    if seat not in view.to_act:
        chat = not any(char.isdecimal() for char in text)
        return Rejected(msg("toy.refuse.turn"), (0, len(text)), chat=chat)
    orders: list[CardOrder] = []
    start = 0
    for piece in text.split("!"):
        order = _order(piece, start)
        if isinstance(order, Rejected):
            return Rejected(
                order.why, order.span, nearest(text[slice(*order.span)], _every(view)), order.chat
            )
        orders.append(order)
        start += len(piece) + 1
    spans = tuple(order.span for order in orders)
    while len(orders) > 1 and not orders[-1].card and orders[-1].span[0] == orders[-1].span[1]:
        orders.pop()  # nothing follows the last `!`
    found = _first_of(view, seat, text, tuple(orders))
    return replace(found, spans=spans) if isinstance(found, Done) else found


def resume(view: View, seat: Seat, script: Script) -> Done[Action] | Partial | Rejected:
    """Return the next card of a script."""
    return _first_of(view, seat, script.text, script.orders)


def _order(piece: str, start: int) -> CardOrder | Rejected:
    """Parse one order, which begins at `start` of the text."""
    typed = tuple(word for word in words(piece) if word.text not in DECORATION - {"!"})
    if not typed:
        return CardOrder("", (start, start))
    last = typed[-1]
    span = (start + typed[0].start, start + last.end)
    if len(typed) == 1 and last.text in _EXTREMES:
        return CardOrder(last.text, span)
    if [word.text for word in typed] in (["c"], ["card"]):
        return CardOrder("", span)
    readable = last.text.isascii() and last.text.isdecimal() and len(last.text) < 3
    if not readable or "".join(word.text for word in typed[:-1]) not in ("", "c", "card"):
        return Rejected(msg("toy.refuse.text"), span, chat=not readable)
    return CardOrder(last.text, span)


def _every(view: View) -> tuple[str, ...]:
    return tuple(f"card {card}" for card in view.hand)


def _first_of(
    view: View, seat: Seat, text: str, orders: tuple[CardOrder, ...]
) -> Done[Action] | Partial | Rejected:
    """Return the first order as an action, with the others as the script."""
    first, rest = orders[0], orders[1:]
    script = Script(text, rest, rest[0].span[0]) if rest else None
    if first.card in _EXTREMES and view.hand:
        return Done(Action("card", (_EXTREMES[first.card](view.hand),)), script, first.span[0])
    if not first.card.isdecimal():
        return Partial(msg("toy.ask.card", hand=view.hand), _every(view))
    action = Action("card", (int(first.card),))
    why = judge(view, seat, action)
    return Done(action, script, first.span[0]) if why is None else Rejected(why, first.span, _every(view))
