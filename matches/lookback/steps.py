"""Divide the log of a match into the steps of a replay: single decisions, and the turns that they make up.

A step is a decision with the dice and draws that came of it. Talk of draws, pauses and clocks is no step; it
belongs to the step that follows. Steps are found by the kinds of entries alone, without any state of the
game, and an entry stays in its step as the log grows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from games.engine.game import Seat
from games.engine.log import Entry, Kind
from matches.log.changes import AUTOMATIC, BY_CLOCK, POSITION_KEPT

_DECISIONS: Final = frozenset((Kind.PLAY, Kind.DEFAULT))
_SKIPPED: Final = POSITION_KEPT - BY_CLOCK - {Kind.CLAIM}
"""Kinds of entries that aren't shown with the step they belong to."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One step: its entries, who decided, and how many decisions are in force after it.

    `by` is None for the start, for what is taken back, and for a match called off.
    """

    first: int
    last: int
    by: Seat | None
    plays: int
    decided: int
    """The entry of the decision; in a turn that of the last one."""

    def shows(self, entry: Entry) -> bool:
        """Return whether the facts of one of its entries are shown with this step."""
        return entry.kind not in _SKIPPED or entry.seq >= self.decided


def steps_of(log: Sequence[Entry]) -> tuple[ReplayStep, ...]:
    """Return the steps of a log, the start first. Entries after the last decision are in none.

    Of a match that is over, its last entry is a step even if it kept the position, as a draw agreed on does.
    """
    over = bool(log) and log[-1].kind is Kind.REVEAL
    ends = next((entry.seq for entry in reversed(log) if entry.kind not in AUTOMATIC), -1) if over else -1
    found: list[ReplayStep] = []
    plays: list[int] = []
    first = 0
    for entry in log:
        before = plays[-1] if plays else 0
        if entry.kind is Kind.TAKEBACK:
            before = plays[int(entry.data)]
        plays.append(before + (entry.kind in _DECISIONS))
        if entry.kind in AUTOMATIC:
            if found and first == entry.seq:
                found[-1] = replace(found[-1], last=entry.seq)
                first = entry.seq + 1
        elif entry.kind not in POSITION_KEPT or entry.seq == ends:
            seat = None if entry.kind is Kind.TAKEBACK else entry.seat
            found.append(ReplayStep(first, entry.seq, seat, plays[-1], entry.seq))
            first = entry.seq + 1
    return tuple(found)


def turns_of(log: Sequence[Entry], steps: Sequence[ReplayStep]) -> tuple[ReplayStep, ...]:
    """Return the steps with the decisions that a seat made in a row joined into one."""
    turns: list[ReplayStep] = []
    going_on = False
    for step in steps:
        decision = log[step.decided].kind in _DECISIONS
        if turns and going_on and decision and turns[-1].by == step.by:
            turns[-1] = replace(turns[-1], last=step.last, plays=step.plays, decided=step.decided)
        else:
            turns.append(step)
        going_on = decision
    return tuple(turns)


def step_at(steps: Sequence[ReplayStep], entry: int) -> int:
    """Return the index of the step that an entry is in, or of the last one before it."""
    return max(0, bisect_right(steps, entry, key=lambda step: step.first) - 1)


def step_of_move(steps: Sequence[ReplayStep], number: int) -> int | None:
    """Return the index of the step that made the move of this number, as boards count moves.

    Where moves were taken back, several have had the number: the latest counts. 0 is the start. None if there
    is no such move.
    """
    if number == 0:
        return 0
    for index in range(len(steps) - 1, 0, -1):
        if steps[index - 1].plays < number <= steps[index].plays:
            return index
    return None


def rounds_before(turns: Sequence[ReplayStep], count: int) -> int:
    """Return the index of the turn with which the last `count` rounds begin, at least 1.

    In a round no seat has two turns.
    """
    seen: set[Seat] = set()
    first = len(turns)
    for index in range(len(turns) - 1, 0, -1):
        seat = turns[index].by
        if seat is not None and seat in seen:
            count -= 1
            if not count:
                break
            seen = set()
        if seat is not None:
            seen.add(seat)
        first = index
    return max(1, first)
