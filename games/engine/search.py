"""States made for searching, and their tables.

A search state is a position that is changed in place: `make` plays a move, `unmake` takes the last one back.
It holds nothing that texts or pictures need. Moves are small integers, the evaluation is kept up to date by
`make`, and `key` is a Zobrist hash, so that a transposition table recognises a position that is reached by
another route. The game's judge stays the only law: tests/laws/test_search_states.py holds each search state
to `actions`, `apply` and `outcome`. The searches are in `games/ai`; they know no game.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from hashlib import shake_256
from itertools import accumulate
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from games.engine.values import CHANCE

Stop: TypeAlias = Callable[[], bool]
"""Asked from time to time whether thinking has to end now; games have no clock."""
OVER: Final = -2
"""The `turn` of a state in which nobody is to act."""
WIN: Final = 1_000_000
"""The evaluation of a won position; of those that aren't decided it stays below `WIN // 2`."""
MOVE_BITS: Final = 20
MOVE_MASK: Final = (1 << MOVE_BITS) - 1
"""A move with its gain in one integer is `gain << MOVE_BITS | move`: it sorts by gain."""


class SearchState(ABC):
    """A position that is changed in place.

    Seats of one team (`teams`) win and lose together. The same seat may move several times in a row, and
    seats with nothing to do may be skipped by `make`. A copy, or a state sent by pickle, is independent.
    """

    __slots__ = ()

    complete: ClassVar[bool] = True
    """Whether `moves` holds every legal action; if not, it holds those worth a look, at least one."""
    exact_gains: ClassVar[bool] = False
    """Whether a gain is exactly the change of the mover's evaluation, for moves that don't end the game.

    Then the last ply of a search leaves out all moves whose gain is too small, without making them.
    """
    bounding_gains: ClassVar[bool] = False
    """Whether a gain of `scored` is at least that change, but for rare cases: then it's used alike."""
    can_skip: ClassVar[bool] = False
    """Whether `skip_to` works: needed by best-reply search, and used to prune."""
    odds_scale: ClassVar[float] = 350.0
    """Evaluation at which a team wins e (2.7) times as often as it loses: an estimate, unless measured."""
    spread: ClassVar[float] = 150.0
    """Standard deviation of a search's value from the truth, as an evaluation: an estimate, or measured."""

    teams: tuple[int, ...]
    """The team of each seat."""
    turn: int
    """The seat to act, CHANCE if a draw is due, OVER at the end."""
    key: int
    """A 64-bit hash of all that the position's future depends on, the seat to act included.

    What came before isn't part of it, such as earlier positions that count for a repetition.
    """

    # --- moves ------------------------------------------------------------------------------------------

    @abstractmethod
    def moves(self) -> list[int]:
        """Return every move of the seat to act, from 0 to MOVE_MASK, without duplicates.

        Never called for chance or after the end.
        """

    @abstractmethod
    def make(self, move: int) -> None:
        """Play a move of `moves`, or a draw of `chances`."""

    @abstractmethod
    def unmake(self) -> None:
        """Take back the last `make` or `skip_to`."""

    @abstractmethod
    def copy(self) -> SearchState:
        """Return an independent copy. It needn't be able to take back moves that were made before."""

    def scored(self) -> list[int]:
        """Return `moves`, each as `gain << MOVE_BITS | move`, in any order.

        The gain is an estimate of how much `evaluate` grows for the mover. By default all are 0.
        """
        return self.moves()

    def noisy(self) -> list[int]:
        """Return the moves, as in `scored`, that a search shouldn't stop before, such as recaptures.

        Every sequence of such moves has to end. By default there are none.
        """
        return []

    def skip_to(self, seat: int) -> None:
        """Give the turn to another seat that can move, as if all others had passed; `unmake` undoes it."""
        raise NotImplementedError

    def can_move(self, seat: int) -> bool:
        """Return whether a seat would have a move if it were its turn: what `skip_to` accepts."""
        return False

    def presume(self) -> None:  # noqa: B027 - by default no draw is taken for granted
        """Take draws for granted that rarely matter: from now on `make` passes over them.

        Searches call it on their own copy.
        """

    def press(self) -> bool:
        """Let the seat to act make progress if it is ahead, and return whether that changes anything.

        Players call it before they search for a move. From then on values are good for nothing but choosing.
        By default nothing changes: values alone make progress.
        """
        return False

    # --- values -----------------------------------------------------------------------------------------

    @abstractmethod
    def evaluate(self, seat: int) -> int:
        """Return how good the position is for a seat: below WIN // 2 in size, 0 for even.

        About 100 for the advantage of an ordinary piece. With two teams one's gain is the other's loss.
        Never called after the end.
        """

    @abstractmethod
    def result(self) -> tuple[float, ...] | None:
        """Return the `shares` of the seats once `turn` is OVER; None before."""

    def repeated(self) -> bool:
        """Return whether the position has occurred before in this match, so that play may go in circles."""
        return False

    # --- chance -----------------------------------------------------------------------------------------

    def chances(self) -> Sequence[tuple[int, int]]:
        """Return the possible draws with their weights, for a state whose `turn` is CHANCE."""
        return ()

    # --- to and from the game ---------------------------------------------------------------------------

    @abstractmethod
    def action(self, move: int) -> Any:
        """Return the game's action for a move of `moves` or a draw of `chances`."""

    def find(self, action: Any) -> int:
        """Return the move or draw of an action. Raises ValueError if it isn't possible now."""
        possible = [draw for draw, _ in self.chances()] if self.turn == CHANCE else self.moves()
        for move in possible:
            if self.action(move) == action:
                return move
        raise ValueError(f"{action} isn't possible now")

    def visibility(self, move: int) -> int:
        """Return how easily a person sees a move: 100 for the most obvious ones, 0 for the most hidden.

        Weak levels overlook what is hard to see, such as long moves far from where something just happened.
        """
        return 50


