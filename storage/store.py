"""The Store on one SQLite file: one class for each kind of rows, over one connection."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from matches.ports import Clock
from storage.anonymisation import SqliteErasures
from storage.archive import AnalysesPart, SqliteArchive
from storage.channels import MirrorsPart, SqlitePosts, SqliteReadMarks
from storage.clocks import SqliteClocks, SqliteIdle
from storage.connection import Database, open_database
from storage.error_groups import ErrorsPart
from storage.follows import FollowsPart
from storage.leaderboards import LeaderboardsPart, ProfilesPart
from storage.lessons import LessonsPart
from storage.matches import ImportsPart, MatchesPart
from storage.moderation import ModerationPart
from storage.outbox import SqliteOutbox
from storage.personal_data import SqlitePersonalData
from storage.pings import SqlitePings
from storage.plans import PlansPart
from storage.seats import HoldersPart, SeatOffersPart
from storage.servers import DeparturesPart, MapsPart, ShowcasesPart
from storage.settings import SettingsPart
from storage.standing import StandingPart
from storage.tournaments import TournamentsPart

WAL_BUG = ((3, 7, 0), (3, 51, 2))
"""Releases with the WAL-reset bug, first and last (https://www.sqlite.org/wal.html#walresetbug)."""


class SqliteStore(
    MatchesPart,
    SqliteArchive,
    SqliteOutbox,
    SqlitePosts,
    MirrorsPart,
    SettingsPart,
    SqliteReadMarks,
    MapsPart,
    SqliteClocks,
    HoldersPart,
    SeatOffersPart,
    SqliteIdle,
    ImportsPart,
    PlansPart,
    SqlitePings,
    AnalysesPart,
    FollowsPart,
    ShowcasesPart,
    ModerationPart,
    SqlitePersonalData,
    SqliteErasures,
    DeparturesPart,
    ErrorsPart,
    LessonsPart,
    StandingPart,
    LeaderboardsPart,
    ProfilesPart,
    TournamentsPart,
):
    """The Store of matches.ports on a file. Made by `open_store`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def __repr__(self) -> str:
        return f"SqliteStore({str(self._database.path)!r})"

    async def close(self) -> None:
        """Wait for what runs, close the file, give the lease back."""
        await self._database.close()


async def open_store(path: Path, *, clock: Clock) -> SqliteStore:
    """Open the store in a file, or start one there.

    Raises StoreError, with a sentence about what to do, if the file can't be used: in use by another
    process, read-only, damaged, newer than the program, another program's. Nothing is opened in its place.
    """
    return SqliteStore(await open_database(path, clock), clock)


def sqlite_note(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> str | None:
    """Return what to know about the SQLite in use where another program might write too, else None."""
    first, last = WAL_BUG
    if not first <= version <= last:
        return None
    return (
        "Dominium writes through one connection, which is safe. Let nothing else write its file: "
        "up to 3.51.2, SQLite can damage a database that two programs write at the same moment."
    )
