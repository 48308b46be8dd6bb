"""Results of matches and the ratings that follow from them, on PostgreSQL."""

from __future__ import annotations

from storage.leaderboards import LeaderboardsPart
from storage.postgres.parts import PostgresPart
from storage.standing import StandingPart


class PostgresStanding(StandingPart, PostgresPart):
    """The part of the Store that knows results and ratings."""


class PostgresLeaderboards(LeaderboardsPart, PostgresPart):
    """The part of the Store that answers for profiles and leaderboards."""
