"""Times as people type them: `1d 12h`, `1.5 days`, `36:00`, `two and a half hours`, `1 Tag und 12 Stunden`.

A text can mean several times, since `2,880` is thousands in some places and a fraction in others. So a text
has all of its readings, and nobody who asks for it chooses one silently. Units and small numbers are read in
English, German, French and Spanish, whichever language is spoken around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from itertools import pairwise, product
from typing import Final

from games.engine.normalization import folded

MAX_READINGS: Final = 6
"""A text with more readings than this isn't read at all."""
_WEEK, _DAY, _HOUR, _MINUTE, _SECOND = 604_800, 86_400, 3_600, 60, 1
_UNITS: Final[Mapping[str, int]] = {
    word: size
    for size, words in (
        (_WEEK, "w wk wks week weeks woche wochen semaine semaines sem semana semanas"),
        (_DAY, "d day days tag tage tagen j jour jours dia dias día días"),
        (_HOUR, "h hr hrs hour hours std stunde stunden heure heures hora horas"),
        (_MINUTE, "m min mins minute minutes minuten minuto minutos mn"),
        (_SECOND, "s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos"),
    )
    for word in words.split()
}
_SMALL: Final = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen",
    "de": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
    "dix-sept dix-huit dix-neuf",
}
_TENS: Final = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
}


def _spelled() -> Iterator[tuple[str, Fraction]]:
    """Yield number words from 0 to 99, those of French to 79, with what they mean."""
    for word in ["a", "an", "ein", "eine", "einen", "einem", "einer", "un", "une", "una", "uno"]:
        yield word, Fraction(1)
    for word, halves in (("anderthalb", 3), ("eineinhalb", 3), ("zweieinhalb", 5)):
        yield word, Fraction(halves, 2)
    for language, words in _SMALL.items():
        small = words.split()
        yield from ((word, Fraction(n)) for n, word in enumerate(small))
        for tens, ten in enumerate(_TENS[language].split(), 2):
            yield ten, Fraction(10 * tens)
            for n, one in enumerate(small[1 : 20 if ten == "soixante" else 10], 1):
                joined = {
                    "en": (f"{ten}-{one}", f"{ten} {one}"),
                    "de": (f"{one}und{ten}",),
                    "fr": (f"{ten}-{one}", f"{ten} et {one}", f"{ten} et {one}e", f"{ten}-et-{one}"),
                }[language]
                yield from ((word, Fraction(10 * tens + n)) for word in joined)


_WORDS: Final = {word.casefold(): value for word, value in _spelled()}
_HALVES: Final = {
    word: Fraction(n, 4) for n, words in ((2, "½ 1/2"), (1, "¼ 1/4"), (3, "¾ 3/4")) for word in words.split()
}


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted((re.escape(word.casefold()) for word in words), key=len, reverse=True))


