"""Read the days between which someone looks for matches: `2026`, `2026-11` or `2026-11-03`, in UTC.

`5/6` is a day in May in some places and one in June in others: it has two readings, and is asked about.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from games.engine.normalization import folded

_DAY = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")

_SLASHED = re.compile(r"(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}))?\.?")


def day_readings(text: str, year: int) -> tuple[str, ...]:
    """Return the days that `5/6`, `5/6/2026` or `5.6.2026` can mean, as `2026-06-05`; none if it is none.

    The year is that of a text without one. With dots, the day comes first.
    """
    found = _SLASHED.fullmatch(folded(text))
    if found is None:
        return ()
    first, mark, second = found[1], found[2], found[3]
    pairs = ((second, first),) if mark == "." else ((second, first), (first, second))
    days = (f"{int(found[4] or year):04}-{int(month):02}-{int(day):02}" for month, day in pairs)
    return tuple(day for day in dict.fromkeys(days) if read_days(day) is not None)


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


def days_asked_for(text: str, year: int) -> tuple[datetime, datetime] | list[str]:
    """Return the first moment of what is asked for and the first one after it.

    Where a text has several readings, return them instead, as `2026-06-05`; none if it isn't a day at all.
    """
    if (days := read_days(text)) is not None:
        return days
    possible = day_readings(text, year)
    only = read_days(possible[0]) if len(possible) == 1 else None
    return list(possible) if only is None else only
