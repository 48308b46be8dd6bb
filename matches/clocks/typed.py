"""Clocks as people type them: `3d`, `24h + 12h max 5d`, a preset's name, and playing hours behind.

A duration alone is the time for each move; two are what a seat starts with and what each of its moves adds.
`1 day and 12 hours` and `24h and 12h` can be either: a text that has several readings is answered by all of
them, each with what to type for it. A whole clock, such as `3d from 9:00 to 22:00 Mon-Fri Europe/Berlin`, has
two times of day after "from", days of the week if not all are meant, and a time zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product
from typing import Final, NamedTuple

from games.engine.message import Msg, msg
from games.engine.normalization import folded, normalized
from matches.clocks import zones
from matches.clocks.control import MAX_BANK, MIN_BANK, PRESETS, TimeControl, time_zone
from matches.clocks.hours import PlayingHours, is_days, read_hours, span_readings
from matches.clocks.quantities import JOIN, MAX_READINGS, Quantity, quantity_at, sums, units
from matches.clocks.words import clock_words, no_zone_words

MAX_TYPED: Final = 100
"""Maximum length of a typed clock, in characters."""
_NAMES: Final[Mapping[str, str]] = {
    **{name: name for name in PRESETS},
    **dict.fromkeys(("", "no", "no clock", "off", "without", "unlimited"), "none"),
    "an evening": "evening",
}
"""What presets are called, in the words of people."""
_MIN, _MOST = (limit // timedelta(seconds=1) for limit in (MIN_BANK, MAX_BANK))
_SHORT: Final = {86_400: "d", 3_600: "h", 60: "min", 1: "s"}
_TOKENS: Final = re.compile(
    r"(?P<each>(?:(?:for\s+)?(?:each|every)|an?|per|pro|je|par|/)\s*(?:move|turn|zug|coup)\b)"
    r"|(?P<total>for\s+the\s+(?:whole\s+)?(?:match|game)\b|(?:in\s+)?total\b|altogether\b|insgesamt\b|au\s+total\b)"
    r"|(?P<max>(?:saved\s+)?up\s+to\b|at\s+most\b|max(?:imum)?\b\.?|cap\b|limit\b|höchstens\b|au\s+plus\b)"
    r"|(?P<extra>more\b|mehr\b|de\s+plus\b)"
    rf"|(?P<add>\+)|(?P<join>,|{JOIN})|(?P<end>\.$)"
)
_KINDS: Final = {"each": "e", "total": "t", "max": "x", "extra": "m", "add": "+", "join": "&", "end": ""}
_SHAPE: Final = re.compile(r"(?P<time>[qn&+]+?)(?P<extra>m?)(?P<rest>e?|t)(?:&?x(?P<cap>q(?:&?q)*))?")
_Token = tuple[str, Quantity | None]
MAX_WHOLE: Final = 200
"""Maximum length of a clock with playing hours, in characters."""
_FROM: Final = re.compile(r"(?:^|(?<=[ ,;]))from ", re.IGNORECASE)
_TIME: Final = r"(?:\d{1,2}(?:[:.h]?\d\d)?(?: ?(?:[ap]\.?m\.?|h|o'?clock))?|noon|midday|midnight)"
_TIMES: Final = re.compile(
    rf"(?P<opens>{_TIME}) ?(?:-|to|until|till) ?(?P<closes>{_TIME})(?![\w:])[ ,;]*(?P<rest>.*)",
    re.IGNORECASE,
)


class _Reading(NamedTuple):
    bank: int
    more: int
    cap: int


def read_clock(text: str) -> TimeControl | Msg | None:
    """Return the clock that a text means, None for "no clock", or a sentence about what to write instead.

    Only presets decide what happens when time is up; all others have the usual way.
    """
    if (found := _named(text)) is None:
        return None
    possible = [each for each in found if isinstance(each, TimeControl)]
    if not possible:
        return found[0]
    if len(found) == 1:
        return possible[0]
    offered = tuple(
        msg("time_control.reading", typed=format_clock(each), clock=clock_words(each)) for each in possible
    )
    return msg("time_control.refuse.which", n=len(offered), readings=offered)


def clock_readings(text: str) -> tuple[TimeControl, ...]:
    """Return all clocks that a text can mean; none if it means no clock."""
    return tuple(each for each in _named(text) or () if isinstance(each, TimeControl))


def format_clock(clock: TimeControl | None) -> str:
    """Return the time of a clock as short text that `read_clock` reads: `24h + 12h max 5d`."""
    if clock is None:
        return "none"
    bank, more, cap = map(format_span, (clock.bank, clock.increment, clock.cap))
    if clock.bank == clock.increment == clock.cap:
        return f"{bank} a move"
    if not clock.increment and clock.cap == MAX_BANK:
        return f"{bank} in total"
    return f"{bank} + {more}" + ("" if clock.cap == MAX_BANK else f" max {cap}")


def format_span(span: timedelta) -> str:
    """Return a time as short text that `read_span` reads: `2d12h`."""
    return "".join(f"{number}{_SHORT[size]}" for number, size in units(span)) or "0"


def _named(text: str) -> tuple[TimeControl | Msg, ...] | None:
    """Return the readings of a text, or why it has none; None for "no clock".

    A preset's name in front of its own time is the preset, whatever else the time can mean.
    """
    typed = folded(text)
    label, colon, rest = (part.strip() for part in typed.partition(":"))
    name = _NAMES.get(label)
    if name is not None and (not colon or not rest):
        preset = PRESETS[name]
        return None if preset is None else (preset,)
    found = tuple(dict.fromkeys(map(_made, _readings(rest if name is not None and colon else typed))))
    preset = None if name is None else PRESETS[name]
    if preset is not None:
        for each in found:
            if isinstance(each, TimeControl) and replace(preset, cap=each.cap) == replace(
                each, acts=preset.acts, follows=preset.follows
            ):
                return (preset,)
    return found or (msg("time_control.refuse.unread"),)


def _made(reading: _Reading) -> TimeControl | Msg:
    """Return the clock of a reading, or why there can't be one."""
    if not _MIN <= reading.bank <= _MOST:
        return msg("time_control.refuse.bank")
    if not reading.bank <= reading.cap <= _MOST:
        return msg("time_control.refuse.cap")
    if reading.more > reading.cap:
        return msg("time_control.refuse.more")
    bank, more, cap = (timedelta(seconds=each) for each in reading)
    return TimeControl(bank, more, cap)


