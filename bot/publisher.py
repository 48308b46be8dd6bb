"""Sends what commits left in the outbox: in order within a lane, exactly once, whatever fails on the way.

A row that this process has not begun itself may have been sent before a crash. It is looked for in the
channel first: our messages carry match and entry in their buttons. Within one process the row's nonce makes
a second sending return the first message.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias

import aiohttp
import discord

from bot import regrets
from bot.components import Call, find_call, telling
from bot.presenter import Outgoing
from games.engine.game import Seat
from games.engine.message import msg
from matches.ports import MatchRow, OutboxRow, Post, Watch
from matches.results import Refused

if TYPE_CHECKING:
    from bot.app import Dominium

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

    def __init__(self, app: Dominium) -> None:
        self._app = app
        self._busy: set[str] = set()
        self._begun: set[int] = set()

    async def drain(self) -> None:
        """Send all that is due. Lanes go on beside each other, a lane in order; errors stay in their row."""
        while True:
            rows = [r for r in await self._app.store.outbox(self._app.clock.now()) if self._free(r)]
            if not rows:
                return
            await asyncio.gather(*(self._serve_lane(row) for row in rows))

    async def _serve_lane(self, row: OutboxRow | None) -> None:
        """A row and those due behind it: a lane never waits for a slow one that was drained with it."""
        while row is not None and self._free(row):
            lane = row.draft.lane
            await self._serve(row)
            due = await self._app.store.outbox(self._app.clock.now())
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
            await self._app.store.outbox_drop(row.id, "direct messages are closed")
            await regrets.closed(self._app, row.draft)
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
        await self._app.store.outbox_retry(row.id, self._app.clock.now() + wait, repr(error)[:500])

    async def _unreachable(self, row: OutboxRow, why: str) -> None:
        """Nothing is lost: the match goes on waiting, its people are told once, and how to go on."""
        app, draft = self._app, row.draft
        if draft.kind == "mirror":
            await self._drop_mirror(row)
            return
        if draft.kind == "dm" or draft.user is not None:
            await app.store.outbox_drop(row.id, why)
            return
        current = await app.service.row(draft.match)
        if why == "channel":
            await app.store.outbox_drop(row.id, why)
        else:
            await app.store.outbox_retry(row.id, app.clock.now() + _PERMISSION_WAIT, why)
        if current is not None and not current.unreachable:
            await regrets.unreachable(self._app, current, why)

    async def lost(self, row: MatchRow) -> None:
        """A match's channel was deleted: say so to its people, unless they know."""
        if not row.unreachable:
            await regrets.unreachable(self._app, row, "channel")

    async def _drop_mirror(self, row: OutboxRow) -> None:
        await self._app.store.outbox_drop(row.id, "mirror gone")
        await self._app.service.unwatch(row.draft.match, int(row.draft.payload["channel"]))

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
                await self._app.store.outbox_sent(row.id, self._as_post(row, message, None))

    async def _channel(self, row: OutboxRow, match: MatchRow | None) -> Channel:
        app = self._app
        if row.draft.user is not None:
            dm = await app.create_dm(discord.Object(row.draft.user))
            return app.get_partial_messageable(dm.id)
        if match is None:
            raise GoneError
        return app.get_partial_messageable(match.place.home, guild_id=match.place.guild)

    async def _post(self, row: OutboxRow, channel: Channel, outgoing: Outgoing) -> discord.Message:
        """Send once. What an earlier process may have sent is looked for; our own tries share the nonce."""
        if row.id not in self._begun and (row.tries or row.created < self._app.started):
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
        mine = self._app.user
        wanted = telling(item.call for item in outgoing.items)
        since = discord.utils.time_snowflake(row.created - _CLOCKS_DIFFER)
        posts = await self._app.store.posts(row.draft.match)
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
        app, draft = self._app, row.draft
        current = await app.service.row(draft.match)
        if current is None:
            await app.store.outbox_drop(row.id, "no such match")
            return
        if draft.payload.get("reminder"):
            await self._reminder(row, current)
            return
        match, facts = await app.service.facts(draft.match, draft.payload["first"], draft.payload["last"])
        reader = await app.public_reader(current.place.guild)
        if draft.user is not None:
            seat = next((s.seat for s in current.seats if s.user == draft.user), None)
            reader = await app.reader(draft.user, None, None if seat is None else Seat(seat))
        if draft.kind == "notice":
            outgoing = app.presenter.notice(current, match, facts, reader)
        else:
            note = await app.note_about_missing(current, match, reader)
            extra = app.record_file(current, match) if match.ending else ()
            again = bool(draft.payload.get("again"))
            if again:
                note = app.presenter.say(msg("bot.board.again"), reader.language)
            outgoing = await app.presenter.board(
                current, match, facts, reader, ping=not again, note=note, extra=extra
            )
        message = await self._post(row, await self._channel(row, current), outgoing)
        await app.store.outbox_sent(row.id, self._as_post(row, message, match.seq))
        if current.unreachable:
            await app.service.reachable(draft.match)

    async def _reminder(self, row: OutboxRow, current: MatchRow) -> None:
        app = self._app
        if current.status != "lobby":
            await app.store.outbox_drop(row.id, "the lobby is no more")
            return
        reader = await app.public_reader(current.place.guild)
        when = discord.utils.format_dt(current.expires, "R") if current.expires else ""
        text = app.presenter.say(msg("bot.lobby.reminder", match=current.id, when=when), reader.language)
        message = await self._post(row, await self._channel(row, current), Outgoing(text))
        await app.store.outbox_sent(row.id, self._as_post(row, message, None))

    async def _lobby(self, row: OutboxRow) -> None:
        """The table's message, posted once and edited after that."""
        app = self._app
        current = await app.service.row(row.draft.match)
        if current is None:
            await app.store.outbox_drop(row.id, "no such match")
            return
        reader = await app.public_reader(current.place.guild)
        outgoing = await app.presenter.lobby(current, reader, picture=True)
        if row.draft.user is None:
            channel = app.get_partial_messageable(current.place.channel, guild_id=current.place.guild)
            standing = current.lobby_message
        else:
            channel = await self._channel(row, current)
            sent = await app.store.posts(current.id, "lobby")
            standing = next((post.message for post in sent if post.channel == channel.id), None)
        if standing is not None and await self._bring_up_to_date(row, channel, standing, outgoing):
            # A crash may have come between the message and its row: remember it now, if not before.
            await app.store.outbox_sent(row.id, Post(standing, channel.id, current.id, "lobby"))
            return
        if standing is not None and current.status != "lobby":
            await app.store.outbox_sent(row.id, None)
            return
        message = await self._post(row, channel, outgoing)
        if row.draft.user is None:
            await app.service.placed(current.id, lobby_message=message.id)
        await app.store.outbox_sent(row.id, self._as_post(row, message, None))

    async def _bring_up_to_date(
        self, row: OutboxRow, channel: Channel, message: int, outgoing: Outgoing
    ) -> bool:
        """Edit a standing message; whether that did, or a later row of the lane will do it better."""
        waiting = await self._app.store.outbox_pending(row.draft.match)
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
        fields = outgoing.fields()
        fields["attachments"] = fields.pop("files")
        fields.setdefault("view", None)
        await channel.get_partial_message(message).edit(**fields)

    async def _thread(self, row: OutboxRow) -> None:
        """The match's thread, hung on the table's message and numbered like it: it can't be made twice."""
        app = self._app
        current = await app.service.row(row.draft.match)
        if current is None or current.place.thread is not None or current.lobby_message is None:
            await app.store.outbox_sent(row.id, None)
            return
        reader = await app.public_reader(current.place.guild)
        name = app.presenter.thread_name(current, reader.language)
        channel = app.get_partial_messageable(current.place.channel, guild_id=current.place.guild)
        begun = row.id in self._begun or row.tries > 0 or row.created < app.started
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
            await app.service.placed(current.id, thread=thread)
        await app.store.outbox_sent(row.id, None)

    async def _thread_of(self, message: int) -> int | None:
        try:
            return (await self._app.fetch_channel(message)).id
        except discord.NotFound:
            return None

    async def _mirror(self, row: OutboxRow) -> None:
        """One message in another channel, kept up to date."""
        app, draft = self._app, row.draft
        target = int(draft.payload["channel"])
        seen = await app.service.seen(draft.match)
        watch = next((w for w in await app.store.watches(draft.match) if w.channel == target), None)
        if watch is None or isinstance(seen, Refused):
            await app.store.outbox_sent(row.id, None)
            return
        outgoing = await self._mirrored(seen.row)
        channel = app.get_partial_messageable(target, guild_id=seen.row.place.guild)
        if watch.message is not None and await self._bring_up_to_date(row, channel, watch.message, outgoing):
            await app.store.outbox_sent(row.id, Post(watch.message, target, draft.match, "mirror"))
            return
        message = await self._post(row, channel, outgoing)
        await app.store.watch(Watch(draft.match, target, watch.by, message.id))
        await app.store.outbox_sent(row.id, self._as_post(row, message, None))

    async def _mirrored(self, row: MatchRow) -> Outgoing:
        app = self._app
        reader = await app.public_reader(row.place.guild)
        match, facts = await app.present(row.id)
        shown = await app.presenter.board(row, match, facts, reader, mirror=True)
        home = f"<#{row.place.home}>"
        head = app.presenter.say(msg("bot.mirror.head", match=row.id, place=home), reader.language)
        return replace(shown, content=f"{head}\n{shown.content}")


def _same(call: Call, wanted: Call) -> bool:
    """Whether both stand under one message. A mirror is one whatever it shows: it is brought up to date."""
    mirror = wanted.arg == "mirror"
    return (call.match, call.arg == "mirror") == (wanted.match, mirror) and (mirror or call.seq == wanted.seq)
