"""A map to be conquered, as data: countries, continents, borders, cards, missions. No picture, no rules.

Countries and continents are numbered from 0. Two atlases are equal if all their parts are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["infantry", "cavalry", "cannon", "wild"]
KINDS: Final[tuple[Kind, ...]] = ("infantry", "cavalry", "cannon", "wild")
NOWHERE: Final = -1
"""The country of a wild card."""
ANY: Final = -1
"""In a mission: any continent besides the named ones."""


@dataclass(frozen=True, slots=True)
class Continent:
    """Countries that bring armies to the seat that holds them all."""

    code: str
    name: str
    value: int
    """Armies for each turn."""
    colour: str
    """Its colour on the map, `#rrggbb`."""


@dataclass(frozen=True, slots=True)
class Country:
    """A country with its place on the map."""

    code: str
    """The code to type and display: short, in lower case, unique in its atlas."""
    name: str
    continent: int
    at: tuple[int, int]
    """Position of its armies, in pixels of the map's picture from the top left."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the deck; wild ones show no country."""

    kind: Kind
    country: int


@dataclass(frozen=True, slots=True)
class Mission:
    """A goal other than to conquer the whole map.

    Either to beat the seat `player` (from 1; 0 for none), or to hold `countries` instead if that is no longer
    possible; or to hold `countries` with at least `armies` on each; or `continents`, where each ANY
    is one more of any kind. Parts that a mission doesn't use are 0 or empty; any one of several is enough.
    """

    player: int
    countries: int
    armies: int
    continents: tuple[int, ...]
    text: str = ""
    """The author's wording; empty if the game words it."""


@dataclass(frozen=True)
class Atlas:
    """A whole map. Borders are directed: `borders[a]` are the countries that a may attack."""

    key: str
    title: str
    size: tuple[int, int]
    """Width and height of the picture that `Country.at` points into."""
    continents: tuple[Continent, ...]
    countries: tuple[Country, ...]
    borders: tuple[tuple[int, ...], ...]
    cards: tuple[Card, ...]
    missions: tuple[Mission, ...]
    ground: str = ""
    """The key of the stored picture and mask that its author drew; empty for none."""
    _hash: int = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        """Hash once: positions hold their atlas, and are hashed often."""
        parts = (self.key, self.title, self.size, self.continents, self.countries, self.borders)
        object.__setattr__(self, "_hash", hash((parts, self.cards, self.missions, self.ground)))

    def __hash__(self) -> int:
        """Return the hash of all compared fields."""
        return self._hash

    @cached_property
    def index(self) -> dict[str, int]:
        """The countries by their codes."""
        return {country.code: number for number, country in enumerate(self.countries)}

    @cached_property
    def countries_of(self) -> tuple[tuple[int, ...], ...]:
        """The countries of each continent."""
        return tuple(
            tuple(n for n, country in enumerate(self.countries) if country.continent == number)
            for number in range(len(self.continents))
        )

    @property
    def one_way(self) -> tuple[tuple[int, int], ...]:
        """The borders that only one of their countries can attack across, as (from, to)."""
        return tuple(
            (start, end)
            for start, row in enumerate(self.borders)
            for end in row
            if start not in self.borders[end]
        )

    @property
    def apart(self) -> tuple[int, ...]:
        """The countries outside the largest group in which each can be reached from each."""
        back: list[list[int]] = [[] for _ in self.borders]
        for start, row in enumerate(self.borders):
            for end in row:
                back[end].append(start)
        left, largest = set(range(len(self.borders))), set[int]()
        while left:
            start = min(left)
            group = _reachable(self.borders, start) & _reachable(back, start)
            left -= group
            largest = max(largest, group, key=len)
        return tuple(sorted(set(range(len(self.borders))) - largest))


def _reachable(rows: Sequence[Sequence[int]], start: int) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for end in rows[waiting.pop()]:
            if end not in seen:
                seen.add(end)
                waiting.append(end)
    return seen


ContinentRow: TypeAlias = "tuple[str, str, int, str]"
"""Code, name, armies, colour."""
CountryRow: TypeAlias = "tuple[str, str, int, Kind, tuple[int, int], str]"
"""Code, name, continent, kind of its card, position of its armies, codes of its neighbours."""


def build_atlas(
    key: str,
    title: str,
    size: tuple[int, int],
    continents: tuple[ContinentRow, ...],
    countries: tuple[CountryRow, ...],
    wild: int,
    missions: tuple[Mission, ...],
) -> Atlas:
    """Return the atlas of two tables, with a card for each country and `wild` wild ones."""
    numbers = {code: number for number, (code, *_) in enumerate(countries)}
    cards = [Card(kind, number) for number, (_, _, _, kind, _, _) in enumerate(countries)]
    return Atlas(
        key,
        title,
        size,
        tuple(Continent(*row) for row in continents),
        tuple(Country(code, name, continent, at) for code, name, continent, _, at, _ in countries),
        tuple(tuple(sorted(numbers[code] for code in row[-1].split())) for row in countries),
        (*cards, *(Card("wild", NOWHERE) for _ in range(wild))),
        missions,
    )
