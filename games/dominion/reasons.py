"""What a move of Dominion leads to: units taken and lost, Peasants, Territories, and the Emperors' safety.

Fate's throw after the move isn't foreseen. What may follow is found by trying it: each opponent as if it were
to move next, then the mover, as if it had another turn at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from games.dominion.actions import Action
from games.dominion.answers import write
from games.dominion.board import NAMES
from games.dominion.endings import WORTH
from games.dominion.moves import PIECE_NAMES, moves
from games.dominion.position import (
    ARMY_OWNER,
    EMPEROR,
    PEASANT,
    Position,
    State,
    find_piece,
    kind_of,
    owner,
    piece,
)
from games.dominion.turns import play
from games.engine.message import Msg, Who, msg
from games.engine.reasons import Effect

_WIN, _LOSS = 200.0, -60.0
_EMPEROR: Final = 40.0
_POINT: Final = 1.0
_EXPOSED, _THREAT = -0.8, 0.25
"""Weights of each point of a unit that is taken, may be taken next, or is threatened."""
_SLIGHT: Final = 0.1
"""The weight of a threat to win a single point, which hardly explains a move."""
_RECRUIT, _UNIT, _TERRITORY, _CHECK = 0.5, 1.2, 3.0, 1.2
_RANK: Final = 1.0


def effects(position: Position, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return what a legal action of a seat leads to; nothing for the choice of Sergeants."""
    if action.kind in ("sergeants", "throw", "fate"):
        return ()
    after = _played(position, seat, action)
    if after.outcome is not None:
        won = after.outcome.ranks[seat] == 1 and after.outcome.ranks.count(1) < len(position.law.sides)
        return (Effect("wins", 1, _WIN, msg("dominion.reason.wins")),) if won else ()
    found: list[Effect] = []
    if action.kind == "move":
        found += _taken(position, seat, action)
    found += _gained(position, after, seat, action)
    found += _dangers(position, after, seat, action)
    found += _threats(after, seat)
    return tuple(found)


def points(position: Position, code: int) -> float:
    """Return what a piece counts at the end of a match."""
    return WORTH[position.law.rules][kind_of(code)] / 2


def _taken(position: Position, seat: int, action: Action) -> list[Effect]:
    code = position.board[action.b]
    by = owner(code)
    if by < 0 or position.law.camps[by] == position.law.camps[seat]:
        return []
    if kind_of(code) == EMPEROR:
        return [Effect("topples", 1, _EMPEROR, msg("dominion.reason.topples", who=Who(by)))]
    names: dict[str, Msg | Who | str] = {
        "who": Who(by),
        "unit": PIECE_NAMES[kind_of(code)],
        "at": NAMES[action.b],
    }
    return [Effect("takes", points(position, code), _POINT, msg("dominion.reason.takes", **names))]


def _gained(position: Position, after: Position, seat: int, action: Action) -> list[Effect]:
    """Return what changes for the seat besides: its Peasants, its army, its Territories."""
    found: list[Effect] = []
    mine, units = piece(seat, PEASANT), _units(position, seat)
    if (n := after.board.count(mine) - position.board.count(mine)) > 0:
        found.append(Effect("recruits", n, _RECRUIT, msg("dominion.reason.recruits", n=n), counted=True))
    if (n := _units(after, seat) - units) > 0:
        found.append(Effect("musters", n, _UNIT, msg("dominion.reason.musters", n=n), counted=True))
    held, now = position.control.count(seat), after.control.count(seat)
    if now > held:
        found.append(Effect("controls", now - held, _TERRITORY, msg("dominion.reason.controls", n=now)))
    if now < held:
        sentence = msg("dominion.reason.abandons", move=write(position, action))
        found.append(Effect("abandons", held - now, -_TERRITORY, sentence))
    theirs = [sum(by >= 0 and _foe(position, seat, by) for by in each.control) for each in (position, after)]
    if theirs[1] < theirs[0]:
        found.append(Effect("loosens", theirs[0] - theirs[1], _TERRITORY, msg("dominion.reason.loosens")))
    if action.kind in ("promote", "demote"):
        gain = points(position, piece(seat, action.b)) - points(position, position.board[action.a])
        if gain > 0 and action.kind == "promote":
            sentence = msg("dominion.reason.promotes", new=PIECE_NAMES[action.b], at=NAMES[action.a])
            found.append(Effect("promotes", gain, _RANK, sentence))
        elif gain < 0 and action.kind == "demote":
            old = PIECE_NAMES[kind_of(position.board[action.a])]
            sentence = msg("dominion.reason.demotes", move=write(position, action), unit=old)
            found.append(Effect("demotes", -gain, -_RANK, sentence))
    return found


