"""What a finished match was worth, move by move: where it was given away, and what was luck.

A mistake is what the best action was worth less what the played one was, both before chance spoke: luck is
nobody's fault. Only moves that are in force count; what was taken back is forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.game import Oracle, Seat
from games.engine.match import Entry, Kind, Match, walk

SLIP = 1e-4
"""A move that is worth less than the best one by no more than this is a best move: tables are rounded."""


@dataclass(frozen=True, slots=True)
class Move:
    """One decision: who made it in which entry, what it was worth, and what would have been best."""

    seat: Seat
    seq: int
    played: str
    value: float
    """The seat's probability to win after it."""
    best: str
    """An action that is worth most: the played one if it is."""
    best_value: float

    @property
    def loss(self) -> float:
        """The probability to win that was given away."""
        return self.best_value - self.value


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match of two in numbers.

    `points` are the first seat's probability to win before each of the `moves`, and at the end. `luck` is
    what chance gave to the first seat, and took from the second, in all.
    """

    points: tuple[float, ...]
    moves: tuple[Move, ...]
    luck: float

    def mistake(self, seat: Seat) -> int | None:
        """The index of a seat's worst move, the first of equals; None if it made none but best moves."""
        bad = [n for n, move in enumerate(self.moves) if move.seat == seat and move.loss > SLIP]
        return max(bad, key=lambda n: self.moves[n].loss, default=None)

    def best(self, seat: Seat) -> tuple[int, int]:
        """How many of a seat's moves were best ones, and how many it made."""
        mine = [move for move in self.moves if move.seat == seat]
        return sum(move.loss <= SLIP for move in mine), len(mine)


def analyse(match: Match, oracle: Oracle) -> Analysis | None:
    """Weigh a finished match. None if it is not over, nobody moved, or the oracle doesn't know it all."""
    if match.ending is None or match.ending.outcome is None or match.setup.seats != 2:
        return None
    after: list[tuple[Move, ...]] = []
    before: Match | None = None
    for (now, _), entry in zip(walk(match.log), match.log, strict=True):
        moves = after[-1] if after else ()
        if entry.kind is Kind.TAKEBACK:
            moves = after[int(entry.data)]
        elif entry.kind is Kind.PLAY and before is not None:
            weighed = _weigh(before, entry, oracle)
            if weighed is None:
                return None
            moves = (*moves, weighed)
        after.append(moves)
        before = now
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
    """A seat's probability to win as that of the first seat."""
    return value if seat == 0 else 1.0 - value


def _weigh(before: Match, entry: Entry, oracle: Oracle) -> Move | None:
    """One decision against the best one."""
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
