"""Static evaluation of a position for a seat: losses, then pieces in danger, then space.

It is cheap and looks at no next move. A player that always moves to the best evaluation beats a random one.
"""

from __future__ import annotations

from typing import Final

from games.dominance.board import BOARDS, Board, iter_bits
from games.dominance.facts import DRAWS
from games.dominance.locks import held_spawns, lock_danger
from games.dominance.rules import State

_PIECE: Final = 1.0
_HANGING: Final = 0.6
"""Value for the seat to act of a threat to take a piece."""
_PRESSED: Final = 0.08
"""Cost of each piece of the seat to act that is under threat; it can still save one."""
_FORKED: Final = 0.25
"""Additional cost of each threatened piece beyond the first."""
_IN_PLAY: Final = 0.12
_GUARDED: Final = 0.02
_SPAWN: Final = 0.04
_LOCK: Final = 1.5
"""Cost of being close to a lock."""
_SCALE: Final = 10.0


def evaluate(view: State, seat: int) -> float:
    """Return the value from -1.0 (lost) to 1.0 (won); 0.0 is a draw or an even position."""
    if view.ended is not None:
        if view.ended in DRAWS:
            return 0.0
        return 1.0 if view.turn == seat else -1.0
    board = BOARDS[view.board]
    mover = view.turn
    threats = _HANGING * min(1, _exposed(board, view, 1 - mover))
    threatened = _exposed(board, view, mover)
    threats -= _PRESSED * threatened + _FORKED * max(0, threatened - 1)
    balance = _value(board, view, mover) - _value(board, view, 1 - mover) + threats
    return max(-0.99, min(0.99, (balance if mover == seat else -balance) / _SCALE))


def pieces(view: State) -> tuple[float, ...]:
    """Return the number of pieces that each seat has in its pool and in play."""
    return tuple(float(pool + men.bit_count()) for pool, men in zip(view.pools, view.men, strict=True))


def _value(board: Board, state: State, seat: int) -> float:
    value = -_PIECE * state.lost[seat]
    value += _IN_PLAY * min(6, state.men[seat].bit_count())
    value += _GUARDED * state.guarded[seat].bit_count()
    value += _SPAWN * held_spawns(board, state.men, state.guarded, seat).bit_count()
    if lock_danger(board, state.men, state.guarded, seat):
        value -= _LOCK
    return value


def _exposed(board: Board, state: State, seat: int) -> int:
    """Return the number of a seat's pieces that the other seat could take with a single action."""
    own, foe = state.men[seat], state.men[1 - seat]
    free = board.spaces & ~(own | foe)
    spawns = board.spawns if state.pools[1 - seat] else 0
    found = 0
    for victim in iter_bits(own):
        attacks = (
            (at, board.partner_spaces[at][victim]) for at in iter_bits(free & board.neighbours[victim])
        )
        found |= victim if any(_can_attack(board, foe, at, near, spawns) for at, near in attacks) else 0
    return found.bit_count()


def _can_attack(board: Board, foe: int, at: int, partners: int, spawns: int) -> bool:
    """Return whether a foe's piece can move or spawn to a space while another is on a partner space."""
    waiting = foe & partners
    if not waiting:
        return False
    if at & spawns:
        return True
    comers = foe & board.neighbours[at]
    return bool(comers) and (comers | waiting).bit_count() > 1
