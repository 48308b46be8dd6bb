"""Send what those who watch get: mirrors, messages about followed matches, posts of finished ones.

Whether someone may see a match is judged with each message. Of messages about a match that wait behind each
other for a person, only the newest is sent. A mirror or showcase that takes no posts ends, and those who can
put that right are notified; a person who takes no direct messages no longer follows anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import discord

from bot.context import Context
from bot.messages.match import delay_text
from bot.messages.outgoing import Outgoing
from bot.messages.watching import NewsItem, finished_post, follow_message, moves_since, news_message
from bot.outbound import remedies, reports
from bot.outbound.channels import board_link
from bot.outbound.kinds.board import story_at_the_end
from bot.outbound.posting import AwayError, MessageKind, Poster
from bot.outbound.remedies import Fate, Meaning, Remedy
from bot.outbound.showcases import is_for_all_readers
from bot.platform.members import reads_channel
from bot.platform.reader_settings import Reader
from games.engine.match import Match
from games.engine.message import msg
from matches.outbox.messages import Finished, Follow, Mirror, NewsMessage
from matches.outbox.queue import OutboxRow
from matches.outbox_drafts import direct_message
from matches.results import Refused
from matches.store.rows import MatchRow, Post, Watch


async def may_follow(ctx: Context, row: MatchRow, user: int) -> bool:
    """Return whether a person may be notified of a match now: as `match_access.may_look`, asking Discord.

    Raises AwayError if the bot isn't in the server, and errors of discord.py where Discord doesn't answer.
    """
    if row.publicity.public or user == row.host or any(seat.user == user for seat in row.seats):
        return True
    if row.place.guild is None:
        return False
    guild = await ctx.discord.guilds.find(row.place.guild)
    if guild is None:
        raise AwayError
    mirrors = [watch.channel for watch in await ctx.store.watches(row.id)]
    try:
        member = await guild.fetch_member(user)
    except discord.NotFound:
        return False
    for channel in dict.fromkeys((row.place.home, *mirrors)):
        try:
            if await reads_channel(guild, channel, member):
                return True
        except (discord.NotFound, discord.Forbidden):
            continue
    return False


async def _board_elsewhere(
    ctx: Context, poster: Poster, row: OutboxRow, of: MatchRow, reader: Reader, *, posting: bool = False
) -> tuple[Outgoing, Match]:
    """Return the board of a match as those see it who don't play; `posting` as for `time_up.face`."""
    late = await ctx.service.queries.is_late(of)
    match, facts, _ = await ctx.service.queries.last_change(of)
    face = None if late else await ctx.service.time_up.face(of, posting=posting)
    note = delay_text(of, reader) if late else ""
    story = await story_at_the_end(ctx, of, match)
    text = replace(reader, text=True)
    board = await poster.drawn(
        row,
        lambda picture: ctx.presenter.board(
            of, match, facts, reader if picture else text, mirror=True, note=note, face=face, story=story
        ),
    )
    return board, match


class MirrorMessages(MessageKind[Mirror]):
    """Mirrors: one message each, edited as long as it stands."""

    async def deliver(self, row: OutboxRow, message: Mirror) -> None:
        """Post a mirror in another channel, or edit the one that is there."""
        draft = row.draft
        target = message.channel
        seen = await self._ctx.service.queries.current(draft.match)
        watch = next((w for w in await self._ctx.store.watches(draft.match) if w.channel == target), None)
        if watch is None or isinstance(seen, Refused):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        self._poster.require_guild(seen.row)
        outgoing = await self._mirrored(row, seen.row)
        channel = self._ctx.discord.client.get_partial_messageable(target, guild_id=seen.row.place.guild)
        if watch.message is not None and await self._poster.bring_up_to_date(
            row, channel, watch.message, outgoing, renew=True
        ):
            await self._ctx.store.outbox_sent(row.id, Post(watch.message, target, draft.match, "mirror"))
            return
        posted = await self._poster.post(row, channel, outgoing)
        await self._ctx.store.watch(Watch(draft.match, target, watch.by, posted.id))
        await self._ctx.store.outbox_sent(row.id, Post(posted.id, target, draft.match, "mirror"))

    async def lost(self, row: OutboxRow, message: Mirror, what: Meaning) -> Fate:
        """End a mirror, and notify the person who set it up; in a server without the bot it waits."""
        match_id = row.draft.match
        current = await self._ctx.service.queries.row(match_id)
        away = current is not None and self._ctx.discord.guilds.has_left(current.place.guild)
        if away and not remedies.passes(what):
            return Fate.PARKED
        for watch in await self._ctx.store.watches(match_id):
            if watch.channel == message.channel:
                values = {"match": match_id, "place": f"<#{watch.channel}>", "code": what.label}
                text = self._ctx.readers.default.say(msg("bot.unreachable.mirror", **values))
                follow = direct_message(match_id, watch.by, text)
                await self._ctx.store.outbox_add(follow, self._ctx.clock.now())
        await self._ctx.service.channels.unwatch(match_id, message.channel)
        return Fate.DROPPED

    async def _mirrored(self, row: OutboxRow, of: MatchRow) -> Outgoing:
        of = await self._ctx.service.queries.seen_elsewhere(of)
        reader = await self._ctx.readers.public(of.place.guild)
        # Its board is posted at about the same time; a lost channel leaves the clocks as they are.
        shown, _ = await _board_elsewhere(
            self._ctx, self._poster, row, of, reader, posting=not of.unreachable
        )
        head = reader.say(msg("bot.mirror.head", match=of.id, place=f"<#{of.place.home}>"))
        return replace(shown, content=f"{head}\n{shown.content}")


