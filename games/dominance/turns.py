"""The rules of Dominance, second half: what follows from an action or a resignation, and how it ends.

`play` is total for what `rules.refuse` lets pass. The actor's victims leave together, then the acting piece
is judged; nothing else can newly stand dominated: all pieces were safe, and the other seat didn't move.
"""

from __future__ import annotations

from typing import Final

from games.dominance import facts
from games.dominance.actions import Action, Move
from games.dominance.boards import BOARDS, Board
from games.dominance.facts import DRAWS, Reason
from games.dominance.rules import FATAL, QUIET_LIMIT, State, can_act, can_spawn, held, position_key
from games.engine.game import Fact, Outcome, Step
from games.engine.message import Who

WARN: Final = 3
"""So many spawns in the hands of the other seat are one short of a lock."""


def play(state: State, seat: int, action: Action) -> Step[State]:
    """The position after a legal action, and what happened."""
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
    taken = board.taken(own, foe, dst) if foe & board.near[dst] else 0
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
        what = facts.attacked(key, action, struck, taken, guards, revenge)
    elif calm:
        what = facts.MOVED[action.text]
    else:
        what = facts.spawned(action.text, pools[seat])
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
    safe = board.all & ~(own | foe | ours)
    # Nearly always there is a free spawn, or a step for the first piece.
    quick = (pools[other] and board.spawns & safe) or (foe and board.near[foe & -foe] & safe)
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
            return Step(_over(state, _draw_reason(state)), what)
    else:
        quiet, past = 0, (here,)
    if lonely or not own & (own - 1):
        what += _warnings(board, state, men, guarded)
    # As State(...), at half the cost: this is done once an action.
    new = tuple.__new__(State, (key, men, pools, lost, guarded, turn, quiet, past, None, None))
    return Step(new, what)


def _end(
    board: Board, men: tuple[int, int], guarded: tuple[int, int], lost: tuple[int, int], seat: int
) -> tuple[Reason | None, int]:
    """How the game is won by what the seat has just done, if it is, and by whom."""
    if lost[1 - seat] >= FATAL:
        return "nine", seat
    if lost[seat] >= FATAL:
        return "ninth", 1 - seat
    return ("lock" if locked(board, men, guarded, 1 - seat) else None), seat


def locked(board: Board, men: tuple[int, int], guarded: tuple[int, int], seat: int) -> bool:
    """Whether a seat that is to act is locked out.

    It has at most one piece in play, the other one holds every spawn, and no spawn is possible as an attack.
    Who has so few pieces in play and didn't lose nine has some to spawn.
    """
    own = men[seat]
    if own & (own - 1) or held(board, men, guarded, 1 - seat) != board.spawns:
        return False
    return not can_spawn(board, own, men[1 - seat], guarded[1 - seat])


def danger(board: Board, men: tuple[int, int], guarded: tuple[int, int], seat: int) -> int:
    """How near a lock of the seat is, from 0 (not near): three or four spawns against at most one piece."""
    own = men[seat]
    if own & (own - 1):
        return 0
    count = held(board, men, guarded, 1 - seat).bit_count()
    return 2 * count + (not own) if count >= WARN else 0


def _warnings(
    board: Board, before: State, men: tuple[int, int], guarded: tuple[int, int]
) -> tuple[Fact, ...]:
    """A lock that came nearer is said once."""
    found: tuple[Fact, ...] = ()
    for seat in (0, 1):
        near = danger(board, men, guarded, seat)
        if near > danger(board, before.men, before.guarded, seat):
            found += (facts.warning(seat, men[seat].bit_count(), near // 2),)
    return found


def _draw_reason(state: State) -> Reason:
    """Which draw it is, when one of the two that count actions is due: repetition is named first."""
    return "repetition" if state.past.count(state.past[-1]) >= 3 else "quiet"


def _over(state: State, reason: Reason) -> State:
    """The position as one that is over; its turn is the winner's."""
    past = state.past if reason in DRAWS else ()
    return state._replace(past=past, ended=reason, outcome=conclude(reason, state))


def conclude(reason: Reason, state: State) -> Outcome:
    """The result, to be told by the people's names."""
    ranks = (1, 1) if reason in DRAWS else ((1, 2) if state.turn == 0 else (2, 1))
    names = [Who(seat) for seat in (0, 1) if ranks[seat] == 1]
    return Outcome(ranks, facts.ending(reason, names, number(reason, state)))


def number(reason: Reason, state: State) -> int:
    """What the sentence of an ending counts: the loser's losses, or the quiet actions."""
    return state.quiet if reason in DRAWS else state.lost[1 - state.turn]


def resign(state: State, seat: int) -> Step[State]:
    """A seat gives up, and the other one has won.

    Raises ValueError if the game is over, or for a seat that doesn't play, which no match lets happen.
    """
    if state.ended is not None or seat not in (0, 1):
        raise ValueError(f"seat {seat} can't resign")
    return Step(_over(state._replace(turn=1 - seat), "resigned"))