def _readings(typed: str) -> tuple[_Reading, ...]:
    """Return all readings of a text without a name; none if it isn't a clock, or has too many."""
    tokens = _tokens(typed)
    if tokens is None:
        return ()
    kinds = "".join(kind for kind, _ in tokens)
    found = _SHAPE.fullmatch(kinds)
    if found is None:
        return ()
    time = tokens[: found.end("time")]
    caps = None
    if found["cap"] is not None:
        caps = tuple(sums([each for _, each in tokens[found.start("cap") :] if each is not None]))
    extra, rest = bool(found["extra"]), found["rest"]
    readings: list[_Reading] = []
    if not extra and caps is None and _is_sum(time):
        whole = rest == "t"
        readings += (
            _Reading(bank, 0 if whole else bank, _MOST if whole else bank) for bank in sums(_pieces(time))
        )
    if rest != "t":
        for first, second in _divisions(time, extra):
            readings += (
                _Reading(bank, more, cap)
                for bank, more, cap in product(sums(first), sums(second), caps or (_MOST,))
            )
    return tuple(readings) if len(dict.fromkeys(readings)) <= MAX_READINGS else ()


def _tokens(typed: str) -> list[_Token] | None:
    """Return a text as kinds of words, those of `_KINDS` and q and n for numbers with and without a unit."""
    found: list[_Token] = []
    at = 0
    while at < len(typed):
        if typed[at] == " ":
            at += 1
        elif (word := _TOKENS.match(typed, at)) is not None:
            kind, at = _KINDS[word.lastgroup or ""], word.end()
            joins = bool(found) and kind in ("&", "+") and found[-1][0] in ("&", "+")
            if joins:  # ", and" is one, ", +" is a plus
                found[-1] = ("+" if "+" in (kind, found[-1][0]) else "&", None)
            elif kind:
                found.append((kind, None))
        elif (quantity := quantity_at(typed, at)) is not None:
            found.append(("n" if quantity[0].unit is None else "q", quantity[0]))
            at = quantity[1]
        else:
            return None
    return found


def _pieces(tokens: Sequence[_Token]) -> list[Quantity]:
    return [each for _, each in tokens if each is not None]


def _is_sum(tokens: Sequence[_Token]) -> bool:
    """Return whether times can be one sum: nothing with a plus sign, or a number without a unit."""
    return (
        bool(tokens)
        and not any(kind in "n+" for kind, _ in tokens)
        and "&" not in (tokens[0][0], tokens[-1][0])
    )


def _divisions(
    tokens: Sequence[_Token], extra: bool
) -> Iterator[tuple[Sequence[Quantity], Sequence[Quantity]]]:
    """Yield the ways to divide times into what a seat starts with and what a move adds.

    `extra` is whether the word "more" follows.
    """
    plus = any(kind == "+" for kind, _ in tokens)
    for at in range(1, len(tokens)):
        kind = tokens[at][0]
        joint = 1 if kind in ("&", "+") else 0
        first, second = tokens[:at], tokens[at + joint :]
        if not joint and (tokens[at - 1][0] in "&+" or plus or _descends(tokens[at - 1], tokens[at])):
            continue
        if (plus and kind != "+") or not _is_sum(first):
            continue
        if len(second) == 1 and second[0][0] == "n":
            number, unit = second[0][1], _pieces(first)[-1].unit
            if number is not None and extra:  # "24 hours and 12 more"
                yield _pieces(first), [Quantity(tuple(n * (unit or 0) for n in number.seconds), unit)]
            elif number is not None and not any(number.seconds):
                yield _pieces(first), [number]
        elif _is_sum(second):
            yield _pieces(first), _pieces(second)


def _descends(first: _Token, second: _Token) -> bool:
    return first[1] is not None and second[1] is not None and (first[1].unit or 0) > (second[1].unit or 0) > 0


class _Parts(NamedTuple):
    opens: str
    closes: str
    rest: str


def read_whole_clock(text: str, names: Iterable[str], now: datetime) -> TimeControl | Msg | None:
    """Return the clock that a text means, with playing hours if it names them; or what to write instead.

    `names` has the names of all zones, `now` decides which of them have a typed offset. May read files of
    zones: call it in a thread.
    """
    head, hours = _divided(_plain(text))
    clock = read_clock(head)
    if hours is None or isinstance(clock, Msg):
        return clock
    if clock is None:
        return msg("time_control.refuse.hours_only")
    read = _read_hours(hours, tuple(names), now)
    return read if isinstance(read, Msg) else replace(clock, hours=read)


def suggest_whole_clocks(text: str, names: Iterable[str], limit: int = 25) -> tuple[str, ...]:
    """Return texts that end the playing hours in what someone types with a time zone; none before these."""
    text = _plain(text)
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


def _plain(text: str) -> str:
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
