"""A game that can be worked out on paper: take one to three from a heap; who takes the last one wins.

With `coins`, a coin is tossed after each move: on heads one more vanishes, unless the heap is empty already.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from games.engine.search import OVER, SearchState
from games.engine.values import CHANCE

HEADS, TAILS = 8, 9


class Heap(SearchState):
    """Nobody has anything before the end: the evaluation is always even."""

    can_skip: ClassVar[bool] = True

    def __init__(self, left: int, seats: int = 2, *, coins: bool = False) -> None:
        self.teams = tuple(range(seats))
        self.turn = 0
        self.left = left
        self.coins = coins
        self.next = 0
        self.undo: list[tuple[int, int, int]] = []

    @property
    def key(self) -> int:  # type: ignore[override] # a hash of so small a state is computed when asked for
        return (self.left * 8 + self.turn + 2) * 8 + self.next

    def moves(self) -> list[int]:
        return list(range(1, min(3, self.left) + 1))

    def make(self, move: int) -> None:
        self.undo.append((self.left, self.turn, self.next))
        if self.turn == CHANCE:
            self.left -= move == HEADS
            self.turn = self.next
        else:
            self.left -= move
            self.next = (self.turn + 1) % len(self.teams)
            self.turn = CHANCE if self.coins and self.left else self.next
        if not self.left:
            self.next = (self.next - 1) % len(self.teams)
            self.turn = OVER

    def unmake(self) -> None:
        self.left, self.turn, self.next = self.undo.pop()

    def copy(self) -> Heap:
        other = Heap(self.left, len(self.teams), coins=self.coins)
        other.turn, other.next = self.turn, self.next
        return other

    def skip_to(self, seat: int) -> None:
        self.undo.append((self.left, self.turn, self.next))
        self.turn = seat

    def can_move(self, seat: int) -> bool:
        return self.left > 0

    def evaluate(self, seat: int) -> int:
        return 0

    def result(self) -> tuple[float, ...] | None:
        return tuple(float(seat == self.next) for seat in self.teams) if self.turn == OVER else None

    def chances(self) -> Sequence[tuple[int, int]]:
        return ((HEADS, 1), (TAILS, 1)) if self.turn == CHANCE else ()

    def action(self, move: int) -> str:
        return f"take {move}"

    def visibility(self, move: int) -> int:
        return {1: 100, 2: 40, 3: 0}.get(move, 50)


@cache
def chance_to_win(left: int, *, coins: bool) -> float:
    """The exact probability that the seat to take wins, of two."""
    return max(after(left - n, coins=coins) for n in range(1, min(3, left) + 1))


@cache
def after(left: int, *, coins: bool) -> float:
    """The same for the seat that has just taken, with `left` in the heap."""
    if not left:
        return 1.0
    if not coins:
        return 1.0 - chance_to_win(left, coins=False)
    heads = 1.0 if left == 1 else 1.0 - chance_to_win(left - 1, coins=True)
    return (heads + 1.0 - chance_to_win(left, coins=True)) / 2
