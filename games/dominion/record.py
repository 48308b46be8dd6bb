"""A position of Dominion as JSON that people can read and tests can write; every wrong one has a reason.

Needed are `pieces` only: `{"0": ["Eg1", "Sd5"], "free": ["e5"]}`, seats by number. What is left out is as in
a match for two that waits for the first seat's move. What isn't at rest comes to rest: straddled Peasants are
recruited, as if the seat whose turn it is had moved last.
"""

from __future__ import annotations

from typing import Any, Final, cast, get_args

from games.dominion import endings, facts, fate
from games.dominion.board import INDEX, LAND, NAMES
from games.dominion.consequences import settle
from games.dominion.position import (
    EMPEROR,
    LETTERS,
    PEASANT,
    PRINCE,
    SOLDIER,
    Law,
    Pair,
    Phase,
    Position,
    State,
    controllers,
    find,
    kind_of,
    owner,
    piece,
)
from games.engine.game import Json, Outcome

_PARTS: Final = (
    *("law", "pieces", "phase", "turn", "first", "round", "quiet", "stirred", "out", "pending"),
    *("seals", "ready", "chosen", "outcome"),
)
_FREE: Final = "free"
_DUEL: Final[dict[str, Json]] = {
    "sides": [0, 2],
    "camps": [0, 1],
    "succession": "strict",
    "straddle": "all",
    "sticks": "die",
    "fate": 4,
    "sandwiched": "throw",
}
_WORDS: Final = {
    "succession": ("strict", "kind", "sure"),
    "straddle": ("all", "orth"),
    "sticks": ("die", "sticks"),
    "sandwiched": ("throw", "first"),
}


def dump(state: State) -> Json:
    """The position with everything that its future depends on but the version of the rules.

    `load` gives it back.
    """
    place = state.position
    pieces: dict[str, Json] = {str(seat): [] for seat in range(len(place.law.sides))}
    pieces[_FREE] = []
    for at, code in enumerate(place.board):
        if code:
            letter = LETTERS[kind_of(code)] if code != PEASANT else ""
            row = pieces[str(owner(code)) if owner(code) >= 0 else _FREE]
            cast("list[Json]", row).append(f"{letter}{NAMES[at]}")
    lawful: dict[str, Json] = {
        key: _plain(value) for key, value in place.law._asdict().items() if key != "rules"
    }
    outcome = place.outcome
    return {
        "law": lawful,
        "pieces": pieces,
        "phase": place.phase,
        "turn": place.turn,
        "first": place.first,
        "round": place.round,
        "quiet": place.quiet,
        "stirred": place.stirred,
        "out": _plain(place.out),
        "pending": _plain(tuple(sorted(place.pending))),
        "seals": _plain(place.seals),
        "ready": _plain(place.ready),
        "chosen": [None if pair is None else [NAMES[at] for at in pair] for pair in state.chosen],
        "outcome": None if outcome is None else [_plain(outcome.ranks), outcome.why.key.rpartition(".")[2]],
    }


def _plain(value: Any) -> Json:
    return list(value) if isinstance(value, tuple) else value


def load(data: Json, rules: int) -> State:
    """Build the position by a version of the rules. Raises ValueError with a reason for anything else."""
    if not isinstance(data, dict):
        raise ValueError("a position is an object")
    if unknown := sorted(set(data).difference(_PARTS)):
        raise ValueError(f"{unknown[0]}: no part of a position")
    lawful = law(data.get("law", {}), rules)
    seats = len(lawful.sides)
    board = _board(data.get("pieces"), seats)
    phase = data.get("phase", "move")
    if phase not in get_args(Phase):
        raise ValueError(f"phase: {phase!r} is none")
    out = tuple(_seats(data.get("out", []), "out", seats))
    place = Position(
        law=lawful,
        board=board,
        control=controllers(board),
        phase=cast("Phase", phase),
        turn=_number(data.get("turn", 0), "turn", seats - 1),
        first=_number(data.get("first", 0), "first", seats - 1),
        round=_number(data.get("round", 1), "round", endings.cap(seats) + 1),
        quiet=_number(data.get("quiet", 0), "quiet", endings.QUIET * seats),
        stirred=_flag(data.get("stirred", False), "stirred"),
        out=out,
        pending=frozenset(_seats(data.get("pending", []), "pending", seats)),
        seals=tuple(_number(n, "seals", 3) for n in _row(data.get("seals", [0] * seats), "seals", seats)),
        ready=tuple(_flag(b, "ready") for b in _row(data.get("ready", [False] * seats), "ready", seats)),
        outcome=_outcome(data.get("outcome"), lawful),
    )
    chosen = tuple(_pair(pair) for pair in _row(data.get("chosen", [None] * seats), "chosen", seats))
    calm = settle(lawful, board, place.control, place.turn, board)
    return _checked(State(place._replace(board=calm.board, control=calm.control), chosen))


