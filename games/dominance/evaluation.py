"""How good a position is for a seat, judged at a glance: losses, then pieces in danger, then space.

The glance is cheap and knows no next move. A player who always takes the best glance beats chance.
"""

from __future__ import annotations

from typing import Final

from games.dominance.boards import BOARDS, Board, each
from games.dominance.facts import DRAWS
from games.dominance.rules import State, held
from games.dominance.turns import danger

_PIECE: Final = 1.0
_HANGING: Final = 0.6
"""That some piece can be taken by whoever is to act."""
_PRESSED: Final = 0.08
"""A piece of whoever is to act that would be taken next; one of them can be saved."""
_FORKED: Final = 0.25
"""Each such piece beyond the first."""
_IN_PLAY: Final = 0.12
_GUARDED: Final = 0.02
_SPAWN: Final = 0.04
_LOCK: Final = 1.5
"""A lock that is near, for whoever it threatens."""
_SCALE: Final = 10.0


def evaluate(state: State, seat: int) -> float:
    """From -1.0 (lost) to 1.0 (won); 0.0 is a draw, or neither better nor worse than the other seat."""
    if state.ended is not None:
        if state.ended in DRAWS:
            return 0.0
        return 1.0 if state.turn == seat else -1.0
    board = BOARDS[state.board]
    mover = state.turn
    hunt = _HANGING * min(1, _exposed(board, state, 1 - mover))
    flight = _exposed(board, state, mover)
    hunt -= _PRESSED * flight + _FORKED * max(0, flight - 1)
    balance = _worth(board, state, mover) - _worth(board, state, 1 - mover) + hunt
    return max(-0.99, min(0.99, (balance if mover == seat else -balance) / _SCALE))


def _worth(board: Board, state: State, seat: int) -> float:
    worth = -_PIECE * state.lost[seat]
    worth += _IN_PLAY * min(6, state.men[seat].bit_count())
    worth += _GUARDED * state.guarded[seat].bit_count()
    worth += _SPAWN * held(board, state.men, state.guarded, seat).bit_count()
    if danger(board, state.men, state.guarded, seat):
        worth -= _LOCK
    return worth


def _exposed(board: Board, state: State, seat: int) -> int:
    """How many pieces of a seat some single action of the other one could take."""
    own, foe = state.men[seat], state.men[1 - seat]
    free = board.all & ~(own | foe)
    doors = board.spawns if state.pools[1 - seat] else 0
    found = 0
    for victim in each(own):
        strikes = ((at, board.strikes[at][victim]) for at in each(free & board.near[victim]))
        found |= victim if any(_strikes(board, foe, at, partners, doors) for at, partners in strikes) else 0
    return found.bit_count()


def _strikes(board: Board, foe: int, at: int, partners: int, doors: int) -> bool:
    """Whether a foe's piece can come to a space while another stands where they take together."""
    waiting = foe & partners
    if not waiting:
        return False
    if at & doors:
        return True
    comers = foe & board.near[at]
    return bool(comers) and (comers | waiting).bit_count() > 1
