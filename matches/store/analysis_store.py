"""The part of the Store that keeps analyses of finished matches."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from games.engine.fields import Json


class AnalysisStore(Protocol):
    """Where analyses are kept, one for each match at most."""

    async def analysis(self, match_id: str, source: str) -> Json:
        """Return the analysis of a match, or None if there is none whose values come from that source."""
        ...

    async def analysed_matches(self, game: str, family: str, limit: int) -> tuple[str, ...]:
        """Return the rated matches of a game and family that have an analysis, the latest first."""
        ...

    async def save_analysis(self, match_id: str, source: str, data: Json, now: datetime) -> None:
        """Keep the analysis of a match in place of an earlier one.

        Raises LookupError for an unknown match.
        """
        ...
