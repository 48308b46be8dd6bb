"""Positions of Dominion as JSON that people can read and tests can write, with a reason for each error.

Only `pieces` is required: `{"0": ["Eg1", "Sd5"], "free": ["e5"]}`, seats by number. The defaults are those of
a match for two that waits for the first seat's move. Pending consequences are applied: straddled Peasants are
recruited as if the seat whose turn it is had moved last.
"""

from __future__ import annotations

from typing import Any, Final, cast, get_args

from games.dominion import endings, facts, fate
from games.dominion.board import INDEX, NAMES, TERRITORY_OF
from games.dominion.consequences import settle
from games.dominion.position import (
    EMPEROR,
    LETTERS,
    NOBODY,
    PEASANT,
    PRINCE,
    SOLDIER,
    TRAIL,
    Law,
    Phase,
    Position,
    State,
    controllers,
    find_piece,
    kind_of,
    owner,
    piece,
)
from games.engine.fields import (
    Fields,
    Json,
    checked,
    distinct,
    fields,
    flag,
    list_of,
    lookup,
    one_of,
    optional,
    ranks_of,
    tuple_of,
    whole,
    wrong,
)
from games.engine.game import Outcome

_COPIED: Final = ("phase", "turn", "first", "round", "quiet", "stirred", "out", "pending", "seals", "ready")
"""The fields of a position that are written as they are."""
_PARTS: Final = ("law", "pieces", *_COPIED, "chosen", "outcome", "trail")
_FREE: Final = "free"
_MAX_SEALS: Final = 999
"""More Emperors than anyone takes; a team's falls again as long as its Princes succeed."""
_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
_REASONS: Final = ("last", "points", "draw")
_SQUARE: Final = lookup(INDEX, "square")
_PAIR: Final = checked(
    tuple_of(_SQUARE, _SQUARE), lambda pair: pair[0] != pair[1], "the squares are the same"
)
_PEASANT: Final = lookup({name: (at, PEASANT) for name, at in INDEX.items()}, "square")
_PIECES: Final = {
    f"{LETTERS[kind]}{name}": (at, kind) for kind in range(EMPEROR, PEASANT + 1) for name, at in INDEX.items()
}
_PIECE: Final = lookup(_PIECES, "piece on a square")


def dump(state: State) -> Json:
    """Return the whole state but the version of the rules; the inverse of `load`."""
    position, outcome = state.position, state.position.outcome
    keys = (*map(str, range(len(position.law.sides))), _FREE)
    trail: Json = [[NAMES[at] for at in divmod(move, len(NAMES))] for move in position.trail]
    pieces: dict[str, list[Json]] = {key: [] for key in keys}
    for at, code in enumerate(position.board):
        if code:
            letter = LETTERS[kind_of(code)] if code != PEASANT else ""
            pieces[keys[owner(code)]].append(f"{letter}{NAMES[at]}")  # that of NOBODY, -1, is the last key
    return {
        "law": {key: _plain(value) for key, value in position.law._asdict().items() if key != "rules"},
        "pieces": cast("Json", pieces),
        **{key: _plain(getattr(position, key)) for key in _COPIED},
        "chosen": [None if pair is None else [NAMES[at] for at in pair] for pair in state.chosen],
        "outcome": None if outcome is None else [_plain(outcome.ranks), outcome.why.key.rpartition(".")[2]],
        **({"trail": trail} if trail else {}),
    }


def _plain(value: Any) -> Json:
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def load(data: Json, rules: int) -> State:
    """Return the state by a version of the rules. Raises ValueError with a reason if it is invalid."""
    part = Fields(data, _PARTS)
    lawful = part("law", lambda value, _: read_law(value, rules), read_law({}, rules))
    seats = len(lawful.sides)
    seat = whole(seats - 1)
    ended = part("outcome", optional(tuple_of(ranks_of(lawful.camps), one_of(_REASONS))), None)
    board = _board(part("pieces", fields((*map(str, range(seats)), _FREE))), seats)
    position = Position(
        law=lawful,
        board=board,
        control=controllers(board),
        phase=part("phase", one_of(_PHASES), "move"),
        turn=part("turn", seat, 0),
        first=part("first", seat, 0),
        round=part("round", whole(endings.max_rounds(seats) + 1), 1),
        quiet=part("quiet", whole(endings.MAX_QUIET_TURNS * seats), 0),
        stirred=part("stirred", flag, False),
        out=part("out", distinct(seat), ()),
        pending=frozenset(part("pending", distinct(seat), ())),
        seals=part("seals", list_of(whole(_MAX_SEALS), seats, seats), (0,) * seats),
        ready=part("ready", list_of(flag, seats, seats), (False,) * seats),
        outcome=None if ended is None else _outcome(*ended),
        trail=tuple(src * len(NAMES) + dst for src, dst in part("trail", list_of(_PAIR, 0, TRAIL), ())),
    )
    pairs = part("chosen", list_of(optional(_PAIR), seats, seats), (None,) * seats)
    chosen = tuple(None if pair is None else (min(pair), max(pair)) for pair in pairs)
    calm = settle(lawful, board, position.control, position.turn, board)
    return _checked(State(position._replace(board=calm.board, control=calm.control), chosen))


