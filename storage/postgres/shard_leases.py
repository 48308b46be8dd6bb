"""Which process serves which shard, where several work together: leases in the database.

A shard of Discord's gateway is a fixed share of all servers; shard 0 also has the direct messages. The
holder of a shard's lease hears its servers, sends their messages, plays their computers and sweeps their
matches. A lease ends unless its holder renews it, by the clock of the database's server alone. A process
prefers some shards. The others it takes only when nobody has renewed them for a while, and gives back when a
process asks that prefers them. Of two that prefer the same, the one that started later gets it: so a new
process takes over from the one it replaces.

Changes of matches need no lease: any process may make them, and the version of the match decides.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from matches.ports import StoreError
from matches.store.clocks import LOOK_AGAIN
from storage.postgres.connection import PostgresDatabase
from storage.postgres.sessions import GATE, OF_PROCESS, Conn, one, shard_of, tell

LEASE: Final = 6.0
"""Seconds after which a lease ends that isn't renewed."""
ORPHANED: Final = 2.0
"""Seconds after the end of a lease until a process takes a shard that it doesn't prefer."""
IDENTIFY_EVERY: Final = 5.0
"""Seconds between two sessions that begin in one of Discord's buckets."""
_FORGOTTEN: Final = "1 hour"

_SEEN = """
INSERT INTO processes VALUES (%(me)s, %(name)s, %(prefers)s, clock_timestamp(), clock_timestamp())
ON CONFLICT (id) DO UPDATE SET prefers = excluded.prefers, seen = excluded.seen
"""
_LIVE = "seen > clock_timestamp() - %(lease)s * interval '1 s'"
_ALONE = f"SELECT NOT EXISTS (SELECT 1 FROM processes WHERE id <> %(me)s AND {_LIVE})"  # noqa: S608 - our own text
_OTHERS = f"""
SELECT coalesce(extract(epoch FROM clock_timestamp() - min(started)), 0) FROM processes
WHERE id <> %(me)s AND {_LIVE}
"""  # noqa: S608 - our own text
_GIVE_BACK = """
UPDATE shards SET holder = NULL, asked = NULL, until = least(until, clock_timestamp())
WHERE holder = %(me)s AND id = ANY(%(back)s)
"""
_RENEW = """
UPDATE shards SET until = clock_timestamp() + %(lease)s * interval '1 s'
WHERE holder = %(me)s AND until > clock_timestamp()
"""
_END_DEAD = f"""
SELECT pg_terminate_backend(a.pid) FROM shards AS s
JOIN pg_stat_activity AS a ON a.application_name = '{OF_PROCESS}' || s.holder
WHERE s.until <= clock_timestamp() AND s.holder <> %(me)s
AND a.usename = current_user AND a.datname = current_database()
"""  # noqa: S608 - our own text
"""Ends the connections of processes whose leases have run out: one that hangs may hold locks."""
_FREE = """
SELECT id, extract(epoch FROM until) FROM shards
WHERE (holder IS NULL OR until <= clock_timestamp())
AND (id = ANY(%(prefers)s) OR until <= clock_timestamp() - %(orphaned)s * interval '1 s')
ORDER BY id FOR UPDATE SKIP LOCKED
"""
_TAKE = """
UPDATE shards SET holder = %(me)s, asked = NULL, until = clock_timestamp() + %(lease)s * interval '1 s'
WHERE id = ANY(%(free)s)
"""
_TAKE_OVER = f"""
UPDATE outbox AS o SET tries = 1, due = least(due, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
WHERE tries = 0
AND {shard_of("(SELECT m.guild FROM matches AS m WHERE m.id = o.match)")} = ANY(%(free)s)
"""  # noqa: S608 - our own text
"""The process before may have sent them without noting it: they are searched for before a new try."""
_ASK = f"""
UPDATE shards AS s SET asked = %(me)s FROM processes AS me, processes AS other
WHERE me.id = %(me)s AND s.id = ANY(me.prefers) AND s.holder = other.id AND other.id <> me.id
AND (NOT s.id = ANY(other.prefers) OR other.started < me.started)
AND (s.asked IS NULL OR NOT EXISTS (SELECT 1 FROM processes AS p WHERE p.id = s.asked AND p.{_LIVE}))
"""  # noqa: S608 - our own text
_MINE = f"""
SELECT s.id, p.id IS NOT NULL FROM shards AS s
LEFT JOIN processes AS p ON p.id = s.asked AND p.id <> %(me)s AND p.{_LIVE}
WHERE s.holder = %(me)s AND s.until > clock_timestamp()
"""  # noqa: S608 - our own text
_IDENTIFY = f"""
INSERT INTO identifies AS i VALUES (%(bucket)s, clock_timestamp())
ON CONFLICT (bucket) DO UPDATE SET at = greatest(i.at + '{IDENTIFY_EVERY} s'::interval, clock_timestamp())
RETURNING extract(epoch FROM at - clock_timestamp())
"""  # noqa: S608 - our own text
_OUTAGE = f"""
WITH guilds AS (
    SELECT DISTINCT m.guild FROM matches AS m JOIN deadlines AS d ON d.match = m.id
    WHERE m.guild IS NOT NULL AND {shard_of("m.guild")} = %(shard)s
), noted AS (
    INSERT INTO outages (guild, start, until) SELECT guild, %(since)s, %(now)s FROM guilds
    ON CONFLICT (guild, start) DO UPDATE SET until = greatest(outages.until, excluded.until) RETURNING guild
)
INSERT INTO deadlines (match, seat, due) SELECT m.id, %(again)s, %(now)s FROM matches AS m
WHERE m.guild IN (SELECT guild FROM noted) AND m.id IN (SELECT match FROM deadlines)
ON CONFLICT (match, seat) DO UPDATE SET due = least(deadlines.due, excluded.due)
"""  # noqa: S608 - our own text


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a process has after `ShardLeases.renew`."""

    held: frozenset[int] = frozenset()
    """The shards that it serves now."""
    asked: frozenset[int] = frozenset()
    """Those of them that another process asks for."""
    taken: dict[int, float] = field(default_factory=dict)
    """Those that it has just taken, each with the seconds for which nobody served it."""
    others: float = 0.0
    """For how many seconds another process has been living; 0 if none does."""


class ShardLeases:
    """The leases of one process."""

    seconds = LEASE
    orphaned = ORPHANED

    def __init__(self, database: PostgresDatabase, number: int, name: str) -> None:
        """`number` is that of this process, `name` is for people."""
        self._database = database
        self.number = number
        self._name = name

    async def agree(self, count: int, *, exact: bool = True) -> int:
        """Make `count` the number of shards, and return it.

        If other processes use another number, that is returned; StoreError if it has to be `exact`.
        """
        me = self.number

        def agree(db: Conn) -> int:
            db.execute(GATE)
            known = len(db.execute("SELECT id FROM shards").fetchall())
            if known == count:
                return count
            (alone,) = one(db.execute(_ALONE, {"me": me, "lease": self.seconds}).fetchone())
            if known and not alone and not exact:
                return known
            if known and not alone:
                raise StoreError(
                    f"The other processes of this bot share {known} shards, and this one is to share "
                    f"{count}. Set SHARDS to the same number for all, or stop the others first."
                )
            db.execute("DELETE FROM shards")
            db.execute(
                "INSERT INTO shards SELECT n, NULL, clock_timestamp(), NULL "
                "FROM generate_series(0, %s - 1) AS n",
                (count,),
            )
            return count

        return await self._database.transaction(agree)

    async def renew(self, prefers: Collection[int], give_back: Collection[int] = ()) -> Renewal:
        """Renew the leases, give some back, take what is free, and ask for what is preferred.

        Call it every second or two. Raises StoreError.
        """
        values = {
            "me": self.number,
            "name": self._name,
            "prefers": sorted(prefers),
            "back": sorted(give_back),
            "lease": self.seconds,
            "orphaned": self.orphaned,
        }

        def renew(db: Conn) -> Renewal:
            (others,) = one(db.execute(_OTHERS, values).fetchone())
            db.execute(_SEEN, values)
            db.execute("DELETE FROM processes WHERE seen < now() - %s::interval", (_FORGOTTEN,))
            if give_back:
                db.execute(_GIVE_BACK, values)
                tell(db, "shards:")
            db.execute(_RENEW, values)
            db.execute(_END_DEAD, values)
            (now,) = one(db.execute("SELECT extract(epoch FROM clock_timestamp())").fetchone())
            ended = {shard: float(now - until) for shard, until in db.execute(_FREE, values)}
            free = [shard for shard in ended if shard not in give_back]
            if free:
                db.execute(_TAKE, {**values, "free": free})
                db.execute(_TAKE_OVER, {**values, "free": free})
            db.execute(_ASK, values)
            mine = db.execute(_MINE, values).fetchall()
            return Renewal(
                frozenset(shard for shard, _ in mine),
                frozenset(shard for shard, asked in mine if asked),
                {shard: max(0.0, ended[shard]) for shard in free},
                float(others),
            )

        return await self._database.transaction(renew)

    async def note_silence(self, shard: int, start: int, end: int) -> None:
        """Record that nobody could play in the servers of a shard; `start` and `end` in milliseconds."""
        values = {"shard": shard, "since": start, "now": end, "again": LOOK_AGAIN}
        await self._database.transaction(lambda db: db.execute(_OUTAGE, values))

    async def turn_to_identify(self, bucket: int) -> float:
        """Return the seconds to wait before a session may be begun: one after another in each bucket.

        https://discord.com/developers/docs/topics/gateway#sharding-max-concurrency.
        """

        def reserve(db: Conn) -> float:
            (wait,) = one(db.execute(_IDENTIFY, {"bucket": bucket}).fetchone())
            return max(0.0, float(wait))

        return await self._database.transaction(reserve)

    async def close(self) -> None:
        """Close the connection; leases that weren't given back run out."""
        await self._database.close()

    async def leave(self) -> None:
        """Give back all leases, as this process ends."""

        def leave(db: Conn) -> None:
            values = {"me": self.number}
            db.execute(
                "UPDATE shards SET holder = NULL, until = least(until, clock_timestamp()) "
                "WHERE holder = %(me)s",
                values,
            )
            db.execute("UPDATE shards SET asked = NULL WHERE asked = %(me)s", values)
            db.execute("DELETE FROM processes WHERE id = %(me)s", values)
            tell(db, "shards:")

        await self._database.transaction(leave)


def new_number() -> int:
    """Return a number for a process: no two have the same, and none is used again."""
    return secrets.randbits(62) + 1
