"""Plans of people, as lines of conditions and replies, and the part of the Store that keeps them. No logic.

A plan is private: only the person who made it may see it, or learn that there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from matches.outbox.queue import Draft


@dataclass(frozen=True, slots=True)
class NamedMove:
    """A move of another seat that a plan names: as the log stores it, and as people type it."""

    seat: int
    wire: str
    text: str


@dataclass(frozen=True, slots=True)
class PlanStep:
    """What the others have to play, and what is played then."""

    moves: tuple[NamedMove, ...]
    """The moves of the others since the planner's last turn, in order."""
    rest: bool
    """Whether anything may follow these moves; if not, they have to be all."""
    reply: str
    """The planner's move as text, one order or several."""
    wire: str = ""
    """The reply as the log stores it, if the position was known; empty if it is read when it is played."""


Line: TypeAlias = tuple[PlanStep, ...]
"""Steps in order; never empty."""


@dataclass(frozen=True, slots=True)
class PlanRow:
    """What a person has planned for their seat."""

    match: str
    seat: int
    user: int
    version: int
    """The log entry after which the lines begin."""
    lines: tuple[Line, ...] = ()
    only_move: bool = False
    """Whether to play the only legal move for them."""

    @property
    def empty(self) -> bool:
        """Whether nothing is planned: such a plan isn't stored."""
        return not self.lines and not self.only_move


class PlanStore(Protocol):
    """Where plans are kept.

    A commit with `plan` stores that plan in the same transaction. Whatever changes a match removes the plans
    that no longer belong to anyone: all of them once it isn't live, and that of a seat that a person lost.
    """

    async def plans(self, match_id: str) -> tuple[PlanRow, ...]:
        """Return the plans for a match, by seat."""
        ...

    async def planned_matches(self) -> frozenset[str]:
        """Return the ids of the matches for which there are plans."""
        ...

    async def save_plan(self, plan: PlanRow, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add a plan or replace that of its seat, and queue a message in the same transaction.

        An empty plan removes it. Raises LookupError for an unknown match, ValueError for a message without
        the time.
        """
        ...
