"""Playing hours as people type them: `9:00`, `9 pm`, `22`; `Mon-Fri`, `weekends`, `every day`.

`9-5` may run over midnight, or mean 5 in the afternoon: times that end before they begin and don't say which
half of the day they are in have several readings, and nobody chooses one silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time
from typing import Final
from zoneinfo import ZoneInfo

from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.clocks.hours import MIN_WEEK, PlayingHours

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


def read_hours(opens: str, closes: str, days: str, zone: ZoneInfo) -> PlayingHours | Msg:
    """Return the playing hours that someone typed, or a sentence that says what is wrong.

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
