"""A map to be conquered, as data: countries, continents, borders, cards, missions. No picture, no rules.

Countries and continents go by their index from 0. Two atlases are the same if everything in them is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["infantry", "cavalry", "cannon", "wild"]
KINDS: Final[tuple[Kind, ...]] = ("infantry", "cavalry", "cannon", "wild")
NOWHERE: Final = -1
"""The country of a wild card."""
ANY: Final = -1
"""In a mission: any continent besides those that it names."""


@dataclass(frozen=True, slots=True)
class Continent:
    """Countries that are worth armies to whoever holds them all."""

    code: str
    name: str
    value: int
    """Armies for each turn."""
    colour: str
    """How the map paints it, `#rrggbb`."""


@dataclass(frozen=True, slots=True)
class Country:
    """A place to be held."""

    code: str
    """What is typed and drawn: short, in lower case, one of a kind in its atlas."""
    name: str
    continent: int
    at: tuple[int, int]
    """Where its armies stand, in pixels of the map's picture from the top left."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the deck; wild ones show no country."""

    kind: Kind
    country: int


@dataclass(frozen=True, slots=True)
class Mission:
    """Something to achieve instead of conquering all.

    Either to beat the seat `player` (from 1; 0 for none), with `countries` to hold instead if that can't be
    done any more; or to hold so many countries with at least so many armies on each; or continents, of which
    ANY means one more, whichever. What is not asked for is 0 or empty.
    """

    player: int
    countries: int
    armies: int
    continents: tuple[int, ...]
    text: str = ""
    """How the map's author words it; empty where the game finds the words."""


@dataclass(frozen=True)
class Atlas:
    """A whole map. Borders are directed: `borders[a]` are the countries that may be attacked from a."""

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
    """The key of the picture and mask that its author drew, wherever they are; empty for none."""
    _hash: int = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        """Hash once: positions hold their atlas, and are hashed often."""
        parts = (self.key, self.title, self.size, self.continents, self.countries, self.borders)
        object.__setattr__(self, "_hash", hash((parts, self.cards, self.missions, self.ground)))

    def __hash__(self) -> int:
        """The hash of all that is compared."""
        return self._hash

    @cached_property
    def index(self) -> dict[str, int]:
        """The countries by their codes."""
        return {country.code: number for number, country in enumerate(self.countries)}

    @cached_property
    def of(self) -> tuple[tuple[int, ...], ...]:
        """The countries of each continent."""
        return tuple(
            tuple(n for n, country in enumerate(self.countries) if country.continent == number)
            for number in range(len(self.continents))
        )


ContinentRow: TypeAlias = "tuple[str, str, int, str]"
"""Code, name, armies, colour."""
CountryRow: TypeAlias = "tuple[str, str, int, Kind, tuple[int, int], str]"
"""Code, name, continent, what its card shows, where its armies stand, the codes of its neighbours."""


def tabled(
    key: str,
    title: str,
    size: tuple[int, int],
    continents: tuple[ContinentRow, ...],
    countries: tuple[CountryRow, ...],
    wild: int,
    missions: tuple[Mission, ...],
) -> Atlas:
    """The atlas of two tables, with a card for each country and so many wild ones."""
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
