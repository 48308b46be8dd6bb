"""Clocks as people type them: `3d`, `3 days a move`, `24h + 12h`, `24h + 12h max 5d`, or a preset's name.

A duration alone is the time for each move; two are what a seat starts with and what each of its moves adds.
Words are read in English, the only language there are texts in; the short forms are the same in others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Final

from games.engine.message import Msg, msg
from matches.clocks.control import MAX_BANK, MIN_BANK, PRESETS, TimeControl

MAX_TYPED: Final = 100
"""Maximum length of a typed clock, in characters."""
_NAMES: Final[Mapping[str, str]] = {
    **{name: name for name in PRESETS},
    **dict.fromkeys(("", "no", "no clock", "off", "without", "unlimited"), "none"),
    "an evening": "evening",
}
"""What presets are called, in the words of people."""
_MIN, _MOST = (limit // timedelta(seconds=1) for limit in (MIN_BANK, MAX_BANK))
_UNITS: Final = (("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))
_SHORT: Final = {86_400: "d", 3_600: "h", 60: "min", 1: "s"}
_UNIT: Final = r"(?:weeks?|wks?|w|days?|d|hours?|hrs?|hr|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])\.?"
_SPAN: Final = rf"(?:\d{{1,9}}(?:[.,]\d{{1,3}})?\s*{_UNIT}\s*)+"
_PIECE: Final = re.compile(rf"(\d+(?:[.,]\d+)?)\s*({_UNIT})")
_EACH: Final = r"(?:(?:a|an|per|each|every|for each|for every|/)\s*(?:move|turn))"
_MAX: Final = r",?\s*(?:(?:saved\s+)?up\s+to|at\s+most|max(?:imum)?\.?|cap|limit)\s*"
_CLOCK: Final = re.compile(
    rf"(?P<bank>{_SPAN})"
    rf"(?:{_EACH}"
    r"|(?P<whole>for\s+the\s+(?:whole\s+)?(?:match|game)|in\s+total|total|altogether)"
    rf"|(?:,?\s*(?:\+|and|plus|then)\s*)(?P<more>{_SPAN}|\d{{1,9}}(?=\s*more)|0)\s*(?:more\s*)?{_EACH}?\s*"
    rf"(?:{_MAX}(?P<cap>{_SPAN}))?"
    r")?\s*\.?"
)


def read_clock(text: str) -> TimeControl | Msg | None:
    """Return the clock that a text means, None for "no clock", or a sentence that says what to write instead.

    Only presets say what happens when time is up; all others have the usual way.
    """
    typed = " ".join(text.casefold().replace("–", "-").split())
    label, colon, rest = (part.strip() for part in typed.partition(":"))
    name = _NAMES.get(label)
    if name is not None and (not colon or not rest):
        return PRESETS[name]
    read = _read(rest if name is not None and colon else typed)
    preset = None if name is None else PRESETS[name]
    if (
        preset is not None
        and isinstance(read, TimeControl)
        and replace(preset, cap=read.cap) == replace(read, acts=preset.acts, follows=preset.follows)
    ):
        return preset
    return read if read is not None else msg("time_control.refuse.unread")


def read_span(text: str) -> int | None:
    """Return the seconds of a time such as `1d 12h`; None if it isn't one."""
    typed = " ".join(text.casefold().split())[:MAX_TYPED]
    return _seconds(typed) if re.fullmatch(_SPAN, typed) else None


def format_clock(clock: TimeControl | None) -> str:
    """Return the time of a clock as short text that `read_clock` reads: `24h + 12h max 5d`."""
    if clock is None:
        return "none"
    bank, more, cap = map(_format, (clock.bank, clock.increment, clock.cap))
    if clock.bank == clock.increment == clock.cap:
        return f"{bank} a move"
    if not clock.increment and clock.cap == MAX_BANK:
        return f"{bank} in total"
    return f"{bank} + {more}" + ("" if clock.cap == MAX_BANK else f" max {cap}")


def units(span: timedelta) -> tuple[tuple[int, int], ...]:
    """Return a time as pairs of a number and the length of its unit in seconds, largest first.

    Less than two days are told in hours.
    """
    rest, found = span // timedelta(seconds=1), []
    for size in (86_400, 3_600, 60, 1):
        if size == 86_400 and rest < 2 * size:
            continue
        number, rest = divmod(rest, size)
        if number:
            found.append((number, size))
    return tuple(found)


def _read(typed: str) -> TimeControl | Msg | None:
    found = _CLOCK.fullmatch(typed)
    if found is None:
        return None
    bank = _seconds(found["bank"])
    if found["more"] is not None:
        more = _seconds(found["more"])
        if found["more"].isdecimal():  # "24 hours and 12 more"
            more = int(found["more"]) * _last_unit(found["bank"])
        cap = _MOST if found["cap"] is None else _seconds(found["cap"])
    else:
        more = 0 if found["whole"] else bank
        cap = _MOST if found["whole"] else bank
    if not _MIN <= bank <= _MOST:
        return msg("time_control.refuse.bank")
    if not bank <= cap <= _MOST:
        return msg("time_control.refuse.cap")
    if more > cap:
        return msg("time_control.refuse.more")
    return TimeControl(timedelta(seconds=bank), timedelta(seconds=more), timedelta(seconds=cap))


def _seconds(span: str) -> int:
    pieces = _PIECE.findall(span)
    return round(sum(float(number.replace(",", ".")) * _unit(unit) for number, unit in pieces))


def _last_unit(span: str) -> int:
    return _unit(_PIECE.findall(span)[-1][1])


def _unit(word: str) -> int:
    return next(size for letter, size in _UNITS if word.startswith(letter))


def _format(span: timedelta) -> str:
    return "".join(f"{number}{_SHORT[size]}" for number, size in units(span)) or "0"
