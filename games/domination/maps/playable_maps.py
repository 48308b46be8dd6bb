"""The maps that a match may be played on: built-in ones by their keys, imported ones as whole JSON.

`map_file` parses the files of maps, which become the value of the option `map`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from games.domination.maps import map_file, map_json
from games.domination.maps.atlas import Atlas
from games.domination.maps.card_file import plain_deck
from games.domination.maps.islands import ISLANDS
from games.domination.maps.world import WORLD
from games.engine.game import Json
from games.engine.maps import Size
from games.engine.message import Msg, Value, msg

BUILT_IN_MAPS: Final = {each.key: each for each in (WORLD, ISLANDS)}
"""The built-in maps by their keys, the default first."""
MAP_OPTION: Final = "map"
"""The option that also takes whole imported maps, as `written` returns them."""


def find_map(chosen: object) -> Atlas:
    """Return the map that an option or a position names or contains. Raises ValueError if there is none."""
    if isinstance(chosen, str) and chosen in BUILT_IN_MAPS:
        return BUILT_IN_MAPS[chosen]
    if isinstance(chosen, dict):
        return _load_map(json.dumps(chosen, ensure_ascii=True))
    raise ValueError(f"map: {str(chosen)[:40]!r} isn't a known map")


@lru_cache(maxsize=16)
def _load_map(text: str) -> Atlas:
    """Load a whole map; cached, since a match's options are read often."""
    return map_json.load(text)


def map_value(found: Atlas) -> Json:
    """Return the key of a built-in map, else the whole map; the inverse of `find_map`."""
    if BUILT_IN_MAPS.get(found.key) == found:
        return found.key
    whole: Json = json.loads(map_json.dump(found))
    return whole


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
