"""Maps added to servers, on PostgreSQL. A list never reads the pictures; a single map is loaded with them."""

from __future__ import annotations

from matches.rows import MAX_MAPS, MapInfo, MapRow
from storage.maps import MAP_COLUMNS, WHOLE_MAP_COLUMNS, map_values, to_map_info
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import places
from storage.postgres.sessions import Conn, one

_SAVE = (
    f"INSERT INTO maps ({WHOLE_MAP_COLUMNS}) VALUES ({places(WHOLE_MAP_COLUMNS)}) "  # noqa: S608 - our own columns
    "ON CONFLICT (guild, game, key) DO UPDATE SET title = excluded.title, by = excluded.by, "
    "at = excluded.at, data = excluded.data, picture = excluded.picture, mask = excluded.mask, "
    "ground = excluded.ground"
)


class PostgresMaps(PostgresPart):
    """The part of the Store that keeps maps."""

    async def maps(self, guild: int, game: str) -> tuple[MapInfo, ...]:
        """Return the maps of a server for a game, by their keys."""
        query = f"SELECT {MAP_COLUMNS} FROM maps WHERE guild = %s AND game = %s ORDER BY key"  # noqa: S608 - our own columns
        return tuple(to_map_info(row) for row in await self._database.fetch_all(query, guild, game))

    async def stored_map(self, guild: int, game: str, key: str) -> MapRow | None:
        """Return a map with its pictures, or None if the server doesn't have it."""
        query = f"SELECT {WHOLE_MAP_COLUMNS} FROM maps WHERE guild = %s AND game = %s AND key = %s"  # noqa: S608 - our own columns
        row = await self._database.fetch_one(query, guild, game, key)
        return None if row is None else MapRow(to_map_info(row), *row[6:])

    async def drawn(self, ground: str) -> tuple[bytes | None, bytes | None] | None:
        """Return the picture and the mask of a key, or None if no server still has such a map."""
        if not ground:
            return None
        query = "SELECT picture, mask FROM maps WHERE ground = %s AND ground <> '' LIMIT 1"
        row = await self._database.fetch_one(query, ground)
        return None if row is None else (row[0], row[1])

    async def save_map(self, row: MapRow, most: int = MAX_MAPS) -> bool:
        """Add a map, or replace the one with its key. Return False and change nothing if there are too many.

        Raises ValueError for one that is too large or not JSON.
        """
        info = row.info

        def save(db: Conn) -> bool:
            # Maps are added seldom: one at a time, so that the number is right.
            db.execute("LOCK TABLE maps IN SHARE ROW EXCLUSIVE MODE")
            query = "SELECT count(*) FROM maps WHERE guild = %s AND game = %s AND key <> %s"
            (others,) = one(db.execute(query, (info.guild, info.game, info.key)).fetchone())
            if others >= most:
                return False
            db.execute(_SAVE, (*map_values(info), row.data, row.picture, row.mask, row.ground))
            return True

        return await self._database.transaction(save)

    async def drop_map(self, guild: int, game: str, key: str) -> bool:
        """Remove a map; return whether there was one."""
        statement = "DELETE FROM maps WHERE guild = %s AND game = %s AND key = %s"
        return await self._database.execute(statement, guild, game, key) > 0
