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


class AnalysesPart(StorePart):
    """The statements about analyses that every database takes."""

    async def analysis(self, match_id: str, source: str) -> Json:
        """Return the analysis of a match whose values come from that source, or None."""
        found = await self._fetch_all(
            "SELECT data FROM analyses WHERE match = ? AND source = ?", match_id, source
        )
        return cast("Json", json.loads(found[0][0])) if found else None

    async def save_analysis(self, match_id: str, source: str, data: Json, now: datetime) -> None:
        """Keep the analysis of a match in place of an earlier one. LookupError for no such match."""
        await self._execute(_SAVE, match_id, source, to_ms(now), to_json(data))
