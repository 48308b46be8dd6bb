"""The rules of Dominance: positions, legal actions, their effects, and the end of the game.

They only use the graph of a board, never its shape. `play` accepts every action that `refuse` allows. The
captured pieces leave together, then the acting piece is checked. No other piece can become dominated: all
were safe, and the other side didn't move.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.dominance import facts
from games.dominance.actions import MOVES, SPAWNS, Action, Move, Spawn
from games.dominance.board import BOARDS, SPACE_COUNT, Board, iter_bits, names_of
from games.dominance.facts import DRAWS, Reason
from games.dominance.locks import can_spawn, lock_warnings, locked
from games.engine.game import Outcome, Step, Why
from games.engine.message import Msg, Who, msg

PIECES: Final = 10
"""Number of pieces of each seat."""
LOSING_LOSSES: Final = 9
"""Number of lost pieces that loses the game."""
QUIET_LIMIT: Final = 100
"""Number of actions in a row without a spawn or a removal that makes a draw."""


class State(NamedTuple):
    """A position, including what the draw rules need. Nothing is hidden.

    Invariant: while a seat is to act, no piece is on a space that the other side dominates.
    """

    board: str
    men: tuple[int, int]
    """By seat, the set of spaces with its pieces."""
    pools: tuple[int, int]
    """By seat, the number of pieces not yet spawned."""
    lost: tuple[int, int]
    """By seat, the number of pieces removed from the game."""
    guarded: tuple[int, int]
    """By seat, the set of spaces that it dominates; derived from `men`."""
    turn: int
    """The seat to act; once it is over, the winner, or in a draw the next to act."""
    quiet: int
    """Actions since the last spawn or removal, not counting passes."""
    past: tuple[int, ...]
    """Every `position_key` since then, the current one included: no earlier one can recur."""
    ended: Reason | None
    outcome: Outcome | None

    def __repr__(self) -> str:
        """Return a short form; `position_json.dump` has everything."""
        red, black = (" ".join(names_of(men)) for men in self.men)
        to_act = self.ended or facts.SEAT_KEYS[self.turn]
        return f"State({self.board} red={red!r}, black={black!r}, lost={self.lost}, turn={to_act!r})"


def position_key(men: tuple[int, int], turn: int) -> int:
    """Return a number that is equal for two positions exactly if they are the same.

    Only for positions between which nothing was spawned or removed.
    """
    return (men[0] << SPACE_COUNT | men[1]) << 1 | turn


def start(board: str) -> State:
    """Return the empty board, Red to act."""
    none = (0, 0)
    past = (position_key(none, 0),)
    return State(board, none, (PIECES, PIECES), none, none, 0, 0, past, None, None)


def legal(state: State, seat: int) -> list[Action]:
    """Return every legal action: spawns, then moves piece by piece, each in the order of the spaces."""
    key, both, pools, _, guarded, turn, _, _, ended, _ = state
    found: list[Action] = []
    if seat != turn or ended is not None:
        return found
    board = BOARDS[key]
    own, foe = both[seat], both[1 - seat]
    free = board.spaces ^ (own | foe)
    risky = free & guarded[1 - seat]
    safe = free ^ risky
    if pools[seat]:
        spots = safe & board.spawns
        if risky & board.spawns:
            for bit in iter_bits(risky & board.spawns):
                if board.captures(own, foe, bit):
                    spots |= bit
        found += SPAWNS[spots]
    moves, men = MOVES[key], own
    while men:
        bit = men & -men
        men ^= bit
        neighbours, table = moves[bit]
        targets = safe & neighbours
        attacks = risky & neighbours
        while attacks:
            target = attacks & -attacks
            attacks ^= target
            if board.captures(own ^ bit, foe, target):
                targets |= target
        found += table[targets]
    return found


def can_act(board: Board, men: tuple[int, int], pool: int, guarded: tuple[int, int], seat: int) -> bool:
    """Return whether a seat has any legal action."""
    own, foe, barred = men[seat], men[1 - seat], guarded[1 - seat]
    free = board.spaces & ~(own | foe)
    safe = free & ~barred
    if pool and safe & board.spawns:
        return True
    near, rest = board.neighbours, own
    while rest:
        bit = rest & -rest
        if near[bit] & safe:
            return True
        rest ^= bit
    if pool and can_spawn(board, own, foe, barred):
        return True
    risky = free & barred
    return any(
        board.captures(own ^ bit, foe, at) for bit in iter_bits(own) for at in iter_bits(near[bit] & risky)
    )


# --- legality -----------------------------------------------------------------------------------------


def refuse(state: State, seat: int, action: Action) -> Msg | None:
    """Return why the action is illegal for the seat now; None if it is legal."""
    if state.ended is not None:
        return msg("dominance.refuse.over")
    if seat != state.turn:
        return msg("dominance.refuse.turn", who=facts.seat_name(state.turn))
    board = BOARDS[state.board]
    own, foe = state.men[seat], state.men[1 - seat]
    dst = action.dst
    if isinstance(action, Move):
        src = action.src
        if not src & own or not board.neighbours[src] & dst or dst & (own | foe):
            return _why_no_move(board, own, foe, seat, action)
        own ^= src
    elif not state.pools[seat] or not dst & board.spawns or dst & (own | foe):
        return _why_no_spawn(board, own, foe, state.pools[seat], seat, action)
    if dst & state.guarded[1 - seat] and not board.captures(own, foe, dst):
        return _why_no_entry(board, foe, seat, action)
    return None


def _why_no_space(board: Board, space: str, bit: int) -> Msg | None:
    if bit & board.spaces:
        return None
    places = sorted(board.shape.places)
    return msg("dominance.refuse.space", space=space, first=places[0], last=places[-1])


def _why_no_move(board: Board, own: int, foe: int, seat: int, action: Move) -> Msg:
    source, target = action.source, action.target
    why = _why_no_space(board, source, action.src) or _why_no_space(board, target, action.dst)
    if why is not None:
        return why
    if action.src & foe:
        return msg("dominance.refuse.not_yours", space=source, who=facts.seat_name(1 - seat))
    if not action.src & own:
        return msg("dominance.refuse.empty", space=source) if own else msg("dominance.refuse.none_in_play")
    if action.src == action.dst:
        return msg("dominance.refuse.stay", space=source)
    if not board.neighbours[action.src] & action.dst:
        near = names_of(board.neighbours[action.src])
        return msg("dominance.refuse.far", space=source, target=target, near=near)
    return _why_taken(own, seat, action)


def _why_no_spawn(board: Board, own: int, foe: int, pool: int, seat: int, action: Spawn) -> Msg:
    if (why := _why_no_space(board, action.target, action.dst)) is not None:
        return why
    if not pool:
        return msg("dominance.refuse.pool")
    if not action.dst & board.spawns:
        return msg("dominance.refuse.no_spawn", space=action.target, spawns=names_of(board.spawns))
    return _why_taken(own, seat, action)


def _why_taken(own: int, seat: int, action: Action) -> Msg:
    if action.dst & own:
        return msg("dominance.refuse.own_piece", space=action.target)
    return msg("dominance.refuse.occupied", space=action.target, who=facts.seat_name(1 - seat))


def _why_no_entry(board: Board, foe: int, seat: int, action: Action) -> Msg:
    pair = board.pair(foe, action.dst)
    by = "" if pair is None else facts.pair_name(pair)
    key = "dominance.refuse.guarded" if isinstance(action, Move) else "dominance.refuse.guarded_spawn"
    return msg(key, space=action.target, who=facts.seat_name(1 - seat), pair=by)


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
        what += lock_warnings(board, (state.men, state.guarded), (men, guarded))
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
