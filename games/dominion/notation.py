"""Actions as people type them: `e3-e4`, `gen f2-f6`, `sol e4`, `sgt f3 h3`, `promote f3=W`, `peasant g5`.

`reading` parses a text; this module matches it with the legal actions, and `answers` does so for answers to
Fate. The judge alone decides legality.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.dominion import fate, judge
from games.dominion.actions import MOVES, PASS, STAY, Action, decode, sergeants
from games.dominion.answers import answer, apart, misnamed, standing, texts
from games.dominion.board import INDEX, NAMES
from games.dominion.moves import piece_name
from games.dominion.offers import default
from games.dominion.position import SERGEANT, SOLDIER, Position, View, kind_of, owner, piece
from games.dominion.reading import KINDS, DominionReading, StandingOrder, read
from games.engine.game import CHANCE, Done, Partial, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import too_long
from games.engine.script import Script
from games.engine.space_notation import Part, mentioned_spaces

Found = Done[Action] | Partial | Rejected
CHOICES = frozenset(fate.CHOICES.values())
"""The phases in which Fate waits for an answer."""


def parse(view: View, seat: int, text: str) -> Found:
    """Read a text as an action of the seat. Never raises; `Done` only for what is legal now."""
    place = view.position
    if seat == CHANCE:
        return _chance(place, text)
    found = None if too_long(text) else read(text)
    if (why := judge.not_now(place, seat)) is not None:
        return Rejected(why, (0, len(text)), chat=found is None or not found.complete)
    legal = judge.legal(place, seat)
    if found is None:
        return _conversation(place, legal, text)
    if found.wrong is not None:
        return Rejected(msg("dominion.refuse.order"), found.wrong)
    if found.orders:
        return _ordered(place, seat, found, legal, text)
    return _plain(place, seat, found, legal)


def _plain(place: Position, seat: int, found: DominionReading, legal: list[Action]) -> Found:
    """Match a text without standing orders."""
    if not found.parts:
        return Partial(instructions(place, legal), texts(place, legal))
    stray = [part for part in found.spaces if part.text not in INDEX]
    if stray:
        why = msg("dominion.refuse.square", square=stray[0].text)
        chat = len(stray) == len(found.spaces)
        return Rejected(why, (stray[0].start, stray[0].end), _close(place, legal, found), chat)
    if found.verb == "auto":
        silent = default(place, seat)
        if silent is not None:
            return Done(silent)
        return Rejected(msg("dominion.refuse.auto"), found.span, texts(place, legal[:4]))
    if found.verb in ("pass", "stay"):
        action = PASS if found.verb == "pass" else STAY
        return _judged(place, seat, action, found, legal)
    if place.phase in CHOICES:
        return answer(place, seat, found, legal)
    if place.phase == "sergeants":
        return _pair(place, seat, found, legal)
    return _move(place, seat, found, legal)


def _ordered(place: Position, seat: int, found: DominionReading, legal: list[Action], text: str) -> Found:
    """Match standing orders, behind a move, or alone when Fate asks; they are never read as a move."""
    for order in found.orders:
        if order.square not in INDEX:
            return Rejected(msg("dominion.refuse.square", square=order.square), (order.start, order.end))
    if place.phase in CHOICES and not found.parts:
        return standing(place, seat, found.orders, legal)
    if place.phase not in ("move", "heir") or not found.parts:
        return _untimely(place, found.orders, legal)
    said = _plain(place, seat, found, legal)
    if isinstance(said, Done):
        return Done(said.action, Script(text, found.orders))
    if isinstance(said, Partial):
        return Rejected(msg("dominion.refuse.order_half"), found.span, said.choices[:4])
    return said


def _untimely(place: Position, orders: Sequence[StandingOrder], legal: list[Action]) -> Rejected:
    """Refuse standing orders while Fate asks nothing."""
    key = "alone" if place.phase == "move" else "late"
    span = (orders[0].start, orders[-1].end)
    return Rejected(msg(f"dominion.refuse.order_{key}"), span, texts(place, legal[:4]))


def resume(view: View, seat: int, script: Script) -> Found:
    """Answer Fate by the standing orders that were given with the move. Never raises."""
    place = view.position
    if (why := judge.not_now(place, seat)) is not None:
        return Rejected(why, (script.orders[0].start, len(script.text)))
    legal = judge.legal(place, seat)
    if place.phase in CHOICES:
        return standing(place, seat, script.orders, legal)
    return _untimely(place, script.orders, legal)


def _chance(place: Position, text: str) -> Found:
    try:
        action = decode(text.strip())
    except ValueError:
        action = None
    if action is None or judge.refuse(place, CHANCE, action) is not None:
        return Rejected(msg("dominion.refuse.chance"), (0, len(text)), chat=True)
    return Done(action)


def _conversation(place: Position, legal: list[Action], text: str) -> Rejected:
    """Refuse a text that isn't an action; suggest legal actions with the squares that it names."""
    named = [] if too_long(text) else [at for at in mentioned_spaces(text) if at in INDEX]
    near: list[Action] = []
    if len(named) > 1:
        near = [a for a in legal if a == MOVES[INDEX[named[0]]][INDEX[named[1]]]]
    if named and not near:
        near = [a for a in legal if a.kind not in ("pass", "stay") and a.a == INDEX[named[0]]]
    return Rejected(msg("dominion.refuse.unreadable"), (0, len(text)), texts(place, near[:4]), chat=True)


