"""A clock with its playing hours in one text: `3d from 9:00 to 22:00 Mon-Fri Europe/Berlin`.

What stands before "from" is a clock as `typed` reads it. After it come two times of day, days of the week if
not all are meant, and a time zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from games.engine.message import Msg, msg
from games.engine.normalization import normalized
from matches.clocks import zones
from matches.clocks.control import TimeControl, time_zone
from matches.clocks.hours import PlayingHours
from matches.clocks.typed import read_clock
from matches.clocks.typed_hours import is_days, read_hours, span_readings
from matches.clocks.words import no_zone_words

MAX_WHOLE: Final = 200
"""Maximum length of a clock with playing hours, in characters."""
_FROM: Final = re.compile(r"(?:^|(?<=[ ,;]))from ", re.IGNORECASE)
_TIME: Final = r"(?:\d{1,2}(?:[:.h]?\d\d)?(?: ?(?:[ap]\.?m\.?|h|o'?clock))?|noon|midday|midnight)"
_TIMES: Final = re.compile(
    rf"(?P<opens>{_TIME}) ?(?:-|to|until|till) ?(?P<closes>{_TIME})(?![\w:])[ ,;]*(?P<rest>.*)",
    re.IGNORECASE,
)


class _Parts(NamedTuple):
    opens: str
    closes: str
    rest: str


def read_whole_clock(text: str, names: Iterable[str], now: datetime) -> TimeControl | Msg | None:
    """Return the clock that a text means, with playing hours if it names them; or what to write instead.

    `names` has the names of all zones, `now` says which of them have a typed offset. May read files of zones:
    call it in a thread.
    """
    head, hours = _divided(_said(text))
    clock = read_clock(head)
    if hours is None or isinstance(clock, Msg):
        return clock
    if clock is None:
        return msg("time_control.refuse.hours_only")
    read = _read_hours(hours, tuple(names), now)
    return read if isinstance(read, Msg) else replace(clock, hours=read)


def suggest_whole_clocks(text: str, names: Iterable[str], limit: int = 25) -> tuple[str, ...]:
    """Return texts that end the playing hours in what someone types with a time zone; none before these."""
    text = _said(text)
    head, hours = _divided(text)
    parts = None if hours is None else _parts(hours)
    if parts is None or isinstance(read_clock(head), Msg | None):
        return ()
    days, begun = _days_and_rest(parts.rest)
    start, end = text[: len(text) - len(parts.rest)].rstrip(), f" {days}" if days else ""
    spans = span_readings(parts.opens, parts.closes)
    each_way = [f"{head} from {opens:%H:%M} to {closes:%H:%M}" for opens, closes in spans]
    starts = each_way if len(spans) > 1 else [start]
    found = zones.suggest_zones(begun, names)
    return tuple(f"{each}{end} {zone}" for zone in found for each in starts)[:limit]


def _said(text: str) -> str:
    """Return a text as it is read, with single blanks; of one that is too long the beginning."""
    return " ".join(normalized(text[: MAX_WHOLE + 1]).text.split())


def _divided(text: str) -> tuple[str, str | None]:
    """Return the text of a clock, and that of its playing hours if there are any."""
    found = _FROM.search(text)
    return (text, None) if found is None else (text[: found.start()].rstrip(" ,;"), text[found.end() :])


def _parts(hours: str) -> _Parts | None:
    found = _TIMES.fullmatch(hours)
    return None if found is None else _Parts(found["opens"], found["closes"], found["rest"].strip())


def _days_and_rest(text: str) -> tuple[str, str]:
    """Return the days with which a text begins, as many words as name some, and the rest of it."""
    words = re.sub(" ?- ?", "-", text).replace(",", " ").split()
    most = next((n for n in range(len(words), 0, -1) if is_days(" ".join(words[:n]))), 0)
    rest = words[most:]
    if rest and rest[0].casefold() == "in":
        rest = rest[1:]
    return " ".join(words[:most]), " ".join(rest)


def _read_hours(text: str, names: tuple[str, ...], now: datetime) -> PlayingHours | Msg:
    parts = _parts(text)
    if parts is None:
        return msg("time_control.refuse.time")
    days, zone = _days_and_rest(parts.rest)
    found = zones.find_zone(zone[: zones.MAX_TYPED], names, now)
    if isinstance(found, zones.NoZone):
        return no_zone_words(found)
    return read_hours(parts.opens, parts.closes, days, time_zone(found))
