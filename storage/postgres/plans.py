"""What people have planned for their matches, on PostgreSQL."""

from __future__ import annotations

from storage.plans import PlansPart
from storage.postgres.parts import PostgresPart


class PostgresPlans(PlansPart, PostgresPart):
    """The part of the Store that keeps plans."""
