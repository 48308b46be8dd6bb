"""Playing hours of a match: the time of day and the days of the week during which its clocks run.

An instant lies within them exactly if a clock on the wall of their time zone shows such a time on such a day.
So an hour that a change to winter time repeats counts twice, and one that summer time skips doesn't count.
Source of time zones: the IANA database, by `zoneinfo`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from heapq import heappop, heappush
from typing import Final
from zoneinfo import ZoneInfo

from matches.spans import Span

_DAY: Final = timedelta(days=1)
_FAR: Final = timedelta(hours=36)
"""So far from a wall's time, taken for UTC, lies no instant that the wall shows so."""
_LAST_YEAR: Final = 9990
"""Python's dates end with the year 9999."""
MIN_WEEK: Final = timedelta(hours=6)
"""Least time in a week that playing hours must leave."""


@dataclass(frozen=True, slots=True)
class PlayingHours:
    """Each of `days` (0 is Monday) from `opens` to `closes` on the wall, in whole minutes.

    Where `closes` isn't later than `opens` it is that of the next day; equal times mean the whole day.
    Raises ValueError for no day, seconds, or less than six hours a week.
    """

    zone: ZoneInfo
    opens: time = time(0)
    closes: time = time(0)
    days: frozenset[int] = frozenset(range(7))

    def __post_init__(self) -> None:
        if not self.days or not self.days <= frozenset(range(7)):
            raise ValueError("playing hours need days of the week, 0 to 6")
        if any(t.second or t.microsecond or t.tzinfo for t in (self.opens, self.closes)):
            raise ValueError("playing hours are whole minutes on the wall")
        if self.length * len(self.days) < MIN_WEEK:
            raise ValueError("playing hours leave at least six hours a week")

    @property
    def length(self) -> timedelta:
        """How long a day's playing hours are on the wall."""
        minutes = (self.closes.hour - self.opens.hour) * 60 + self.closes.minute - self.opens.minute
        return timedelta(minutes=minutes if minutes > 0 else minutes + 24 * 60)

    def windows(self, after: datetime) -> Iterator[Span]:
        """Yield the spans within playing hours that end later than `after`, in order; they go on for ever.

        They don't overlap, but may touch.
        """
        day = after.astimezone(self.zone).date() - 2 * _DAY
        waiting: list[Span] = []
        while day.year < _LAST_YEAR:
            for span in self._day(day):
                heappush(waiting, span)
            day += _DAY
            opens = datetime.combine(day, self.opens, UTC)
            next_day = opens - self._offset(opens) - _DAY / 4
            while waiting and waiting[0].start < next_day:
                if (span := heappop(waiting)).start < span.end and span.end > after:
                    yield span

    def _day(self, day: date) -> tuple[Span, ...]:
        """Return the playing hours that begin on a day: one span, or two around a change of the offset."""
        if day.weekday() not in self.days:
            return ()
        opens = datetime.combine(day, self.opens)
        closes = opens + self.length
        low, high = opens.replace(tzinfo=UTC) - _FAR, closes.replace(tzinfo=UTC) + _FAR
        early, late = self._offset(low), self._offset(high)
        begins, ends = opens.replace(tzinfo=UTC), closes.replace(tzinfo=UTC)
        if early == late:
            return (Span(begins - early, ends - early),)
        change = self._change(low, high)
        return Span(begins - early, min(ends - early, change)), Span(max(begins - late, change), ends - late)

    def _offset(self, instant: datetime) -> timedelta:
        return instant.astimezone(self.zone).utcoffset() or timedelta()

    def _change(self, low: datetime, high: datetime) -> datetime:
        """Return the instant between two others, whole seconds apart, at which the zone's offset changes."""
        before, second = self._offset(low), timedelta(seconds=1)
        while high - low > second:
            middle = low + (high - low) // second // 2 * second
            if self._offset(middle) == before:
                low = middle
            else:
                high = middle
        return high
