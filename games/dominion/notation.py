"""Actions as people type them: `e3-e4`, `gen f2-f6`, `sol e4`, `sgt f3 h3`, `promote f3=W`, `peasant g5`.

`reading` parses a text; this module matches it with the legal actions, and `answers` does so for answers to
Fate. The judge alone decides legality.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.dominion import fate, judge
from games.dominion.actions import MOVES, PASS, STAY, Action, decode, sergeants
from games.dominion.answers import answer, answer_by_orders, refuse_misnamed, texts
from games.dominion.board import INDEX, NAMES, distance
from games.dominion.moves import piece_name
from games.dominion.player_aids import default
from games.dominion.position import SERGEANT, SOLDIER, Position, View, kind_of, owner, piece
from games.dominion.reading import KINDS, DominionReading, StandingOrder, read
from games.engine.game import CHANCE, Done, Partial, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import too_long
from games.engine.script import Script
from games.engine.space_notation import Part, mentioned_spaces

ParseResult = Done[Action] | Partial | Rejected


def parse(view: View, seat: int, text: str) -> ParseResult:
    """Read a text as an action of the seat. Never raises; `Done` only for what is legal now."""
    position = view.position
    if seat == CHANCE:
        return _chance(position, text)
    typed = None if too_long(text) else read(text)
    if (why := judge.not_now(position, seat)) is not None:
        return Rejected(why, (0, len(text)), chat=typed is None or not typed.complete)
    legal = judge.legal(position, seat)
    if typed is None:
        return _conversation(position, legal, text)
    if typed.wrong is not None:
        return Rejected(msg("dominion.refuse.order"), typed.wrong)
    if typed.orders:
        return _with_orders(position, seat, typed, legal, text)
    return _without_orders(position, seat, typed, legal)


def _without_orders(
    position: Position, seat: int, typed: DominionReading, legal: list[Action]
) -> ParseResult:
    """Match a text without standing orders."""
    if not typed.parts:
        return Partial(instructions(position, legal), texts(position, legal))
    stray = [part for part in typed.spaces if part.text not in INDEX]
    if stray:
        why = msg("dominion.refuse.square", square=stray[0].text)
        chat = len(stray) == len(typed.spaces)
        return Rejected(why, (stray[0].start, stray[0].end), _mentioning(position, legal, typed), chat)
    if typed.verb == "auto":
        silent = default(position, seat)
        if silent is not None:
            return Done(silent)
        return Rejected(msg("dominion.refuse.auto"), typed.span, texts(position, legal[:4]))
    if typed.verb in ("pass", "stay"):
        action = PASS if typed.verb == "pass" else STAY
        return _judged(position, seat, action, typed, legal)
    if position.phase in fate.CHOICE_PHASES:
        return answer(position, seat, typed, legal)
    if position.phase == "sergeants":
        return _pair(position, seat, typed, legal)
    return _move(position, seat, typed, legal)


def _with_orders(
    position: Position, seat: int, typed: DominionReading, legal: list[Action], text: str
) -> ParseResult:
    """Match standing orders, behind a move, or alone when Fate asks; they are never read as a move."""
    for order in typed.orders:
        if order.square not in INDEX:
            return Rejected(msg("dominion.refuse.square", square=order.square), (order.start, order.end))
    if position.phase in fate.CHOICE_PHASES and not typed.parts:
        return answer_by_orders(position, seat, typed.orders, legal)
    if position.phase not in ("move", "heir") or not typed.parts:
        return _untimely(position, typed.orders, legal)
    said = _without_orders(position, seat, typed, legal)
    if isinstance(said, Done):
        return Done(said.action, Script(text, typed.orders))
    if isinstance(said, Partial):
        return Rejected(msg("dominion.refuse.order_half"), typed.span, said.choices[:4])
    return said


def _untimely(position: Position, orders: Sequence[StandingOrder], legal: list[Action]) -> Rejected:
    """Refuse standing orders while Fate asks nothing."""
    key = "alone" if position.phase == "move" else "late"
    span = (orders[0].start, orders[-1].end)
    return Rejected(msg(f"dominion.refuse.order_{key}"), span, texts(position, legal[:4]))


def resume(view: View, seat: int, script: Script) -> ParseResult:
    """Answer Fate by the standing orders that were given with the move. Never raises."""
    position = view.position
    if (why := judge.not_now(position, seat)) is not None:
        return Rejected(why, (script.orders[0].start, len(script.text)))
    legal = judge.legal(position, seat)
    if position.phase in fate.CHOICE_PHASES:
        return answer_by_orders(position, seat, script.orders, legal)
    return _untimely(position, script.orders, legal)


def _chance(position: Position, text: str) -> ParseResult:
    try:
        action = decode(text.strip())
    except ValueError:
        action = None
    if action is None or judge.refuse(position, CHANCE, action) is not None:
        return Rejected(msg("dominion.refuse.chance"), (0, len(text)), chat=True)
    return Done(action)


def _conversation(position: Position, legal: list[Action], text: str) -> Rejected:
    """Refuse a text that isn't an action; suggest legal actions with the squares that it names."""
    named = [] if too_long(text) else [at for at in mentioned_spaces(text) if at in INDEX]
    near: list[Action] = []
    if len(named) > 1:
        near = [a for a in legal if a == MOVES[INDEX[named[0]]][INDEX[named[1]]]]
    if named and not near:
        near = [a for a in legal if a.kind not in ("pass", "stay") and a.a == INDEX[named[0]]]
    return Rejected(msg("dominion.refuse.unreadable"), (0, len(text)), texts(position, near[:4]), chat=True)


