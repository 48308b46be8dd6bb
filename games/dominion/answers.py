"""Answers to Fate as people type them: `promote f3`, `f3=W`, `-h3`, `@g5`, or by standing orders."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from games.dominion import fate, judge
from games.dominion.actions import PEASANTS, Action, change_rank
from games.dominion.board import INDEX, NAMES, distance
from games.dominion.moves import piece_name
from games.dominion.position import PEASANT, PRINCE, Position, kind_of, owner
from games.dominion.reading import KINDS, DominionReading, Request
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


def question(position: Position, legal: list[Action]) -> Msg:
    """Return what the seat has to decide now, with one of its legal actions as an example."""
    example = next((action for action in legal if action.kind != "stay"), legal[0])
    return msg(f"dominion.ask.{position.phase}", example=write(position, example))


class Attempt(NamedTuple):
    """What a seat typed, and where: the parsed text, and the actions that are legal now."""

    position: Position
    seat: int
    typed: DominionReading
    legal: list[Action]

    def texts(self, actions: Iterable[Action]) -> tuple[str, ...]:
        """Return actions as a person would type them."""
        return tuple(write(self.position, action) for action in actions)

    def kind_at(self, at: int) -> int:
        """Return the kind of piece on a square."""
        return kind_of(self.position.board[at])

    def refuse_misnamed(self, at: int, near: tuple[str, ...]) -> Rejected | None:
        """Return the refusal if the seat's piece on a square isn't the one named before it, else None."""
        for part in self.typed.kinds(behind=False):
            if owner(self.position.board[at]) == self.seat and self.kind_at(at) != KINDS[part.text]:
                named, there = piece_name(KINDS[part.text]), piece_name(self.kind_at(at))
                why = msg("dominion.refuse.word", said=named, there=there, square=NAMES[at])
                return Rejected(why, (part.start, part.end), near)
        return None


def request_of(position: Position) -> Request:
    """Return what Fate asks for; call it only in the phases of `fate.CHOICE_PHASES`."""
    if position.phase == "peasant":
        return "peasant"
    return "promote" if position.phase.startswith("promote") else "demote"


def answer(attempt: Attempt) -> ParseResult:
    """Match a text with the legal answers to Fate."""
    position, _, typed, legal = attempt
    due = msg(f"dominion.refuse.due.{position.phase}")
    request = request_of(position)
    if len(typed.spaces) > 1 or any(part.kind in "hm" for part in typed.parts):
        return Rejected(due, typed.span, attempt.texts(legal[:MAX_NEAR]), chat=not typed.spaces)
    if not typed.spaces:
        return _menu(attempt, due)
    (space,) = typed.spaces
    at = INDEX[space.text]
    before, behind = typed.kinds(behind=False), typed.kinds(behind=True)
    peasants = {KINDS[part.text] for part in (*before, *behind)} <= {PEASANT}
    misfit = (
        len(typed.verbs) > 1 or len(before) > 1 or len(behind) > 1 or (request == "peasant" and not peasants)
    )
    if typed.verb not in ("", request) or misfit:
        return Rejected(due, typed.span, _nearest(attempt, at))
    if request != "peasant" and (wrong := attempt.refuse_misnamed(at, _nearest(attempt, at))) is not None:
        return wrong
    return _meant(attempt, at, KINDS[behind[0].text] if behind else 0, (space.start, space.end))


def _menu(attempt: Attempt, due: Msg) -> ParseResult:
    """Ask for one of the answers, or of those with the named kind, when the text has no square."""
    position, _, typed, legal = attempt
    ask = question(position, legal)
    request = request_of(position)
    if typed.verb not in ("", request):
        return Rejected(due, typed.span, attempt.texts(legal[:MAX_NEAR]))
    named = {KINDS[part.text] for part in typed.parts if part.kind == "k"}
    if not named or request == "peasant":
        return Partial(ask, attempt.texts(legal))
    fitting = [a for a in legal if named & {attempt.kind_at(a.a), a.b}]
    if fitting and len(named) == 1:
        return Partial(ask, attempt.texts(fitting))
    return Rejected(due, typed.span, attempt.texts(legal[:MAX_NEAR]), chat=not typed.verb)


def _meant(attempt: Attempt, at: int, kind: int, span: tuple[int, int]) -> ParseResult:
    """Return the only answer with a square, the two kinds to choose from, or why there is none."""
    position, seat, _, legal = attempt
    fitting = [a for a in legal if a.a == at and kind in (0, a.b)]
    if len(fitting) == 1:
        return Done(fitting[0])
    if fitting:
        ask = msg("dominion.ask.kind", piece=piece_name(attempt.kind_at(at)), square=NAMES[at])
        return Partial(ask, attempt.texts(fitting))
    request = request_of(position)
    wanted = PEASANTS[at] if request == "peasant" else change_rank(request, at, kind or PRINCE)
    why = judge.refuse(position, seat, wanted) or msg(f"dominion.refuse.due.{position.phase}")
    return Rejected(why, span, _nearest(attempt, at))


def answer_by_orders(attempt: Attempt) -> ParseResult:
    """Return the first standing order that is legal now; if none is, why the first of its sort isn't."""
    request = request_of(attempt.position)
    answers = [
        _meant(attempt, INDEX[each.square], each.kind, (each.start, each.end))
        for each in attempt.typed.orders
        if each.request == request
    ]
    ask = Partial(question(attempt.position, attempt.legal), attempt.texts(attempt.legal))
    return next((result for result in answers if not isinstance(result, Rejected)), (*answers, ask)[0])


def _nearest(attempt: Attempt, at: int) -> tuple[str, ...]:
    """Return the typed answers whose squares are nearest to one."""
    return attempt.texts(sorted(attempt.legal, key=lambda a: distance(a.a, at))[:MAX_NEAR])
