"""What is kept about a person, and how they are forgotten.

The statements are made from the list of personal columns. Both databases run the same ones; each has its own
way to write a value's place (`:user`, `%(user)s`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from matches.outbox.lanes import until_heard_from
from matches.store.erasures import ERASED_NAME, Erasure, PersonalData
from storage.personal_data import (
    JSON_COLUMNS,
    OWN_ROWS,
    PERSONAL,
    SCRUBBED_KEYS,
    PersonalColumn,
    scrubbed,
    without_names,
)
from storage.rows import to_ms
from storage.transactions import SqlitePart, StorePart, Transaction

Place = Callable[[str], str]
"""Returns the place of a named value in a statement."""
Run = Callable[[str, Mapping[str, Any]], list[Sequence[Any]]]
"""Runs a statement with its values, and returns its rows; none for a statement without rows."""

_BUSY = """
SELECT 1 FROM matches AS m WHERE (m.status = 'lobby' AND m.host = {user})
    OR (m.status IN ('lobby', 'live')
        AND EXISTS (SELECT 1 FROM seats AS s WHERE s.match = m.id AND s."user" = {user}))
LIMIT 1
"""
# A commit that was prepared before must not write the person's id back.
_RENEW = """
UPDATE matches SET revision = revision + 1 WHERE host = {user} OR CAST(agreed AS TEXT) LIKE {part}
    OR id IN (SELECT match FROM seats WHERE "user" = {user})
"""
# A ban that is in force keeps its row of the moderators' log, and loses the moderator only.
_IN_FORCE = "NOT EXISTS (SELECT 1 FROM forbidden AS f WHERE f.n = moderation.n)"
_RENEW_TOURNAMENTS = """
UPDATE tournaments SET revision = revision + 1, wake = 0 WHERE organiser = {user}
    OR id IN (SELECT tournament FROM tournament_entrants WHERE "user" = {user})
"""
_PLAYED = (
    '(SELECT match FROM seats WHERE "user" = {user} UNION SELECT match FROM holders WHERE "user" = {user})'
)
_IMPORTED_NAMES = """
UPDATE seats SET name = {name} WHERE name <> '' AND match IN (SELECT match FROM imports WHERE owner = {user})
"""
# Their own messages, also those that name them by their lane only.
_MESSAGES = "DELETE FROM {table} WHERE lane LIKE {{lane}}"
_PARKED = "DELETE FROM outbox_dead WHERE until = {until}"
_NAMES = """
SELECT name FROM seats WHERE "user" = {user} UNION SELECT name FROM holders WHERE "user" = {user}
"""
_TEXTS = {"outbox": ("id", "payload"), "outbox_dead": ("id", "payload"), "ping_posts": ("message", "text")}
"""Columns with texts of messages, by table, and the column by which a row is found again."""
_DONE = 'UPDATE erasures SET "user" = NULL, done = {now} WHERE "user" = {user}'


def erase_person(run: Run, place: Place, user: int, now: int, *, even_playing: bool = False) -> bool:
    """Forget a person within a transaction, and return whether that is done.

    Unless `even_playing`, nothing is done while they have a seat in a lobby or a live match. `now` is in
    milliseconds. Raises LookupError if no erasure has begun.
    """
    values: dict[str, Any] = {"user": user, "name": ERASED_NAME, "part": f"%{user}%", "now": now}
    values |= {"lane": f"%/{user}", "until": until_heard_from(user)}

    def say(text: str) -> list[Sequence[Any]]:
        places = {name: place(name) for name in (*values, "token")}
        statement = text.format(**places)
        used = {name: value for name, value in values.items() if places[name] in statement}
        return run(statement, used)

    found = say('SELECT token FROM erasures WHERE "user" = {user}')
    if not found:
        raise LookupError("no erasure has begun")
    if not even_playing and say(_BUSY):
        return False
    values["token"] = token = int(found[0][0])
    _scrub_names(say, run, place)
    say(_RENEW)
    say(_RENEW_TOURNAMENTS)
    say(_IMPORTED_NAMES)
    for table in ("outbox", "outbox_dead"):
        say(_MESSAGES.format(table=table))
    say(_PARKED)
    for column in PERSONAL:
        if column.fate == "scrub":
            _scrub(run, place, column, user, token)
        elif (text := _statement(column)) is not None:
            say(text)
    say(_DONE)
    return True


def _scrub_names(say: Callable[[str], list[Sequence[Any]]], run: Run, place: Place) -> None:
    """Take a person's names out of messages about their matches, and about none."""
    names = {str(name) for (name,) in say(_NAMES)} - {"", ERASED_NAME}
    for table, (key, column) in _TEXTS.items() if names else ():
        query = f"SELECT {key}, CAST({column} AS TEXT) FROM {table} WHERE match = '' OR match IN {_PLAYED}"  # noqa: S608
        for row, old in say(query):
            if column == "payload":
                new = json.dumps(without_names(json.loads(old), names), separators=(",", ":"))
            else:
                new = without_names(old, names)
            if new != old:
                statement = f"UPDATE {table} SET {column} = {place('new')} WHERE {key} = {place('row')}"  # noqa: S608
                run(statement, {"new": new, "row": row})


