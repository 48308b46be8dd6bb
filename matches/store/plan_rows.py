"""A person's plan for a match, as it is stored: lines of conditions and replies. No logic.

A plan is private: only the person who made it may see it, or learn that there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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
