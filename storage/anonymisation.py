"""Takes a forgotten person out of all tables: logs, seats, messages, the moderators' log.

A token stands in place of their id and ERASED_NAME in place of their name, or the row goes. What becomes of
each column stands in `storage/personal_data.py`; the statements are made from that list. Both databases run
the same ones; each has its own way to write a value's place (`:user`, `%(user)s`).
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from matches.outbox.lanes import until_dms_open
from matches.store.erasures import ERASED_NAME, Erasure
from storage.personal_data import JSON_COLUMNS, PERSONAL, PLAYED, PersonalColumn, Place
from storage.rows import to_ms
from storage.transactions import SqlitePart, StorePart, Transaction

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
_SCRUBBED_KEYS = {"matches": "id", "outbox": "id", "outbox_dead": "id", "moderation": "n"}
"""Tables with texts to scrub, and the column by which a row is found again."""
_MAX_SHOWN = 32
"""Maximum length of a name in messages, in characters."""
_DONE = 'UPDATE erasures SET "user" = NULL, done = {now} WHERE "user" = {user}'


def erase_person(run: Run, place: Place, user: int, now: int, *, even_playing: bool = False) -> bool:
    """Forget a person within a transaction, and return whether that is done.

    Unless `even_playing`, nothing is done while they have a seat in a lobby or a live match. `now` is in
    milliseconds. Raises LookupError if no erasure has begun.
    """
    values: dict[str, Any] = {"user": user, "name": ERASED_NAME, "part": f"%{user}%", "now": now}
    values |= {"lane": f"%/{user}", "until": until_dms_open(user)}

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
        query = f"SELECT {key}, CAST({column} AS TEXT) FROM {table} WHERE match = '' OR match IN {PLAYED}"  # noqa: S608
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
    if table not in _SCRUBBED_KEYS:
        # Messages that ping several people have a row for each, with the same text: theirs is removed.
        run(
            f"UPDATE {table} SET {name} = replace({name}, {place('old')}, {place('new')}) "  # noqa: S608
            f"WHERE {name} LIKE {place('part')}",
            {"old": f"<@{user}>", "new": ERASED_NAME, "part": f"%<@{user}>%"},
        )
        return
    key = _SCRUBBED_KEYS[table]
    but = f" AND {_IN_FORCE}" if table == "moderation" else ""
    text = f"CAST({name} AS TEXT)"
    query = f"SELECT {key}, {text} FROM {table} WHERE {text} LIKE {place('part')}{but}"  # noqa: S608
    for row, old in run(query, {"part": f"%{user}%"}):
        new = scrubbed(column.name, old, user, token)
        if new != old:
            statement = f"UPDATE {table} SET {name} = {place('new')} WHERE {key} = {place('row')}"  # noqa: S608
            run(statement, {"new": new, "row": row})


def without_person(value: Any, user: int, token: int) -> Any:
    """Return a JSON value or text in which the token stands for a person's id. Lists of pings lose it."""
    if isinstance(value, dict):
        return {
            key: [each for each in part if each != user]
            if key == "ping" and isinstance(part, list)
            else without_person(part, user, token)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [without_person(part, user, token) for part in value]
    if isinstance(value, str):
        named = re.sub(rf"<@!?{user}>", ERASED_NAME, value)
        return re.sub(rf"(?<!\d){user}(?!\d)", str(token), named)
    return token if value == user and not isinstance(value, bool) else value


_TEXT_KEYS = ("text", "reason")
"""What of a payload people read."""


def without_names(value: Any, names: Iterable[str]) -> Any:
    """Return a text, or a payload with texts, in which ERASED_NAME stands for a person's names.

    A name is found as messages show it: on one line, shortened, and with markdown escaped.
    """
    if isinstance(value, dict):
        return {key: without_names(part, names) if key in _TEXT_KEYS else part for key, part in value.items()}
    text = str(value)
    for name in sorted(names, key=len, reverse=True):
        text = _shown(name).sub(ERASED_NAME, text)
    return text


def _shown(name: str) -> re.Pattern[str]:
    plain = "".join(char for char in name if char.isprintable() or char.isspace())
    found = [_loose(part.split()) for part in (plain, plain[:_MAX_SHOWN]) if part.strip()]
    return re.compile(rf"(?<!\w)(?:{'|'.join(found)})(?!\w)" if found else r"(?!)")


def _loose(words: Iterable[str]) -> str:
    # Before a character there may be what takes away its meaning: a backslash, or a blank without width.
    return r"\s+".join("".join(rf"[\\\u200b]*{re.escape(char)}" for char in word) for word in words)


def scrubbed(column: str, text: str, user: int, token: int) -> str:
    """Return the text of a column without a person's id."""
    if column not in JSON_COLUMNS:
        return str(without_person(text, user, token))
    return json.dumps(without_person(json.loads(text), user, token), separators=(",", ":"))


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
            tx.notify("erasures:")
            (kept,) = tx.execute('SELECT token FROM erasures WHERE "user" = ?', user).fetchone()
            return Erasure(user, kept)

        return await self._transaction(put)


class SqliteErasures(ErasuresPart, SqlitePart):
    """The part of the Store that forgets people."""

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
