"""What searches share that are deepened ply by ply until the work is used up.

They order moves by gain, by the moves that cut elsewhere (history), and with those first that cut at the same
ply (killer moves); and they remember positions in a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, Generic, TypeVar

from games.ai.thinking import INFINITE, Eyes, StoppedError, Thought, Work, shuffled
from games.engine.dice import Dice
from games.engine.search import MOVE_BITS, MOVE_MASK, WIN, Budget, SearchState, Stop

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
