"""Actions as people type them: `e3-e4`, `gen f2-f6`, `sol e4`, `sgt f3 h3`, `promote f3=W`, `peasant g5`.

`reading` parses a text; this module matches it with the legal actions, and `answers` does so for answers to
Fate. The judge alone decides legality.
"""

from __future__ import annotations

from dataclasses import replace

from games.dominion import fate, judge
from games.dominion.actions import MOVES, PASS, STAY, Action, decode, sergeants
from games.dominion.answers import Attempt, ParseResult, answer, answer_by_orders, question, write
from games.dominion.board import INDEX, NAMES, distance
from games.dominion.moves import piece_name
from games.dominion.player_aids import default
from games.dominion.position import SERGEANT, SOLDIER, Position, View, owner, piece
from games.dominion.reading import KINDS, DominionReading, read
from games.engine.game import CHANCE, Done, Partial, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import too_long
from games.engine.space_notation import mentioned_spaces
from games.engine.values import Script


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
        return _conversation(Attempt(position, seat, DominionReading(()), legal), text)
    if typed.wrong is not None:
        return Rejected(msg("dominion.refuse.order"), typed.wrong)
    attempt = Attempt(position, seat, typed, legal)
    found = _with_orders(attempt, text) if typed.orders else _without_orders(attempt)
    return replace(found, spans=typed.covered) if isinstance(found, Done) else found


def _without_orders(attempt: Attempt) -> ParseResult:
    """Match a text without standing orders."""
    position, seat, typed, legal = attempt
    if not typed.parts:
        return Partial(instructions(position, legal), attempt.texts(legal))
    stray = [part for part in typed.spaces if part.text not in INDEX]
    if stray:
        why = msg("dominion.refuse.square", square=stray[0].text)
        chat = len(stray) == len(typed.spaces)
        return Rejected(why, (stray[0].start, stray[0].end), _mentioning(attempt), chat)
    if typed.verb == "auto":
        silent = default(position, seat)
        if silent is not None:
            return Done(silent)
        return Rejected(msg("dominion.refuse.auto"), typed.span, attempt.texts(legal[:4]))
    if typed.verb in ("pass", "stay"):
        return _judged(attempt, PASS if typed.verb == "pass" else STAY)
    if position.phase in fate.CHOICE_PHASES:
        return answer(attempt)
    return _pair(attempt) if position.phase == "sergeants" else _move(attempt)


def _with_orders(attempt: Attempt, text: str) -> ParseResult:
    """Match standing orders, behind a move, or alone when Fate asks; they are never read as a move."""
    phase, typed = attempt.position.phase, attempt.typed
    for order in typed.orders:
        if order.square not in INDEX:
            return Rejected(msg("dominion.refuse.square", square=order.square), (order.start, order.end))
    if phase in fate.CHOICE_PHASES and not typed.parts:
        return answer_by_orders(attempt)
    if phase not in ("move", "heir") or not typed.parts:
        return _untimely(attempt)
    result = _without_orders(attempt)
    if isinstance(result, Done):
        return Done(result.action, Script(text, typed.orders, None))  # they are there in case Fate asks
    if isinstance(result, Partial):
        return Rejected(msg("dominion.refuse.order_half"), typed.span, result.choices[:4])
    return result


def _untimely(attempt: Attempt) -> Rejected:
    """Refuse standing orders while Fate asks nothing."""
    key, orders = "alone" if attempt.position.phase == "move" else "late", attempt.typed.orders
    span = (orders[0].start, orders[-1].end)
    return Rejected(msg(f"dominion.refuse.order_{key}"), span, attempt.texts(attempt.legal[:4]))


def resume(view: View, seat: int, script: Script) -> ParseResult:
    """Answer Fate by the standing orders that were given with the move. Never raises."""
    position = view.position
    if (why := judge.not_now(position, seat)) is not None:
        return Rejected(why, (script.orders[0].start, len(script.text)))
    attempt = Attempt(position, seat, DominionReading((), script.orders), judge.legal(position, seat))
    if position.phase not in fate.CHOICE_PHASES:
        return _untimely(attempt)
    found = answer_by_orders(attempt)
    return replace(found, start=script.start) if isinstance(found, Partial) else found


def _chance(position: Position, text: str) -> ParseResult:
    try:
        action = decode(text.strip())
    except ValueError:
        action = None
    if action is None or judge.refuse(position, CHANCE, action) is not None:
        return Rejected(msg("dominion.refuse.chance"), (0, len(text)), chat=True)
    return Done(action)


