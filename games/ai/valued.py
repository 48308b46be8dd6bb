"""The question what a position is worth, and the answer, with its line as texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.ai.paired_samples import Gap
from games.engine.game import AnyGame, Seat

MAX_LINE: Final = 4
"""Maximum number of moves in an expected line."""


@dataclass(frozen=True, slots=True)
class Question:
    """A position as a seat sees it: the seat is to act."""

    game: AnyGame
    view: Any
    seat: Seat
    teams: tuple[int, ...]
    """The team of each seat, from the setup of the match."""
    also: tuple[Any, ...] = ()
    """Legal actions of the seat to be valued as well, such as the one that was played."""
    level: str = "hard"
    """The level whose work is done, for each of the values. It overlooks nothing here."""
    effort: float = 1.0
    """Factor for that work."""
    consults: bool = True
    """Whether a game without a search asks its strongest computer for a move to compare."""


@dataclass(frozen=True, slots=True)
class Rated:
    """An action and what it leads to."""

    action: Any
    shares: tuple[float, ...]
    """The share of the match that each seat may expect: probabilities, by seat."""
    error: float
    """Standard deviation of the mover's share from the truth; 0 if it is exact or proved."""
    exact: bool = False
    """Whether the shares are exact values: by a table, or because the end was seen."""
    behind: Gap | None = None
    """What it loses against the best action, where samples of its own measure that."""

    def certain_for(self, seat: Seat) -> bool:
        """Return whether it is proved that the seat wins, or that it loses: only then words may say so."""
        return self.exact and self.shares[seat] in (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Appraisal:
    """What a position is worth to each seat if the best action found is played."""

    seat: Seat
    """The seat to act."""
    best: Rated | None
    """One of the actions asked about, if none is better; None if no action can be judged from this view."""
    line: tuple[tuple[Seat, Any], ...]
    """The expected moves with their seats, beginning with the best action; it ends where chance is due."""
    also: tuple[Rated | None, ...] = ()
    """The actions asked about, in their order: none is better than `best`. None for one without a value."""
    now: tuple[float, ...] = ()
    """The shares by a glance at the view, where there is no `best`."""

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of the match that each seat may expect."""
        return self.now if self.best is None else self.best.shares

    @property
    def value(self) -> float:
        """The share of the seat to act."""
        return self.shares[self.seat]


def line_texts(game: AnyGame, state: Any, line: Sequence[tuple[Seat, Any]]) -> tuple[tuple[Seat, str], ...]:
    """Return the moves of a line, each with its seat, in the notation that people type.

    It ends before a move that isn't possible: what is hidden may have been guessed.
    """
    moves: list[tuple[Seat, str]] = []
    for seat, action in line:
        if seat not in game.to_act(state) or game.refuse(state, seat, action) is not None:
            break
        moves.append((seat, game.format(game.view(state, seat), action)))
        state = game.apply(state, seat, action).state
    return tuple(moves)
