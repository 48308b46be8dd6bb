"""Delivers the outbox as the bot does, without Discord, and remembers who was told what."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from matches.outbox.queue import OutboxRow
from matches.store.pings import PingPost, PingRow, PingWork
from tests.matches.world import World


@dataclass(frozen=True)
class Told:
    """A message that a person got: when, about which turns, how, and why."""

    user: int
    at: datetime
    turns: tuple[tuple[str, int], ...]
    how: str
    reason: str = ""


@dataclass
class Post:
    """What was sent in a world, and which messages ping whom now."""

    world: World
    told: list[Told] = field(default_factory=list)
    standing: dict[int, set[int]] = field(default_factory=dict)
    messages: int = 0

    async def deliver(self) -> None:
        """Send what is due, until nothing is left."""
        while rows := await self.world.store.outbox(self.world.clock.now()):
            for row in rows:
                await self._send(row)

    async def _send(self, row: OutboxRow) -> None:
        store, draft, now = self.world.store, row.draft, self.world.clock.now()
        match draft.kind:
            case "board":
                await self._board(row)
                return
            case "ping":
                asked = draft.message.to_json()
                found = [each for each in await store.pings(draft.match) if each.seat == asked["seat"]]
                if found and (found[0].turn, found[0].state) == (asked["turn"], "told"):
                    self._tell(found[0].user, ((draft.match, asked["turn"]),), "ping", asked["reason"])
                    posts = (self._posted(found[0], ours=True),)
                    await store.outbox_sent(row.id, None, PingWork(now, posts=posts))
                    return
            case "unping":
                self.standing[draft.message.to_json()["message"]] = set(draft.message.to_json()["keep"])
            case "digest":
                turns = tuple((match, turn) for match, _, turn in draft.message.to_json()["about"])
                self._tell(draft.message.to_json()["user"], turns, "digest")
        await store.outbox_sent(row.id, None)

    async def _board(self, row: OutboxRow) -> None:
        store, pings = self.world.store, self.world.service.pings
        match = await store.match(row.draft.match)
        assert match is not None
        calls = await pings.for_board(match, row.draft.message.to_json()["last"])
        assert calls is not None
        mentioned = {call.before.user for call in calls if call.mention}
        rows, drafts, pinged = await pings.mentioned(calls, mentioned)
        for call in calls:
            if call.mention:
                reason = "alone" if call.before.state != "new" else call.before.kind
                self._tell(call.before.user, ((match.id, call.before.turn),), "board", reason)
        self.messages += 1
        posts = tuple(self._posted(each, ours=False) for each in pinged)
        await store.outbox_sent(row.id, None, PingWork(self.world.clock.now(), rows, drafts, posts))

    def _posted(self, row: PingRow, *, ours: bool) -> PingPost:
        if ours:
            self.messages += 1
        self.standing.setdefault(self.messages, set()).add(row.user)
        return PingPost(self.messages, row.user, 20, row.match, row.seat, row.turn, ours, f"<@{row.user}>")

    def _tell(self, user: int, turns: tuple[tuple[str, int], ...], how: str, reason: str = "") -> None:
        self.told.append(Told(user, self.world.clock.now(), turns, how, reason))

    def told_to(self, user: int) -> list[Told]:
        """What a person was told, in order."""
        return [each for each in self.told if each.user == user]
