"""What people have planned for their matches, on PostgreSQL."""

from __future__ import annotations

from matches.store.rows import MatchRow
from storage.plans import PlansPart
from storage.postgres.parts import PostgresPart
from storage.postgres.sessions import Conn


class PostgresPlans(PlansPart, PostgresPart):
    """The part of the Store that keeps plans."""


def drop_orphans(db: Conn, row: MatchRow) -> None:
    """Remove the plans for a match that no one may carry out now, within a transaction."""
    if row.status != "live":
        db.execute("DELETE FROM plans WHERE match = %s", (row.id,))
        return
    kept = [(seat.seat, seat.user) for seat in row.seats if seat.occupant == "person"]
    db.execute(
        'DELETE FROM plans WHERE match = %s AND (seat, "user") NOT IN '
        "(SELECT * FROM unnest(%s::integer[], %s::bigint[]) AS held (seat, person) WHERE person IS NOT NULL)",
        (row.id, [seat for seat, _ in kept], [user for _, user in kept]),
    )
