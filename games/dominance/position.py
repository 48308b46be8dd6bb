"""A position as JSON that people can read and tests can write; every wrong one is refused with a reason.

Needed are `pieces` and `turn` only: what is left out is as at the start, with nothing lost.
"""

from __future__ import annotations

from typing import Any, Final, cast

from games.dominance.boards import BIT, BOARDS, WIDTH, Board, names
from games.dominance.facts import REASONS, Reason
from games.dominance.rules import FATAL, PIECES, QUIET_LIMIT, State, can_act, identity
from games.dominance.scene import CODES
from games.dominance.turns import conclude, locked
from games.engine.game import Json

_PARTS: Final = ("board", "pieces", "pool", "lost", "turn", "quiet", "past", "ended")
_NOBODY: Final = "-"


def dump(state: State) -> Json:
    """The position with everything that its future depends on; `load` gives it back."""
    return {
        "board": state.board,
        "pieces": {code: list(names(men)) for code, men in zip(CODES, state.men, strict=True)},
        "pool": dict(zip(CODES, state.pools, strict=True)),
        "lost": dict(zip(CODES, state.lost, strict=True)),
        "turn": CODES[state.turn],
        "quiet": state.quiet,
        "past": [_write_past(here) for here in state.past],
        "ended": state.ended,
    }


def load(data: Json) -> State:
    """Build the position. Raises ValueError with a reason for anything that is none."""
    fields = _fields(data)
    key = fields.get("board", next(iter(BOARDS)))
    if not isinstance(key, str) or key not in BOARDS:
        raise ValueError(f"board: {key!r} is no board")
    board = BOARDS[key]
    men = _men(board, fields.get("pieces"))
    lost = _counts(fields.get("lost", {}), "lost", (0, 0))
    left = (PIECES - men[0].bit_count() - lost[0], PIECES - men[1].bit_count() - lost[1])
    pools = _counts(fields.get("pool", {}), "pool", left)
    if pools != left or min(left) < 0:
        raise ValueError(f"pool: each side has {PIECES} pieces, in the pool, in play and lost")
    guarded = (board.guarded(men[0]), board.guarded(men[1]))
    if doomed := men[0] & guarded[1] | men[1] & guarded[0]:
        raise ValueError(f"pieces: {names(doomed)[0]} is dominated, so that its piece would be gone")
    turn = fields.get("turn")
    if not isinstance(turn, str) or len(turn) != 1 or turn not in CODES:
        raise ValueError(f"turn: {turn!r} is neither R nor B")
    ended = fields.get("ended")
    if ended is not None and ended not in REASONS:
        raise ValueError(f"ended: {ended!r} is no way to end")
    reason = cast("Reason | None", ended)
    seat = CODES.index(turn)
    quiet = _number(fields.get("quiet", 0), "quiet", QUIET_LIMIT)
    past = _past(board, fields.get("past"), identity(men, seat), reason)
    return _check(State(key, men, pools, lost, guarded, seat, quiet, past, reason, None))


def _fields(data: Json) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError("a position is an object")
    if unknown := sorted(set(data).difference(_PARTS)):
        raise ValueError(f"{unknown[0]}: no part of a position")
    return data


def _number(value: object, name: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{name}: {value!r} is no number from 0 to {most}")
    return value


def _men(board: Board, pieces: object) -> tuple[int, int]:
    if not isinstance(pieces, dict) or set(pieces) - set(CODES):
        raise ValueError("pieces: an object of R and B is needed")
    red, black = (_spaces(board, pieces.get(code, [])) for code in CODES)
    if red & black:
        raise ValueError(f"pieces: {names(red & black)[0]} holds two pieces")
    return red, black


def _spaces(board: Board, spaces: object) -> int:
    if not isinstance(spaces, list):
        raise ValueError("pieces: a list of spaces is needed for each side")
    found = 0
    for space in spaces:
        bit = BIT.get(space, 0) if isinstance(space, str) else 0
        if not bit & board.all:
            raise ValueError(f"pieces: {space!r} is no space of {board.key}")
        if bit & found:
            raise ValueError(f"pieces: {space} holds two pieces")
        found |= bit
    return found


def _counts(counts: object, name: str, others: tuple[int, int]) -> tuple[int, int]:
    """The numbers of both sides, those that are left out as in `others`."""
    if not isinstance(counts, dict) or set(counts) - set(CODES):
        raise ValueError(f"{name}: an object of R and B is needed")
    red, black = (
        _number(counts[code], name, PIECES) if code in counts else other
        for code, other in zip(CODES, others, strict=True)
    )
    return red, black


# --- the positions before -----------------------------------------------------------------------------


def _split(here: int) -> tuple[tuple[int, int], int]:
    """The pieces and the seat of an identity."""
    both, turn = here >> 1, here & 1
    return (both >> WIDTH, both & (1 << WIDTH) - 1), turn


def _write_past(here: int) -> str:
    """`c3,f4 d4 R`: Red's pieces, Black's, and who is to act."""
    men, turn = _split(here)
    red, black = (",".join(names(side)) or _NOBODY for side in men)
    return f"{red} {black} {CODES[turn]}"


def _read_past(board: Board, line: object) -> int:
    try:
        if not isinstance(line, str):
            raise TypeError(line)
        red, black, turn = line.split(" ")
        sides = ([] if side == _NOBODY else side.split(",") for side in (red, black))
        men = _men(board, dict(zip(CODES, sides, strict=True)))
        here = identity(men, CODES.index(turn))
        if _write_past(here) != line:
            raise ValueError(line)
    except (TypeError, ValueError) as error:
        raise ValueError(f"past: {line!r} is no position") from error
    return here


def _past(board: Board, lines: object, here: int, ended: Reason | None) -> tuple[int, ...]:
    if ended is not None and ended not in ("repetition", "quiet"):
        if lines:
            raise ValueError("past: nothing is to be remembered here")
        return ()
    if lines is None:
        return (here,)
    if not isinstance(lines, list) or not lines:
        raise ValueError("past: a list of positions is needed")
    past = tuple(_read_past(board, line) for line in lines)
    if past[-1] != here:
        raise ValueError("past: the last position is not this one")
    if len({tuple(side.bit_count() for side in _split(there)[0]) for there in past}) > 1:
        raise ValueError("past: pieces come and go without a spawn or a removal")
    return past


# --- what can't be -------------------------------------------------------------------------------------


def _check(state: State) -> State:
    """Check that this can be somebody's turn, or the end that it claims to be, and add the result."""
    board, ended, seat = BOARDS[state.board], state.ended, state.turn
    if ended is not None and not _fair(board, state, ended):
        raise ValueError(f"ended: this is no {ended}")
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
    """Why the seat can't be to act in this position; empty if it can."""
    if max(state.lost) >= FATAL:
        return f"lost: nobody plays on after {FATAL} losses"
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
    """Whether the position, the winner to act, is such an end."""
    winner, loser = state.turn, 1 - state.turn
    if ended == "nine":
        return state.lost[loser] >= FATAL > state.lost[winner] and state.quiet == 0
    if ended == "ninth":
        return state.lost[loser] == FATAL > state.lost[winner] and state.quiet == 0
    if max(state.lost) >= FATAL:
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
