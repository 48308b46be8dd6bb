"""Answers to Fate as people type them: `promote f3`, `f3=W`, `-h3`, `@g5`, or by standing orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from games.dominion import fate, judge
from games.dominion.actions import PEASANTS, Action, change_rank
from games.dominion.board import INDEX, NAMES, distance
from games.dominion.moves import piece_name
from games.dominion.position import PEASANT, PRINCE, Position, kind_of, owner
from games.dominion.reading import KINDS, DominionReading, Request, StandingOrder
from games.engine.game import Done, Partial, Rejected
from games.engine.message import Msg, msg

ParseResult = Done[Action] | Partial | Rejected
MAX_NEAR: Final = 8
"""Maximum number of legal answers that a refusal lists."""


def write(position: Position, action: Action) -> str:
    """Return the action as a person would type it, with the new kind only where there are two."""
    if action.kind == "sergeants":
        return f"sgt {NAMES[action.a]} {NAMES[action.b]}"
    if action.kind in ("promote", "demote"):
        code = position.board[action.a]
        steps = (fate.promotions_of if action.kind == "promote" else fate.demotions_of)(
            position.board, max(owner(code), 0), kind_of(code)
        )
        if steps == (action.b,):
            return f"{action.kind} {NAMES[action.a]}"
    return action.text


def texts(position: Position, actions: Iterable[Action]) -> tuple[str, ...]:
    """Return the actions as a person would type them."""
    return tuple(write(position, action) for action in actions)


def refuse_misnamed(
    position: Position, seat: int, typed: DominionReading, at: int, near: tuple[str, ...]
) -> Rejected | None:
    """Return the refusal if the seat's piece on a square isn't the one named before it, else None."""
    code = position.board[at]
    for part in typed.kinds(behind=False):
        if owner(code) == seat and kind_of(code) != KINDS[part.text]:
            said, there = piece_name(KINDS[part.text]), piece_name(kind_of(code))
            why = msg("dominion.refuse.word", said=said, there=there, square=NAMES[at])
            return Rejected(why, (part.start, part.end), near)
    return None


def request_of(position: Position) -> Request:
    """Return what Fate asks for; call it only in the phases of `fate.CHOICE_PHASES`."""
    if position.phase == "peasant":
        return "peasant"
    return "promote" if position.phase.startswith("promote") else "demote"


def answer_action(position: Position, at: int, kind: int, request: Request) -> Action:
    """Return the answer with a square and a new kind, 0 for any."""
    return PEASANTS[at] if request == "peasant" else change_rank(request, at, kind or PRINCE)


def answer(position: Position, seat: int, typed: DominionReading, legal: list[Action]) -> ParseResult:
    """Match a text with the legal answers to Fate."""
    due = msg(f"dominion.refuse.due.{position.phase}")
    request = request_of(position)
    if len(typed.spaces) > 1 or any(part.kind in "hm" for part in typed.parts):
        chat = not typed.spaces
        return Rejected(due, typed.span, texts(position, legal[:MAX_NEAR]), chat)
    if not typed.spaces:
        return _menu(position, typed, legal, due)
    (space,) = typed.spaces
    at = INDEX[space.text]
    if typed.verb not in ("", request):
        return Rejected(due, typed.span, _nearest(position, legal, at))
    before, behind = typed.kinds(behind=False), typed.kinds(behind=True)
    peasants = {KINDS[part.text] for part in (*before, *behind)} <= {PEASANT}
    if len(before) > 1 or len(behind) > 1 or (request == "peasant" and not peasants):
        return Rejected(due, typed.span, _nearest(position, legal, at))
    if (
        request != "peasant"
        and (wrong := refuse_misnamed(position, seat, typed, at, _nearest(position, legal, at))) is not None
    ):
        return wrong
    kind = KINDS[behind[0].text] if behind else 0
    return _meant(position, seat, at, kind, legal, (space.start, space.end))


def _menu(position: Position, typed: DominionReading, legal: list[Action], due: Msg) -> ParseResult:
    """Ask for one of the answers, or of those with the named kind, when the text has no square."""
    ask = msg(f"dominion.ask.{position.phase}")
    request = request_of(position)
    if typed.verb not in ("", request):
        return Rejected(due, typed.span, texts(position, legal[:MAX_NEAR]))
    named = {KINDS[part.text] for part in typed.parts if part.kind == "k"}
    if not named or request == "peasant":
        return Partial(ask, texts(position, legal))
    fitting = [a for a in legal if named & {kind_of(position.board[a.a]), a.b}]
    if fitting and len(named) == 1:
        return Partial(ask, texts(position, fitting))
    return Rejected(due, typed.span, texts(position, legal[:MAX_NEAR]), chat=not typed.verb)


def _meant(
    position: Position, seat: int, at: int, kind: int, legal: list[Action], span: tuple[int, int]
) -> ParseResult:
    """Return the only answer with a square, the two kinds to choose from, or why there is none."""
    fitting = [a for a in legal if a.a == at and kind in (0, a.b)]
    if len(fitting) == 1:
        return Done(fitting[0])
    if fitting:
        ask = msg("dominion.ask.kind", piece=piece_name(kind_of(position.board[at])), square=NAMES[at])
        return Partial(ask, texts(position, fitting))
    why = judge.refuse(position, seat, answer_action(position, at, kind, request_of(position)))
    return Rejected(why or msg(f"dominion.refuse.due.{position.phase}"), span, _nearest(position, legal, at))


def answer_by_orders(
    position: Position, seat: int, orders: Sequence[StandingOrder], legal: list[Action]
) -> ParseResult:
    """Return the first standing order that is legal now; if none is, why the first of its sort isn't."""
    request = request_of(position)
    mine = [order for order in orders if order.request == request]
    answers = [
        _meant(position, seat, INDEX[each.square], each.kind, legal, (each.start, each.end)) for each in mine
    ]
    for said in answers:
        if not isinstance(said, Rejected):
            return said
    return answers[0] if answers else Partial(msg(f"dominion.ask.{position.phase}"), texts(position, legal))


def _nearest(position: Position, legal: list[Action], at: int) -> tuple[str, ...]:
    """Return the typed answers whose squares are nearest to one."""
    return texts(position, sorted(legal, key=lambda a: distance(a.a, at))[:MAX_NEAR])
