"""What people have planned for their matches, on PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from matches.plan_rows import PlanRow
from matches.rows import Draft, MatchRow
from storage.plans import PlansPart, lines_json
from storage.postgres.parts import PostgresPart
from storage.postgres.rows import enqueue, lock_matches
from storage.postgres.sessions import Conn


class PostgresPlans(PlansPart, PostgresPart):
    """The part of the Store that keeps plans."""

    async def save_plan(self, plan: PlanRow, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add or replace a plan, or remove an empty one; queue a message in the same transaction.

        LookupError for no such match, ValueError for a message without the time.
        """

        def save(db: Conn) -> None:
            lock_matches(db, (plan.match,))
            put_plan(db, plan)
            if draft is not None:
                if now is None:
                    raise ValueError("a message is queued at a time")
                enqueue(db, draft, now)

        await self._database.transaction(save)


def put_plan(db: Conn, plan: PlanRow) -> None:
    """Add, replace or remove a plan, within a transaction that has its match's lock."""
    db.execute("DELETE FROM plans WHERE match = %s AND seat = %s", (plan.match, plan.seat))
    if not plan.empty:
        db.execute(
            'INSERT INTO plans (match, seat, "user", version, lines, only_move) '
            "VALUES (%s, %s, %s, %s, %s, %s)",
            (plan.match, plan.seat, plan.user, plan.version, lines_json(plan), int(plan.only_move)),
        )


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
