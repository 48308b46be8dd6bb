"""Playing hours of a match, the times of day and week at which its clocks run, and how people type them.

An instant lies within them exactly if a clock on the wall of their time zone shows such a time on such a day.
So an hour that a change to winter time repeats counts twice, and one that summer time skips doesn't count.
Source of time zones: the IANA database, by `zoneinfo`.

Typed are `9:00`, `9 pm`, `22`; `Mon-Fri`, `weekends`, `every day`. `9-5` may run over midnight, or mean 5 in
the afternoon: times that end before they begin and don't say which half of the day they are in have several
readings, and nobody chooses one silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from heapq import heappop, heappush
from typing import Final
from zoneinfo import ZoneInfo

from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.spans import Span

_DAY: Final = timedelta(days=1)
_FAR: Final = timedelta(hours=36)
"""So far from a wall's time, taken for UTC, lies no instant that the wall shows so."""
_LAST_YEAR: Final = 9990
"""Python's dates end with the year 9999."""
MIN_WEEK: Final = timedelta(hours=6)
"""Least time in a week that playing hours must leave."""
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SETS: Final = {
    "": range(7),
    "all": range(7),
    "daily": range(7),
    "everyday": range(7),
    "weekdays": range(5),
    "workdays": range(5),
    "weekend": (5, 6),
    "weekends": (5, 6),
}
_SHORTEST: Final = 2
_TIME: Final = re.compile(r"(\d{1,2})(?:[:.h]?([0-5]\d))?\s*(?:h|uhr|o'?clock)?\s*([ap])?\.?(?:m\.?)?")
_WORDS: Final = {"": time(0), "midnight": time(0), "noon": time(12), "midday": time(12)}


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


def read_hours(opens: str, closes: str, days: str, zone: ZoneInfo) -> PlayingHours | Msg:
    """Return the playing hours that someone typed, or a sentence about what is wrong.

    Times that are left out are midnight, days that are left out are all.
    """
    first, last, which = _time(opens), _time(closes), _days(days)
    if first is None or last is None:
        return msg("time_control.refuse.time")
    if which is None:
        return msg("time_control.refuse.days")
    if len(found := span_readings(opens, closes)) > 1:
        return which_words(found)
    try:
        return PlayingHours(zone, first, last, which)
    except ValueError:
        return msg("time_control.refuse.hours", n=int(MIN_WEEK.total_seconds()) // 3600)


def span_readings(opens: str, closes: str) -> tuple[tuple[time, time], ...]:
    """Return what two times of day can mean, as typed first; none if they can't be read.

    `9-5` is 09:00-05:00, 09:00-17:00 or 21:00-05:00. `09:00-05:00` and `9 am-5` are one thing only.
    """
    first, last = _time(opens), _time(closes)
    if first is None or last is None:
        return ()
    return tuple(dict.fromkeys(_spans(first, last, vague=_are_vague(opens, closes))))


def which_words(found: tuple[tuple[time, time], ...]) -> Msg:
    """Return the question which of several spans of the day is meant, each as it can be typed."""
    texts = tuple("`" + "-".join(at.isoformat("minutes") for at in span) + "`" for span in found)
    return msg("time_control.refuse.which", n=len(texts), readings=texts)


def _spans(first: time, last: time, *, vague: bool) -> Iterator[tuple[time, time]]:
    yield first, last
    if vague and first >= last:
        yield first, _later(last)
        if first.hour < 12:
            yield _later(first), last


def _later(at: time) -> time:
    """Return a time of day twelve hours later."""
    return at.replace(hour=(at.hour + 12) % 24)


def _are_vague(*typed: str) -> bool:
    """Return whether times may be in either half of the day: `9`, `5:30`; not `09:00`, `9 am`, `21`."""
    found = [_TIME.fullmatch(folded(each)) for each in typed]
    whole = all(each is not None and len(each[1]) == 2 and each[2] for each in found)
    return not whole and all(
        each is not None and not each[3] and 1 <= int(each[1]) <= 12 and each[1][0] != "0" for each in found
    )


def is_days(text: str) -> bool:
    """Return whether a text names days of the week."""
    return bool(text.strip()) and _days(text) is not None


def _time(typed: str) -> time | None:
    text = folded(typed)
    if text in _WORDS:
        return _WORDS[text]
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found[3] == "p" else 0)
    if hour == 24 and not minute:
        hour = 0
    return time(hour, minute) if hour < 24 else None


def _days(typed: str) -> frozenset[int] | None:
    text = re.sub(r" ?(?:-|\bto\b|\buntil\b) ?", "-", folded(typed).replace("every day", "all"))
    found: set[int] = set()
    for part in re.split(r"[\s,;+&/]+|\band\b", text) if text.strip() else [""]:
        if part in _SETS and (part or not text.strip()):
            found.update(_SETS[part])
        elif part:
            first, _, last = part.partition("-")
            ends = _day(first), _day(last or first)
            if ends[0] is None or ends[1] is None:
                return None
            found.update((ends[0] + n) % 7 for n in range((ends[1] - ends[0]) % 7 + 1))
    return frozenset(found) or None


def _day(word: str) -> int | None:
    """Return the day that a word means: a name, in the plural too, or its beginning."""
    name = word.strip(".").removesuffix("s") if len(word) > 4 else word.strip(".")
    if len(name) < _SHORTEST:
        return None
    return next((number for number, day in enumerate(_DAYS) if day.startswith(name)), None)