class FollowMessages(MessageKind[Follow | NewsMessage]):
    """Messages to followers of matches."""

    async def deliver(self, row: OutboxRow, message: Follow | NewsMessage) -> None:
        """Send the message of a row, and mark the row as sent."""
        if isinstance(message, Follow):
            await self._follow(row, message)
        else:
            await self._news(row, message)

    async def lost(self, row: OutboxRow, message: Follow | NewsMessage, what: Meaning) -> Fate:
        """End all that a person follows who takes no direct messages."""
        if what.remedy is Remedy.CLOSED and row.draft.user is not None:
            await self._ctx.store.close_follows(row.draft.user)
        return Fate.DROPPED

    async def _follow(self, row: OutboxRow, follow: Follow) -> None:
        draft, user = row.draft, row.draft.user
        seen = await self._ctx.service.queries.current(draft.match)
        if user is None or isinstance(seen, Refused) or await self._is_replaced(row):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        current = await self._ctx.service.queries.seen_elsewhere(seen.row)
        known = await self._ctx.store.following(draft.match, user)
        stopped = known is None and not follow.over
        if stopped or self._ctx.service.queries.seat_of(current, user) is not None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        reader = await self._ctx.readers.person(user, None)
        if await may_follow(self._ctx, current, user):
            board, match = await _board_elsewhere(self._ctx, self._poster, row, current, reader)
            link = await board_link(self._ctx, current)
            outgoing = follow_message(board, current, match, reader, number=row.id, link=link)
        else:
            outgoing, match = Outgoing(reader.say(msg("bot.follow.lost", match=current.id))), seen.match
        message = await self._poster.post(row, await self._poster.channel(row, None), outgoing)
        if not outgoing.items:
            await self._ctx.service.follows.stop(current.id, user)
        post = Post(message.id, message.channel.id, draft.match, "follow", match.seq)
        await self._ctx.store.outbox_sent(row.id, post)

    async def _is_replaced(self, row: OutboxRow) -> bool:
        """Return whether a newer message about the same match waits for the same person."""
        if self._poster.is_confirmed(row):
            return False
        waiting = await self._ctx.store.outbox_pending(row.draft.match)
        return any(each.id > row.id and each.draft.lane == row.draft.lane for each in waiting)

    async def _news(self, row: OutboxRow, follow: NewsMessage) -> None:
        user = row.draft.user or 0
        found = [await self._item(match_id, follow.about, user) for match_id in follow.about]
        items = [item for item in found if item is not None]
        if not items:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        outgoing = news_message(items, row.id, await self._ctx.readers.person(user, None))
        await self._poster.post(row, await self._poster.channel(row, None), outgoing)
        await self._ctx.store.outbox_sent(row.id, None)

    async def _item(self, match_id: str, about: Mapping[str, int], user: int) -> NewsItem | None:
        """Return a match for a daily message; None, and it is no longer followed, if it can't be seen."""
        seen = await self._ctx.service.queries.current(match_id)
        if isinstance(seen, Refused):
            return None
        try:
            if not await may_follow(self._ctx, seen.row, user):
                await self._ctx.service.follows.stop(match_id, user)
                return None
        except AwayError:
            return None
        link = await board_link(self._ctx, seen.row)
        row = await self._ctx.service.queries.seen_elsewhere(seen.row)
        match = (await self._ctx.service.queries.last_change(row)).match
        return NewsItem(row, match, moves_since(match, about), link)


class FinishedMessages(MessageKind[Finished]):
    """Posts of finished matches in the showcases of their servers."""

    async def deliver(self, row: OutboxRow, message: Finished) -> None:
        """Post a finished match in its server's showcase, unless not all who read there may see it."""
        target = message.channel
        seen = await self._ctx.service.queries.current(row.draft.match)
        if isinstance(seen, Refused) or seen.row.place.guild is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        current, match = seen.row, seen.match
        self._poster.require_guild(current)
        case = await self._ctx.store.showcase(seen.row.place.guild)
        gone = case is None or case.channel != target or current.place.home == target
        if gone or not await is_for_all_readers(self._ctx, current, target, fetch=True):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        reader = await self._ctx.readers.public(current.place.guild)
        _, facts, _ = await self._ctx.service.queries.last_change(current)
        text = replace(reader, text=True)
        board = await self._poster.drawn(
            row,
            lambda picture: self._ctx.presenter.board(
                current, match, facts, reader if picture else text, mirror=True
            ),
        )
        story = await story_at_the_end(self._ctx, current, match)
        outgoing = finished_post(board, current, match, reader, f"<#{current.place.home}>", story)
        channel = self._ctx.discord.client.get_partial_messageable(target, guild_id=current.place.guild)
        posted = await self._poster.post(row, channel, outgoing)
        await self._ctx.store.outbox_sent(row.id, Post(posted.id, target, current.id, "finished", match.seq))

    async def lost(self, row: OutboxRow, message: Finished, what: Meaning) -> Fate:
        """Switch off the showcase that takes no posts, and notify those who can put it right."""
        current = await self._ctx.service.queries.row(row.draft.match)
        guild = None if current is None else self._ctx.discord.guilds.get(current.place.guild)
        case = None if guild is None else await self._ctx.store.showcase(guild.id)
        if guild is None or case is None or case.channel != message.channel:
            return Fate.DROPPED
        if not remedies.passes(what):
            await reports.showcase_ended(self._ctx, case, guild, what.label)
        return Fate.DROPPED