def instructions(place: Position, legal: list[Action]) -> Msg:
    """Return the sentence that says what is to be done now."""
    return msg("dominion.ask.pass") if legal == [PASS] else msg(f"dominion.ask.{place.phase}")


# --- moves -----------------------------------------------------------------------------------------------


def _move(place: Position, seat: int, found: DominionReading, legal: list[Action]) -> Found:
    shape, named = found.shape, found.kinds(behind=False)
    kind = KINDS[named[0].text] if named else 0
    if found.verb:
        return Rejected(msg(f"dominion.refuse.due.{place.phase}"), found.span, chat="s" not in shape)
    if shape in ("ss", "kss"):
        return _whole(place, seat, found, legal)
    if shape == "ks":
        return _goal(place, seat, found, legal, kind)
    if shape in ("s", "sh", "sk", "ksh", "ksk"):
        return _from(place, seat, found, legal)
    if shape in ("k", "m"):
        fitting = [a for a in legal if shape == "m" or _kind(place, a) == kind]
        if fitting:
            return Partial(msg("dominion.ask.which"), texts(place, fitting))
        return _none_of(place, seat, kind, found, legal)
    return Rejected(msg("dominion.refuse.single"), found.span, chat=shape.count("s") < 2)


def _kind(place: Position, action: Action) -> int:
    """Return the kind of piece that an action moves, 0 for none."""
    return kind_of(place.board[action.a]) if action.kind == "move" else 0


def _whole(place: Position, seat: int, found: DominionReading, legal: list[Action]) -> Found:
    """Match two squares; a piece named before them must be the one on the first."""
    first, last = found.spaces
    src, dst = INDEX[first.text], INDEX[last.text]
    if src == dst:
        return Rejected(
            msg("dominion.refuse.same", square=first.text), (last.start, last.end), _near(place, legal, src)
        )
    if (wrong := misnamed(place, seat, found, src, _near(place, legal, src, dst))) is not None:
        return wrong
    return _judged(place, seat, MOVES[src][dst], found, legal)


def _goal(place: Position, seat: int, found: DominionReading, legal: list[Action], kind: int) -> Found:
    """Match a kind of piece and a square, which is its target or its own."""
    (space,) = found.spaces
    goal = INDEX[space.text]
    if place.board[goal] == piece(seat, kind):
        return _from(place, seat, found, legal)
    fitting = [a for a in legal if _kind(place, a) == kind and a.b == goal]
    if len(fitting) == 1:
        return Done(fitting[0])
    if fitting:
        return Partial(msg("dominion.ask.which"), texts(place, fitting))
    own = [at for at, code in enumerate(place.board) if code == piece(seat, kind)]
    if len(own) == 1:
        return _judged(place, seat, MOVES[own[0]][goal], found, legal)
    if not own:
        return _none_of(place, seat, kind, found, legal)
    near = sorted((a for a in legal if _kind(place, a) == kind), key=lambda a: apart(a.b, goal))
    why = msg("dominion.refuse.none_reaches", piece=piece_name(kind), square=space.text)
    return Rejected(why, (space.start, space.end), texts(place, near[:4]))


def _none_of(place: Position, seat: int, kind: int, found: DominionReading, legal: list[Action]) -> Rejected:
    """Refuse a kind of piece that the seat doesn't have or that can't move."""
    key = "no_move" if piece(seat, kind) in place.board else "no_such"
    why = msg(f"dominion.refuse.{key}", piece=piece_name(kind))
    return Rejected(why, found.span, _close(place, legal, found))


