"""How Domination takes maps of others in: its files become the value of the option `map`.

What the files mean is said in `map_file`; here is only what the engine asks a game for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.domination.maps import map_file
from games.domination.maps.atlas import Atlas
from games.domination.maps.catalogue import MAP, find_map
from games.engine.maps import Size
from games.engine.message import Msg, Value, msg

_LISTED: Final = 16
"""So many countries of a continent are named at most."""


class Reader:
    """What reads maps for Domination."""

    option: Final = MAP

    def read(
        self, texts: Mapping[str, str], sizes: Mapping[str, Size]
    ) -> map_file.ParsedMapFile | tuple[Msg, ...]:
        """A map from its texts, or what is wrong with them. Never raises."""
        return map_file.parse(texts, sizes)

    def key(self, value: object) -> str:
        """What a map of others goes by; empty for one of ours."""
        return find_map(value).key if isinstance(value, dict) else ""

    def describe(self, value: object) -> tuple[Msg, ...]:
        """Return how large a map is, and its continents. Raises ValueError for what is no map."""
        found = find_map(value)
        return _counts(found), *(_continent(found, number) for number in range(len(found.continents)))


def _counts(found: Atlas) -> Msg:
    return msg(
        "domination.map.has",
        countries=msg("domination.map.has_countries", n=len(found.countries)),
        continents=msg("domination.map.has_continents", n=len(found.continents)),
        cards=msg("domination.map.has_cards", n=len(found.cards)),
        missions=msg("domination.map.has_missions", n=len(found.missions)),
    )


def _continent(found: Atlas, number: int) -> Msg:
    continent, inside = found.continents[number], found.of[number]
    countries: tuple[Value, ...] = tuple(found.countries[at].code for at in inside)
    if len(inside) > _LISTED:
        countries = (msg("domination.map.has_countries", n=len(inside)),)
    return msg("domination.map.land", name=continent.name, n=continent.value, countries=countries)


MAPS: Final = Reader()
