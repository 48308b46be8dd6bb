"""Both notations of Three Walkers: `card 5` for machines and people; people may leave out half of it.

`5 ! 3` orders two cards: the second is put down in the next round, if it comes at once.
"""

from __future__ import annotations

from collections.abc import Callable

from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.message import msg
from games.engine.notation import nearest, words
from tests.toy.rules import KINDS, Action, View, judge

_EXTREMES: dict[str, Callable[[tuple[int, ...]], int]] = {"highest": max, "lowest": min}


def encode(action: Action) -> str:
    """`deal 3 1 2 ...`, `card 5`, `roll 2`."""
    return " ".join((action.kind, *map(str, action.numbers)))


def decode(wire: str) -> Action:
    """The inverse of `encode`. Raises ValueError for anything else."""
    kind, *numbers = wire.split(" ")
    if kind not in KINDS or not numbers or any(not n.isascii() or len(n) > 2 for n in numbers):
        raise ValueError(f"{wire!r} is no action")
    action = Action(kind, tuple(int(n) for n in numbers))
    if encode(action) != wire:
        raise ValueError(f"{wire!r} is not how an action is written")
    return action


def parse(view: View, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
    """`5`, `c5`, `card 5`, `highest`; an unfinished text asks for the card; what is behind `!` is left."""
    text, _, rest = text.partition("!")
    read = _parse(view, seat, text)
    return Done(read.action, rest.strip()) if isinstance(read, Done) else read


def _parse(view: View, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
    typed = words(text)
    if seat not in view.to_act:
        return Rejected(msg("toy.refuse.turn"))
    if len(typed) == 1 and view.hand and (picks := _EXTREMES.get(typed[0].text)) is not None:
        return Done(Action("card", (picks(view.hand),)))
    every = tuple(f"card {card}" for card in view.hand)
    if not typed or [word.text for word in typed] in (["c"], ["card"]):
        return Partial(msg("toy.ask.card", hand=view.hand), every)
    last = typed[-1]
    span = (typed[0].start, last.end)
    readable = last.text.isascii() and last.text.isdecimal() and len(last.text) < 3
    if not readable or "".join(word.text for word in typed[:-1]) not in ("", "c", "card"):
        return Rejected(msg("toy.refuse.text"), span, nearest(text, every), chat=not readable)
    action = Action("card", (int(last.text),))
    why = judge(view, seat, action)
    return Done(action) if why is None else Rejected(why, span, every)
