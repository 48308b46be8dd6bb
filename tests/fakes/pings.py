"""The pings of the store in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from matches import drafts
from matches.store.ping_rows import PingPost, PingRow, TurnChange
from matches.store.ping_store import PingWork
from tests.fakes.base import MemoryBase, in_ms


@dataclass
class MemoryPings(MemoryBase):
    """What seats wait for, what their people were told, and the messages that did."""

    _pings: dict[tuple[str, int], PingRow] = field(default_factory=dict)
    _ping_posts: dict[tuple[int, int], PingPost] = field(default_factory=dict)

    def apply_turns(self, match: str, turns: Sequence[TurnChange], at: datetime) -> None:
        """What a change of a match means for its seats."""
        for turn in turns:
            known = self._pings.get((match, turn.seat))
            stamp = 0 if known is None else known.stamp + 1
            if turn.what == "alone":
                if known is not None and known.kind == "turn":
                    self._pings[match, turn.seat] = replace(known, alone=True, stamp=stamp)
                continue
            unseen = known is not None and known.unseen and not turn.acted
            if turn.what != "over":
                acted = "over" if turn.what == "result" else "known"
                self._pings[match, turn.seat] = PingRow(
                    match=match,
                    seat=turn.seat,
                    user=turn.user,
                    turn=turn.turn,
                    kind=turn.what,
                    state=acted if turn.acted else "new",  # type: ignore[arg-type]  # one of the states
                    began=in_ms(at),
                    unseen=unseen and known is not None and known.user == turn.user,
                    reason=turn.what,
                    stamp=stamp,
                )
            elif known is not None:
                over = replace(known, state="over", due=None, alone=False, unseen=unseen, stamp=stamp)
                self._pings[match, turn.seat] = over
            self._withdraw(match, turn.seat, at)

    def _withdraw(self, match: str, seat: int, at: datetime, but: int | None = None) -> None:
        for key, post in sorted(self._ping_posts.items()):
            if (post.match, post.seat) == (match, seat) and post.message != but:
                del self._ping_posts[key]
                keep = [user for message, user in sorted(self._ping_posts) if message == post.message]
                self._enqueue(drafts.withdrawal(post, keep), at)

    async def pings(self, match_id: str) -> tuple[PingRow, ...]:
        """The rows of a match."""
        self._open()
        return tuple(row for key, row in sorted(self._pings.items()) if key[0] == match_id)

    async def pings_of(self, user: int) -> tuple[PingRow, ...]:
        """The open rows of a person."""
        self._open()
        rows = [row for row in self._pings.values() if row.user == user and row.state != "over"]
        return tuple(sorted(rows, key=lambda row: (row.began, row.match, row.seat)))

    async def pings_due(self, now: datetime, limit: int = 100) -> tuple[PingRow, ...]:
        """Rows whose time has come."""
        self._open()
        rows = [(row.due, key, row) for key, row in self._pings.items() if row.due is not None]
        return tuple(row for due, _, row in sorted(rows, key=lambda one: one[:2]) if due <= in_ms(now))[
            :limit
        ]

    async def pings_running_out(
        self, now: datetime, limit: int = 100
    ) -> tuple[tuple[PingRow, datetime], ...]:
        """Open turns with little time left."""
        self._open()
        now, found = in_ms(now), []
        dues = {(match, seat): due for match, dues in self._due.items() for seat, due in dues.items()}
        for key, due in dues.items():
            row = self._pings.get(key)
            open_ = row is not None and row.kind == "turn" and row.state in ("known", "told")
            if row is not None and open_ and row.remind and now < due <= now + row.remind:
                found.append((due, key, row))
        return tuple((row, due) for due, _, row in sorted(found, key=lambda one: one[:2])[:limit])

    def _told(self, known: PingRow, row: PingRow) -> bool:
        """What a message pings for was told, if nothing was decided of that turn yet."""
        if (known.user, known.turn, known.kind, known.state) != (row.user, row.turn, row.kind, "new"):
            return False
        self._pings[row.match, row.seat] = replace(
            known,
            state="told",
            due=None if row.due is None else in_ms(row.due),
            sent=None if row.sent is None else in_ms(row.sent),
            unseen=True,
            stamp=known.stamp + 1,
        )
        return True

    async def ping_work(self, work: PingWork) -> bool:
        """Everything at once."""
        self._change()
        done = 0
        pinged = {(post.match, post.seat, post.user, post.turn) for post in work.posts}
        for row in work.rows:
            known = self._pings.get((row.match, row.seat))
            if known is not None and known.stamp == row.stamp:
                self._pings[row.match, row.seat] = replace(
                    known,
                    state=row.state,
                    due=None if row.due is None else in_ms(row.due),
                    sent=None if row.sent is None else in_ms(row.sent),
                    unseen=row.unseen,
                    alone=row.alone,
                    remind=row.remind,
                    reason=row.reason,
                    stamp=row.stamp + 1,
                )
                done += 1
            elif known is not None and (row.match, row.seat, row.user, row.turn) in pinged:
                done += self._told(known, row)
        if done or not work.rows:
            for draft in work.drafts:
                self._enqueue(draft, work.at)
        for post in work.posts:
            turn = self._pings.get((post.match, post.seat))
            stands = (
                turn is not None and turn.state != "over" and (turn.user, turn.turn) == (post.user, post.turn)
            )
            self._ping_posts.setdefault((post.message, post.user), post)
            self._withdraw(post.match, post.seat, work.at, but=post.message if stands else None)
        return done > 0

    async def ping_looked(self, match_id: str, user: int) -> None:
        """They have looked."""
        self._change()
        for key, row in self._pings.items():
            if (row.match, row.user) == (match_id, user):
                self._pings[key] = replace(row, unseen=False)
