"""The analyses of finished matches."""

from __future__ import annotations

import json
from datetime import datetime
from typing import cast

from games.engine.fields import Json
from storage.parts import StorePart
from storage.rows import to_json, to_ms

_SAVE = """
INSERT INTO analyses (match, source, made, data) VALUES (?, ?, ?, ?)
ON CONFLICT (match) DO UPDATE SET source = excluded.source, made = excluded.made, data = excluded.data
"""
_ANALYSED = """
SELECT DISTINCT a.match, r.at FROM analyses AS a JOIN match_results AS r ON r.match = a.match
WHERE r.game = ? AND r.family = ? AND r.unrated = '' ORDER BY r.at DESC, a.match DESC LIMIT ?
"""


class AnalysesPart(StorePart):
    """The statements about analyses that every database takes."""

    async def analysis(self, match_id: str, source: str) -> Json:
        """Return the analysis of a match whose values come from that source, or None."""
        found = await self._fetch_all(
            "SELECT data FROM analyses WHERE match = ? AND source = ?", match_id, source
        )
        return cast("Json", json.loads(found[0][0])) if found else None

    async def analysed_matches(self, game: str, family: str, limit: int) -> tuple[str, ...]:
        """Return rated matches that have an analysis."""
        return tuple(match for match, _ in await self._fetch_all(_ANALYSED, game, family, limit))

    async def save_analysis(self, match_id: str, source: str, data: Json, now: datetime) -> None:
        """Keep the analysis of a match in place of an earlier one. LookupError for no such match."""
        await self._execute(_SAVE, match_id, source, to_ms(now), to_json(data))
