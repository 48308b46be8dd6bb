"""The rules of Focus, first half: positions and legal actions; `refuse` alone decides legality.

The effects of actions are in `turns`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.game import CHANCE, Outcome
from games.engine.message import Msg, msg
from games.focus import facts
from games.focus.actions import MOVES, RESERVES, Action, FirstPlayer, Move, Reserve
from games.focus.board import (
    CONTROLLED_HEIGHTS,
    EMPTY,
    INDEX,
    MISSING,
    PILE,
    Variant,
    controlled,
    indices,
    to_piles,
)
from games.focus.facts import Reason


class State(NamedTuple):
    """A position, including what the draw rules need. Nothing is hidden.

    A named tuple, because a frozen dataclass of this size takes four times as long to create.
    """

    variant: Variant
    board: str
    """One character per space, see `board`."""
    reserve: tuple[int, ...]
    """Pieces in reserve by seat."""
    captured: tuple[tuple[int, ...], ...]
    """`captured[seat][other]`: number of another seat's pieces that a seat has captured."""
    thirteenth: tuple[bool, ...]
    """By seat, whether the 13th piece is still to be placed; only with three players."""
    turn: int
    """The seat to act, or CHANCE. Once it is over: the winner who moved last, else the next to act."""
    resigned: frozenset[int]
    controls: tuple[int, ...]
    """By seat, the set of spaces whose top piece is its own; derived from the board."""
    quiet: int
    """Turns since the last capture, not counting passes."""
    past: tuple[str, ...]
    """Every `position_key` since the last capture, the current one included: no earlier one can recur."""
    ended: Reason | None
    outcome: Outcome | None

    def __repr__(self) -> str:
        """Return a short form; `position.dump` has everything."""
        colours = self.variant.colours
        piles = " ".join(f"{space}={pile}" for space, pile in to_piles(self.board).items())
        to_act = self.ended or ("chance" if self.turn == CHANCE else colours[self.turn])
        return f"State({piles!r}, turn={to_act!r}, reserve={self.reserve}, captured={self.captured})"


def position_key(board: str, turn: int, reserve: tuple[int, ...], thirteenth: tuple[bool, ...]) -> str:
    """Return a string that is equal for two positions with equal captures exactly if they are the same."""
    return board + _numbers(turn, reserve, thirteenth)


@lru_cache(maxsize=4096)
def _numbers(turn: int, reserve: tuple[int, ...], thirteenth: tuple[bool, ...]) -> str:
    return bytes((turn, *reserve, *thirteenth)).decode("latin-1")


def start(variant: Variant) -> State:
    """Return the set-up, before chance has chosen the first player."""
    return State(
        variant=variant,
        board=variant.board,
        reserve=(0,) * variant.seats,
        captured=((0,) * variant.seats,) * variant.seats,
        thirteenth=(variant.seats == 3,) * variant.seats,
        turn=CHANCE,
        resigned=frozenset(),
        controls=tuple(controlled(variant.board, colour) for colour in variant.colours),
        quiet=0,
        past=(),
        ended=None,
        outcome=None,
    )


def can_play(state: State, seat: int) -> bool:
    """Return whether a seat has a pile to move or a piece to place; every pile has at least one move."""
    return bool(state.controls[seat] or state.reserve[seat] or state.thirteenth[seat])


def legal(state: State, seat: int) -> list[Action]:
    """Return every legal action: moves by space from the bottom left, then reserve moves likewise."""
    found: list[Action] = []
    if seat != state.turn or state.ended is not None:
        return found
    if seat == CHANCE:
        found += [FirstPlayer(other) for other in range(state.variant.seats) if other not in state.resigned]
        return found
    board = state.board
    if state.thirteenth[seat]:
        found += [action for action, char in zip(RESERVES, board, strict=True) if char == EMPTY]
        return found
    heights = CONTROLLED_HEIGHTS[state.variant.colours[seat]]
    for index in indices(state.controls[seat]):
        found += MOVES[index][heights[board[index]]]
    if state.reserve[seat]:
        found += RESERVES
    return found


# --- legality -----------------------------------------------------------------------------------------


def refuse(state: State, seat: int, action: Action) -> Msg | None:
    """Return why the action is illegal for the seat now; None if it is legal."""
    if seat != state.turn or state.ended is not None:
        return _not_now(state)
    if isinstance(action, FirstPlayer):
        if seat != CHANCE:
            return msg("focus.refuse.first")
        return None if action in legal(state, seat) else msg("focus.refuse.seat")
    if seat == CHANCE:
        return msg("focus.refuse.chance")
    if isinstance(action, Reserve):
        return _why_no_reserve(state, seat, action)
    height = CONTROLLED_HEIGHTS[state.variant.colours[seat]].get(state.board[action.src], 0)
    if 0 < action.count <= height and not state.thirteenth[seat]:
        return None
    return _why_no_move(state, seat, action)


def _not_now(state: State) -> Msg:
    if state.ended is not None:
        return msg("focus.refuse.over")
    if state.turn == CHANCE:
        return msg("focus.refuse.chance")
    return msg("focus.refuse.turn", who=facts.colour_name(state.variant.colours[state.turn]))


def _why_no_space(space: str) -> Msg | None:
    if space in INDEX:
        return None
    return msg("focus.refuse.corner" if space in MISSING else "focus.refuse.space", space=space)


def _why_no_move(state: State, seat: int, action: Move) -> Msg:
    if (why := _why_no_space(action.source) or _why_no_space(action.target)) is not None:
        return why
    if state.thirteenth[seat]:
        return msg("focus.refuse.thirteenth")
    pile = PILE[state.board[action.src]]
    own = state.variant.colours[seat]
    if not pile:
        return msg("focus.refuse.empty", space=action.source)
    if pile[-1] != own:
        partner = state.variant.teams[state.variant.seat_of[pile[-1]]] == state.variant.teams[seat]
        key = "focus.refuse.partner" if partner else "focus.refuse.top"
        return msg(key, space=action.source, who=facts.colour_name(pile[-1]))
    if action.source == action.target:
        return msg("focus.refuse.stay", space=action.source)
    if not action.count:
        return msg("focus.refuse.straight", space=action.source, target=action.target)
    return msg("focus.refuse.height", space=action.source, n=action.count, height=len(pile))


def _why_no_reserve(state: State, seat: int, action: Reserve) -> Msg | None:
    if (why := _why_no_space(action.target)) is not None:
        return why
    if state.thirteenth[seat]:
        free = state.board[action.dst] == EMPTY
        return None if free else msg("focus.refuse.occupied", space=action.target)
    return None if state.reserve[seat] else msg("focus.refuse.reserve")
