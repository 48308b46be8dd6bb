"""The rows of standing: what a finished match says about its people, and how it changed their ratings.

Strengths are whole thousandths of a point, so that both databases and a rebuild agree to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

UNIT = 1000
"""Stored strengths are in these parts of a point."""
EVERYWHERE = 0
"""Stands for all servers, where the id of a server says whose ratings these are."""

Unrated = Literal["", "fork", "friendly", "computer", "twice", "hint", "undo"]
"""Why a match counts for no rating: it began in the middle; it was agreed to be friendly; a computer of
unknown strength sat in it from the start; someone held two seats; a hint was shown; a move was taken back by
consent. Empty if it may count."""

Share = Literal["both", "gain", "loss", "none"]
"""What a person's result may do to their rating."""

Why = Literal["", "substitute", "left", "unmoved", "removed", "wave", "alone"]
"""Why a result counts less than in full: the person came as a substitute, or left their seat to someone; they
made no move; a moderator removed them; it was one of a wave of timeouts; no opponent was left to compare
with. Empty if it counts in full."""


@dataclass(frozen=True, slots=True)
class PersonResult:
    """What a finished match says about one person in one seat."""

    user: int
    seat: int
    side: int
    """The team of the seat."""
    place: int
    """The place of the team, 1 for the first."""
    tied: bool = False
    """Whether another team has come to the same place."""
    share: Share = "both"
    why: Why = ""
    since: int = 0
    """The entry of the log from which they held the seat."""
    moves: int = 0
    pace: int | None = None
    """The median time to a move in milliseconds; None without one."""
    last_move: datetime | None = None
    timed_out: datetime | None = None
    """When they lost the seat by the clock."""

    @property
    def began(self) -> bool:
        """Whether they held the seat from the start."""
        return self.since == 0

    @property
    def abandoned(self) -> bool:
        """Whether they were no longer there at the end."""
        return self.timed_out is not None or self.why in ("left", "removed")


@dataclass(frozen=True, slots=True)
class ComputerResult:
    """A computer that sat in a seat from the start: its team, their place, and its strength, which is fixed.

    The strength is that of the first entry of the log.
    """

    seat: int
    side: int
    place: int
    mu: int
    sigma: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a finished match says about its people: one entry for each, by seat."""

    match: str
    at: datetime
    """When it ended: results count in this order, those of one time by the id of the match."""
    game: str
    family: str
    guild: int | None
    sides: int
    """Number of sides that played."""
    unrated: Unrated
    people: tuple[PersonResult, ...]
    computers: tuple[ComputerResult, ...] = ()
    """Those with a strength, by seat."""

    @property
    def scopes(self) -> tuple[int, ...]:
        """Whose ratings it may change: those of all servers, and of its own."""
        return (EVERYWHERE,) if self.guild is None else (EVERYWHERE, self.guild)


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a person is, in thousandths of a point: mean and standard deviation after `matches`."""

    mu: int
    sigma: int
    matches: int = 0

    @property
    def points(self) -> float:
        """The mean in points."""
        return self.mu / UNIT

    @property
    def error(self) -> float:
        """The standard deviation in points."""
        return self.sigma / UNIT


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one match did to one rating of a person."""

    user: int
    scope: int
    before: Rating
    after: Rating
    why: Why = ""
    nth: int = 1
    """The number of the match among those of the same people within a day: it counts an nth."""

    @property
    def counted(self) -> bool:
        """Whether the result counted at all."""
        return self.after.matches > self.before.matches
