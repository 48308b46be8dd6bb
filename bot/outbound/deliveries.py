"""Deliver a row of the outbox by its kind: lobby, thread, board, notice, mirror or direct message."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.context import Context
from bot.messages.maintenance import with_line
from bot.messages.match import notice, reason_line, users_to_act
from bot.messages.outgoing import File, Outgoing
from bot.messages.plans import plan_news
from bot.messages.record_file import record_file
from bot.messages.seats import seat_names
from bot.outbound.final_story import story_at_the_end
from bot.outbound.kinds.lobby import LobbyMessages
from bot.outbound.kinds.moderation_log import ModerationMessages
from bot.outbound.kinds.notices import NoticeMessages
from bot.outbound.kinds.pings import PingMessages, mentions_of
from bot.outbound.kinds.thread import ThreadMessages
from bot.outbound.kinds.watching import FinishedMessages, FollowMessages, MirrorMessages
from bot.outbound.posting import Channel, MessageKind, Poster
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Who, msg
from matches.clocks.timekeeper import ClockFace
from matches.outbox.messages import (
    AnyMessage,
    BoardMessage,
    Digest,
    DirectMessage,
    Finished,
    Follow,
    LobbyMessage,
    LogNotice,
    Mirror,
    ModerationPost,
    Moved,
    NewsMessage,
    Notice,
    PingMessage,
    PlanNews,
    Thread,
    Unreadable,
    Withdrawal,
)
from matches.outbox.queue import OutboxRow
from matches.pings.pinging import BoardCall
from matches.store.rows import MatchRow, Post
from matches.threads import long_in_thread

log = logging.getLogger(__name__)
_UNKNOWN_MESSAGE = 10008
_OLD_EDIT = 30046


class Deliveries(MessageKind[AnyMessage]):
    """Delivers one row at a time, and lets errors through."""

    def __init__(self, ctx: Context, poster: Poster) -> None:
        self._ctx = ctx
        self._poster = poster
        self._threads = ThreadMessages(ctx, poster)
        self._lobbies = LobbyMessages(ctx, poster)
        self._notices = NoticeMessages(ctx, poster)
        self._pings = PingMessages(ctx, poster)
        self._mirrors = MirrorMessages(ctx, poster)
        self._follows = FollowMessages(ctx, poster)
        self._finished = FinishedMessages(ctx, poster)
        self._moderation = ModerationMessages(ctx, poster)

    def of(self, message: AnyMessage) -> MessageKind[Any]:
        """Return the kind of a message."""
        match message:
            case LobbyMessage():
                return self._lobbies
            case Thread():
                return self._threads
            case LogNotice():
                return self
            case Notice():
                return self._notices
            case Mirror():
                return self._mirrors
            case PingMessage() | Withdrawal() | Digest():
                return self._pings
            case ModerationPost() | Moved():
                return self._moderation
            case Follow() | NewsMessage():
                return self._follows
            case Finished():
                return self._finished
            case _:
                return self

    async def deliver(self, row: OutboxRow, message: AnyMessage) -> None:
        """Send the message of a row, and mark the row as sent."""
        match message:
            case BoardMessage() | LogNotice():
                await self._about_log(row, message)
            case DirectMessage() | PlanNews():
                outgoing = await self._direct_message(row, message)
                if outgoing is None:
                    await self._ctx.store.outbox_sent(row.id, None)
                    return
                posted = await self._poster.post(row, await self._poster.channel(row, None), outgoing)
                await self._ctx.store.outbox_sent(row.id, self._as_post(row, posted, None))
            case Unreadable():
                log.error("a stored message can't be read", extra={"row": row.id, "why": message.why})
                await self._ctx.store.outbox_drop(row.id, "unreadable")

    async def _direct_message(self, row: OutboxRow, told: DirectMessage | PlanNews) -> Outgoing | None:
        """Return a direct message: a text as it is, or news of a plan in its owner's language.

        None if it tells of a match that can't be reached, but can by now.
        """
        of_match = isinstance(told, PlanNews) or bool(told.unreachable)
        current = await self._ctx.service.queries.row(row.draft.match) if of_match else None
        if isinstance(told, DirectMessage):
            return Outgoing(told.text) if current is None or current.unreachable else None
        if current is None or row.draft.user is None:
            return None
        return plan_news(current, told, await self._ctx.readers.person(row.draft.user, None))

    async def _is_outdated(self, row: OutboxRow, board: BoardMessage, channel: Channel) -> bool:
        """Return whether a board that was laid aside has been replaced by another in its channel."""
        if not row.error or board.again:
            return False
        boards = await self._ctx.store.posts(row.draft.match, "board")
        return any(post.channel == channel.id and (post.seq or 0) >= board.last for post in boards)

    def _as_post(self, row: OutboxRow, message: discord.Message, seq: int | None) -> Post:
        return Post(message.id, message.channel.id, row.draft.match, row.draft.kind, seq)

    async def record_posted(self, row: OutboxRow, message: AnyMessage) -> bool:
        """Record a board that an earlier try has posted without knowing it; return whether there is one."""
        current = await self._ctx.service.queries.row(row.draft.match)
        if current is None or not isinstance(message, BoardMessage):
            return False
        posted = await self._poster.find_board(row, message.last, await self._poster.channel(row, current))
        if posted is None:
            return False
        post = self._as_post(row, posted, message.last)
        await self._pings.record_board(row, current, posted, post)
        return True

    async def _about_log(self, row: OutboxRow, told: BoardMessage | LogNotice) -> None:
        """Post a board or a notice about the log entries first..last of a match."""
        draft = row.draft
        if isinstance(told, BoardMessage) and await self._ctx.service.plans.run_due(draft.match):
            # Nobody is called for a turn that their plan answers: it has to be played before that.
            self._poster.note_queued()
        found = await self._ctx.store.match_and_pings(draft.match)
        if found is None:
            await self._ctx.store.outbox_drop(row.id, "no such match")
            return
        current, pings = found
        channel = await self._poster.channel(row, current)
        if isinstance(told, BoardMessage) and await self._is_outdated(row, told, channel):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        match, facts = await self._ctx.service.queries.facts(draft.match, told.first, told.last)
        reader = await self._ctx.readers.public(current.place.guild)
        if draft.user is not None:
            seat = next((s.seat for s in current.seats if s.user == draft.user), None)
            reader = await self._ctx.readers.person(draft.user, None, None if seat is None else Seat(seat))
        calls: Sequence[BoardCall] | None
        face = await self._face(current, match)
        if isinstance(told, LogNotice):
            outgoing, calls = await self._pings.with_calls(
                notice(current, match, facts, reader, face, told.reason),
                current,
                match.seq,
                draft.user,
            )
        else:
            note = await self._players_left(current, match, reader)
            if not match.ending:
                note = with_line(note, await self._ctx.maintenance.current(), reader)
            english = self._ctx.readers.default
            extra: tuple[File, ...] = ()
            story = await story_at_the_end(self._ctx, current, match)
            if match.ending:
                held = await self._ctx.store.holders(current.id)
                extra = (await long_in_thread(record_file, current, match, english, held),)
            again = told.again
            if told.reason:
                note = "\n".join(filter(None, (note, reason_line(told.reason, reader))))
            if again:
                note = reader.say(msg("bot.board.again"))
            calls = (
                ()
                if again
                else await self._ctx.service.pings.for_board(current, match.seq, draft.user, pings)
            )
            if calls is None:
                calls, ping = (), users_to_act(current, match) if told.ping is None else told.ping
            else:
                ping = mentions_of(calls)
            if draft.user is not None:
                ping = (draft.user,) if draft.user in ping else ()
            outgoing = await self._poster.drawn(
                row,
                lambda picture: self._ctx.presenter.board(
                    current,
                    match,
                    facts,
                    reader if picture else replace(reader, text=True),
                    own=not again,
                    ping=ping,
                    note=note,
                    extra=extra,
                    face=face,
                    story=story,
                ),
            )
            if draft.user is not None and not ping:
                outgoing = replace(outgoing, silent=True)
        message = await self._poster.post(row, channel, outgoing)
        if current.unreachable:
            await self._ctx.service.channels.mark_reachable(draft.match)
        post = self._as_post(row, message, match.seq)
        if calls:
            await self._pings.record_board(row, current, message, post, calls)
        else:
            await self._ctx.store.outbox_sent(row.id, post)

    async def _face(self, row: MatchRow, match: Match) -> ClockFace | None:
        """Return what the clocks show once a board of a match is posted; None for an earlier position."""
        if not await self._ctx.service.queries.is_current(row, match.seq):
            return None
        return await self._ctx.service.time_up.face(row, posting=True)

    async def _players_left(self, row: MatchRow, match: Match, reader: Reader) -> str:
        """Return a line that names players who are to act but have left the server; empty if none."""
        guild = row.place.guild
        if guild is None or match.ending:
            return ""
        users = {seat: row.seats[seat].user for seat in sorted(match.to_act) if seat >= 0}
        away = [
            Who(seat)
            for seat, user in users.items()
            if user is not None and await self._ctx.members.has_left(guild, user)
        ]
        if not away:
            return ""
        text = msg("bot.board.left", n=len(away), who=tuple(away))
        return "-# " + reader.say(text, seat_names(row, reader))
