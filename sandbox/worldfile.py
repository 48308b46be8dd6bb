"""The file of a sandbox world: records as JSON text and uploads as bytes, in one SQLite file.

What `put` returned from survives `kill -9`; a file that can't be read whole is refused by name,
never replaced. One process, one connection.

Records are SimCord's models: `thaw_x(freeze(x))` equals `x` for everything a sandbox world keeps. Polls and
stickers are not part of such a world and are left out.
"""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from simcord.backend.models import (
    AllowedMentions,
    Channel,
    Guild,
    Member,
    Message,
    Overwrite,
    Reaction,
    Role,
    SystemMessageMetadata,
    ThreadMetadata,
    User,
)
from simcord.enums import OverwriteType

# "DoSb": distinguishes a world from any other SQLite file, a match database above all.
_APPLICATION_ID = 0x446F5362
_LAYOUT = 1

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE record (
    kind TEXT NOT NULL, id INTEGER NOT NULL, home INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_by_home ON record (kind, home);
CREATE TABLE upload (url TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
"""


class WorldFileError(RuntimeError):
    """The world's file can't be used; the text names the file and what to do."""


class WorldFile:
    """Open (or make) the file at `path`.

    Raises `WorldFileError` when it is damaged, of another kind, newer than this program, not writable or
    in use by another sandbox.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            log = path.with_name(f"{path.name}-wal")
            if log.exists() and log.stat().st_size and not (path.exists() and path.stat().st_size):
                # SQLite would delete it.
                raise WorldFileError(
                    f"The sandbox's world {path} is missing, but its log {log.name} is there. Put the world "
                    "back beside it, or move the log away to start a new one."
                )
            # Autocommit: every statement is its own transaction outside `_atomic`.
            self._db = sqlite3.connect(path, isolation_level=None, timeout=0.5)
        except (OSError, sqlite3.Error) as error:
            raise WorldFileError(f"The sandbox's world {path} can't be opened: {error}.") from error
        try:
            self._open()
        except sqlite3.Error as error:
            self._db.close()
            raise WorldFileError(self._explain(error)) from error
        except WorldFileError:
            self._db.close()
            raise

    def _explain(self, error: sqlite3.Error) -> str:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # its words are other ones in each release
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"The sandbox's world {self.path} is in use by another sandbox. Use its page, or stop it."
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return (
                f"The sandbox's world {self.path} can't be written ({error}). Make the file and its folder "
                "writable for the user who runs the program."
            )
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM):
            return f"The sandbox's world {self.path} can't be used now: {error}."
        return (
            f"The sandbox's world {self.path} is damaged ({error}). "
            "Restore a copy of it, or move it away to start a new world."
        )

    def _open(self) -> None:
        # Exclusive: a second sandbox on the same file gets an error instead of mixing two worlds.
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        # WAL with NORMAL: a commit is in the kernel's hands at once, which is what `kill -9` leaves alone.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        kind = int(self._db.execute("PRAGMA application_id").fetchone()[0])
        layout = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if kind == 0 and not self._db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
            self._db.executescript(
                f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA application_id = {_APPLICATION_ID}; "
                f"PRAGMA user_version = {_LAYOUT}; COMMIT;"
            )
            return
        if kind != _APPLICATION_ID:
            raise WorldFileError(f"{self.path} isn't a sandbox's world. Choose another file.")
        if layout != _LAYOUT:
            raise WorldFileError(
                f"The sandbox's world {self.path} has layout {layout}; this program reads {_LAYOUT}."
            )
        verdict = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        self._db.execute("BEGIN IMMEDIATE")  # a write lock now, not at the first message
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Fold the log into the file and let go of it."""
        self._db.close()

    # ------------------------------------------------------------------ small facts

    def fact(self, key: str) -> Any:
        """Return the JSON value kept under `key`, or None."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else self._read(row[0], f"meta {key}")

    def put_fact(self, key: str, value: Any) -> None:
        """Keep a JSON value under `key`."""
        self._db.execute(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            (key, json.dumps(value)),
        )

    # ------------------------------------------------------------------ records

    def put(self, kind: str, number: int, data: Mapping[str, Any], *, home: int = 0) -> None:
        """Keep one record; `home` is the channel of a message, so that they can go together."""
        self._db.execute(
            "INSERT INTO record VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET data = excluded.data, home = excluded.home",
            (kind, number, home, json.dumps(data, ensure_ascii=False, separators=(",", ":"))),
        )

    def drop(self, kind: str, number: int) -> None:
        """Forget one record, if it is there."""
        self._db.execute("DELETE FROM record WHERE kind = ? AND id = ?", (kind, number))

    def drop_home(self, kind: str, home: int) -> None:
        """Forget every record of `kind` that lives in `home`."""
        self._db.execute("DELETE FROM record WHERE kind = ? AND home = ?", (kind, home))

    def records(self, kind: str) -> Iterator[dict[str, Any]]:
        """Return all records of `kind` by id. Raises `WorldFileError` for one that isn't a JSON object."""
        for number, text in self._db.execute(
            "SELECT id, data FROM record WHERE kind = ? ORDER BY id", (kind,)
        ):
            data = self._read(text, f"{kind} {number}")
            if not isinstance(data, dict):
                raise WorldFileError(f"The sandbox's world {self.path} is damaged: {kind} {number}.")
            yield data

    def _read(self, text: str, what: str) -> Any:
        try:
            return json.loads(text)
        except ValueError as error:
            raise WorldFileError(f"The sandbox's world {self.path} is damaged: {what}: {error}.") from error

    # ------------------------------------------------------------------ uploads

    @property
    def uploads(self) -> Uploads:
        """The bytes of every attachment, by address."""
        return Uploads(self._db)


class Uploads(MutableMapping[str, bytes]):
    """Attachments by address, read from the file when asked for: boards would fill the memory otherwise."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __getitem__(self, url: str) -> bytes:
        row = self._db.execute("SELECT data FROM upload WHERE url = ?", (url,)).fetchone()
        if row is None:
            raise KeyError(url)
        return bytes(row[0])

    def __setitem__(self, url: str, data: bytes) -> None:
        self._db.execute(
            "INSERT INTO upload VALUES (?, ?) ON CONFLICT DO UPDATE SET data = excluded.data",
            (url, bytes(data)),
        )

    def __delitem__(self, url: str) -> None:
        if self._db.execute("DELETE FROM upload WHERE url = ?", (url,)).rowcount == 0:
            raise KeyError(url)

    def __iter__(self) -> Iterator[str]:
        return iter([row[0] for row in self._db.execute("SELECT url FROM upload")])

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM upload").fetchone()[0])


_GUILD_FIELDS = (
    "id",
    "name",
    "owner_id",
    "description",
    "system_channel_id",
    "rules_channel_id",
    "public_updates_channel_id",
    "preferred_locale",
)


def _plain(value: Any) -> Any:
    """Sets as sorted lists, keys as text: what JSON can say."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def freeze_user(user: User) -> dict[str, Any]:
    """Return a user as a JSON object."""
    return dataclasses.asdict(user)


def thaw_user(data: dict[str, Any]) -> User:
    """Return the user of `freeze_user`."""
    return User(**data)


def freeze_guild(guild: Guild) -> dict[str, Any]:
    """Return a guild with its roles and members; its channels are records of their own."""
    data: dict[str, Any] = {name: getattr(guild, name) for name in _GUILD_FIELDS}
    data["roles"] = [dataclasses.asdict(role) for role in guild.roles.values()]
    data["members"] = [dataclasses.asdict(member) for member in guild.members.values()]
    return data


def thaw_guild(data: dict[str, Any]) -> Guild:
    """Return the guild of `freeze_guild`, still without its channels."""
    guild = Guild(**{name: data[name] for name in _GUILD_FIELDS})
    guild.roles = {role["id"]: Role(**role) for role in data["roles"]}
    guild.members = {member["user_id"]: Member(**member) for member in data["members"]}
    return guild


def freeze_channel(channel: Channel) -> dict[str, Any]:
    """Return a channel, thread or direct channel as a JSON object."""
    data: dict[str, Any] = _plain(dataclasses.asdict(channel))
    return data


def thaw_channel(data: dict[str, Any]) -> Channel:
    """Return the channel of `freeze_channel`."""
    meta = data["thread_metadata"]
    overwrites = [{**entry, "type": OverwriteType(entry["type"])} for entry in data["overwrites"]]
    return Channel(
        **{
            **data,
            "overwrites": [Overwrite(**entry) for entry in overwrites],
            "thread_metadata": None if meta is None else ThreadMetadata(**meta),
            "thread_members": {int(user): since for user, since in data["thread_members"].items()},
        }
    )


def freeze_message(message: Message) -> dict[str, Any]:
    """Return a message as a JSON object; the bytes of its attachments are kept apart."""
    data: dict[str, Any] = _plain(dataclasses.asdict(dataclasses.replace(message, poll=None, stickers=[])))
    return data


def _ids(value: list[int] | None) -> frozenset[int] | None:
    return None if value is None else frozenset(value)


def thaw_message(data: dict[str, Any]) -> Message:
    """Return the message of `freeze_message`."""
    policy, system = data["allowed_mentions"], data["system_metadata"]
    return Message(
        **{
            **data,
            "reactions": [Reaction(**entry) for entry in data["reactions"]],
            "allowed_mentions": AllowedMentions(
                **{**policy, "users": _ids(policy["users"]), "roles": _ids(policy["roles"])}
            ),
            "system_metadata": None if system is None else SystemMessageMetadata(**system),
        }
    )
