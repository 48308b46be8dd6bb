"""The maps that a match may be played on: ours by their keys, those of others whole."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from games.domination.maps import map_json
from games.domination.maps.atlas import Atlas
from games.domination.maps.islands import ISLANDS
from games.domination.maps.world import WORLD
from games.engine.game import Json

MAPS: Final = {each.key: each for each in (WORLD, ISLANDS)}
"""Our own maps by their keys, the usual one first."""
MAP: Final = "map"
"""The option that takes maps of others too, whole: what `written` gives."""


def find_map(chosen: object) -> Atlas:
    """The map that an option or a position names, or carries whole. Raises ValueError if there is none."""
    if isinstance(chosen, str) and chosen in MAPS:
        return MAPS[chosen]
    if isinstance(chosen, dict):
        return _loaded(json.dumps(chosen, ensure_ascii=True))
    raise ValueError(f"map: {str(chosen)[:40]!r} is none")


@lru_cache(maxsize=16)
def _loaded(text: str) -> Atlas:
    """A map that is carried whole; kept, since every look at a match's options reads it."""
    return map_json.load(text)


def written(found: Atlas) -> Json:
    """What `find_map` reads: the key of a map of our own, else the whole map."""
    if MAPS.get(found.key) == found:
        return found.key
    whole: Json = json.loads(map_json.dump(found))
    return whole