def _conversation(attempt: Attempt, text: str) -> Rejected:
    """Refuse a text that isn't an action; suggest legal actions with the squares that it names."""
    named = [] if too_long(text) else [INDEX[at] for at in mentioned_spaces(text) if at in INDEX]
    near: list[Action] = []
    if len(named) > 1:
        near = [a for a in attempt.legal if a == MOVES[named[0]][named[1]]]
    if named and not near:
        near = [a for a in attempt.legal if a.kind not in ("pass", "stay") and a.a == named[0]]
    why = msg("dominion.refuse.unreadable", example=attempt.texts(attempt.legal[:1])[0])
    return Rejected(why, (0, len(text)), attempt.texts(near[:4]), chat=True)


def instructions(position: Position, legal: list[Action]) -> Msg:
    """Return the question that the seat has to answer."""
    return msg("dominion.ask.pass") if legal == [PASS] else question(position, legal)


# --- moves -----------------------------------------------------------------------------------------------


def _move(attempt: Attempt) -> ParseResult:
    position, _, typed, legal = attempt
    shape, named = typed.shape, typed.kinds(behind=False)
    kind = KINDS[named[0].text] if named else 0
    if typed.verb:
        return Rejected(msg(f"dominion.refuse.due.{position.phase}"), typed.span, chat="s" not in shape)
    if shape in ("ss", "kss"):
        return _full_move(attempt)
    if shape == "ks":
        return _to_square(attempt, kind)
    if shape in ("s", "sh", "sk", "ksh", "ksk"):
        return _from(attempt)
    if shape in ("k", "m"):
        fitting = [a for a in legal if shape == "m" or _moves_kind(attempt, a, kind)]
        if fitting:
            return Partial(msg("dominion.ask.which"), attempt.texts(fitting))
        return _none_of(attempt, kind)
    return Rejected(msg("dominion.refuse.single"), typed.span, chat=shape.count("s") < 2)


def _moves_kind(attempt: Attempt, action: Action, kind: int) -> bool:
    return action.kind == "move" and attempt.kind_at(action.a) == kind


def _full_move(attempt: Attempt) -> ParseResult:
    """Match two squares; a piece named before them must be the one on the first."""
    first, last = attempt.typed.spaces
    src, dst = INDEX[first.text], INDEX[last.text]
    if src == dst:
        why = msg("dominion.refuse.same", square=first.text)
        return Rejected(why, (last.start, last.end), _near(attempt, src))
    if (wrong := attempt.refuse_misnamed(src, _near(attempt, src, dst))) is not None:
        return wrong
    return _judged(attempt, MOVES[src][dst])


def _to_square(attempt: Attempt, kind: int) -> ParseResult:
    """Match a kind of piece and a square, which is its target or its own."""
    (space,) = attempt.typed.spaces
    goal, code = INDEX[space.text], piece(attempt.seat, kind)
    if attempt.position.board[goal] == code:
        return _from(attempt)
    of_kind = [a for a in attempt.legal if _moves_kind(attempt, a, kind)]
    fitting = [a for a in of_kind if a.b == goal]
    if len(fitting) == 1:
        return Done(fitting[0])
    if fitting:
        return Partial(msg("dominion.ask.which"), attempt.texts(fitting))
    own = [at for at, there in enumerate(attempt.position.board) if there == code]
    if len(own) == 1:
        return _judged(attempt, MOVES[own[0]][goal])
    if not own:
        return _none_of(attempt, kind)
    near = sorted(of_kind, key=lambda a: distance(a.b, goal))[:4]
    why = msg("dominion.refuse.none_reaches", piece=piece_name(kind), square=space.text)
    return Rejected(why, (space.start, space.end), attempt.texts(near))


def _none_of(attempt: Attempt, kind: int) -> Rejected:
    """Refuse a kind of piece that the seat doesn't have or that can't move."""
    key = "no_move" if piece(attempt.seat, kind) in attempt.position.board else "no_such"
    why = msg(f"dominion.refuse.{key}", piece=piece_name(kind))
    return Rejected(why, attempt.typed.span, _mentioning(attempt))