def instructions(position: Position, legal: list[Action]) -> Msg:
    """Return the question that the seat has to answer."""
    return msg("dominion.ask.pass") if legal == [PASS] else msg(f"dominion.ask.{position.phase}")


# --- moves -----------------------------------------------------------------------------------------------


def _move(position: Position, seat: int, typed: DominionReading, legal: list[Action]) -> ParseResult:
    shape, named = typed.shape, typed.kinds(behind=False)
    kind = KINDS[named[0].text] if named else 0
    if typed.verb:
        return Rejected(msg(f"dominion.refuse.due.{position.phase}"), typed.span, chat="s" not in shape)
    if shape in ("ss", "kss"):
        return _full_move(position, seat, typed, legal)
    if shape == "ks":
        return _to_square(position, seat, typed, legal, kind)
    if shape in ("s", "sh", "sk", "ksh", "ksk"):
        return _from(position, seat, typed, legal)
    if shape in ("k", "m"):
        fitting = [a for a in legal if shape == "m" or _kind(position, a) == kind]
        if fitting:
            return Partial(msg("dominion.ask.which"), texts(position, fitting))
        return _none_of(position, seat, kind, typed, legal)
    return Rejected(msg("dominion.refuse.single"), typed.span, chat=shape.count("s") < 2)


def _kind(position: Position, action: Action) -> int:
    """Return the kind of piece that an action moves, 0 for none."""
    return kind_of(position.board[action.a]) if action.kind == "move" else 0


def _full_move(position: Position, seat: int, typed: DominionReading, legal: list[Action]) -> ParseResult:
    """Match two squares; a piece named before them must be the one on the first."""
    first, last = typed.spaces
    src, dst = INDEX[first.text], INDEX[last.text]
    if src == dst:
        return Rejected(
            msg("dominion.refuse.same", square=first.text),
            (last.start, last.end),
            _near(position, legal, src),
        )
    if (wrong := refuse_misnamed(position, seat, typed, src, _near(position, legal, src, dst))) is not None:
        return wrong
    return _judged(position, seat, MOVES[src][dst], typed, legal)


def _to_square(
    position: Position, seat: int, typed: DominionReading, legal: list[Action], kind: int
) -> ParseResult:
    """Match a kind of piece and a square, which is its target or its own."""
    (space,) = typed.spaces
    goal = INDEX[space.text]
    if position.board[goal] == piece(seat, kind):
        return _from(position, seat, typed, legal)
    fitting = [a for a in legal if _kind(position, a) == kind and a.b == goal]
    if len(fitting) == 1:
        return Done(fitting[0])
    if fitting:
        return Partial(msg("dominion.ask.which"), texts(position, fitting))
    own = [at for at, code in enumerate(position.board) if code == piece(seat, kind)]
    if len(own) == 1:
        return _judged(position, seat, MOVES[own[0]][goal], typed, legal)
    if not own:
        return _none_of(position, seat, kind, typed, legal)
    near = sorted((a for a in legal if _kind(position, a) == kind), key=lambda a: distance(a.b, goal))
    why = msg("dominion.refuse.none_reaches", piece=piece_name(kind), square=space.text)
    return Rejected(why, (space.start, space.end), texts(position, near[:4]))


def _none_of(
    position: Position, seat: int, kind: int, typed: DominionReading, legal: list[Action]
) -> Rejected:
    """Refuse a kind of piece that the seat doesn't have or that can't move."""
    key = "no_move" if piece(seat, kind) in position.board else "no_such"
    why = msg(f"dominion.refuse.{key}", piece=piece_name(kind))
    return Rejected(why, typed.span, _mentioning(position, legal, typed))


