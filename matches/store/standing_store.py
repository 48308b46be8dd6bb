"""Results and ratings: part of the protocol of a Store.

A result is written by the commit that ends its match (`Commit.result`), and changes ratings in the same
transaction. One that is older than others which were written before is counted in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from matches.store.standing_rows import MatchResult, Rating, RatingChange


@dataclass(frozen=True, slots=True, order=True)
class Ladder:
    """Whose ratings can be compared: those of one game, family of set-ups, and scope."""

    game: str
    family: str
    scope: int


class StandingStore(Protocol):
    """Results and ratings."""

    async def ratings_of(self, user: int) -> dict[Ladder, Rating]:
        """Return all ratings of a person."""
        ...

    async def match_result(self, match_id: str) -> tuple[MatchResult, tuple[RatingChange, ...]] | None:
        """Return the result of a match and what it changed, by scope and seat; None if it says nothing."""
        ...

    async def replace_standing(self, results: Iterable[MatchResult]) -> int:
        """Replace all results and ratings by those that follow from these; return how many results."""
        ...
