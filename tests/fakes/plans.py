"""The plans of the store in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from matches.outbox.queue import Draft
from matches.store.plan_rows import PlanRow
from matches.store.rows import MatchRow
from tests.fakes.base import MemoryBase


@dataclass
class MemoryPlans(MemoryBase):
    """Plans by match and seat."""

    _plans: dict[tuple[str, int], PlanRow] = field(default_factory=dict)

    def _put_plan(self, plan: PlanRow) -> None:
        self._plans.pop((plan.match, plan.seat), None)
        if not plan.empty:
            self._plans[plan.match, plan.seat] = plan

    def _drop_orphans(self, row: MatchRow) -> None:
        holders = {seat.seat: seat.user for seat in row.seats if seat.occupant == "person"}
        for plan in [plan for plan in self._plans.values() if plan.match == row.id]:
            if row.status != "live" or holders.get(plan.seat) != plan.user:
                del self._plans[plan.match, plan.seat]

    async def plans(self, match_id: str) -> tuple[PlanRow, ...]:
        """The plans for a match, by seat."""
        self._open()
        found = (plan for plan in self._plans.values() if plan.match == match_id)
        return tuple(sorted(found, key=lambda plan: plan.seat))

    async def planned_matches(self) -> frozenset[str]:
        """Matches with plans."""
        self._open()
        return frozenset(plan.match for plan in self._plans.values())

    async def save_plan(self, plan: PlanRow, draft: Draft | None = None, now: datetime | None = None) -> None:
        """Add, replace or remove a plan, and queue a message."""
        self._change()
        self._known(plan.match)
        if draft is not None:
            if now is None:
                raise ValueError("a message is queued at a time")
            self._enqueue(draft, now)
        self._put_plan(plan)