class RecurringState(SearchState):
    """A state that counts how often each position has occurred, and keeps its result once it is over."""

    __slots__ = ("_result", "_seen")

    _result: tuple[float, ...] | None
    """The shares of the seats at the end; None before."""
    _seen: dict[int, int]
    """How often each position has occurred, by key; those that can't occur again needn't be among them."""

    def result(self) -> tuple[float, ...] | None:
        """Return the shares of the seats at the end."""
        return self._result

    def repeated(self) -> bool:
        """Return whether the position has occurred before in this match."""
        return self._seen.get(self.key, 0) > 1

    def _count(self) -> None:
        """Count the position, after its key has changed."""
        self._seen[self.key] = self._seen.get(self.key, 0) + 1

    def _forget(self) -> None:
        """Take the position out of the count, before `unmake` brings back the one before it."""
        key, seen = self.key, self._seen
        if (times := seen[key]) > 1:
            seen[key] = times - 1
        else:
            del seen[key]
        self._result = None


def shares(ranks: Sequence[int], teams: Sequence[int]) -> tuple[float, ...]:
    """Return what each seat gets of a match: the winning teams share 1.0 equally, all others get 0.0.

    `ranks` and `teams` are by seat; team mates each get their team's share. A draw of two is 0.5 each.
    """
    winners = {team for rank, team in zip(ranks, teams, strict=True) if rank == 1}
    return tuple(1.0 / len(winners) if team in winners else 0.0 for team in teams)


T = TypeVar("T")


class LazyTable(dict[int, T], Generic[T]):
    """A table whose entries are computed at first use; it is emptied when it has grown to `most` entries."""

    def __init__(self, compute: Callable[[int], T], most: int | None = None) -> None:
        super().__init__()
        self._compute = compute
        self._most = most

    def __missing__(self, at: int) -> T:
        value = self._compute(at)
        if self._most is not None and len(self) >= self._most:
            self.clear()
        self[at] = value
        return value


def hash_words(seed: str, *sizes: int) -> list[tuple[int, ...]]:
    """Return tables of these sizes, of 64-bit words that look random and depend on the seed alone."""
    words = struct.unpack(f"<{sum(sizes)}Q", shake_256(seed.encode()).digest(8 * sum(sizes)))
    return [words[end - size : end] for end, size in zip(accumulate(sizes), sizes, strict=True)]