def _statement(column: PersonalColumn) -> str | None:
    """Return what an erasure does to a column; None if nothing."""
    table, which = column.table, f'"{column.by}" = {{user}}'
    if table == "settings":
        which = f"scope = 'user' AND {which}"
    if table == "moderation" and column.name == "person":
        which = f"{which} AND {_IN_FORCE}"
    if column.fate == "keep" or table == "erasures":
        return None
    if column.fate == "remove":
        return f"DELETE FROM {table} WHERE {which}"  # noqa: S608 - our own names
    new = {"token": "{token}", "name": "{name}", "null": "NULL", "empty": "'{{}}'"}[column.fate]
    return f'UPDATE {table} SET "{column.name}" = {new} WHERE {which}'  # noqa: S608 - our own names


def _scrub(run: Run, place: Place, column: PersonalColumn, user: int, token: int) -> None:
    """Take a person's id out of the texts of a column."""
    name, table = f'"{column.name}"', column.table
    if table not in SCRUBBED_KEYS:
        # Messages that ping several people have a row for each, with the same text: theirs is removed.
        run(
            f"UPDATE {table} SET {name} = replace({name}, {place('old')}, {place('new')}) "  # noqa: S608
            f"WHERE {name} LIKE {place('part')}",
            {"old": f"<@{user}>", "new": ERASED_NAME, "part": f"%<@{user}>%"},
        )
        return
    key = SCRUBBED_KEYS[table]
    but = f" AND {_IN_FORCE}" if table == "moderation" else ""
    text = f"CAST({name} AS TEXT)"
    query = f"SELECT {key}, {text} FROM {table} WHERE {text} LIKE {place('part')}{but}"  # noqa: S608
    for row, old in run(query, {"part": f"%{user}%"}):
        new = scrubbed(column.name, old, user, token)
        if new != old:
            statement = f"UPDATE {table} SET {name} = {place('new')} WHERE {key} = {place('row')}"  # noqa: S608
            run(statement, {"new": new, "row": row})


def export_queries(place: Place) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield each table with something about a person, its columns, and the query for them."""
    for table, (by, listed) in OWN_ROWS.items():
        columns = tuple(listed.split(", "))
        names = ", ".join(f'"{name}"' for name in columns)
        which = f'"{by}" = {place("user")}'
        if table == "entries":
            # Entries have no index by their author.
            which += f" AND match IN {_PLAYED.format(user=place('user'))}"
        query = f"SELECT {names} FROM {table} WHERE {which} ORDER BY 1, 2 LIMIT {place('limit')}"  # noqa: S608
        yield table, columns, query


_PUT = 'INSERT INTO erasures ("user", token, begun) VALUES (?, ?, ?) ON CONFLICT ("user") DO NOTHING'


class ErasuresPart(StorePart):
    """The statements about erasures that every database takes."""

    async def erasures(self) -> tuple[Erasure, ...]:
        """Return the erasures that aren't done."""
        query = 'SELECT "user", token FROM erasures WHERE "user" IS NOT NULL ORDER BY n'
        return tuple(Erasure(user, token) for user, token in await self._fetch_all(query))

    async def begin_erasure(self, user: int, token: int, now: datetime) -> Erasure:
        """Note that a person is to be forgotten."""

        def put(tx: Transaction) -> Erasure:
            tx.execute(_PUT, user, token, to_ms(now))
            tx.tell("erasures:")
            (kept,) = tx.execute('SELECT token FROM erasures WHERE "user" = ?', user).fetchone()
            return Erasure(user, kept)

        return await self._transaction(put)


class SqliteErasures(ErasuresPart, SqlitePart):
    """The part of the Store that exports and forgets what is kept about people."""

    async def personal_data(self, user: int, limit: int) -> PersonalData:
        """Return what is kept about a person."""

        def read(db: sqlite3.Connection) -> PersonalData:
            found = {
                table: (columns, db.execute(query, {"user": user, "limit": limit}).fetchall())
                for table, columns, query in export_queries(lambda name: f":{name}")
            }
            own = "SELECT settings FROM settings WHERE scope = 'user' AND id = ?"
            return exported(found, db.execute(own, (user,)).fetchone())

        return await self._database.read(read)

    async def erase(self, user: int, now: datetime, *, even_playing: bool = False) -> bool:
        """Forget a person."""

        def work(db: sqlite3.Connection) -> bool:
            def run(statement: str, values: Mapping[str, Any]) -> list[Sequence[Any]]:
                return db.execute(statement, values).fetchall()

            return erase_person(run, lambda name: f":{name}", user, to_ms(now), even_playing=even_playing)

        return await self._database.transaction(work)

    async def clean_up(self, now: datetime) -> bool:
        """Write the file anew, so that nothing is left in its free pages and its write-ahead log."""
        waiting = "SELECT 1 FROM erasures WHERE done IS NOT NULL AND cleaned IS NULL LIMIT 1"
        if await self._database.fetch_one(waiting) is None:
            return False
        await self._database.rewrite()
        done = "UPDATE erasures SET cleaned = ? WHERE done IS NOT NULL AND cleaned IS NULL"
        await self._database.execute(done, to_ms(now))
        return True


def exported(
    found: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Any]]]], settings: Sequence[Any] | None
) -> PersonalData:
    """Return the rows of queries by table and column, JSON as values, without tables that have none."""
    data: dict[str, tuple[Mapping[str, Any], ...]] = {
        table: tuple(
            {name: _value(name, each) for name, each in zip(columns, row, strict=True)} for row in rows
        )
        for table, (columns, rows) in found.items()
        if rows
    }
    if settings is not None:
        data["settings"] = ({"settings": _value("settings", settings[0])},)
    return data


def _value(column: str, value: Any) -> Any:
    is_json = column in JSON_COLUMNS or column in ("lines", "headers", "settings")
    return json.loads(value) if is_json and isinstance(value, str) else value
