"""Maps added to servers. A list never reads the pictures; only a single map is loaded with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matches.store.rows import MAX_MAPS, MapInfo, MapRow
from storage.rows import from_ms, to_ms
from storage.transactions import StorePart, Transaction

MAP_COLUMNS = "guild, game, key, title, by, at"
WHOLE_MAP_COLUMNS = f"{MAP_COLUMNS}, data, picture, mask, ground"
_SAVE = f"""
INSERT INTO maps ({WHOLE_MAP_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (guild, game, key) DO UPDATE SET title = excluded.title, by = excluded.by, at = excluded.at,
    data = excluded.data, picture = excluded.picture, mask = excluded.mask, ground = excluded.ground
"""  # noqa: S608 - our own columns


class MapsPart(StorePart):
    """The statements about maps that every database takes."""

    async def maps(self, guild: int, game: str) -> tuple[MapInfo, ...]:
        """Return the maps of a server for a game, by their keys."""
        query = f"SELECT {MAP_COLUMNS} FROM maps WHERE guild = ? AND game = ? ORDER BY key"  # noqa: S608 - our own columns
        return tuple(to_map_info(row) for row in await self._fetch_all(query, guild, game))

    async def stored_map(self, guild: int, game: str, key: str) -> MapRow | None:
        """Return a map with its pictures, or None if the server doesn't have it."""
        query = f"SELECT {WHOLE_MAP_COLUMNS} FROM maps WHERE guild = ? AND game = ? AND key = ?"  # noqa: S608 - our own columns
        row = await self._fetch_one(query, guild, game, key)
        return None if row is None else MapRow(to_map_info(row), *row[6:])

    async def map_images(self, key: str) -> tuple[bytes | None, bytes | None] | None:
        """Return the picture and the mask of a key, or None if no server still has such a map."""
        if not key:
            return None
        query = "SELECT picture, mask FROM maps WHERE ground = ? AND ground <> '' LIMIT 1"
        row = await self._fetch_one(query, key)
        return None if row is None else (row[0], row[1])

    async def drop_map(self, guild: int, game: str, key: str) -> bool:
        """Remove a map; return whether there was one."""
        statement = "DELETE FROM maps WHERE guild = ? AND game = ? AND key = ?"
        return await self._execute(statement, guild, game, key, tells="maps:") > 0

    async def save_map(self, row: MapRow, most: int = MAX_MAPS) -> bool:
        """Add a map, or replace the one with its key. Return False and change nothing if there are too many.

        Raises ValueError for one that is too large or not JSON.
        """
        info = row.info

        def save(tx: Transaction) -> bool:
            tx.lock("maps", info.guild)
            others = "SELECT count(*) FROM maps WHERE guild = ? AND game = ? AND key <> ?"
            if tx.execute(others, info.guild, info.game, info.key).fetchone()[0] >= most:
                return False
            tx.execute(_SAVE, *map_values(info), row.data, row.picture, row.mask, row.ground)
            tx.tell("maps:")
            return True

        return await self._transaction(save)


def map_values(info: MapInfo) -> tuple[int | str, ...]:
    """Return a map as MAP_COLUMNS."""
    return (info.guild, info.game, info.key, info.title, info.by, to_ms(info.at))


def to_map_info(row: Sequence[Any]) -> MapInfo:
    """From the columns of MAP_COLUMNS and more."""
    guild, game, key, title, by, at = row[:6]
    return MapInfo(guild, game, key, title, by, from_ms(at))
