"""Answers to Fate as people type them: `promote f3`, `f3=W`, `-h3`, `@g5`, or by standing orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from games.dominion import fate, judge
from games.dominion.actions import PEASANTS, Action, rank
from games.dominion.board import INDEX, NAMES, SIZE
from games.dominion.moves import piece_name
from games.dominion.position import PEASANT, PRINCE, Position, kind_of, owner
from games.dominion.reading import KINDS, DominionReading, Sort, StandingOrder
from games.engine.game import Done, Partial, Rejected
from games.engine.message import Msg, msg

Found = Done[Action] | Partial | Rejected
NEAR: Final = 8
"""Maximum number of legal answers that a refusal lists."""


def write(place: Position, action: Action) -> str:
    """Return the action as a person would type it, with the new kind only where there are two."""
    if action.kind == "sergeants":
        return f"sgt {NAMES[action.a]} {NAMES[action.b]}"
    if action.kind in ("promote", "demote"):
        code = place.board[action.a]
        steps = (fate.up if action.kind == "promote" else fate.down)(
            place.board, max(owner(code), 0), kind_of(code)
        )
        if steps == (action.b,):
            return f"{action.kind} {NAMES[action.a]}"
    return action.text


def apart(one: int, other: int) -> int:
    """Return the distance of two squares in steps of an Emperor."""
    return max(abs(one % SIZE - other % SIZE), abs(one // SIZE - other // SIZE))


def texts(place: Position, found: Iterable[Action]) -> tuple[str, ...]:
    """Return the actions as a person would type them."""
    return tuple(write(place, action) for action in found)


def misnamed(
    place: Position, seat: int, found: DominionReading, at: int, near: tuple[str, ...]
) -> Rejected | None:
    """Return the refusal if the seat's piece on a square isn't the one named before it, else None."""
    code = place.board[at]
    for part in found.kinds(behind=False):
        if owner(code) == seat and kind_of(code) != KINDS[part.text]:
            said, there = piece_name(KINDS[part.text]), piece_name(kind_of(code))
            why = msg("dominion.refuse.word", said=said, there=there, square=NAMES[at])
            return Rejected(why, (part.start, part.end), near)
    return None


def sort_of(place: Position) -> Sort:
    """Return what Fate asks for; call it only in the phases of `fate.CHOICES`."""
    if place.phase == "peasant":
        return "peasant"
    return "promote" if place.phase.startswith("promote") else "demote"


def wanted(place: Position, at: int, kind: int, sort: Sort) -> Action:
    """Return the answer with a square and a new kind, 0 for any."""
    return PEASANTS[at] if sort == "peasant" else rank(sort, at, kind or PRINCE)


def answer(place: Position, seat: int, found: DominionReading, legal: list[Action]) -> Found:
    """Match a text with the legal answers to Fate."""
    due = msg(f"dominion.refuse.due.{place.phase}")
    sort = sort_of(place)
    if len(found.spaces) > 1 or any(part.kind in "hm" for part in found.parts):
        chat = not found.spaces
        return Rejected(due, found.span, texts(place, legal[:NEAR]), chat)
    if not found.spaces:
        return _menu(place, found, legal, due)
    (space,) = found.spaces
    at = INDEX[space.text]
    if found.verb not in ("", sort):
        return Rejected(due, found.span, _nearest(place, legal, at))
    before, behind = found.kinds(behind=False), found.kinds(behind=True)
    peasants = {KINDS[part.text] for part in (*before, *behind)} <= {PEASANT}
    if len(before) > 1 or len(behind) > 1 or (sort == "peasant" and not peasants):
        return Rejected(due, found.span, _nearest(place, legal, at))
    if (
        sort != "peasant"
        and (wrong := misnamed(place, seat, found, at, _nearest(place, legal, at))) is not None
    ):
        return wrong
    kind = KINDS[behind[0].text] if behind else 0
    return _meant(place, seat, at, kind, legal, (space.start, space.end))


def _menu(place: Position, found: DominionReading, legal: list[Action], due: Msg) -> Found:
    """Ask for one of the answers, or of those with the named kind, when the text has no square."""
    ask = msg(f"dominion.ask.{place.phase}")
    sort = sort_of(place)
    if found.verb not in ("", sort):
        return Rejected(due, found.span, texts(place, legal[:NEAR]))
    named = {KINDS[part.text] for part in found.parts if part.kind == "k"}
    if not named or sort == "peasant":
        return Partial(ask, texts(place, legal))
    fitting = [a for a in legal if named & {kind_of(place.board[a.a]), a.b}]
    if fitting and len(named) == 1:
        return Partial(ask, texts(place, fitting))
    return Rejected(due, found.span, texts(place, legal[:NEAR]), chat=not found.verb)


def _meant(
    place: Position, seat: int, at: int, kind: int, legal: list[Action], span: tuple[int, int]
) -> Found:
    """Return the only answer with a square, the two kinds to choose from, or why there is none."""
    fitting = [a for a in legal if a.a == at and kind in (0, a.b)]
    if len(fitting) == 1:
        return Done(fitting[0])
    if fitting:
        ask = msg("dominion.ask.kind", piece=piece_name(kind_of(place.board[at])), square=NAMES[at])
        return Partial(ask, texts(place, fitting))
    why = judge.refuse(place, seat, wanted(place, at, kind, sort_of(place)))
    return Rejected(why or msg(f"dominion.refuse.due.{place.phase}"), span, _nearest(place, legal, at))


def standing(place: Position, seat: int, orders: Sequence[StandingOrder], legal: list[Action]) -> Found:
    """Return the first standing order that is legal now; if none is, why the first of its sort isn't."""
    sort = sort_of(place)
    mine = [order for order in orders if order.sort == sort]
    answers = [
        _meant(place, seat, INDEX[each.square], each.kind, legal, (each.start, each.end)) for each in mine
    ]
    for said in answers:
        if not isinstance(said, Rejected):
            return said
    return answers[0] if answers else Partial(msg(f"dominion.ask.{place.phase}"), texts(place, legal))


def _nearest(place: Position, legal: list[Action], at: int) -> tuple[str, ...]:
    """Return the typed answers whose squares are nearest to one."""
    return texts(place, sorted(legal, key=lambda a: apart(a.a, at))[:NEAR])
