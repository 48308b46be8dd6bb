"""The names of a country: its code, its full name, the beginning of its name, a common short form.

Case, blanks, hyphens and apostrophes are ignored. Numbers are not read here: whether one names a country
depends on its place in the order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final, NamedTuple

from games.domination.maps.atlas import Atlas, Country
from games.domination.maps.map_names import ascii_words
from games.engine.normalization import folded, normalized
from games.engine.notation import Word, nearest

_INSIDE: Final = frozenset("-'’‘.&_/‐‑")
"""Characters that may stand within a name, if more of it follows."""
_MAX_WORDS: Final = 12
"""Maximum length of a name in a text, in words and the characters between them."""
_MIN_PREFIX: Final = 2
"""Minimum number of letters that abbreviate a name from its beginning."""
_MIN_INNER_PREFIX: Final = 4
"""Minimum number of letters that abbreviate a name from a later word of it."""
_MIN_LIKENESS: Final = 0.6
"""Minimum likeness of names that are suggested for a word that isn't one, from 0 to 1."""
_SHORT_FORMS: Final = {
    "greatbritain": "gb uk britain england",
    "middleeast": "me mideast",
    "westernunitedstates": "usa us wusa westus westusa westernus westernusa",
    "easternunitedstates": "usa us eusa eastus eastusa easternus easternusa",
    "northwestterritory": "nwterritory northwestterritories",
    "centralamerica": "camerica",
    "northerneurope": "neurope northeurope",
    "southerneurope": "seurope southeurope",
    "westerneurope": "weurope westeurope",
    "northafrica": "nafrica",
    "southafrica": "safrica",
    "eastafrica": "eafrica",
    "newguinea": "nguinea png",
    "westernaustralia": "waus waustralia westaustralia",
    "easternaustralia": "eaus eaustralia eastaustralia",
    "siam": "thailand",
    "yakutsk": "yakutia",
}
"""Common short forms of country names that many maps have. A form of two names is ambiguous."""


class NameMatch(NamedTuple):
    """The countries that some words may mean: one, or several if they are ambiguous."""

    codes: tuple[str, ...]
    words: int
    """Number of words of the text that were used."""
    exact: bool
    """Whether the name is complete, not abbreviated."""


class _NameIndex(NamedTuple):
    """The lookup tables for the names of an atlas."""

    exact: dict[str, tuple[str, ...]]
    starts: list[tuple[str, str]]
    """Names without blanks and their codes, sorted."""
    inner: list[tuple[str, str]]
    """Likewise the names from their second, third, ... word on."""
    heads: frozenset[str]
    """Proper prefixes of all codes."""


def normalise(text: str) -> str:
    """Return a word in the form in which names are compared: small Latin letters and digits if it has any."""
    return text if text.isascii() else ascii_words(text).replace(" ", "") or text


def _spelled(name: str) -> tuple[list[str], ...]:
    """Return the words of a name, small and in capitals: in some scripts only these look Latin."""
    found = {}
    for text in (normalized(name).text, normalized(name.upper()).text):
        parts = ascii_words(text).split() or [normalise(text.casefold().replace(" ", ""))]
        found["".join(parts)] = parts
    return tuple(found.values())


@lru_cache(maxsize=128)
def _name_index(atlas: Atlas, named: tuple[Country, ...]) -> _NameIndex:
    """Return the tables for the codes of all countries, and for the names of some."""
    exact: dict[str, tuple[str, ...]] = {}
    starts, inner = [], []
    for country, parts in [(each, parts) for each in named for parts in _spelled(each.name)]:
        for spelling in ("".join(parts), *_SHORT_FORMS.get("".join(parts), "").split()):
            if not spelling.isdecimal():
                exact[spelling] = (*exact.get(spelling, ()), country.code)
        starts.append(("".join(parts), country.code))
        inner += [("".join(parts[n:]), country.code) for n in range(1, len(parts))]
    exact.update({country.code: (country.code,) for country in atlas.countries})
    heads = frozenset(country.code[:n] for country in atlas.countries for n in range(1, len(country.code)))
    return _NameIndex(exact, sorted(starts), sorted(inner), heads)


