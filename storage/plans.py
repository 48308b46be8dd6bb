"""What people have planned for their matches."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from matches.outbox.queue import Draft
from matches.store.plans import NamedMove, PlanRow, PlanStep
from matches.store.rows import MatchRow
from storage.rows import to_json
from storage.transactions import StorePart, Transaction


class PlansPart(StorePart):
    """The statements about plans that every database takes."""

    async def plans(self, match_id: str) -> tuple[PlanRow, ...]:
        """Return the plans for a match, by seat."""
        rows = await self._fetch_all(
            'SELECT match, seat, "user", version, lines, only_move FROM plans WHERE match = ? ORDER BY seat',
            match_id,
        )
        return tuple(map(to_plan, rows))

    async def planned_matches(self) -> frozenset[str]:
        """Return the ids of the matches for which there are plans."""
        rows = await self._fetch_all("SELECT DISTINCT match FROM plans")
        return frozenset(match for (match,) in rows)

    async def save_plan(self, plan: PlanRow, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add or replace a plan, or remove an empty one; queue a message in the same transaction.

        LookupError for no such match, ValueError for a message without the time.
        """

        def save(tx: Transaction) -> None:
            tx.lock_match(plan.match)
            put_plan(tx, plan)
            tx.enqueue_if_any(draft, now)

        await self._transaction(save)


def put_plan(tx: Transaction, plan: PlanRow) -> None:
    """Add, replace or remove a plan, within a transaction that has its match's lock."""
    tx.tell(f"plans:{plan.match}")
    tx.execute("DELETE FROM plans WHERE match = ? AND seat = ?", plan.match, plan.seat)
    if not plan.empty:
        tx.execute(
            'INSERT INTO plans (match, seat, "user", version, lines, only_move) VALUES (?, ?, ?, ?, ?, ?)',
            *(plan.match, plan.seat, plan.user, plan.version, lines_json(plan), int(plan.only_move)),
        )


def drop_orphans(tx: Transaction, row: MatchRow) -> None:
    """Remove the plans for a match that no one may carry out now, within a transaction."""
    held = [seat for seat in row.seats if seat.occupant == "person" and row.status == "live"]
    kept = " OR ".join('(seat = ? AND "user" = ?)' for _ in held) or "false"
    values = [value for seat in held for value in (seat.seat, seat.user)]
    tx.execute(f"DELETE FROM plans WHERE match = ? AND NOT ({kept})", row.id, *values)  # noqa: S608 - our own text


def lines_json(plan: PlanRow) -> str:
    """Return the lines of a plan as they are stored."""
    return to_json([[_step_values(step) for step in line] for line in plan.lines])


def _step_values(step: PlanStep) -> dict[str, Any]:
    moves = [[move.seat, move.wire, move.text] for move in step.moves]
    return {"if": moves, "rest": step.rest, "then": step.reply, "wire": step.wire}


def _to_step(data: dict[str, Any]) -> PlanStep:
    moves = tuple(NamedMove(*move) for move in data["if"])
    return PlanStep(moves, data["rest"], data["then"], data["wire"])


def to_plan(row: tuple[Any, ...]) -> PlanRow:
    """From match, seat, user, version, lines, only_move."""
    match, seat, user, version, lines, only_move = row
    read = tuple(tuple(map(_to_step, line)) for line in json.loads(lines))
    return PlanRow(match, seat, user, version, read, bool(only_move))