_PART: Final = _any(_HALVES)
_DIGITS: Final = (
    r"\d{1,3}(?P<group>[.,'’ ])\d{3}(?:(?P=group)\d{3})*(?:[.,]\d{1,6})?(?!\d)|\d{1,9}(?:[.,]\d{1,6})?"
)
_UNIT: Final = rf"(?:{_any(_UNITS)})(?![^\W\d_])\.?"
_QUANTITY: Final = re.compile(
    rf"(?P<hours>\d{{1,4}}):(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d))?(?![\d:])(?:\s*(?P<clock_unit>{_UNIT}))?"
    r"|(?:(?:an?\s+)?half|demi|(?:ein(?:e|en|er)?\s+)?halbe[nrs]?|une\s+demi|media|medio)[\s-]*(?:an?\s+)?"
    rf"(?P<half_unit>{_UNIT})"
    rf"|(?:(?P<part>{_PART})|(?P<number>{_DIGITS})(?:\s?(?P<more_part>{_PART}))?|(?P<word>{_any(_WORDS)})(?![^\W\d_]))"
    rf"(?P<and_half>\s+and\s+a\s+half)?(?:[\s-]?\s*(?P<unit>{_UNIT})(?P<half_after>\s+and\s+a\s+half(?!\s*\w))?)?"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, in all readings."""

    seconds: tuple[Fraction, ...]
    """What it can mean, in seconds; without a unit, the numbers themselves."""
    unit: int | None
    """The length of its unit in seconds; of its largest one, as in `36:00`; None without a unit."""


def quantity_at(text: str, at: int) -> tuple[Quantity, int] | None:
    """Return the quantity at a place in a text, and where it ends; None if there is none.

    The text is in lower case, with single spaces.
    """
    found = _QUANTITY.match(text, at)
    if found is None:
        return None
    if found["hours"] is not None:
        return _clock(found), found.end()
    if found["half_unit"] is not None:
        unit = _size(found["half_unit"])
        return Quantity((Fraction(unit, 2),), unit), found.end()
    if found["part"] is not None:
        numbers: tuple[Fraction, ...] = (_HALVES[found["part"]],)
    elif found["number"] is not None:
        numbers = _numbers(found["number"])
    else:
        numbers = (_WORDS[found["word"]],)
    if not numbers:
        return None
    extra = _HALVES.get(found["more_part"] or "", Fraction(0))
    extra += Fraction(sum(found[name] is not None for name in ("and_half", "half_after")), 2)
    size = None if found["unit"] is None else _size(found["unit"])
    return Quantity(tuple((number + extra) * (size or 1) for number in numbers), size), found.end()


def sums(quantities: Sequence[Quantity]) -> Iterator[int]:
    """Yield what several quantities can come to, in whole seconds."""
    for chosen in product(*(quantity.seconds for quantity in quantities)):
        yield round(sum(chosen))


def read_span(text: str) -> tuple[int, ...]:
    """Return all that a time such as `1d 12h` can mean, in seconds; none if it isn't one."""
    typed, at = folded(text), 0
    found: list[Quantity] = []
    while at < len(typed):
        gap = re.compile(rf"(?:\s|,|\+|{JOIN})*").match(typed, at) if found else None
        piece = quantity_at(typed, at if gap is None else gap.end())
        if piece is None or piece[0].unit is None:
            return ()
        found.append(piece[0])
        at = piece[1] + len(typed[piece[1] :]) - len(typed[piece[1] :].lstrip(" "))
    sizes = [quantity.unit or 0 for quantity in found]
    if not found or any(a == b for a, b in pairwise(sizes)):
        return ()
    readings = tuple(dict.fromkeys(sums(found)))
    return readings if len(readings) <= MAX_READINGS else ()


JOIN: Final = r"(?:and|und|et|plus|then|dann|y)\b|&"
"""The words between two times."""


def units(span: timedelta) -> tuple[tuple[int, int], ...]:
    """Return a time as pairs of a number and the length of its unit in seconds, largest first.

    Less than two days are given in hours.
    """
    rest, found = span // timedelta(seconds=1), []
    for size in (_DAY, _HOUR, _MINUTE, _SECOND):
        if size == _DAY and rest < 2 * size:
            continue
        number, rest = divmod(rest, size)
        if number:
            found.append((number, size))
    return tuple(found)


def _clock(found: re.Match[str]) -> Quantity:
    """Return what `36:00` can mean: hours and minutes, or minutes and seconds."""
    first, second, third = (int(found[name] or 0) for name in ("hours", "minutes", "seconds"))
    if found["seconds"] is not None:
        return Quantity((Fraction(first * _HOUR + second * _MINUTE + third),), _HOUR)
    readings = [Fraction(first * size + second * size // 60) for size in (_HOUR, _MINUTE)]
    unit = None if found["clock_unit"] is None else _size(found["clock_unit"])
    return Quantity((readings[0],) if unit == _HOUR else tuple(readings), _HOUR)


def _numbers(text: str) -> tuple[Fraction, ...]:
    """Return what digits with separators can mean: `2,880` is 2880 or 2.88, but `1.234,5` is one number."""
    marks = [char for char in text if not char.isdecimal()]
    if not marks:
        return (Fraction(int(text)),)
    last, found = marks[-1], []
    first, *groups = re.split(r"\D", text)
    if len(set(marks)) == 1 and first != "0" and len(first) <= 3 and all(len(group) == 3 for group in groups):
        found.append(Fraction(int("".join((first, *groups)))))
    if last in ".," and marks.count(last) == 1 and (len(marks) == 1 or marks[0] != last):
        whole, _, part = text.rpartition(last)
        found.append(
            Fraction(int("".join(filter(str.isdecimal, whole)))) + Fraction(int(part), 10 ** len(part))
        )
    return tuple(found)


def _size(unit: str) -> int:
    return _UNITS[unit.rstrip(".")]