def _from(place: Position, seat: int, found: DominionReading, legal: list[Action]) -> Found:
    """Match one square, or one and part of another: list the moves from it, else those to it."""
    space, last = found.spaces[0], found.parts[-1]
    at = INDEX[space.text]
    if (wrong := misnamed(place, seat, found, at, _near(place, legal, at))) is not None:
        return wrong
    begun = last.text if last.start > space.start and last.kind in "hk" else ""
    moves = [a for a in legal if a.kind == "move"]
    away = [a for a in moves if a.a == at and (NAMES[a.b].startswith(begun) or NAMES[a.b][1:] == begun)]
    if away:
        kind = piece_name(kind_of(place.board[at]))
        return Partial(msg("dominion.ask.from", piece=kind, square=space.text), texts(place, away))
    hither = [] if begun else [a for a in moves if a.b == at]
    if hither:
        return Partial(msg("dominion.ask.to", square=space.text), texts(place, hither))
    span, near = (space.start, space.end), _near(place, legal, at)
    if owner(place.board[at]) != seat:
        why = judge.refuse(place, seat, MOVES[at][(at + 1) % len(NAMES)])
        return Rejected(why or msg("dominion.refuse.single"), span, near)
    kind = piece_name(kind_of(place.board[at]))
    return Rejected(msg("dominion.refuse.nowhere", piece=kind, square=space.text), span, near)


def _judged(place: Position, seat: int, action: Action, found: DominionReading, legal: list[Action]) -> Found:
    why = judge.refuse(place, seat, action)
    if why is None:
        return Done(action)
    if action.kind != "move":
        return Rejected(why, found.span, texts(place, legal[:4]))
    first, last = (found.spaces * 2)[:2] if found.spaces else (found.parts[0], found.parts[-1])
    blamed: Part = last if why.key in ("dominion.refuse.move", "dominion.refuse.stuck") else first
    return Rejected(why, (blamed.start, blamed.end), _near(place, legal, action.a, action.b))


def _near(place: Position, legal: Sequence[Action], src: int, dst: int | None = None) -> tuple[str, ...]:
    """Return moves of the piece on `src`, those nearest to `dst` first; else moves to `dst`."""
    moves = [a for a in legal if a.kind == "move"]
    goal = src if dst is None else dst
    away = sorted((a for a in moves if a.a == src), key=lambda a: apart(a.b, goal))
    if away:
        return texts(place, away[:8])
    found = [a for a in moves if a.b == goal] or moves
    return texts(place, sorted(found, key=lambda a: (apart(a.a, src), apart(a.b, goal)))[:4])


def _close(place: Position, legal: Sequence[Action], found: DominionReading) -> tuple[str, ...]:
    """Return legal actions with a square that the text names, else the first ones."""
    named = {INDEX[part.text] for part in found.spaces if part.text in INDEX}
    some = [a for a in legal if named & {a.a, a.b} and a.kind in ("move", "sergeants")]
    return texts(place, (some or legal)[:4])


# --- Sergeants -------------------------------------------------------------------------------------------


def _pair(place: Position, seat: int, found: DominionReading, legal: list[Action]) -> Found:
    """Match two Soldiers to be Sergeants; ask for the second if there is only one."""
    named = found.spaces
    kinds = {KINDS[part.text] for part in found.parts if part.kind == "k"}
    half = any(part.kind == "h" for part in found.parts)
    if half or kinds - {SERGEANT, SOLDIER} or found.verb not in ("", "promote"):
        chat = half or not (named or found.verb)
        return Rejected(msg("dominion.refuse.due.sergeants"), found.span, texts(place, legal[:4]), chat)
    if not named:
        return Partial(msg("dominion.ask.sergeants"), texts(place, legal))
    if len(named) > 2:
        return Rejected(msg("dominion.refuse.two"), found.span, texts(place, legal[:4]))
    for part in named:
        if place.board[INDEX[part.text]] != piece(seat, SOLDIER):
            why = msg("dominion.refuse.sergeants", square=part.text)
            return Rejected(why, (part.start, part.end), _close(place, legal, found))
    a, b = INDEX[named[0].text], INDEX[named[-1].text]
    if a != b:
        return Done(sergeants(a, b))
    others = texts(place, (pair for pair in legal if a in (pair.a, pair.b)))
    if len(named) == 1:
        return Partial(msg("dominion.ask.other", square=named[0].text), others)
    last = named[-1]
    return Rejected(msg("dominion.refuse.twice", square=last.text), (last.start, last.end), others[:4])
