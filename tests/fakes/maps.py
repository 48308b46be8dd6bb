"""The maps of the store in memory."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from matches.store.rows import MAX_MAP_BYTES, MAX_MAP_TEXT, MAX_MAPS, MapInfo, MapRow
from tests.fakes.base import MemoryBase, in_ms


@dataclass
class MemoryMaps(MemoryBase):
    """Maps by server, game and key."""

    _maps: dict[tuple[int, str, str], MapRow] = field(default_factory=dict)

    async def maps(self, guild: int, game: str) -> tuple[MapInfo, ...]:
        """The maps of a server for a game."""
        self._open()
        return tuple(row.info for place, row in sorted(self._maps.items()) if place[:2] == (guild, game))

    async def stored_map(self, guild: int, game: str, key: str) -> MapRow | None:
        """A whole map."""
        self._open()
        return self._maps.get((guild, game, key))

    async def map_images(self, key: str) -> tuple[bytes | None, bytes | None] | None:
        """Picture and mask by their key."""
        self._open()
        found = (row for row in self._maps.values() if key and row.ground == key)
        return next(((row.picture, row.mask) for row in found), None)

    async def save_map(self, row: MapRow, most: int = MAX_MAPS) -> bool:
        """Add or replace a map, within the limits."""
        self._change()
        info = replace(row.info, at=in_ms(row.info.at))
        if sum(one.key != info.key for one in await self.maps(info.guild, info.game)) >= most:
            return False
        large = max(len(row.picture or b""), len(row.mask or b"")) > MAX_MAP_BYTES
        named = 0 < len(info.key) <= 32 and 0 < len(info.title) <= 100
        if large or len(row.data) > MAX_MAP_TEXT or not named:
            raise ValueError("a map like that can't be kept")
        json.loads(row.data)
        self._maps[info.guild, info.game, info.key] = replace(row, info=info)
        return True

    async def drop_map(self, guild: int, game: str, key: str) -> bool:
        """Remove a map."""
        self._change()
        return self._maps.pop((guild, game, key), None) is not None
