"""The judge of Dominion: who is to act, the legal actions, and why an action is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.dominion import fate
from games.dominion.actions import Action, sergeants
from games.dominion.board import NAMES
from games.dominion.moves import heir_moves, moves_or_pass, pick_move, piece_name, targets, why_not
from games.dominion.position import (
    EMPEROR,
    NOBODY,
    PEASANT,
    PRINCE,
    SOLDIER,
    UPPER,
    Position,
    State,
    View,
    find_piece,
    kind_of,
    owner,
    piece,
    relation_table,
    territory_controller,
)
from games.engine.game import CHANCE, ONLY_SEAT, Seat
from games.engine.message import Msg, Value, Who, msg

_BY_CHANCE: Final = frozenset(("throw", "fate", "succession"))
_ALLOWED_KINDS: Final = {
    "sergeants": ("sergeants",),
    "move": ("move", "pass"),
    "heir": ("move", "stay"),
    "demote_upper": ("demote",),
    "demote_lower": ("demote",),
    "promote_lower": ("promote",),
    "promote_upper": ("promote",),
    "peasant": ("peasant",),
}
"""The kinds of actions that are legal in each phase of the players."""


def to_act(position: Position) -> frozenset[Seat]:
    """Return the seats that are to act."""
    phase = position.phase
    if phase == "over":
        return frozenset()
    if phase in _BY_CHANCE:
        return ONLY_SEAT[CHANCE]
    if phase == "sergeants":
        return frozenset(Seat(seat) for seat in position.living() if not position.ready[seat])
    return ONLY_SEAT[position.turn]


def legal(position: Position, seat: int) -> list[Action]:
    """Return every legal action, in the order of the squares; empty for a seat that isn't to act.

    For chance, the possible throws; of the starting throws only those without a tie.
    """
    if seat not in to_act(position):
        return []
    phase = position.phase
    if seat == CHANCE:
        return fate.throws(position)
    if phase == "move":
        return moves_or_pass(position, seat)
    if phase == "heir":
        return heir_moves(position, seat)
    if phase == "sergeants":
        code = piece(seat, SOLDIER)
        own = [at for at, there in enumerate(position.board) if there == code]
        return [sergeants(a, b) for n, a in enumerate(own) for b in own[n + 1 :]]
    return list(fate.choices(position, phase, seat))


def pick(position: Position, seat: int, below: Callable[[int], int]) -> Action | None:
    """Return the legal action at the number that `below` returns, or None if there is none."""
    if position.phase == "move" and seat == position.turn:
        return pick_move(position, seat, below)
    possible = legal(position, seat)
    return possible[below(len(possible))] if possible else None


def refuse(position: Position, seat: int, action: Action) -> Msg | None:
    """Return why the action is illegal for the seat now; None if it is legal."""
    phase, kind = position.phase, action.kind
    if phase == "move" and kind == "move" and seat == position.turn:
        return why_not(position, seat, action)
    if (why := not_now(position, seat)) is not None:
        return why
    if seat == CHANCE:
        return _chance(position, action)
    if kind not in _ALLOWED_KINDS[phase]:
        return msg(f"dominion.refuse.due.{phase}")
    if kind == "pass":
        return None if moves_or_pass(position, seat) == [action] else msg("dominion.refuse.pass")
    if kind == "sergeants":
        wrong = [at for at in (action.a, action.b) if position.board[at] != piece(seat, SOLDIER)]
        return msg("dominion.refuse.sergeants", square=NAMES[wrong[0]]) if wrong else None
    if kind == "stay":
        return None
    if kind == "move":
        heir = find_piece(position.board, seat, PRINCE)
        if action.a != heir:
            return msg("dominion.refuse.heir_only", square=NAMES[heir])
        return why_not(position, seat, action)
    return _answer(position, seat, action)


def not_now(position: Position, seat: int) -> Msg | None:
    """Return why the seat can't act at all now; None if it is to act."""
    due = to_act(position)
    if seat in due:
        return None
    if not due:
        return msg("dominion.refuse.over")
    if CHANCE in (seat, *due):
        return msg("dominion.refuse.chance")
    if seat in position.out:
        return msg("dominion.refuse.out")
    if position.phase == "sergeants":
        return msg("dominion.refuse.chosen")
    return msg("dominion.refuse.turn", who=Who(position.turn))


def _chance(position: Position, action: Action) -> Msg | None:
    if position.phase == "throw":
        fits = fate.winner_of(position.law, position.living(), action.rounds) != NOBODY
    else:
        fits = action in fate.throws(position)
    return None if fits else msg("dominion.refuse.chance")


def _answer(position: Position, seat: int, action: Action) -> Msg | None:
    """Return why this doesn't answer Fate; None if it does."""
    options = fate.choices(position, position.phase, seat)
    if action in options:
        return None
    at = action.a
    squares: tuple[Value, ...] = tuple(dict.fromkeys(NAMES[option.a] for option in options))
    return msg(
        "dominion.refuse.answer", reach=squares, square=NAMES[at], why=_explain(position, seat, action)
    )


def _explain(position: Position, seat: int, action: Action) -> Msg:
    at, phase = action.a, position.phase
    code = position.board[at]
    kind = kind_of(code)
    if phase == "peasant":
        return msg("dominion.why.taken" if code else "dominion.why.no_point", at=NAMES[at])
    if not code or owner(code) != seat:
        return msg("dominion.why.no_unit", at=NAMES[at])
    if kind == EMPEROR:
        return msg("dominion.why.emperor")
    if kind == PEASANT or (kind in UPPER) != (phase in ("demote_upper", "promote_upper")):
        return msg("dominion.why.rank", piece=piece_name(kind))
    if not fate.is_eligible(position, seat, at):
        return msg("dominion.why.abroad", at=NAMES[at], who=Who(territory_controller(position, at)))
    new = piece_name(action.b)
    rising = action.kind == "promote"
    free = (fate.promotions_of if rising else fate.demotions_of)(position.board, seat, kind)
    if not free:
        return msg("dominion.why.no_step", piece=piece_name(kind))
    steps = tuple(piece_name(each) for each in free)
    return msg("dominion.why.step", new=new, piece=piece_name(kind), steps=steps)


# --- who knows what --------------------------------------------------------------------------------------


def view(state: State, viewer: int | None) -> View:
    """Return what a seat, or a spectator (None), may know."""
    return View(state.position, state.chosen[viewer] if viewer is not None and viewer >= 0 else None)


def threats(position: Position, seat: int, at: int) -> list[int]:
    """Return the squares of enemy pieces that could eliminate the seat's piece on a square now."""
    board, camps = position.board, position.law.camps
    found: list[int] = []
    for src, code in enumerate(board):
        by = owner(code)
        if by < 0 or camps[by] == camps[seat]:
            continue
        if at in targets(board, position.control, relation_table(camps, by), by, src):
            found.append(src)
    return found
