"""What all searches share: the budget of work, what a level overlooks, and what a search returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine.dice import Dice
from games.engine.search import MOVE_BITS, MOVE_MASK, WIN, Level, SearchState, Stop

INFINITE: Final = 2 * WIN
_ASK_EVERY: Final = 256
"""Moves made between two questions whether to stop."""
_MIX: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1


class StoppedError(Exception):
    """The work is used up, or the search was stopped from outside."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search found for the seat to act."""

    move: int
    value: int
    """The evaluation that the move leads to, for the seat; beyond `WIN // 2` it is decided.

    An only move isn't thought about: then it is the current evaluation.
    """
    line: tuple[int, ...]
    """The expected moves, beginning with `move`."""
    depth: int
    """Plies that were looked ahead completely."""
    work: int
    """Moves made, or playouts."""
    error: float = 0.0
    """Standard error of the seat's share of the match over the playouts; 0 for other searches."""


class Work:
    """Counts the work of one decision."""

    __slots__ = ("_next_question", "done", "limit", "stop")

    def __init__(self, limit: int, stop: Stop | None = None) -> None:
        self.done = 0
        self.limit = limit
        self.stop = stop
        self._next_question = _ASK_EVERY

    def check(self) -> None:
        """Raise StoppedError once the work is used up or a stop is asked for."""
        if self.done >= self.limit:
            raise StoppedError
        if self.stop is not None and self.done >= self._next_question:
            self._next_question = self.done + _ASK_EVERY
            if self.stop():
                raise StoppedError


class Eyes:
    """Decide which moves a weak level doesn't see during one decision.

    A move that is overlooked stays so in all lines of the decision. Moves that are hard to see are overlooked
    most, obvious ones never.
    """

    PLIES: Final = 3
    """How many plies ahead moves are overlooked: one's own next one, the reply, and the answer to it."""

    def __init__(self, oversight: int, dice: Dice) -> None:
        self._oversight = oversight
        self._salt = dice.word()

    def visible(self, state: SearchState, scored: list[int]) -> list[int]:
        """Return the moves that are seen, of some with their gains: at least the most visible one."""
        found = [packed for packed in scored if self._sees(state, packed & MOVE_MASK)]
        return found or [max(scored, key=lambda packed: state.visibility(packed & MOVE_MASK))]

    def _sees(self, state: SearchState, move: int) -> bool:
        hidden = self._oversight * (100 - state.visibility(move))
        return ((move + self._salt) * _MIX & _MASK) >> 40 >= hidden * (1 << 24) // 10_000


def eyes_of(level: Level, dice: Dice) -> Eyes | None:
    """Return what a level overlooks; None if it overlooks nothing."""
    return Eyes(level.oversight, dice) if level.oversight else None


def end_value(state: SearchState, seat: int, ply: int) -> int:
    """Return the value of a finished position for a seat: early wins and late losses are better.

    Raises ValueError if the position isn't over.
    """
    result = state.result()
    if result is None:
        raise ValueError("the position isn't over")
    share = result[seat]
    return WIN - ply if share == 1.0 else 0 if share else ply - WIN


def shuffled(scored: list[int], dice: Dice) -> list[int]:
    """Return moves with gains, best first, equal ones in random order."""
    return sorted(dice.shuffled(scored), key=lambda packed: -(packed >> MOVE_BITS))
