"""Positions as JSON that people can read and write; invalid ones are refused with a reason.

Only `pieces` and `turn` are required: all else defaults to the start, with nothing lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from games.dominance.board import BIT, BOARDS, SPACE_COUNT, Board, names_of
from games.dominance.facts import REASONS, Reason
from games.dominance.locks import locked
from games.dominance.rules import (
    LOSING_LOSSES,
    PIECES,
    QUIET_LIMIT,
    State,
    can_act,
    conclude,
    position_key,
)
from games.dominance.scene import CODES
from games.engine.fields import (
    Fields,
    Json,
    Reader,
    by_name,
    canonical,
    distinct,
    list_of,
    lookup,
    nothing,
    one_of,
    optional,
    whole,
)

_PARTS: Final = ("board", "pieces", "pool", "lost", "turn", "quiet", "past", "ended")
_NOBODY: Final = "-"


def dump(state: State) -> Json:
    """Return the position with everything that affects its future; `load` is the inverse."""
    return {
        "board": state.board,
        "pieces": {code: list(names_of(men)) for code, men in zip(CODES, state.men, strict=True)},
        "pool": dict(zip(CODES, state.pools, strict=True)),
        "lost": dict(zip(CODES, state.lost, strict=True)),
        "turn": CODES[state.turn],
        "quiet": state.quiet,
        "past": [_write_past(here) for here in state.past],
        "ended": state.ended,
    }


def load(data: Json, rules: int) -> State:
    """Return the position. Raises ValueError with a reason for anything invalid."""
    part = Fields(data, _PARTS)
    board = part("board", lookup(BOARDS, "board"), next(iter(BOARDS.values())))
    men = _apart(part("pieces", by_name(CODES, _spaces(board), (0, 0))))
    number = whole(PIECES)
    lost = cast("tuple[int, int]", part("lost", by_name(CODES, number, (0, 0)), (0, 0)))
    left = (PIECES - men[0].bit_count() - lost[0], PIECES - men[1].bit_count() - lost[1])
    if part("pool", by_name(CODES, number, left), left) != left or min(left) < 0:
        raise ValueError(f"pool: each side has {PIECES} pieces, in the pool, in play and lost")
    guarded = (board.guarded(men[0]), board.guarded(men[1]))
    if doomed := men[0] & guarded[1] | men[1] & guarded[0]:
        raise ValueError(f"pieces: {names_of(doomed)[0]} is dominated, so its piece would have been taken")
    seat = CODES.index(part("turn", one_of(CODES)))
    ended = part("ended", optional(one_of(REASONS)), None)
    quiet = part("quiet", whole(QUIET_LIMIT), 0)
    past = _past(board, part, position_key(men, seat), ended)
    return _check(State(board.key, men, left, lost, guarded, seat, quiet, past, ended, None))


def _spaces(board: Board) -> Reader[int]:
    """Return a reader of lists of spaces that returns their set."""
    on = {space: bit for space, bit in BIT.items() if bit & board.spaces}
    listed = distinct(lookup(on, f"space of {board.key}"))
    return lambda value, path: sum(listed(value, path))


def _apart(sides: Iterable[int]) -> tuple[int, int]:
    """Check that no space holds pieces of both sides."""
    red, black = sides
    if red & black:
        raise ValueError(f"pieces: {names_of(red & black)[0]} holds two pieces")
    return red, black


# --- earlier positions --------------------------------------------------------------------------------


def _split(here: int) -> tuple[tuple[int, int], int]:
    """Return the pieces and the seat in a position key."""
    both, turn = here >> 1, here & 1
    return (both >> SPACE_COUNT, both & (1 << SPACE_COUNT) - 1), turn


def _write_past(here: int) -> str:
    """Return a position as `c3,f4 d4 R`: Red's pieces, Black's, and the side to act."""
    men, turn = _split(here)
    red, black = (",".join(names_of(side)) or _NOBODY for side in men)
    return f"{red} {black} {CODES[turn]}"


def _read_past(board: Board, line: str) -> int:
    *sides, turn = line.split(" ")
    spaces = list_of(_spaces(board), 2, 2)(
        [[] if side == _NOBODY else side.split(",") for side in sides], "past"
    )
    return position_key(_apart(spaces), CODES.index(turn))


def _past(board: Board, part: Fields, here: int, ended: Reason | None) -> tuple[int, ...]:
    """Read the positions that can recur, the current one the last of them."""
    if ended is not None and ended not in ("repetition", "quiet"):
        return part("past", nothing, ())
    line = canonical("position", lambda text: _read_past(board, text), _write_past)
    past = part("past", optional(list_of(line, 1)), None) or (here,)
    if past[-1] != here:
        raise ValueError("past: the last position is not this one")
    if len({tuple(side.bit_count() for side in _split(there)[0]) for there in past}) > 1:
        raise ValueError("past: pieces come and go without a spawn or a removal")
    return past


# --- checks ----------------------------------------------------------------------------------------------


def _check(state: State) -> State:
    """Check that the seat can be to act, or that the game has ended as claimed; return it with the result."""
    board, ended, seat = BOARDS[state.board], state.ended, state.turn
    if ended is not None and not _fair(board, state, ended):
        raise ValueError(f"ended: the game does not end like this: {ended}")
    if ended is None or ended in ("repetition", "quiet"):
        if why := _why_over(board, state, seat):
            raise ValueError(why)
        if len(state.past) > state.quiet + 1:
            raise ValueError("quiet: fewer actions than remembered positions")
    if ended is not None:
        return state._replace(outcome=conclude(ended, state))
    if state.quiet >= QUIET_LIMIT or _most(state) >= 3:
        raise ValueError("ended: the game is drawn")
    return state


def _why_over(board: Board, state: State, seat: int) -> str:
    """Return why the seat can't be to act in this position; empty if it can."""
    if max(state.lost) >= LOSING_LOSSES:
        return f"lost: nobody plays on after {LOSING_LOSSES} losses"
    if locked(board, state.men, state.guarded, seat):
        return f"turn: {CODES[seat]} is locked out, so that the game is over"
    if not _able(board, state, seat):
        return f"turn: {CODES[seat]} has nothing to do"
    return ""


def _able(board: Board, state: State, seat: int) -> bool:
    return can_act(board, state.men, state.pools[seat], state.guarded, seat)


def _most(state: State) -> int:
    return max(map(state.past.count, state.past))


def _fair(board: Board, state: State, ended: Reason) -> bool:
    """Return whether the game can have ended like this, with the winner as `turn`."""
    winner, loser = state.turn, 1 - state.turn
    if ended == "nine":
        return state.lost[loser] >= LOSING_LOSSES > state.lost[winner] and state.quiet == 0
    if ended == "ninth":
        return state.lost[loser] == LOSING_LOSSES > state.lost[winner] and state.quiet == 0
    if max(state.lost) >= LOSING_LOSSES:
        return False
    if ended == "lock":
        return state.quiet == 0 and locked(board, state.men, state.guarded, loser)
    if ended == "stuck":
        return state.quiet == 0 and not (_able(board, state, 0) or _able(board, state, 1))
    if ended == "quiet":
        return state.quiet == QUIET_LIMIT and _most(state) < 3
    if ended == "repetition":
        return _most(state) == 3
    return state.quiet < QUIET_LIMIT and not all(_why_over(board, state, seat) for seat in (0, 1))
