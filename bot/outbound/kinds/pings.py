"""Ping people: in boards, by messages of their own, in digests; and withdraw what is over.

A ping shows which match, what is to be decided, how much time is left, and where the board is. A mention in a
board is recorded with the board, a message of our own with its row of the outbox: each is in one transaction
with the record that the person was pinged. Withdrawing twice does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

import discord

from bot.messages.buttons import NO_MATCH, settings_button
from bot.messages.components import Call, CallButton
from bot.messages.match import mentions, result_text
from bot.messages.names import match_title, seat_names
from bot.messages.outgoing import Outgoing
from bot.outbound.channels import board_link
from bot.outbound.overviews import OverviewItem, overview_item, overview_lines
from bot.outbound.posting import MessageKind
from bot.outbound.remedies import Fate, Meaning, Remedy
from bot.platform.reader_settings import Reader
from games.engine.game import Partial, Seat
from games.engine.match import Match
from games.engine.message import msg
from matches.outbox.messages import Digest, PingMessage, PingReason, Withdrawal
from matches.outbox.queue import OutboxRow
from matches.pings.pinging import BoardCall, after_ping
from matches.results import Refused
from matches.store.pings import PingPost, PingRow, PingWork
from matches.store.rows import MatchRow, Post

_MENTION = re.compile(r" ?<@(\d+)>")
_GONE = frozenset({10003, 10008, 50001, 50005, 50013})
"""Refusals after which nothing is left to withdraw, or nothing can be done about it."""
_WAKING_TRIES = 3
"""How often a withdrawal waits for an archived thread to be woken, a minute each time."""


def deadline_text(deadline: datetime, reader: Reader) -> str:
    """Return when time is up, as Discord's time stamps."""
    when, at = discord.utils.format_dt(deadline, "R"), discord.utils.format_dt(deadline, "f")
    return reader.say(msg("bot.ping.left", when=when, at=at))


def ping_message(
    row: MatchRow,
    match: Match,
    of: PingRow,
    reason: PingReason,
    reader: Reader,
    *,
    number: int,
    link: str,
    deadline: datetime | None,
    direct: bool,
    closed: bool = False,
) -> Outgoing:
    """Return a message that only pings someone; `direct` messages are read by them alone.

    `reader` is the person's for those, and has no seat otherwise. `closed` means that they wanted a direct
    message and take none. `number` distinguishes the message from all others of the match.
    """
    title = match_title(row, of.seat, reader)
    first = msg(f"bot.ping.{reason if of.kind == 'turn' else of.kind}", match=row.id, title=title)
    lines = [f"{reader.say(first)} {link}"]
    if match.ending is not None:
        lines.append(result_text(row, match, reader))
    elif of.kind == "turn":
        lines.append(to_decide(row, match, Seat(of.seat), reader))
        if deadline is not None:
            lines.append(deadline_text(deadline, reader))
    if closed:
        lines.append("-# " + reader.say(msg("bot.ping.closed")))
    content = "\n".join(line for line in lines if line)
    ping = () if direct else (of.user,)
    if ping:
        content = f"<@{of.user}> {content}"
    return Outgoing(content, (), ping_buttons(row, of, number, reader), ping)


def ping_buttons(row: MatchRow, of: PingRow, number: int, reader: Reader) -> tuple[CallButton, ...]:
    """Return the buttons of a ping: the match's view, to be pinged again later, and the settings."""
    view = CallButton.make(Call("view", row.id, -number, "ping"), reader.say(msg("bot.button.view")))
    if of.kind == "result":
        return view, settings_button(reader)
    return (
        view,
        CallButton.make(Call("snooze", row.id, of.turn, "60"), reader.say(msg("bot.button.snooze_hour"))),
        CallButton.make(
            Call("snooze", row.id, of.turn, "morning"), reader.say(msg("bot.button.snooze_morning"))
        ),
        settings_button(reader),
    )


def to_decide(row: MatchRow, match: Match, seat: Seat, reader: Reader) -> str:
    """Return what a seat is to decide, as far as the reader may know."""
    read = match.game.parse(match.game.view(match.state, reader.seat), seat, "")
    return reader.say(read.prompt, seat_names(row, reader)) if isinstance(read, Partial) else ""


# --- digests ----------------------------------------------------------------------------------------------


def digest_message(lines: Sequence[str], left: int, number: int, reader: Reader) -> Outgoing:
    """Return a digest from the lines of an overview, and how many matches were left out.

    `number` distinguishes the message from other digests.
    """
    shown = [*lines, reader.say(msg("bot.matches.more", n=left))] if left else lines
    mine = CallButton.make(Call("mine", NO_MATCH, -number), reader.say(msg("bot.button.mine")))
    return Outgoing("\n".join(shown), (), (mine, settings_button(reader, number=-number)))


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
                settings = await self._ctx.service.pings.settings(user)
                ended.append(after_ping(each, settings, self._ctx.clock.now()))
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
