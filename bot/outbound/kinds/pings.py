"""Ping people: in boards, by messages of their own, in digests; and withdraw what is over.

A mention in a board is recorded with the board, a message of our own with its row of the outbox: each is in
one transaction with what says that the person was told. Withdrawing twice does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import discord

from bot.messages.match import mentions
from bot.messages.outgoing import Outgoing
from bot.messages.overview import OverviewItem
from bot.messages.pings import digest_message, ping_message
from bot.outbound.channels import board_link
from bot.outbound.overviews import overview_item, overview_lines
from bot.outbound.posting import MessageKind
from bot.outbound.remedies import Fate, Meaning, Remedy
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.message import msg
from matches.outbox.messages import Digest, PingMessage, Withdrawal
from matches.outbox.queue import OutboxRow
from matches.pings.pinging import BoardCall, told
from matches.results import Refused
from matches.store.pings import PingPost, PingRow, PingWork
from matches.store.rows import MatchRow, Post

_MENTION = re.compile(r" ?<@(\d+)>")
_GONE = frozenset({10003, 10008, 50001, 50005, 50013})
"""Refusals after which nothing is left to withdraw, or nothing can be done about it."""
_WAKING_TRIES = 3
"""How often a withdrawal waits for an archived thread to be woken, a minute each time."""


class PingMessages(MessageKind[PingMessage | Withdrawal | Digest]):
    """Pings, digests and withdrawals; boards and notices have their mentions recorded here."""

    # --- boards ---------------------------------------------------------------------------------------

    async def record_board(
        self,
        row: OutboxRow,
        current: MatchRow,
        message: discord.Message,
        post: Post,
        calls: Sequence[BoardCall] | None = None,
    ) -> None:
        """Record a posted board, and whom it pings; `calls` are what was decided when it was made."""
        if calls is None:
            calls = await self._ctx.service.pings.for_board(current, post.seq or 0, row.draft.user) or ()
        mentioned = frozenset(message.raw_mentions)
        rows, drafts, pinged = await self._ctx.service.pings.mentioned(calls, mentioned)
        posts = tuple(_ping_post(each, message, ours=False) for each in pinged)
        work = PingWork(self._ctx.clock.now(), rows, drafts, posts)
        await self._ctx.store.outbox_sent(row.id, post, work)
        if drafts or any(each.sent is not None for each in pinged):
            self._poster.note_queued()

    async def with_calls(
        self, outgoing: Outgoing, current: MatchRow, last: int, user: int | None
    ) -> tuple[Outgoing, Sequence[BoardCall]]:
        """Return a notice that calls those whose turn has begun with it, too, and what was decided of them.

        That is so when a seat gets a new holder. Those whom it asks are notified unless they don't want that.
        """
        calls = await self._ctx.service.pings.for_board(current, last, user) or ()
        new = tuple(each for each in mentions_of(calls) if each not in outgoing.ping)
        gated = await self._poster.gated(outgoing, current, user)
        content = gated.content + mentions(new)
        return replace(gated, content=content, ping=tuple(dict.fromkeys((*gated.ping, *new)))), calls

    async def play_plans(self, match_id: str) -> None:
        """Play what is planned, before anyone is called: nobody is for a turn that their plan answers."""
        if await self._ctx.service.plans.run_due(match_id):
            self._poster.note_queued()

    # --- messages that only ping ----------------------------------------------------------------------

    async def deliver(self, row: OutboxRow, message: PingMessage | Withdrawal | Digest) -> None:
        """Send a ping or a digest, or withdraw pings, and mark the row as sent."""
        match message:
            case PingMessage():
                await self.play_plans(row.draft.match)
                await self._ping(row, message)
            case Withdrawal():
                await self._withdraw(row, message)
            case Digest():
                await self._digest(row, message)

    async def lost(self, row: OutboxRow, message: PingMessage | Withdrawal | Digest, what: Meaning) -> Fate:
        """Ping where the match is played if the person takes no direct messages; keep some withdrawals.

        One in an archived thread waits for a while: the board that is on its way wakes it. One in a server
        without the bot waits until it is back, with the boards.
        """
        match message:
            case PingMessage() if message.dm and what.remedy is Remedy.CLOSED:
                current = await self._ctx.service.queries.row(row.draft.match)
                if current is not None and current.place.guild is not None:
                    await self._ctx.store.outbox_merge(row.id, replace(message, dm=False, closed=True), ())
                    return Fate.REPLACED
            case Digest() if what.remedy is Remedy.CLOSED:
                await self._ctx.service.pings.undelivered(message.user, message.about)
            case Withdrawal() if what.remedy is Remedy.AWAY:
                current = await self._ctx.service.queries.row(row.draft.match)
                return Fate.PARKED if current is not None and current.status == "live" else Fate.DROPPED
            case Withdrawal() if what.why == "locked" and row.tries < _WAKING_TRIES:
                return Fate.LATER
        return Fate.DROPPED

    async def _ping(self, row: OutboxRow, asked: PingMessage) -> None:
        draft = row.draft
        rows = await self._ctx.store.pings(draft.match)
        mine = next((each for each in rows if each.seat == asked.seat), None)
        same = mine is not None and (mine.user, mine.turn) == (asked.user, asked.turn)
        if mine is None or not same or mine.state != "told":
            await self._ctx.store.outbox_sent(row.id, None)  # that turn is over
            return
        seen = await self._ctx.service.queries.current(draft.match)
        if isinstance(seen, Refused):
            await self._ctx.store.outbox_drop(row.id, "no such match")
            return
        direct = asked.dm
        current, match = seen.row, seen.match
        channel = await self._poster.channel(row, current)
        outgoing = ping_message(
            current,
            match,
            mine,
            asked.reason,
            await self._reader(current, mine, direct=direct),
            number=row.id,
            link=await board_link(self._ctx, current, channel.id),
            deadline=(await self._ctx.store.deadlines(draft.match)).get(mine.seat),
            direct=direct,
            closed=asked.closed,
        )
        message = await self._poster.post(row, channel, outgoing)
        post = Post(message.id, message.channel.id, draft.match, "ping", mine.turn)
        ended = (replace(mine, state="over", due=None),) if mine.kind == "result" else ()
        posts = () if ended else (_ping_post(mine, message, ours=True),)
        self._poster.note_queued()  # it may take the place of another
        await self._ctx.store.outbox_sent(row.id, post, PingWork(self._ctx.clock.now(), ended, (), posts))

    async def _reader(self, current: MatchRow, mine: PingRow, *, direct: bool) -> Reader:
        if direct:
            return await self._ctx.readers.person(mine.user, None, Seat(mine.seat))
        return await self._ctx.readers.public(current.place.guild)

    # --- withdrawals ----------------------------------------------------------------------------------

    async def _withdraw(self, row: OutboxRow, over: Withdrawal) -> None:
        """Edit a board without the mentions that are over, or delete a message that was nothing else."""
        if not self._poster.is_confirmed(row):
            try:
                await self._take_back(row, over)
            except discord.HTTPException as error:
                if error.code not in _GONE:
                    raise
            self._poster.note_edited(row)
        await self._ctx.store.outbox_sent(row.id, None)

    async def _take_back(self, row: OutboxRow, over: Withdrawal) -> None:
        """Raises AwayError if the message is in a server without the bot."""
        if self._ctx.discord.client.get_channel(over.channel) is None:  # an archived thread, or not there
            current = await self._ctx.service.queries.row(row.draft.match)
            if current is not None and (not over.ours or over.channel == current.place.home):
                self._poster.require_guild(current)  # the others are in direct messages
        channel = self._ctx.discord.client.get_partial_messageable(over.channel)
        message = channel.get_partial_message(over.message)
        if over.ours and not over.keep:
            await message.delete()
            return
        kept = Outgoing(without_mentions(over.text, over.keep), ping=over.keep)
        await message.edit(content=kept.content, allowed_mentions=kept.mentions())

    # --- digests --------------------------------------------------------------------------------------

    async def _digest(self, row: OutboxRow, digest: Digest) -> None:
        user, about = digest.user, frozenset(digest.about)
        open_rows = await self._ctx.store.pings_of(user)
        items, ended = [], []
        for each in open_rows:
            fresh = (each.match, each.seat, each.turn) in about
            if each.kind == "result" and fresh:
                ended.append(told(each, await self._ctx.service.pings.settings(user), self._ctx.clock.now()))
            if (fresh or each.kind == "turn") and (item := await self._item(each)) is not None:
                items.append(item)
        if not any((item.row.id, item.seat) in {key[:2] for key in about} for item in items):
            await self._ctx.store.outbox_sent(row.id, None)  # all of it has gone on
            return
        reader = await self._ctx.readers.person(user, None)
        items.sort(key=lambda item: (item.urgency, item.began))
        head = reader.say(msg("bot.digest.head", n=len(items)))
        lines, left = await overview_lines(self._ctx, items, reader, head)
        outgoing = digest_message(lines, left, row.id, reader)
        await self._poster.post(row, await self._poster.channel(row, None), outgoing)
        await self._ctx.store.outbox_sent(row.id, None, PingWork(self._ctx.clock.now(), tuple(ended)))

    async def _item(self, of: PingRow) -> OverviewItem | None:
        seen = await self._ctx.service.queries.current(of.match)
        if isinstance(seen, Refused):
            return None
        return await overview_item(self._ctx, seen, of.seat, of.kind, of.began)


def without_mentions(text: str, standing: Iterable[int]) -> str:
    """Return the content of a message without its mentions, except of those people."""
    kept = frozenset(standing)
    return _MENTION.sub(lambda found: found[0] if int(found[1]) in kept else "", text)


def _ping_post(of: PingRow, message: discord.Message, *, ours: bool) -> PingPost:
    return PingPost(
        message.id, of.user, message.channel.id, of.match, of.seat, of.turn, ours, message.content
    )


def mentions_of(calls: Iterable[BoardCall]) -> tuple[int, ...]:
    """Return the people whom a board mentions."""
    return tuple(call.before.user for call in calls if call.mention)
