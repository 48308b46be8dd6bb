"""The maps that a match may be played on: built-in ones by their keys, imported ones as whole JSON."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from games.domination.maps import map_json
from games.domination.maps.atlas import Atlas
from games.domination.maps.islands import ISLANDS
from games.domination.maps.world import WORLD
from games.engine.game import Json

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
