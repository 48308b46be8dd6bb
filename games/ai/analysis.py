"""Analyse a finished match by exact values: the loss of each move, and how much was luck.

The loss of a move is the value of the best action less that of the played one, both before the dice are
rolled, so that nobody is blamed for luck. Moves that were taken back are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from games.engine.game import Oracle, Seat
from games.engine.match import Entry, Kind, Match, walk

BEST_MOVE_TOLERANCE = 1e-4
"""Largest loss, as a probability, with which a move still counts as a best one: tables are rounded."""


@dataclass(frozen=True, slots=True)
class Move:
    """One decision: its seat and log entry, the action played, and the best one, with their values."""

    seat: Seat
    seq: int
    played: str
    value: float
    """The seat's probability of winning after the played action."""
    best: str
    """A best action; the played one if it is among them."""
    best_value: float

    @property
    def loss(self) -> float:
        """The probability of winning that the move gave away."""
        return self.best_value - self.value


@dataclass(frozen=True, slots=True)
class Analysis:
    """A two-player match in numbers.

    `points` are the first seat's probabilities of winning before each of the `moves`, and at the end. `luck`
    is the total that chance added to the first seat's probability, and took from the second's.
    """

    points: tuple[float, ...]
    moves: tuple[Move, ...]
    luck: float

    def mistake(self, seat: Seat) -> int | None:
        """Return the index of a seat's worst move, the first of equals; None if all were best moves."""
        bad = [
            n for n, move in enumerate(self.moves) if move.seat == seat and move.loss > BEST_MOVE_TOLERANCE
        ]
        return max(bad, key=lambda n: self.moves[n].loss, default=None)

    def best(self, seat: Seat) -> tuple[int, int]:
        """Return how many of a seat's moves were best ones, and how many it made."""
        mine = [move for move in self.moves if move.seat == seat]
        return sum(move.loss <= BEST_MOVE_TOLERANCE for move in mine), len(mine)


def analyse(match: Match, oracle: Oracle) -> Analysis | None:
    """Analyse a finished match for two seats.

    Return None if it has no result, nobody moved, or the oracle lacks a position.
    """
    if match.ending is None or match.ending.outcome is None or match.setup.seats != 2:
        return None
    after: list[tuple[Move, ...]] = [()]
    for (before, _), (_, entry) in pairwise(zip(walk(match.log), match.log, strict=True)):
        moves = after[-1]
        if entry.kind is Kind.TAKEBACK:
            moves = after[int(entry.data)]
        elif entry.kind in (Kind.PLAY, Kind.DEFAULT):
            move = _rate(before[0], entry, oracle)
            if move is None:
                return None
            moves = (*moves, move)
        after.append(moves)
    moves = after[-1]
    if not moves:
        return None
    ranks = match.ending.outcome.ranks
    points = [_first(move.seat, move.best_value) for move in moves]
    points.append(0.5 if ranks[0] == ranks[1] else 1.0 if ranks[0] == 1 else 0.0)
    settled = match.game.outcome(match.state) is not None and not match.gone
    chances = [now - _first(move.seat, move.value) for move, now in zip(moves, points[1:], strict=True)]
    return Analysis(tuple(points), moves, sum(chances if settled else chances[:-1]))


def _first(seat: Seat, value: float) -> float:
    """Return the first seat's probability of winning, given that of a seat."""
    return value if seat == 0 else 1.0 - value


def _rate(before: Match, entry: Entry, oracle: Oracle) -> Move | None:
    """Compare a decision with the best one; None if the oracle lacks the position."""
    seat, game = entry.seat, before.game
    if seat is None:
        return None
    view = game.view(before.state, seat)
    values = oracle.appraise(view, seat)
    if not values:
        return None
    action = game.decode(entry.data)
    played = next(value for each, value in values if each == action)
    best, most = max(values, key=lambda pair: (pair[1], pair[0] == action))
    return Move(seat, entry.seq, game.format(view, action), played, game.format(view, best), most)
