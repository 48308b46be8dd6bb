"""Why one move is better than another, in the terms of its game.

A game returns what a move leads to, as `Effect`s: each is a fact about the position after it, with an amount.
A reason is an effect that sets two moves apart: the better one has more of something good, or the other one
more of something bad. Nothing else is a reason, and there is none where no effect does so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from games.engine.message import Msg
from games.engine.values import Seat

MOST: Final = 2
"""Maximum number of reasons for a move."""
_FAINT: Final = 0.15
"""Reasons of less weight aren't given."""
_WEIGHTY: Final = 3.0
"""What a reason must weigh where the other move gives away the whole match; of less of it, that part."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a move leads to: good for its seat if `weight` is above 0, bad if it is below."""

    kind: str
    """What it is about; at most one effect of a kind for each move."""
    amount: float
    """How much of it there is, above 0; of a kind that a move doesn't have there is 0."""
    weight: float
    """How much each unit of the amount counts, in about a piece."""
    sentence: Msg
    """A sentence about the move, which it calls "it" if the effect is good, and by its name if it is bad."""
    counted: bool = False
    """Whether the amount is a number in the sentence, so that the other move's number may follow it."""
    topic: str = ""
    """Of the reasons on one topic only the weightiest is given."""
    beside: str = ""
    """A kind of effect beside which this one is no reason, if the other move has as much of it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is better than another one."""

    kind: str
    good: bool
    """Whether it is something good about the better move, rather than something bad about the other."""
    amount: float
    """How much of it the move in question has."""
    other: float
    """How much of it the other of the two has: less."""
    weight: float
    sentence: Msg
    counted: bool
    topic: str


class HasEffects(Protocol):
    """A game that returns what its moves lead to."""

    def effects(self, view: Any, seat: Seat, action: Any) -> tuple[Effect, ...]:
        """Return what a legal action of the seat leads to."""


def reasons(
    game: HasEffects, view: Any, seat: Seat, better: Any, other: Any, loss: float = 0.0
) -> tuple[Reason, ...]:
    """Return why a legal action is better than another: at most two reasons, the weightiest first.

    `loss` is the share of the match that the other one gives away, if known: what is slight beside it is no
    reason.
    """
    return compare(game.effects(view, seat, better), game.effects(view, seat, other), loss)


def compare(better: Iterable[Effect], other: Iterable[Effect], loss: float = 0.0) -> tuple[Reason, ...]:
    """Return the weightiest effects that set two moves apart, for the better one."""
    ours, theirs = ({each.kind: each for each in effects} for effects in (better, other))
    found = [
        _reason(each, theirs.get(each.kind))
        for each in ours.values()
        if each.weight > 0 and not (each.beside in theirs and theirs[each.beside].amount >= each.amount)
    ]
    found += [_reason(each, ours.get(each.kind)) for each in theirs.values() if each.weight < 0]
    chosen: dict[str, Reason] = {}
    for each in sorted(found, key=lambda each: -each.weight):
        if each.weight >= max(_FAINT, _WEIGHTY * loss):
            chosen.setdefault(each.topic or each.kind, each)
    return tuple(chosen.values())[:MOST]


def _reason(effect: Effect, less: Effect | None) -> Reason:
    other = 0.0 if less is None else less.amount
    weight = abs(effect.weight) * (effect.amount - other)
    good = effect.weight > 0
    return Reason(
        effect.kind, good, effect.amount, other, weight, effect.sentence, effect.counted, effect.topic
    )
