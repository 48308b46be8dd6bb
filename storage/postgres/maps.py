"""Maps added to servers, on PostgreSQL. A list never reads the pictures; a single map is loaded with them."""

from __future__ import annotations

from matches.rows import MAX_MAPS, MapRow
from storage.maps import WHOLE_MAP_COLUMNS, MapsPart, map_values
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import places
from storage.postgres.sessions import Conn, one, tell

_SAVE = (
    f"INSERT INTO maps ({WHOLE_MAP_COLUMNS}) VALUES ({places(WHOLE_MAP_COLUMNS)}) "  # noqa: S608 - our own columns
    "ON CONFLICT (guild, game, key) DO UPDATE SET title = excluded.title, by = excluded.by, "
    "at = excluded.at, data = excluded.data, picture = excluded.picture, mask = excluded.mask, "
    "ground = excluded.ground"
)


class PostgresMaps(MapsPart, PostgresPart):
    """The part of the Store that keeps maps."""

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
            tell(db, "maps:")
            return True

        return await self._database.transaction(save)
