"""The lock of Dominance: who holds the spawns, and when a seat is locked out, which loses the game.

`men` are the spaces with each seat's pieces, `guarded` those that each seat dominates, as in a position.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from games.dominance import facts
from games.dominance.board import Board, iter_bits
from games.engine.game import Fact

Pieces: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""The men and the guarded spaces of a position."""
WARNING_SPAWNS: Final = 3
"""Number of spawns held by the other seat from which a lock threatens: one less than all of them."""


def can_spawn(board: Board, own: int, foe: int, guarded: int) -> bool:
    """Return whether a piece can be spawned anywhere; `guarded` is the set that the foe dominates."""
    free = board.spawns & ~(own | foe)
    return bool(free & ~guarded) or any(board.captures(own, foe, at) for at in iter_bits(free & guarded))


def held_spawns(board: Board, men: tuple[int, int], guarded: tuple[int, int], seat: int) -> int:
    """Return the spawns that a seat holds: those with its own piece, or empty and dominated by it."""
    return board.spawns & (men[seat] | guarded[seat] & ~men[1 - seat])


def locked(board: Board, men: tuple[int, int], guarded: tuple[int, int], seat: int) -> bool:
    """Return whether a seat that is to act is locked out.

    It has at most one piece in play, the other side holds every spawn, and no spawn is possible as an attack.
    Its pool can't be empty then, because it has lost fewer than nine pieces.
    """
    own = men[seat]
    if own & (own - 1) or held_spawns(board, men, guarded, 1 - seat) != board.spawns:
        return False
    return not can_spawn(board, own, men[1 - seat], guarded[1 - seat])


def lock_danger(board: Board, men: tuple[int, int], guarded: tuple[int, int], seat: int) -> int:
    """Return how close a seat is to a lock, as a number that grows; 0 if none threatens."""
    own = men[seat]
    if own & (own - 1):
        return 0
    count = held_spawns(board, men, guarded, 1 - seat).bit_count()
    return 2 * count + (not own) if count >= WARNING_SPAWNS else 0


def lock_warnings(board: Board, before: Pieces, after: Pieces) -> tuple[Fact, ...]:
    """Return a warning for each seat that a turn brought closer to a lock."""
    found: tuple[Fact, ...] = ()
    for seat in (0, 1):
        near = lock_danger(board, *after, seat)
        if near > lock_danger(board, *before, seat):
            found += (facts.lock_warning(seat, after[0][seat].bit_count(), near // 2),)
    return found
