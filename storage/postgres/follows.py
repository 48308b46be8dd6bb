"""Who follows which match, and what is to be told to them when, on PostgreSQL."""

from __future__ import annotations

from storage.follows import FollowsPart
from storage.postgres.parts import PostgresPart


class PostgresFollows(FollowsPart, PostgresPart):
    """The part of the Store that knows who follows which match."""
