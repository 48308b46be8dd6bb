"""What is kept of servers: how they use the bot, which it left, their added maps and current messages.

A list of maps never reads the pictures; only a single map is loaded with them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

from matches.outbox.queue import Draft
from matches.store.rows import MAX_MAPS, MapInfo, MapRow, MatchRow
from matches.store.servers import Departure, ServerUse, Showcase, ShowcaseKind
from storage.rows import Value, from_ms, ms_or_none, time_or_none, to_ms
from storage.transactions import StorePart, Transaction

_SERVER_ROWS = (
    ("settings", "scope = 'guild' AND id"),
    ("showcases", "guild"),
    ("tournaments", "guild"),
    ("maps", "guild"),
    ("forbidden", "guild"),
    ("moderation", "guild"),
    ("outages", "guild"),
    ("departures", "guild"),
    ("greetings", "guild"),
    ("daily_answers", "guild"),
    ("daily_puzzles", "guild"),
)
"""What is kept about servers, and how theirs is found; a table comes before those that it refers to."""

_KNOWN = """
SELECT guild FROM (
    SELECT id AS guild FROM settings WHERE scope = 'guild' AND id > 0 UNION SELECT guild FROM showcases
    UNION SELECT guild FROM maps UNION SELECT guild FROM moderation UNION SELECT guild FROM greetings
) AS known WHERE {ours}
"""
"""Servers that something is kept about. Below 1 are the bot's own notes."""

SERVER_USE: Final = """
SELECT guild, count(CASE WHEN status = 'live' THEN 1 END) AS live, min(created), max(updated) AS latest
FROM matches WHERE guild IS NOT NULL GROUP BY guild ORDER BY live DESC, latest DESC, guild
"""


class DeparturesPart(StorePart):
    """The statements about departures that every database takes."""

    async def note_servers(self, present: Collection[int], now: datetime) -> tuple[Departure, ...]:
        """Return the servers that the bot has left.

        A process that works with others knows it of the servers of its own shards only.
        """

        def note(tx: Transaction) -> tuple[Departure, ...]:
            tx.lock("departures", 0)
            which, own = tx.ours("guild")

            def rows(query: str) -> list[tuple[int, ...]]:
                return tx.execute(query.format(ours=which), *own).fetchall()

            noted = {guild for (guild,) in rows("SELECT guild FROM departures WHERE {ours}")}
            left = {guild for (guild,) in rows(_KNOWN)}.difference(present)
            for guild in sorted(left - noted):
                tx.execute("INSERT INTO departures VALUES (?, ?)", guild, to_ms(now))
            for guild in sorted(noted - left):
                tx.execute("DELETE FROM departures WHERE guild = ?", guild)
            found = rows("SELECT guild, since FROM departures WHERE {ours} ORDER BY since, guild")
            return tuple(Departure(guild, from_ms(since)) for guild, since in found)

        return await self._transaction(note)

    async def forget_server(self, guild: int) -> None:
        """Remove what is kept about a server."""

        def forget(tx: Transaction) -> None:
            for table, key in _SERVER_ROWS:
                tx.execute(f"DELETE FROM {table} WHERE {key} = ?", guild)  # noqa: S608 - our own names
            tx.tell(f"settings:guild:{guild}")

        await self._transaction(forget)

    async def claim_greeting(self, guild: int, now: datetime) -> bool:
        """Note that a server is greeted."""

        def claim(tx: Transaction) -> bool:
            added = tx.execute(
                "INSERT INTO greetings VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING guild",
                guild,
                to_ms(now),
            )
            return added.fetchone() is not None

        return await self._transaction(claim)

    async def server_use(self) -> tuple[ServerUse, ...]:
        """Return how each server with matches uses the bot."""
        return tuple(map(to_server_use, await self._fetch_all(SERVER_USE)))


def to_server_use(row: Sequence[Any]) -> ServerUse:
    """From the columns of SERVER_USE."""
    guild, live, first, latest = row
    return ServerUse(guild, live, from_ms(first), from_ms(latest))


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


SHOWCASE_COLUMNS = "guild, channel, by, since, message, shown, edited, kind"
_PUT = """
INSERT INTO showcases (guild, channel, by, since, message, shown, edited, kind)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (guild, kind) DO UPDATE SET channel = excluded.channel, by = excluded.by, since = excluded.since,
    message = excluded.message, shown = excluded.shown, edited = excluded.edited
"""


_IT = "WHERE guild = ? AND kind = ? AND channel = ?"


class ShowcasesPart(StorePart):
    """The statements about showcases that every database takes."""

    async def showcases(self) -> tuple[Showcase, ...]:
        """Return all showcases and panels, by server."""
        return await self._showcase_rows("ORDER BY guild, kind")

    async def showcase(self, guild: int, kind: ShowcaseKind = "matches") -> Showcase | None:
        """Return the showcase of a server, or its panel; None without one."""
        found = await self._showcase_rows("WHERE guild = ? AND kind = ?", guild, kind)
        return found[0] if found else None

    async def save_showcase(self, row: Showcase) -> None:
        """Add or replace the showcase or panel of a server."""
        await self._execute(_PUT, *showcase_values(row))

    async def note_showcase(self, row: Showcase) -> bool:
        """Record message, digest and time of a list; False if the server has another channel by now."""
        statement = f"UPDATE showcases SET message = ?, shown = ?, edited = ? {_IT}"  # noqa: S608 - our own text
        values = (row.message, row.shown, ms_or_none(row.edited))
        return await self._execute(statement, *values, row.guild, row.kind, row.channel) > 0

    async def live_in_guild(self, guild: int, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return live matches of a server, latest change first."""
        tail = "WHERE guild = ? AND status = 'live' ORDER BY updated DESC, n DESC LIMIT ?"
        return await self._find_matches(tail, guild, limit)

    async def lobbies_in_guild(self, guild: int, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return lobbies of a server, the newest first."""
        tail = "WHERE guild = ? AND status = 'lobby' ORDER BY n DESC LIMIT ?"
        return await self._find_matches(tail, guild, limit)

    async def drop_showcase(self, row: Showcase, now: datetime, drafts: Sequence[Draft] = ()) -> bool:
        """Remove a showcase, and queue messages if it was there."""

        def drop(tx: Transaction) -> bool:
            gone = tx.execute(f"DELETE FROM showcases {_IT}", row.guild, row.kind, row.channel)  # noqa: S608 - our own text
            for draft in drafts if gone.rowcount else ():
                tx.enqueue(draft, now)
            return gone.rowcount > 0

        return await self._transaction(drop)

    async def _showcase_rows(self, tail: str, *values: Value) -> tuple[Showcase, ...]:
        rows = await self._fetch_all(f"SELECT {SHOWCASE_COLUMNS} FROM showcases {tail}", *values)  # noqa: S608 - our own text
        return tuple(map(to_showcase, rows))


def showcase_values(row: Showcase) -> tuple[Value, ...]:
    """Return a showcase as SHOWCASE_COLUMNS."""
    since, edited = to_ms(row.since), ms_or_none(row.edited)
    return (row.guild, row.channel, row.by, since, row.message, row.shown, edited, row.kind)


def to_showcase(row: Sequence[Any]) -> Showcase:
    """From SHOWCASE_COLUMNS."""
    guild, channel, by, since, message, shown, edited, kind = row
    return Showcase(guild, channel, by, from_ms(since), message, shown, time_or_none(edited), kind)
