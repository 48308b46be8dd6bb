"""Advice to a seat: the move to play, what is expected to follow, and what the obvious move loses.

All of it comes from an appraisal of what the seat knows, and is put into the notation that people type.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import Any

from games.ai.appraisal import Appraisal, Rated
from games.ai.valued import line_texts
from games.engine.game import AnyGame, Seat
from games.engine.reasons import Reason, reasons

_SAME = 0.005
"""Smaller differences of a share of the match aren't worth telling."""
_SURE = 2.0
"""Standard errors that a difference of estimates has to exceed to be shown."""


@dataclass(frozen=True, slots=True)
class RatedMove:
    """A move as text, with the share of the match that its seat may expect, and the share's error."""

    action: Any
    text: str
    share: float
    error: float
    exact: bool
    certain: bool = False
    """Whether the share is a proved 0 or 1."""
    evidence: float | None = None
    """By how many standard errors it is worse than the best move, where samples measure that."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What is best for the acting seat."""

    seat: Seat
    best: RatedMove
    line: tuple[tuple[Seat, str], ...]
    """The moves that are expected to follow the best one, with who makes them."""
    rival: RatedMove | None
    """Of the moves that look good at first sight, the best one with another idea; None if there is none."""
    reasons: tuple[Reason, ...] = ()
    """Why the best move is better than the rival, or what it has that the rival lacks if both are as good."""

    @property
    def loss(self) -> float:
        """The share that the rival gives away; 0 if that isn't worth telling, not sure, or there is none."""
        best, rival = self.best, self.rival
        lost = 0.0 if rival is None else best.share - rival.share
        if rival is None or lost < _SAME:
            return 0.0
        error = hypot(best.error, rival.error) / 2  # they have much in common
        sure = lost > _SURE * error if rival.evidence is None else rival.evidence >= _SURE
        return lost if sure else 0.0


def advise(game: AnyGame, state: Any, found: Appraisal) -> Advice | None:
    """Return the advice that follows from an appraisal of a state that the seat can know.

    None if no move can be judged from what the seat knows.
    """
    if found.best is None:
        return None
    seat = found.seat
    view = game.view(state, seat)

    def rated(each: Rated) -> RatedMove:
        text = game.format(view, each.action)
        certain = each.certain_for(seat)
        evidence = None if each.behind is None else each.behind.evidence
        return RatedMove(each.action, text, each.shares[seat], each.error, each.exact, certain, evidence)

    best = found.best.action
    idea = game.idea(best)
    others = [each for each in found.also if each is not None and game.idea(each.action) != idea]
    rival = max(others, key=lambda each: each.shares[seat], default=None)
    following = line_texts(game, state, found.line)[1:]
    if rival is None:
        return Advice(seat, rated(found.best), following, None)
    advice = Advice(seat, rated(found.best), following, rated(rival))
    why = reasons(game, view, seat, best, rival.action, advice.loss)
    return replace(advice, reasons=why if advice.loss else tuple(each for each in why if each.good))