def _from(attempt: Attempt) -> ParseResult:
    """Match one square, or one and part of another: list the moves from it, else those to it."""
    position, seat, typed, legal = attempt
    space, last = typed.spaces[0], typed.parts[-1]
    at = INDEX[space.text]
    near = _near(attempt, at)
    if (wrong := attempt.refuse_misnamed(at, near)) is not None:
        return wrong
    begun = last.text if last.start > space.start and last.kind in "hk" else ""
    moves = [a for a in legal if a.kind == "move"]
    away = [a for a in moves if a.a == at and (NAMES[a.b].startswith(begun) or NAMES[a.b][1:] == begun)]
    if away:
        ask = msg("dominion.ask.from", piece=piece_name(attempt.kind_at(at)), square=space.text)
        return Partial(ask, attempt.texts(away))
    hither = [] if begun else [a for a in moves if a.b == at]
    if hither:
        return Partial(msg("dominion.ask.to", square=space.text), attempt.texts(hither))
    if owner(position.board[at]) != seat:
        why = judge.refuse(position, seat, MOVES[at][(at + 1) % len(NAMES)])
    else:
        why = msg("dominion.refuse.nowhere", piece=piece_name(attempt.kind_at(at)), square=space.text)
    return Rejected(why or msg("dominion.refuse.single"), (space.start, space.end), near)


def _judged(attempt: Attempt, action: Action) -> ParseResult:
    position, seat, typed, legal = attempt
    why = judge.refuse(position, seat, action)
    if why is None:
        return Done(action)
    if action.kind != "move":
        return Rejected(why, typed.span, attempt.texts(legal[:4]))
    first, last = (typed.spaces * 2)[:2] if typed.spaces else (typed.parts[0], typed.parts[-1])
    blamed = last if why.key in ("dominion.refuse.move", "dominion.refuse.stuck") else first
    return Rejected(why, (blamed.start, blamed.end), _near(attempt, action.a, action.b))


def _near(attempt: Attempt, src: int, dst: int | None = None) -> tuple[str, ...]:
    """Return moves of the piece on `src`, those nearest to `dst` first; else moves to `dst`."""
    moves = [a for a in attempt.legal if a.kind == "move"]
    goal = src if dst is None else dst
    away = sorted((a for a in moves if a.a == src), key=lambda a: distance(a.b, goal))
    if away:
        return attempt.texts(away[:8])
    near = [a for a in moves if a.b == goal] or moves
    return attempt.texts(sorted(near, key=lambda a: (distance(a.a, src), distance(a.b, goal)))[:4])


def _mentioning(attempt: Attempt) -> tuple[str, ...]:
    """Return legal actions with a square that the text names, else the first ones."""
    named = {INDEX[part.text] for part in attempt.typed.spaces if part.text in INDEX}
    some = [a for a in attempt.legal if named & {a.a, a.b} and a.kind in ("move", "sergeants")]
    return attempt.texts((some or attempt.legal)[:4])


# --- Sergeants -------------------------------------------------------------------------------------------


def _pair(attempt: Attempt) -> ParseResult:
    """Match two Soldiers to be Sergeants; ask for the second if there is only one."""
    position, seat, typed, legal = attempt
    named = typed.spaces
    kinds = {KINDS[part.text] for part in typed.parts if part.kind == "k"}
    half = any(part.kind == "h" for part in typed.parts)
    moved = any(part.kind == "m" for part in typed.parts)
    if half or moved or kinds - {SERGEANT, SOLDIER} or typed.verb not in ("", "promote"):
        chat = half or not (named or typed.verb)
        return Rejected(msg("dominion.refuse.due.sergeants"), typed.span, attempt.texts(legal[:4]), chat)
    if not named:
        return Partial(question(position, legal), attempt.texts(legal))
    if len(named) > 2:
        return Rejected(
            msg("dominion.refuse.two", example=write(position, legal[0])),
            typed.span,
            attempt.texts(legal[:4]),
        )
    for part in named:
        if position.board[INDEX[part.text]] != piece(seat, SOLDIER):
            why = msg("dominion.refuse.sergeants", square=part.text)
            return Rejected(why, (part.start, part.end), _mentioning(attempt))
    a, b = INDEX[named[0].text], INDEX[named[-1].text]
    if a != b:
        return Done(sergeants(a, b))
    others = attempt.texts(pair for pair in legal if a in (pair.a, pair.b))
    if len(named) == 1:
        return Partial(msg("dominion.ask.other", square=named[0].text), others)
    last = named[-1]
    return Rejected(msg("dominion.refuse.twice", square=last.text), (last.start, last.end), others[:4])
