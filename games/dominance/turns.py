"""The rules of Dominance, second half: the effects of actions and resignations, and the end of the game.

`play` accepts every action that `rules.refuse` allows. The captured pieces leave together, then the acting
piece is checked. No other piece can become dominated: all were safe, and the other side didn't move.
"""

from __future__ import annotations

from typing import Final

from games.dominance import facts
from games.dominance.actions import Action, Move
from games.dominance.board import BOARDS, Board
from games.dominance.facts import DRAWS, Reason
from games.dominance.rules import (
    LOSING_LOSSES,
    QUIET_LIMIT,
    State,
    can_act,
    can_spawn,
    held_spawns,
    position_key,
)
from games.engine.game import Fact, Outcome, Step, Why
from games.engine.message import Who

WARNING_SPAWNS: Final = 3
"""Number of spawns held by the other seat from which a lock threatens: one less than all of them."""


def play(state: State, seat: int, action: Action) -> Step[State]:
    """Return the position after a legal action, and what happened."""
    key, men, pools, lost, guarded, _, quiet, past, _, _ = state
    board, other, dst = BOARDS[key], 1 - seat, action.dst
    own, foe, theirs = men[seat], men[other], guarded[other]
    if isinstance(action, Move):
        own ^= action.src | dst
        calm = True
    else:
        own |= dst
        calm = False
        pools = (pools[0] - 1, pools[1]) if seat == 0 else (pools[0], pools[1] - 1)
    taken = board.captures(own, foe, dst) if foe & board.neighbours[dst] else 0
    if taken:
        calm, struck = False, own
        guards = board.pair(foe, dst) if theirs & dst else None
        foe ^= taken
        theirs = board.guarded(foe)
        revenge = board.pair(foe, dst) if theirs & dst else None
        fallen = revenge is not None
        if fallen:
            own ^= dst
        losses = taken.bit_count()
        lost = (lost[0] + fallen, lost[1] + losses) if seat == 0 else (lost[0] + losses, lost[1] + fallen)
        what = facts.attack(key, action, struck, taken, guards, revenge)
    elif calm:
        what = facts.MOVED[action.text]
    else:
        what = facts.spawn(action.text, pools[seat])
    ours = board.guarded(own)
    if seat == 0:
        men, guarded = (own, foe), (ours, theirs)
    else:
        men, guarded = (foe, own), (theirs, ours)
    lonely = not foe & (foe - 1)
    if taken or lonely:
        end, winner = _end(board, men, guarded, lost, seat)
        if end is not None:
            return Step(_over(State(key, men, pools, lost, guarded, winner, 0, (), None, None), end), what)
    turn = other
    safe = board.spaces & ~(own | foe | ours)
    # The usual case, cheap to detect: a free spawn, or a step for the first piece.
    quick = (pools[other] and board.spawns & safe) or (foe and board.neighbours[foe & -foe] & safe)
    if not quick and not can_act(board, men, pools[other], guarded, other):
        if not can_act(board, men, pools[seat], guarded, seat):
            return Step(_over(State(key, men, pools, lost, guarded, other, 0, (), None, None), "stuck"), what)
        turn = seat
        what += (facts.PASSES[other],)
    here = position_key(men, turn)
    if calm:
        quiet += 1
        past = (*past, here)
        if quiet >= QUIET_LIMIT or past.count(here) >= 3:
            state = State(key, men, pools, lost, guarded, turn, quiet, past, None, None)
            # Repetition comes first if both are due.
            return Step(_over(state, "repetition" if past.count(here) >= 3 else "quiet"), what)
    else:
        quiet, past = 0, (here,)
    if lonely or not own & (own - 1):
        what += _warnings(board, state, men, guarded)
    # Like State(...), in half the time: this runs once for every action.
    new = tuple.__new__(State, (key, men, pools, lost, guarded, turn, quiet, past, None, None))
    return Step(new, what)


def _end(
    board: Board, men: tuple[int, int], guarded: tuple[int, int], lost: tuple[int, int], seat: int
) -> tuple[Reason | None, int]:
    """Return how the seat's action ended the game (None if it didn't), and the winner."""
    if lost[1 - seat] >= LOSING_LOSSES:
        return "nine", seat
    if lost[seat] >= LOSING_LOSSES:
        return "ninth", 1 - seat
    return ("lock" if locked(board, men, guarded, 1 - seat) else None), seat


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


def _warnings(
    board: Board, before: State, men: tuple[int, int], guarded: tuple[int, int]
) -> tuple[Fact, ...]:
    """Return a warning for each seat that this turn brought closer to a lock."""
    found: tuple[Fact, ...] = ()
    for seat in (0, 1):
        near = lock_danger(board, men, guarded, seat)
        if near > lock_danger(board, before.men, before.guarded, seat):
            found += (facts.lock_warning(seat, men[seat].bit_count(), near // 2),)
    return found


def _over(state: State, reason: Reason) -> State:
    """Return the position as ended, with the winner as `turn`."""
    past = state.past if reason in DRAWS else ()
    return state._replace(past=past, ended=reason, outcome=conclude(reason, state))


def conclude(reason: Reason, state: State) -> Outcome:
    """Return the result; its sentence names the players."""
    ranks = (1, 1) if reason in DRAWS else ((1, 2) if state.turn == 0 else (2, 1))
    names = [Who(seat) for seat in (0, 1) if ranks[seat] == 1]
    return Outcome(ranks, facts.ending(reason, names, ending_number(reason, state)))


def ending_number(reason: Reason, state: State) -> int:
    """Return the number in the sentence of an ending: the loser's losses, or the quiet actions."""
    return state.quiet if reason in DRAWS else state.lost[1 - state.turn]


def resign(state: State, seat: int, why: Why) -> Step[State]:
    """Let a seat resign or run out of time; the other one wins.

    Raises ValueError if the game is over or there is no such seat; no match lets that happen.
    """
    if state.ended is not None or seat not in (0, 1):
        raise ValueError(f"seat {seat} can't resign")
    return Step(_over(state._replace(turn=1 - seat), "resigned"))
