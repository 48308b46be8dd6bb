"""Read the days between which someone looks for matches: `2026`, `2026-11` or `2026-11-03`, in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from games.engine.normalization import folded

_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def read_days(text: str) -> tuple[datetime, datetime] | None:
    """Return the first moment of a year, month or day, and the first one after it; None if it isn't one."""
    found = _DAY.fullmatch(folded(text))
    if found is None:
        return None
    year, month, day = (int(part) if part else None for part in found.groups())
    try:
        begin = datetime(year or 0, month or 1, day or 1, tzinfo=UTC)
        if day is not None:
            return begin, begin + timedelta(days=1)
        if month is not None:
            return begin, (begin + timedelta(days=32)).replace(day=1)
        return begin, begin.replace(year=begin.year + 1)
    except (ValueError, OverflowError):
        return None
