"""Sends what commits left in the outbox: in order within a lane, exactly once, whatever fails on the way.

A row that this process has not begun itself may have been sent before a crash. It is looked for in the
channel first: our messages carry match and entry in their buttons. Within one process the row's nonce makes
a second sending return the first message.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeAlias

import aiohttp
import discord

from bot.context import Context
from bot.messages.components import Call, find_call, telling
from bot.messages.match import notice
from bot.messages.outgoing import Outgoing
from bot.messages.record_file import record_file
from bot.messages.seats import seat_names, thread_name
from bot.outbound import delivery_failures
from bot.platform.readers import Reader
from bot.platform.recent import Recent
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Who, msg
from matches.ports import MatchRow, OutboxRow, Post, Watch
from matches.results import Refused

log = logging.getLogger(__name__)

Channel: TypeAlias = "discord.PartialMessageable"

_UNKNOWN_CHANNEL = 10003
_UNKNOWN_MESSAGE = 10008
_NO_ACCESS = frozenset({50001, 50013})
_DM_CLOSED = 50007
_THREAD_EXISTS = 160004
_OLD_EDIT = 30046
_ARCHIVED_LOCKED = 50083
_RETRY_FIRST, _RETRY_MOST = timedelta(seconds=1), timedelta(minutes=10)
_PERMISSION_WAIT = timedelta(minutes=1)
_HISTORY = 500
_CLOCKS_DIFFER = timedelta(minutes=5)


class GoneError(Exception):
    """The channel of a row does not exist any more."""


class Publisher:
    """Drains the outbox. `drain` is called at the end of every handler and by a poller."""

    def __init__(self, ctx: Context, started: datetime) -> None:
        """Rows from before `started` may have been sent by an earlier process."""
        self._ctx = ctx
        self._started = started
        self._hosts_told: Recent[tuple[str, int]] = Recent(1024)
        self._busy: set[str] = set()
        self._begun: set[int] = set()

    async def drain(self) -> None:
        """Send all that is due. Lanes go on beside each other, a lane in order; errors stay in their row."""
        while True:
            rows = [r for r in await self._ctx.store.outbox(self._ctx.clock.now()) if self._free(r)]
            if not rows:
                return
            await asyncio.gather(*(self._serve_lane(row) for row in rows))

    async def _serve_lane(self, row: OutboxRow | None) -> None:
        """A row and those due behind it: a lane never waits for a slow one that was drained with it."""
        while row is not None and self._free(row):
            lane = row.draft.lane
            await self._serve(row)
            due = await self._ctx.store.outbox(self._ctx.clock.now())
            row = next((r for r in due if r.draft.lane == lane), None)

    def _free(self, row: OutboxRow) -> bool:
        return row.draft.lane not in self._busy

    async def _serve(self, row: OutboxRow) -> None:
        lane = row.draft.lane
        if lane in self._busy:
            return
        self._busy.add(lane)
        try:
            await self._send(row)
            self._begun.discard(row.id)
        except (discord.HTTPException, discord.RateLimited, OSError, aiohttp.ClientError) as error:
            await self._failed(row, error)
        except GoneError:
            await self._unreachable(row, "channel")
        except Exception as error:
            log.exception("a message could not be made", extra={"row": row.id, "match": row.draft.match})
            await self._later(row, error)
        finally:
            self._busy.discard(lane)

    # --- failures -------------------------------------------------------------------------------------

    async def _failed(self, row: OutboxRow, error: Exception) -> None:
        code = getattr(error, "code", 0)
        if isinstance(error, discord.NotFound) and code == _UNKNOWN_CHANNEL:
            await self._unreachable(row, "channel")
        elif isinstance(error, discord.Forbidden) and code == _DM_CLOSED:
            await self._ctx.store.outbox_drop(row.id, "direct messages are closed")
            await delivery_failures.direct_messages_closed(self._ctx, row.draft, self._hosts_told)
        elif isinstance(error, discord.Forbidden) and code in _NO_ACCESS:
            if row.draft.kind == "mirror":
                await self._drop_mirror(row)
            else:
                await self._unreachable(row, "permission")
        elif isinstance(error, discord.HTTPException) and code == _ARCHIVED_LOCKED:
            await self._unreachable(row, "locked")
        else:
            await self._later(row, error)

    async def _later(self, row: OutboxRow, error: Exception) -> None:
        wait = min(_RETRY_FIRST * 2 ** min(row.tries, 12), _RETRY_MOST)
        if isinstance(error, discord.RateLimited):
            wait = max(wait, timedelta(seconds=error.retry_after))
        log.warning(
            "a message waits for another try",
            extra={"row": row.id, "match": row.draft.match, "tries": row.tries + 1, "error": repr(error)},
        )
        await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + wait, repr(error)[:500])

    async def _unreachable(self, row: OutboxRow, why: str) -> None:
        """Nothing is lost: the match goes on waiting, its people are told once, and how to go on."""
        draft = row.draft
        if draft.kind == "mirror":
            await self._drop_mirror(row)
            return
        if draft.kind == "dm" or draft.user is not None:
            await self._ctx.store.outbox_drop(row.id, why)
            return
        current = await self._ctx.service.row(draft.match)
        if why == "channel":
            await self._ctx.store.outbox_drop(row.id, why)
        else:
            await self._ctx.store.outbox_retry(row.id, self._ctx.clock.now() + _PERMISSION_WAIT, why)
        if current is not None and not current.unreachable:
            await delivery_failures.unreachable(self._ctx, current, why)

    async def _drop_mirror(self, row: OutboxRow) -> None:
        await self._ctx.store.outbox_drop(row.id, "mirror gone")
        await self._ctx.service.unwatch(row.draft.match, int(row.draft.payload["channel"]))

    # --- sending --------------------------------------------------------------------------------------

    async def _send(self, row: OutboxRow) -> None:
        match row.draft.kind:
            case "lobby":
                await self._lobby(row)
            case "thread":
                await self._thread(row)
            case "board" | "notice":
                await self._told(row)
            case "mirror":
                await self._mirror(row)
            case "dm":
                outgoing = Outgoing(str(row.draft.payload["text"]))
                message = await self._post(row, await self._channel(row, None), outgoing)
                await self._ctx.store.outbox_sent(row.id, self._as_post(row, message, None))

    async def _channel(self, row: OutboxRow, match: MatchRow | None) -> Channel:
        if row.draft.user is not None:
            dm = await self._ctx.client.create_dm(discord.Object(row.draft.user))
            return self._ctx.client.get_partial_messageable(dm.id)
        if match is None:
            raise GoneError
        return self._ctx.client.get_partial_messageable(match.place.home, guild_id=match.place.guild)

    async def _post(self, row: OutboxRow, channel: Channel, outgoing: Outgoing) -> discord.Message:
        """Send once. What an earlier process may have sent is looked for; our own tries share the nonce."""
        if row.id not in self._begun and (row.tries or row.created < self._started):
            found = await self._find(row, channel, outgoing)
            if found is not None:
                return found
        self._begun.add(row.id)
        try:
            return await channel.send(nonce=row.nonce, **outgoing.fields())
        except (discord.DiscordServerError, OSError, aiohttp.ClientError):
            # Whether it stands is unknown: the nonce covers minutes, a look into the channel the rest.
            self._begun.discard(row.id)
            raise

    async def _find(self, row: OutboxRow, channel: Channel, outgoing: Outgoing) -> discord.Message | None:
        mine = self._ctx.client.user
        wanted = telling(item.call for item in outgoing.items)
        since = discord.utils.time_snowflake(row.created - _CLOCKS_DIFFER)
        posts = await self._ctx.store.posts(row.draft.match)
        after = max([since, *(post.message for post in posts if post.channel == channel.id)])
        # From the oldest on: what was written during a long downtime must not hide our message.
        async for message in channel.history(limit=_HISTORY, after=discord.Object(after), oldest_first=True):
            if mine is None or message.author.id != mine.id:
                continue
            if wanted is None:
                if message.content == outgoing.content:
                    return message
                continue
            call = find_call(message.components)
            if call is not None and _same(call, wanted):
                return message
        return None

    def _as_post(self, row: OutboxRow, message: discord.Message, seq: int | None) -> Post:
        return Post(message.id, message.channel.id, row.draft.match, row.draft.kind, seq)

    async def _told(self, row: OutboxRow) -> None:
        """A board, or a line, about entries first..last of a match."""
        draft = row.draft
        current = await self._ctx.service.row(draft.match)
        if current is None:
            await self._ctx.store.outbox_drop(row.id, "no such match")
            return
        if draft.payload.get("reminder"):
            await self._reminder(row, current)
            return
        match, facts = await self._ctx.service.facts(
            draft.match, draft.payload["first"], draft.payload["last"]
        )
        reader = await self._ctx.readers.public(current.place.guild)
        if draft.user is not None:
            seat = next((s.seat for s in current.seats if s.user == draft.user), None)
            reader = await self._ctx.readers.person(draft.user, None, None if seat is None else Seat(seat))
        if draft.kind == "notice":
            outgoing = notice(current, match, facts, reader)
        else:
            note = await self._players_left(current, match, reader)
            extra = (record_file(current, match, self._ctx.readers.default),) if match.ending else ()
            again = bool(draft.payload.get("again"))
            if again:
                note = reader.say(msg("bot.board.again"))
            outgoing = await self._ctx.presenter.board(
                current, match, facts, reader, ping=not again, note=note, extra=extra
            )
        message = await self._post(row, await self._channel(row, current), outgoing)
        await self._ctx.store.outbox_sent(row.id, self._as_post(row, message, match.seq))
        if current.unreachable:
            await self._ctx.service.reachable(draft.match)

    async def _players_left(self, row: MatchRow, match: Match, reader: Reader) -> str:
        """A line where players who are to act have left the server."""
        guild = row.place.guild
        if guild is None or match.ending:
            return ""
        users = {seat: row.seats[seat].user for seat in sorted(match.to_act) if seat >= 0}
        away = [
            Who(seat)
            for seat, user in users.items()
            if user is not None and await self._ctx.members.left(guild, user)
        ]
        if not away:
            return ""
        text = msg("bot.board.left", n=len(away), who=tuple(away))
        return "-# " + reader.say(text, seat_names(row, reader))

    async def _reminder(self, row: OutboxRow, current: MatchRow) -> None:
        if current.status != "lobby":
            await self._ctx.store.outbox_drop(row.id, "the lobby is no more")
            return
        reader = await self._ctx.readers.public(current.place.guild)
        when = discord.utils.format_dt(current.expires, "R") if current.expires else ""
        text = reader.say(msg("bot.lobby.reminder", match=current.id, when=when))
        message = await self._post(row, await self._channel(row, current), Outgoing(text))
        await self._ctx.store.outbox_sent(row.id, self._as_post(row, message, None))

    async def _lobby(self, row: OutboxRow) -> None:
        """The table's message, posted once and edited after that."""
        current = await self._ctx.service.row(row.draft.match)
        if current is None:
            await self._ctx.store.outbox_drop(row.id, "no such match")
            return
        reader = await self._ctx.readers.public(current.place.guild)
        outgoing = await self._ctx.presenter.lobby(current, reader)
        if row.draft.user is None:
            channel = self._ctx.client.get_partial_messageable(
                current.place.channel, guild_id=current.place.guild
            )
            standing = current.lobby_message
        else:
            channel = await self._channel(row, current)
            sent = await self._ctx.store.posts(current.id, "lobby")
            standing = next((post.message for post in sent if post.channel == channel.id), None)
        if standing is not None and await self._bring_up_to_date(row, channel, standing, outgoing):
            # A crash may have come between the message and its row: remember it now, if not before.
            await self._ctx.store.outbox_sent(row.id, Post(standing, channel.id, current.id, "lobby"))
            return
        if standing is not None and current.status != "lobby":
            await self._ctx.store.outbox_sent(row.id, None)
            return
        message = await self._post(row, channel, outgoing)
        if row.draft.user is None:
            await self._ctx.service.placed(current.id, lobby_message=message.id)
        await self._ctx.store.outbox_sent(row.id, self._as_post(row, message, None))

    async def _bring_up_to_date(
        self, row: OutboxRow, channel: Channel, message: int, outgoing: Outgoing
    ) -> bool:
        """Edit a standing message; whether that did, or a later row of the lane will do it better."""
        waiting = await self._ctx.store.outbox_pending(row.draft.match)
        lane, kind = row.draft.lane, row.draft.kind
        if any(r.id > row.id and r.draft.lane == lane and r.draft.kind == kind for r in waiting):
            return True
        try:
            await self._edit(channel, message, outgoing)
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            return False
        except discord.HTTPException as error:
            if error.code != _OLD_EDIT:
                raise
            if kind == "mirror":
                await channel.get_partial_message(message).delete()
                return False
        return True

    async def _edit(self, channel: Channel, message: int, outgoing: Outgoing) -> None:
        await channel.get_partial_message(message).edit(**outgoing.edit_fields())

    async def _thread(self, row: OutboxRow) -> None:
        """The match's thread, hung on the table's message and numbered like it: it can't be made twice."""
        current = await self._ctx.service.row(row.draft.match)
        if current is None or current.place.thread is not None or current.lobby_message is None:
            await self._ctx.store.outbox_sent(row.id, None)
            return
        reader = await self._ctx.readers.public(current.place.guild)
        name = thread_name(current, reader)
        channel = self._ctx.client.get_partial_messageable(
            current.place.channel, guild_id=current.place.guild
        )
        begun = row.id in self._begun or row.tries > 0 or row.created < self._started
        self._begun.add(row.id)
        thread: int | None = None
        try:
            if begun:
                thread = await self._thread_of(current.lobby_message)
            if thread is None:
                made = await channel.get_partial_message(current.lobby_message).create_thread(name=name)
                thread = made.id
        except discord.Forbidden:
            thread = None  # the channel itself will do: a match is worth more than a tidy channel list
        except discord.HTTPException as error:
            if error.code == _THREAD_EXISTS:
                thread = current.lobby_message
            elif error.code == _UNKNOWN_MESSAGE:
                thread = None
            else:
                raise
        if thread is not None:
            await self._ctx.service.placed(current.id, thread=thread)
        await self._ctx.store.outbox_sent(row.id, None)

    async def _thread_of(self, message: int) -> int | None:
        try:
            return (await self._ctx.client.fetch_channel(message)).id
        except discord.NotFound:
            return None

    async def _mirror(self, row: OutboxRow) -> None:
        """One message in another channel, kept up to date."""
        draft = row.draft
        target = int(draft.payload["channel"])
        seen = await self._ctx.service.seen(draft.match)
        watch = next((w for w in await self._ctx.store.watches(draft.match) if w.channel == target), None)
        if watch is None or isinstance(seen, Refused):
            await self._ctx.store.outbox_sent(row.id, None)
            return
        outgoing = await self._mirrored(seen.row)
        channel = self._ctx.client.get_partial_messageable(target, guild_id=seen.row.place.guild)
        if watch.message is not None and await self._bring_up_to_date(row, channel, watch.message, outgoing):
            await self._ctx.store.outbox_sent(row.id, Post(watch.message, target, draft.match, "mirror"))
            return
        message = await self._post(row, channel, outgoing)
        await self._ctx.store.watch(Watch(draft.match, target, watch.by, message.id))
        await self._ctx.store.outbox_sent(row.id, self._as_post(row, message, None))

    async def _mirrored(self, row: MatchRow) -> Outgoing:
        reader = await self._ctx.readers.public(row.place.guild)
        match, facts = await self._ctx.service.present(row.id)
        shown = await self._ctx.presenter.board(row, match, facts, reader, mirror=True)
        home = f"<#{row.place.home}>"
        head = reader.say(msg("bot.mirror.head", match=row.id, place=home))
        return replace(shown, content=f"{head}\n{shown.content}")


def _same(call: Call, wanted: Call) -> bool:
    """Whether both stand under one message. A mirror is one whatever it shows: it is brought up to date."""
    mirror = wanted.arg == "mirror"
    return (call.match, call.arg == "mirror") == (wanted.match, mirror) and (mirror or call.seq == wanted.seq)