def _with_prefix(rows: list[tuple[str, str]], text: str) -> tuple[str, ...]:
    """Return the codes of the names that begin with a text, each once."""
    found = []
    at = bisect_left(rows, (text, ""))
    while at < len(rows) and rows[at][0].startswith(text):
        found.append(rows[at][1])
        at += 1
    return tuple(dict.fromkeys(found))


def match_name(atlas: Atlas, row: Sequence[Word], at: int, *, by_code: bool = False) -> NameMatch | None:
    """Return the country named by the words from an index on; None if there is none.

    The longest full name counts, else the longest abbreviation. A number separated by a blank from a code
    before it isn't part of a name. With `by_code`, only codes count.
    """
    table = _name_index(atlas, () if by_code else atlas.countries)
    joined, found, begun, glued = "", None, None, True
    n = at
    while n < min(len(row), at + _MAX_WORDS):
        word = row[n]
        if n > at and word.text in _INSIDE:
            n += 1
            continue
        if not word.text[:1].isalnum():
            break
        apart = n > at and word.start > row[n - 1].end
        if word.text.isdecimal() and apart and (row[n - 1].text.isdecimal() or joined in atlas.index):
            break
        joined += normalise(word.text)
        glued = glued and not apart
        n += 1
        if joined in table.exact and (glued or joined not in atlas.index):
            found = NameMatch(table.exact[joined], n - at, exact=True)
        starting = _with_prefix(table.starts, joined) if len(joined) >= _MIN_PREFIX else ("",)
        if not starting and joined not in table.heads:
            break
        if starting not in ((), ("",)) and not joined.isdecimal():
            begun = NameMatch(starting, n - at, exact=False)
    if found is not None or begun is not None:
        return found or begun
    first = normalise(row[at].text)
    if len(first) < _MIN_INNER_PREFIX or not row[at].text[:1].isalpha():
        return None
    return _match_later_word(table, row, at)


def _match_later_word(table: _NameIndex, row: Sequence[Word], at: int) -> NameMatch | None:
    """Return the countries named by a later word of their name: `britain`, `guinea`, `united states`."""
    joined, found = "", None
    for n in range(at, min(len(row), at + _MAX_WORDS)):
        if not row[n].text[:1].isalpha():
            break
        joined += normalise(row[n].text)
        codes = _with_prefix(table.inner, joined)
        if not codes:
            break
        found = NameMatch(codes, n - at + 1, exact=False)
    return found


def labels(atlas: Atlas, codes: Sequence[str]) -> tuple[str, ...]:
    """Return countries as texts list them: `ALA Alaska`."""
    return tuple(f"{code.upper()} {atlas.countries[atlas.index[code]].name}" for code in codes)


def similar_countries(atlas: Atlas, text: str) -> tuple[str, ...]:
    """Return the codes of the countries whose names or codes are most like a word, best first."""
    return tuple(dict.fromkeys(code for code, like in _similar(atlas, text) if like >= _MIN_LIKENESS))


def best_likeness(atlas: Atlas, text: str) -> float:
    """Return the likeness of the country most like a word, from 0 to 1."""
    return max((like for _, like in _similar(atlas, text)), default=0.0)


@lru_cache(maxsize=1 << 12)
def _similar(atlas: Atlas, text: str) -> list[tuple[str, float]]:
    """Return the codes of the countries most like a word, best first, with the likeness of each."""
    word, codes = normalise(text), {country.code: country.code for country in atlas.countries}
    names = {normalise(folded(country.name).replace(" ", "")): country.code for country in atlas.countries}
    return [((codes | names)[each], likeness(word, each)) for each in nearest(word, [*names, *codes])]


def likeness(one: str, other: str) -> float:
    """Return the likeness of two words, from 0 (not at all) to 1 (equal)."""
    return SequenceMatcher(None, one[:24], other, autojunk=False).ratio()