def _checked(state: State) -> State:
    """Return the state. Raises ValueError if it contradicts itself."""
    position = state.position
    if (position.phase == "over") != (position.outcome is not None):
        raise ValueError("outcome: expected exactly when the match is over")
    if position.phase == "over":
        return state
    if position.turn in position.out and position.phase not in ("throw", "sergeants"):
        raise ValueError("turn: that seat is out")
    if len(endings.camps_left(position)) < 2:
        raise ValueError("out: only one camp is left, so the match is over")
    for seat in range(len(position.law.sides)):
        emperor, prince = (find_piece(position.board, seat, kind) >= 0 for kind in (EMPEROR, PRINCE))
        waiting = seat in position.pending
        if waiting and (emperor or not prince or seat in position.out):
            raise ValueError(f"pending: seat {seat} isn't waiting for a succession")
        if not waiting and emperor == (seat in position.out):
            raise ValueError(f"pieces: seat {seat} must have an Emperor exactly while it plays")
    succession = position.phase in ("succession", "heir")
    if position.phase != "throw" and succession != (position.turn in position.pending):
        raise ValueError("phase: a succession is due exactly when the seat is pending")
    if position.phase in fate.CHOICE_PHASES and not fate.choices(position, position.phase, position.turn):
        raise ValueError("phase: there is no answer that Fate could ask for")
    for seat, pair in enumerate(state.chosen):
        due = position.phase == "sergeants" and position.ready[seat] and seat not in position.out
        if due != (pair is not None) or any(position.board[at] != piece(seat, SOLDIER) for at in pair or ()):
            raise ValueError("chosen: expected two Soldiers of each seat that is ready, and of no other")
    return state


def read_law(data: object, rules: int) -> Law:
    """Return the law by a version of the rules, by default the printed one for two. Raises ValueError."""
    part = Fields(data, [name for name in Law._fields if name != "rules"], "law")
    sides, camps = part("sides", list_of(whole(3), 2, 4), (0, 2)), part("camps", list_of(whole(3)), (0, 1))
    if sides != tuple(sorted(set(sides))):
        wrong("law.sides", "sides go clockwise from north")
    if camps != tuple(range(len(sides))) and (len(sides), camps) != (4, (0, 1, 0, 1)):
        wrong("law.camps", "each seat is its own camp, or north and south against east and west")
    return Law(
        sides,
        camps,
        part("succession", one_of(("strict", "kind", "sure")), "strict"),
        part("straddle", one_of(("all", "orth")), "all"),
        part("sticks", one_of(("die", "sticks")), "die"),
        part("fate", whole(8, least=2), 4),
        part("sandwiched", one_of(("throw", "first")), "throw"),
        rules,
    )


def _board(part: Fields, seats: int) -> bytes:
    board = bytearray(len(TERRITORY_OF))
    for seat in range(NOBODY, seats):
        key, read = (_FREE, _PEASANT) if seat == NOBODY else (str(seat), _PIECE)
        for at, kind in part(key, list_of(read), ()):
            if board[at]:
                wrong("pieces", f"{NAMES[at]} holds two pieces")
            board[at] = piece(seat, kind)
    for seat in range(seats):
        if fate.is_overfull(bytes(board), seat):
            raise ValueError(f"pieces: seat {seat} has more of a kind than there may be")
    return bytes(board)


def _outcome(ranks: tuple[int, ...], reason: str) -> Outcome:
    return Outcome(ranks, facts.ending(reason, [seat for seat, rank in enumerate(ranks) if rank == 1]))