def _checked(state: State) -> State:
    """Refuse what contradicts itself."""
    place = state.position
    if (place.phase == "over") != (place.outcome is not None):
        raise ValueError("outcome: it is there exactly when the match is over")
    if place.phase == "over":
        return state
    if place.turn in place.out and place.phase not in ("throw", "sergeants"):
        raise ValueError("turn: that seat is out")
    if len(endings.camps_left(place)) < 2:
        raise ValueError("out: one camp is left, so that the match is over")
    for seat in range(len(place.law.sides)):
        emperor, prince = find(place.board, seat, EMPEROR) >= 0, find(place.board, seat, PRINCE) >= 0
        waiting = seat in place.pending
        if waiting and (emperor or not prince or seat in place.out):
            raise ValueError(f"pending: seat {seat} waits for no succession")
        if not waiting and emperor == (seat in place.out):
            raise ValueError(f"pieces: seat {seat} has an Emperor exactly while it plays")
    if place.phase != "throw" and (place.phase in ("succession", "heir")) != (place.turn in place.pending):
        raise ValueError("phase: a succession is due exactly to a seat that waits for it")
    if place.phase in fate.CHOICES.values() and not fate.choices(place, place.phase, place.turn):
        raise ValueError("phase: Fate would ask in vain")
    for seat, pair in enumerate(state.chosen):
        due = place.phase == "sergeants" and place.ready[seat] and seat not in place.out
        if due != (pair is not None) or any(place.board[at] != piece(seat, SOLDIER) for at in pair or ()):
            raise ValueError("chosen: two Soldiers of each seat that is ready, and of no other")
    return state


def law(data: object, rules: int) -> Law:
    """Read a law by a version of the rules. What is left out is as printed, for two. Raises ValueError."""
    if not isinstance(data, dict) or set(data) - set(_DUEL):
        raise ValueError("law: an object of sides, camps and options is needed")
    found: dict[str, Any] = {**_DUEL, **data}
    sides, camps = found["sides"], found["camps"]
    if not isinstance(sides, list) or not 2 <= len(sides) <= 4:
        raise ValueError("law: two to four sides are needed")
    found["sides"] = tuple(_number(side, "law", 3) for side in sides)
    if sides != sorted(set(sides)):
        raise ValueError("law: sides go clockwise from north")
    if camps != list(range(len(sides))) and (len(sides), camps) != (4, [0, 1, 0, 1]):
        raise ValueError("law: each seat is its own camp, or north and south against east and west")
    found["camps"] = tuple(camps)
    for key, words in _WORDS.items():
        if found[key] not in words:
            raise ValueError(f"law: {found[key]!r} is no choice of {key}")
    if _number(found["fate"], "law", 8) < 2:
        raise ValueError("law: Fate's chance is 1 in 2 to 8")
    return Law(**found, rules=rules)


def _board(pieces: object, seats: int) -> bytes:
    keys = {_FREE: -1} | {str(seat): seat for seat in range(seats)}
    if not isinstance(pieces, dict) or set(pieces) - set(keys):
        raise ValueError("pieces: an object of seats and of the free Peasants is needed")
    board = bytearray(len(LAND))
    for key, row in pieces.items():
        if not isinstance(row, list):
            raise ValueError("pieces: a list is needed for each seat")
        for text in row:
            at, code = _piece(text, keys[key])
            if board[at]:
                raise ValueError(f"pieces: {NAMES[at]} holds two pieces")
            board[at] = code
    return _limited(bytes(board), seats)


def _piece(text: object, seat: int) -> tuple[int, int]:
    if isinstance(text, str):
        letter, square = ("p", text) if seat < 0 else (text[:1], text[1:])
        kind = LETTERS.find(letter) if letter else 0
        if kind > 0 and square in INDEX:
            return INDEX[square], piece(seat, kind)
    raise ValueError(f"pieces: {text!r} is no piece on a square")


def _limited(board: bytes, seats: int) -> bytes:
    for seat in range(seats):
        counts = {kind: board.count(piece(seat, kind)) for kind in range(EMPEROR, PEASANT)}
        skilled = counts[5] + counts[6]
        if max(counts[1], counts[2]) > 1 or max(counts[3], counts[4]) > 2 or skilled > 4 or counts[7] > 3:
            raise ValueError(f"pieces: seat {seat} has more of a kind than there may be")
    return board


def _number(value: object, name: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{name}: {value!r} is no number from 0 to {most}")
    return value


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name}: {value!r} is neither true nor false")
    return value


def _row(value: object, name: str, length: int) -> list[object]:
    if not isinstance(value, list) or len(value) != length:
        raise ValueError(f"{name}: a list of one for each seat is needed")
    return value


def _seats(value: object, name: str, seats: int) -> list[int]:
    if not isinstance(value, list):
        raise ValueError(f"{name}: a list of seats is needed")
    found = [_number(seat, name, seats - 1) for seat in value]
    if len(set(found)) < len(found):
        raise ValueError(f"{name}: a seat is there twice")
    return found


def _pair(value: object) -> Pair:
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2 and all(at in NAMES for at in value):
        a, b = sorted(INDEX[at] for at in value)
        if a != b:
            return a, b
    raise ValueError(f"chosen: {value!r} is no pair of squares")


def _outcome(value: object, lawful: Law) -> Outcome | None:
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2 and value[1] in ("last", "points", "draw"):
        ranks = tuple(_number(n, "outcome", 4) for n in _row(value[0], "outcome", len(lawful.sides)))
        winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
        return Outcome(ranks, facts.ending(str(value[1]), winners))
    raise ValueError("outcome: ranks and a reason are needed")
