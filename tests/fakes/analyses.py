"""The analyses of the store in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from games.engine.fields import Json
from tests.fakes.base import MemoryBase, as_json


@dataclass
class MemoryAnalyses(MemoryBase):
    """Source and data by match."""

    _analyses: dict[str, tuple[str, Json]] = field(default_factory=dict)

    async def analysis(self, match_id: str, source: str) -> Json:
        """The analysis of a match from that source."""
        self._open()
        kept, data = self._analyses.get(match_id, ("", None))
        return as_json(data) if kept == source else None

    async def save_analysis(self, match_id: str, source: str, data: Json, now: datetime) -> None:
        """Keep the analysis of a match in place of an earlier one."""
        self._change()
        self._known(match_id)
        self._analyses[match_id] = (source, as_json(data))
