"""What all searches share: the budget of work, what a level overlooks, how they deepen, what they return.

Those that deepen ply by ply order moves by gain, by the moves that cut elsewhere (history), and with those
first that cut at the same ply (killer moves); and they remember positions in a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame
from games.engine.levels import Budget, Level
from games.engine.search import MOVE_BITS, MOVE_MASK, WIN, SearchState, Stop

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


def after_chance(game: AnyGame, state: Any, dice: Dice) -> Any:
    """Return the state once all draws that are due are made."""
    while CHANCE in game.to_act(state):
        state = game.apply(state, CHANCE, game.draw(state, dice)).state
    return state


E = TypeVar("E")

EXACT, LOWER, UPPER = 0, 1, 2
"""What the value in an entry of the table is: the position's, or a bound of it."""
DECIDED: Final = WIN // 2
_MOST_ENTRIES: Final = 400_000
"""Size at which the table is emptied."""


class DeepeningSearch(ABC, Generic[E]):
    """One decision. `E` is an entry of the table, by the key of its position."""

    def __init__(
        self,
        state: SearchState,
        budget: Budget,
        dice: Dice,
        *,
        eyes: Eyes | None = None,
        slack: int = 0,
        stop: Stop | None = None,
        only: int | None = None,
        without: int | None = None,
    ) -> None:
        """`slack` is the loss of value within which moves count as equal; `stop` may end it early.

        With `only`, no other move of the seat to act is looked at, and the value is that of this one.
        The move `without` is left out there: another has to be possible.
        """
        self._state = state.copy()
        self._state.presume()
        self._teams = state.teams
        self._seat = state.turn
        self._bounded = state.exact_gains or state.bounding_gains
        self._budget = budget
        self._dice = dice
        self._eyes = eyes
        self._slack = slack
        self._only = only
        self._without = without
        self._work = Work(budget.work, stop)
        self._table: dict[int, E] = {}
        self._killers = [[-1, -1] for _ in range(2 * budget.depth + 8)]
        self._history: dict[int, int] = {}
        self._partial: list[tuple[int, int]] = []
        """What a depth that was stopped has found so far, once that is worth more than the depth before."""

    @abstractmethod
    def _deepen(self, moves: list[int], depth: int, around: int) -> list[tuple[int, int]]:
        """Return the moves that may be best with their values, searched to a depth.

        `around` is the value at the depth before.
        """

    @abstractmethod
    def _line(self, root: SearchState, move: int) -> tuple[int, ...]:
        """Return a move and what is expected to follow."""

    def think(self) -> Thought:
        """Return the best move of the seat to act."""
        root = self._state.copy()
        moves = [packed & MOVE_MASK for packed in shuffled(self._scored(0), self._dice)]
        if self._only is not None:
            moves = [self._only]
        moves = [move for move in moves if move != self._without]
        best, value, reached = [moves[0]], root.evaluate(self._seat), 0
        if len(moves) > 1 or self._only is not None:
            for depth in range(1, self._budget.depth + 1):
                try:
                    values = self._deepen(moves, depth, value)
                except StoppedError:
                    if self._partial:
                        best, value = self._choice(self._partial)
                    break
                best, value = self._choice(values)
                reached = depth
                order = dict(values)
                moves.sort(key=lambda move: -order.get(move, -INFINITE))
                if abs(value) > DECIDED and abs(value) >= WIN - depth:
                    break
        move = best[0] if len(best) == 1 else self._dice.pick(best)
        return Thought(move, value, self._line(root, move), reached, self._work.done)

    def _choice(self, values: list[tuple[int, int]]) -> tuple[list[int], int]:
        top = max(value for _, value in values)
        return [move for move, value in values if value >= top - self._slack], top

    def _scored(self, ply: int) -> list[int]:
        """Return the moves with their gains, less those that are overlooked."""
        scored = self._state.scored()
        if self._eyes is not None and ply < Eyes.PLIES:
            return self._eyes.visible(self._state, scored)
        return scored

    def _in_order(self, scored: list[int], first: int, ply: int) -> list[int]:
        """Return moves, the most promising ones first: `first` if it isn't negative, then killer moves."""
        if history := self._history:
            scored = [packed + (history.get(packed & MOVE_MASK, 0) << MOVE_BITS) for packed in scored]
        scored.sort(reverse=True)
        moves = [packed & MOVE_MASK for packed in scored]
        front = [move for move in self._killers[ply] if move != first]
        if first >= 0:
            front.insert(0, first)
        for move in reversed(front):
            if move in moves:
                moves.remove(move)
                moves.insert(0, move)
        return moves

    def _note_cut(self, move: int, depth: int, ply: int) -> None:
        killers = self._killers[ply]
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move
        history = self._history
        history[move] = min(100, history.get(move, 0) + depth * depth)

    def _remember(self, key: int, entry: E) -> None:
        table = self._table
        if len(table) >= _MOST_ENTRIES:
            table.clear()
        table[key] = entry