def _from(position: Position, seat: int, typed: DominionReading, legal: list[Action]) -> ParseResult:
    """Match one square, or one and part of another: list the moves from it, else those to it."""
    space, last = typed.spaces[0], typed.parts[-1]
    at = INDEX[space.text]
    if (wrong := refuse_misnamed(position, seat, typed, at, _near(position, legal, at))) is not None:
        return wrong
    begun = last.text if last.start > space.start and last.kind in "hk" else ""
    moves = [a for a in legal if a.kind == "move"]
    away = [a for a in moves if a.a == at and (NAMES[a.b].startswith(begun) or NAMES[a.b][1:] == begun)]
    if away:
        kind = piece_name(kind_of(position.board[at]))
        return Partial(msg("dominion.ask.from", piece=kind, square=space.text), texts(position, away))
    hither = [] if begun else [a for a in moves if a.b == at]
    if hither:
        return Partial(msg("dominion.ask.to", square=space.text), texts(position, hither))
    span, near = (space.start, space.end), _near(position, legal, at)
    if owner(position.board[at]) != seat:
        why = judge.refuse(position, seat, MOVES[at][(at + 1) % len(NAMES)])
        return Rejected(why or msg("dominion.refuse.single"), span, near)
    kind = piece_name(kind_of(position.board[at]))
    return Rejected(msg("dominion.refuse.nowhere", piece=kind, square=space.text), span, near)


def _judged(
    position: Position, seat: int, action: Action, typed: DominionReading, legal: list[Action]
) -> ParseResult:
    why = judge.refuse(position, seat, action)
    if why is None:
        return Done(action)
    if action.kind != "move":
        return Rejected(why, typed.span, texts(position, legal[:4]))
    first, last = (typed.spaces * 2)[:2] if typed.spaces else (typed.parts[0], typed.parts[-1])
    blamed: Part = last if why.key in ("dominion.refuse.move", "dominion.refuse.stuck") else first
    return Rejected(why, (blamed.start, blamed.end), _near(position, legal, action.a, action.b))


def _near(position: Position, legal: Sequence[Action], src: int, dst: int | None = None) -> tuple[str, ...]:
    """Return moves of the piece on `src`, those nearest to `dst` first; else moves to `dst`."""
    moves = [a for a in legal if a.kind == "move"]
    goal = src if dst is None else dst
    away = sorted((a for a in moves if a.a == src), key=lambda a: distance(a.b, goal))
    if away:
        return texts(position, away[:8])
    near = [a for a in moves if a.b == goal] or moves
    return texts(position, sorted(near, key=lambda a: (distance(a.a, src), distance(a.b, goal)))[:4])


def _mentioning(position: Position, legal: Sequence[Action], typed: DominionReading) -> tuple[str, ...]:
    """Return legal actions with a square that the text names, else the first ones."""
    named = {INDEX[part.text] for part in typed.spaces if part.text in INDEX}
    some = [a for a in legal if named & {a.a, a.b} and a.kind in ("move", "sergeants")]
    return texts(position, (some or legal)[:4])


# --- Sergeants -------------------------------------------------------------------------------------------


def _pair(position: Position, seat: int, typed: DominionReading, legal: list[Action]) -> ParseResult:
    """Match two Soldiers to be Sergeants; ask for the second if there is only one."""
    named = typed.spaces
    kinds = {KINDS[part.text] for part in typed.parts if part.kind == "k"}
    half = any(part.kind == "h" for part in typed.parts)
    if half or kinds - {SERGEANT, SOLDIER} or typed.verb not in ("", "promote"):
        chat = half or not (named or typed.verb)
        return Rejected(msg("dominion.refuse.due.sergeants"), typed.span, texts(position, legal[:4]), chat)
    if not named:
        return Partial(msg("dominion.ask.sergeants"), texts(position, legal))
    if len(named) > 2:
        return Rejected(msg("dominion.refuse.two"), typed.span, texts(position, legal[:4]))
    for part in named:
        if position.board[INDEX[part.text]] != piece(seat, SOLDIER):
            why = msg("dominion.refuse.sergeants", square=part.text)
            return Rejected(why, (part.start, part.end), _mentioning(position, legal, typed))
    a, b = INDEX[named[0].text], INDEX[named[-1].text]
    if a != b:
        return Done(sergeants(a, b))
    others = texts(position, (pair for pair in legal if a in (pair.a, pair.b)))
    if len(named) == 1:
        return Partial(msg("dominion.ask.other", square=named[0].text), others)
    last = named[-1]
    return Rejected(msg("dominion.refuse.twice", square=last.text), (last.start, last.end), others[:4])
