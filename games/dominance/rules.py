"""The rules of Dominance, first half: positions and legal actions; `refuse` alone decides legality.

The effects of actions are in `turns`. The rules only use the graph of a board, never its shape.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.dominance import facts
from games.dominance.actions import MOVES, SPAWNS, Action, Move, Spawn
from games.dominance.board import BOARDS, SPACE_COUNT, Board, iter_bits, names_of
from games.dominance.facts import Reason
from games.engine.game import Outcome
from games.engine.message import Msg, msg

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
        """Return a short form; `position.dump` has everything."""
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


def can_spawn(board: Board, own: int, foe: int, guarded: int) -> bool:
    """Return whether a piece can be spawned anywhere; `guarded` is the set that the foe dominates."""
    free = board.spawns & ~(own | foe)
    return bool(free & ~guarded) or any(board.captures(own, foe, at) for at in iter_bits(free & guarded))


def held_spawns(board: Board, men: tuple[int, int], guarded: tuple[int, int], seat: int) -> int:
    """Return the spawns that a seat holds: those with its own piece, or empty and dominated by it."""
    return board.spawns & (men[seat] | guarded[seat] & ~men[1 - seat])


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
