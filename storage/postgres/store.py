"""The Store on one PostgreSQL database: one class for each kind of rows, over a few connections."""

from __future__ import annotations

from matches.ports import Clock
from storage.archive import AnalysesPart
from storage.channels import MirrorsPart
from storage.error_groups import ErrorsPart
from storage.follows import FollowsPart
from storage.leaderboards import LeaderboardsPart, ProfilesPart
from storage.lessons import LessonsPart
from storage.matches import ImportsPart, MatchesPart
from storage.moderation import ModerationPart
from storage.plans import PlansPart
from storage.postgres.archive import PostgresArchive
from storage.postgres.connection import PostgresDatabase, open_postgres_database
from storage.postgres.news import ProcessNews
from storage.postgres.parts import (
    PostgresClocks,
    PostgresErasures,
    PostgresIdle,
    PostgresOutbox,
    PostgresPersonalData,
    PostgresPings,
    PostgresPosts,
    PostgresReadMarks,
)
from storage.postgres.shard_leases import ShardLeases, new_number
from storage.postgres.target import read_target
from storage.seats import HoldersPart, SeatOffersPart
from storage.servers import DeparturesPart, MapsPart, ShowcasesPart
from storage.settings import SettingsPart
from storage.standing import StandingPart
from storage.tournaments import TournamentsPart


class PostgresStore(
    MatchesPart,
    PostgresArchive,
    PostgresOutbox,
    PostgresPosts,
    MirrorsPart,
    SettingsPart,
    PostgresReadMarks,
    MapsPart,
    PostgresClocks,
    HoldersPart,
    SeatOffersPart,
    PostgresIdle,
    ImportsPart,
    PlansPart,
    PostgresPings,
    AnalysesPart,
    ModerationPart,
    FollowsPart,
    ShowcasesPart,
    PostgresPersonalData,
    PostgresErasures,
    DeparturesPart,
    ErrorsPart,
    LessonsPart,
    StandingPart,
    LeaderboardsPart,
    ProfilesPart,
    TournamentsPart,
):
    """The Store of matches.ports on a PostgreSQL database. Made by `open_postgres`."""

    leases: ShardLeases | None = None
    """Those of this process, if it works together with others."""
    news: ProcessNews | None = None
    """What those others have changed."""

    def __init__(self, database: PostgresDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def __repr__(self) -> str:
        return f"PostgresStore({self._database.name!r})"

    async def close(self) -> None:
        """Wait for what runs, close the connections, give the lease back."""
        if self.news is not None:
            await self.news.close()
        if self.leases is not None:
            await self.leases.close()
        await self._database.close()


async def open_database_store(url: str, *, clock: Clock, name: str | None = None) -> PostgresStore:
    """Open the store in the database of a URL, or start one there. Raises StoreError with what to do.

    With a `name`, of this process for people, it is shared with other processes that have one.
    """
    number = None if name is None else new_number()
    store = PostgresStore(await open_postgres_database(url, clock, process=number), clock)
    if name is not None and number is not None:
        store.leases = ShardLeases(PostgresDatabase(read_target(url), number, connections=1), number, name)
        store.news = ProcessNews(read_target(url), number)
    return store
