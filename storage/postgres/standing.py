"""Results of matches and the ratings that follow from them, on PostgreSQL."""

from __future__ import annotations

from storage.postgres.parts import PostgresPart
from storage.standing import StandingPart


class PostgresStanding(StandingPart, PostgresPart):
    """The part of the Store that knows results and ratings."""
