"""The import of maps: their files become the value of the option `map`.

`map_file` parses them; this is only the engine's interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.domination.maps import map_file
from games.domination.maps.atlas import Atlas
from games.domination.maps.card_file import plain_deck
from games.domination.maps.catalogue import MAP_OPTION, find_map
from games.engine.maps import Size
from games.engine.message import Msg, Value, msg

_MAX_LISTED: Final = 16
"""Maximum number of countries of a continent that are listed."""


class DominationMapReader:
    """Domination's implementation of the engine's map reader."""

    option: Final = MAP_OPTION

    def read(
        self, texts: Mapping[str, str], sizes: Mapping[str, Size], deck: str = ""
    ) -> map_file.ParsedMapFile | tuple[Msg, ...]:
        """Return a map from its texts with the chosen deck, or their errors. Never raises."""
        return map_file.parse(texts, sizes, deck)

    def key(self, value: object) -> str:
        """Return the key of an imported map; empty for a built-in one."""
        return find_map(value).key if isinstance(value, dict) else ""

    def describe(self, value: object) -> tuple[Msg, ...]:
        """Return a map's counts and its continents. Raises ValueError if `value` isn't a map."""
        found = find_map(value)
        return _counts(found), *(_continent(found, number) for number in range(len(found.continents)))


def _counts(found: Atlas) -> Msg:
    cards = "plain" if found.cards == plain_deck(len(found.countries)).cards else "cards"
    return msg(
        "domination.map.has",
        countries=msg("domination.map.has_countries", n=len(found.countries)),
        continents=msg("domination.map.has_continents", n=len(found.continents)),
        cards=msg(f"domination.map.has_{cards}", n=len(found.cards)),
        missions=msg("domination.map.has_missions", n=len(found.missions)),
    )


def _continent(found: Atlas, number: int) -> Msg:
    continent, inside = found.continents[number], found.countries_of[number]
    countries: tuple[Value, ...] = tuple(found.countries[at].code for at in inside)
    if len(inside) > _MAX_LISTED:
        countries = (msg("domination.map.has_countries", n=len(inside)),)
    return msg("domination.map.land", name=continent.name, n=continent.value, countries=countries)


MAP_READER: Final = DominationMapReader()