def _units(position: Position, seat: int) -> int:
    return position.board.translate(ARMY_OWNER).count(seat + 1)


def _foe(position: Position, seat: int, other: int) -> bool:
    return position.law.camps[other] != position.law.camps[seat]


class _Capture(NamedTuple):
    """A unit that a seat could take, from where, and what that wins for it in points."""

    by: int
    src: int
    at: int
    gain: float


def _captures(position: Position, by: int, victims: int) -> Iterator[_Capture]:
    """Yield what a seat could take of another's army, with the gain, less a piece that is retaken."""
    board, due = position.board, position._replace(phase="move", turn=by)
    for action in moves(position, by):
        code = board[action.b]
        if owner(code) != victims or kind_of(code) in (PEASANT, EMPEROR):
            continue
        gain = points(position, code)
        if _retaken(_played(due, by, action), action.b, victims):
            gain -= points(position, board[action.a])
        if gain > 0:
            yield _Capture(by, action.a, action.b, gain)


def _retaken(position: Position, at: int, seat: int) -> bool:
    """Return whether a seat could take the piece that has just taken one of its own on a square."""
    return any(action.b == at for action in moves(position, seat))


def _played(position: Position, seat: int, action: Action) -> Position:
    return play(State(position, (None,) * len(position.law.sides)), seat, action).state.position


def _opponents(position: Position, seat: int) -> list[int]:
    """Return the seats that may attack: those whose Emperor fell wait for their heir."""
    living = position.living()
    return [by for by in living if _foe(position, seat, by) and by not in position.pending]


def _dangers(position: Position, after: Position, seat: int, action: Action) -> list[Effect]:
    """Return what opponents could take of the mover's, if Fate changes nothing."""
    throne, found = find_piece(after.board, seat, EMPEROR), list[_Capture]()
    for by in _opponents(after, seat):
        for reply in moves(after, by):
            if reply.b == throne >= 0:
                sentence = msg(
                    "dominion.reason.hangs", move=write(position, action), who=Who(by), reply=reply.text
                )
                return [Effect("hangs", 1, _LOSS, sentence)]
        found += _captures(after, by, seat)
    if not found:
        return []
    worst = max(found, key=lambda each: each.gain)
    sentence = msg(
        "dominion.reason.exposes",
        move=write(position, action),
        who=Who(worst.by),
        unit=PIECE_NAMES[kind_of(after.board[worst.at])],
        at=NAMES[worst.at],
    )
    return [Effect("exposes", worst.gain, _EXPOSED, sentence)]


def _threats(after: Position, seat: int) -> list[Effect]:
    """Return what the mover could take next, if nobody did anything against it."""
    found: list[Effect] = []
    thrones = {find_piece(after.board, by, EMPEROR): by for by in _opponents(after, seat)}
    attacked = [at for at in (action.b for action in moves(after, seat)) if at in thrones]
    if attacked:
        sentence = msg("dominion.reason.checks", who=Who(thrones[attacked[0]]))
        found.append(Effect("checks", 1, _CHECK, sentence))
    aims = [each for by in _opponents(after, seat) for each in _captures(after, seat, by)]
    if aims:
        best = max(aims, key=lambda each: each.gain)
        unit = PIECE_NAMES[kind_of(after.board[best.at])]
        who = Who(owner(after.board[best.at]))
        sentence = msg("dominion.reason.threatens", who=who, unit=unit, at=NAMES[best.at])
        weight = _THREAT if best.gain > 1 else _SLIGHT
        found.append(Effect("threatens", best.gain, weight, sentence, beside="takes"))
    return found
