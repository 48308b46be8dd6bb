"""Post a message exactly once.

Retries of this process share a nonce, which Discord checks for a few minutes. A message that may have been
sent before that, or by an earlier process, is searched for in the channel. The search doesn't rely on the
machine's clock, which may be ahead of Discord's, or may have been when the row was made. What Discord has
confirmed is remembered until the row has left the outbox: while the database is locked or full that may take
hours.

What posts is an object for each kind of message, which needs no word of the others: a `MessageKind`.
"""

from __future__ import annotations

import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from time import perf_counter
from typing import Generic, Literal, TypeAlias, TypeVar

import aiohttp
import discord
from cachetools import LRUCache

from bot.context import Context
from bot.messages.components import Call, find_identifying_call, identifying_call
from bot.messages.outgoing import Outgoing
from bot.outbound.channels import note_direct
from bot.outbound.remedies import Fate, Meaning
from bot.outbound.thread_care import unarchive
from matches.outbox.base import Message
from matches.outbox.queue import OutboxRow
from matches.ports import StoreError
from matches.store.rows import MatchRow

log = logging.getLogger(__name__)
Channel: TypeAlias = discord.PartialMessageable
ARCHIVE_AFTER: Literal[10080] = 10_080
"""Minutes without a message until Discord archives a thread of ours: the longest time it offers."""
_UNKNOWN_MESSAGE = 10008
_OLD_EDIT = 30046
_ARCHIVED = 50083
_HISTORY = 500
"""Maximum number of messages searched in a channel, after the time of the row and before it."""
_SEARCHED = 50
"""Number of messages among which one that is kept current is searched."""
_SPECIAL = frozenset({"mirror", "showcase"})
"""The argument of a call in a message that shows the same entry as a board of the match."""
_MAX_CLOCK_SKEW = timedelta(minutes=5)
"""How far ahead a clock usually is at most: from there on is searched first."""


class GoneError(Exception):
    """Raised if the channel of a row no longer exists."""


class AwayError(Exception):
    """Raised if the bot isn't in the server of a row."""


class NotOursError(Exception):
    """Raised if another process may serve the shard of a row by now, which would post it, too."""


_M = TypeVar("_M", bound=Message, contravariant=True)


class MessageKind(ABC, Generic[_M]):
    """A kind of message: where it goes, how it is made, what posting it means, and what its loss means."""

    def __init__(self, ctx: Context, poster: Poster) -> None:
        self._ctx = ctx
        self._poster = poster

    @abstractmethod
    async def deliver(self, row: OutboxRow, message: _M) -> None:
        """Send the message of a row, and mark the row as sent; errors are let through."""

    async def lost(self, row: OutboxRow, message: _M, what: Meaning) -> Fate:
        """Do what has to be done if a message is lost for its match's people, and return its fate."""
        return Fate.DROPPED

    async def record_posted(self, row: OutboxRow, message: _M) -> bool:
        """Record a message that an earlier try has posted without knowing it; return whether there is one."""
        return False


class Poster:
    """Posts the rows of the outbox. Those with ids up to `inherited` are of an earlier process."""

    def __init__(self, ctx: Context, inherited: int) -> None:
        self._ctx = ctx
        self._inherited = inherited
        self._begun: set[int] = set()
        self._confirmed: dict[int, discord.Message | None] = {}
        """The message posted for a row, None for an edited one."""
        self._plainness: LRUCache[int, Literal["text", "bare"]] = LRUCache(1024)
        """The rows that are sent without a picture, or without any file."""
        self._queued = False

    def forget_begun(self) -> None:
        """Search for the messages of all rows that were tried before, by whomever."""
        self._begun.clear()

    def done(self, row: OutboxRow) -> None:
        """Forget a row that was delivered."""
        self._begun.discard(row.id)
        self._confirmed.pop(row.id, None)

    def note_queued(self) -> None:
        """Note that a delivery has queued other messages, such as a ping or that of a planned move."""
        self._queued = True

    def take_queued(self) -> bool:
        """Return whether deliveries have queued messages since this was last asked."""
        queued, self._queued = self._queued, False
        return queued

    def is_confirmed(self, row: OutboxRow) -> bool:
        """Return whether a row's message has been posted or edited, and only its record is missing."""
        return row.id in self._confirmed

    def was_posted(self, row: OutboxRow) -> bool:
        """Return whether a message has been posted for a row."""
        return self._confirmed.get(row.id) is not None

    def note_edited(self, row: OutboxRow) -> None:
        """Remember that a row's message has been edited."""
        self._confirmed[row.id] = None

    def begin(self, row: OutboxRow) -> bool:
        """Note that a row is being delivered, and return whether an earlier try may have succeeded."""
        before = self._was_begun(row)
        self._begun.add(row.id)
        return before

    def _was_begun(self, row: OutboxRow) -> bool:
        return row.id in self._begun or row.tries > 0 or row.id <= self._inherited

    async def channel(self, row: OutboxRow, match: MatchRow | None) -> Channel:
        """Return where a row goes: a person's direct messages, or the match's home. Raises GoneError."""
        if (person := row.draft.recipient) is not None:
            dm = await self._ctx.discord.client.create_dm(discord.Object(person))
            return self._ctx.discord.client.get_partial_messageable(dm.id)
        if match is None:
            raise GoneError
        self.require_guild(match)
        return self._ctx.discord.client.get_partial_messageable(match.place.home, guild_id=match.place.guild)

    def require_guild(self, match: MatchRow) -> None:
        """Raise AwayError if the bot isn't in the server of a match; an outage of Discord is no removal."""
        if self._ctx.discord.guilds.has_left(match.place.guild):
            raise AwayError

    async def gated(self, outgoing: Outgoing, current: MatchRow | None, user: int | None) -> Outgoing:
        """Return a message that notifies nobody who wants no pings, or whose quiet hours run; it names them.

        One that is read directly, by `user` or by the host of a lobby in direct messages, is then silent.
        Every message that asks people something or notifies them goes through here; boards and pings have
        decisions of their own (`matches.pings.decision`).
        """
        if user is None and current is not None and current.place.guild is None:
            user = current.host
        called = await self._ctx.service.pings.may_be_called(outgoing.ping if user is None else (user,))
        silent = outgoing.silent or (user is not None and not called)
        return replace(outgoing, ping=tuple(each for each in outgoing.ping if each in called), silent=silent)

    async def post(self, row: OutboxRow, channel: Channel, outgoing: Outgoing) -> discord.Message:
        """Send a message, or return it if an earlier try has sent it."""
        if (sent := self._confirmed.get(row.id)) is not None:
            return sent
        message = self._confirmed[row.id] = await self._post(row, channel, outgoing)
        if row.draft.user is not None:
            await note_direct(self._ctx, row.draft.user, message)
        return message

    async def _post(self, row: OutboxRow, channel: Channel, outgoing: Outgoing) -> discord.Message:
        if row.id not in self._begun and (row.tries or row.id <= self._inherited):
            wanted = identifying_call(item.call for item in outgoing.items)
            found = await self._find(row, channel, wanted, outgoing.content)
            if found is not None:
                return found
        if not self._ctx.discord.guilds.shards.in_time:
            raise NotOursError
        self._begun.add(row.id)
        begun = perf_counter()
        try:
            message = await channel.send(nonce=row.nonce, **outgoing.fields())
        except (discord.DiscordServerError, OSError, aiohttp.ClientError):
            # It may have been sent: the nonce covers the next minutes, a search of the channel the rest.
            self._begun.discard(row.id)
            raise
        self._ctx.operation.counters.took("post", perf_counter() - begun)
        return message

    # --- pictures, and what is sent without them ------------------------------------------------------

    def may_be_plainer(self, row: OutboxRow) -> bool:
        """Return whether a row can be sent as text without files yet: False if Discord refused that, too."""
        return row.draft.message.pictured and self._plainness.get(row.id) != "bare"

    def send_plainer(self, row: OutboxRow) -> None:
        """Send a row as text without files from now on."""
        self._plainness[row.id] = "bare"

    async def drawn(self, row: OutboxRow, make: Callable[[bool], Awaitable[Outgoing]]) -> Outgoing:
        """Return a message with a picture: as text if it can't be drawn, without files if they are refused.

        `make` makes it with a picture, or without.
        """
        plain = self._plainness.get(row.id)
        if plain is None:
            try:
                return await make(True)
            except StoreError:
                raise
            except Exception:
                log.exception("a picture can't be drawn", extra={"row": row.id, "match": row.draft.match})
                self._ctx.operation.counters.add(f"messages: fallback ({row.draft.kind}, picture)")
                self._plainness[row.id] = plain = "text"
        outgoing = await make(False)
        return replace(outgoing, files=()) if plain == "bare" else outgoing

    # --- messages that stand --------------------------------------------------------------------------

    async def bring_up_to_date(
        self, row: OutboxRow, channel: Channel, message: int, outgoing: Outgoing, *, renew: bool = False
    ) -> bool:
        """Edit a posted message; return False if a new one must be posted.

        Does nothing if a later row of the lane will edit it again. With `renew` a message that is too old to
        be edited is deleted.
        """
        if self.is_confirmed(row):
            return not self.was_posted(row)
        waiting = await self._ctx.store.outbox_pending(row.draft.match)
        lane, kind = row.draft.lane, type(row.draft.message)
        if any(r.id > row.id and r.draft.lane == lane and isinstance(r.draft.message, kind) for r in waiting):
            return True
        try:
            if not await self.edit(channel, message, outgoing):
                return False
        except (discord.HTTPException, discord.RateLimited) as error:
            # The library treats 30046 as a rate limit: it comes with 429, and with a long wait.
            if not renew or getattr(error, "code", _OLD_EDIT) != _OLD_EDIT:
                raise
            await channel.get_partial_message(message).delete()
            return False
        self.note_edited(row)
        return True

    async def edit(self, channel: Channel, message: int, outgoing: Outgoing) -> bool:
        """Edit a message of ours, and return whether it is there; open the thread first if it is archived.

        Where that is refused, delete the message and return False: a new one opens the thread itself.
        """
        part = channel.get_partial_message(message)
        try:
            try:
                await part.edit(**outgoing.edit_fields())
            except discord.HTTPException as error:
                if error.code != _ARCHIVED:
                    raise
            else:
                return True
            if await unarchive(self._ctx, channel.id):
                await part.edit(**outgoing.edit_fields())
                return True
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            return False
        with contextlib.suppress(discord.HTTPException):  # the thread is locked, or the message is gone
            await part.delete()
        return False

    # --- the search for what an earlier try has posted ------------------------------------------------

    async def find_board(self, row: OutboxRow, last: int, channel: Channel) -> discord.Message | None:
        """Return the message of a board of entry `last` if an earlier try may have posted it, and has."""
        if not self._was_begun(row):
            return None
        return await self._find(row, channel, Call("view", row.draft.match, last))

    async def _find(
        self, row: OutboxRow, channel: Channel, wanted: Call | None, content: str = ""
    ) -> discord.Message | None:
        """Return our message with the wanted call among its components, or with that content."""
        mine = self._ctx.discord.client.user
        async for message in self._candidates(row, channel):
            if mine is None or message.author.id != mine.id:
                continue
            if wanted is None:
                if message.content == content:
                    return message
                continue
            call = find_identifying_call(message.components)
            if call is not None and _same(call, wanted):
                return message
        return None

    async def _candidates(self, row: OutboxRow, channel: Channel) -> AsyncIterator[discord.Message]:
        """Yield the messages among which a row's may be: those after the match's last post in the channel.

        First those since the row was made, oldest first: messages written during a long downtime must not
        push ours out of the search. Then those before, newest first, in case the clock was ahead.
        """
        posts = await self._ctx.store.posts(row.draft.match)
        last = max((post.message for post in posts if post.channel == channel.id), default=0)
        since = discord.utils.time_snowflake(row.created - _MAX_CLOCK_SKEW)
        after = discord.Object(max(since, last))
        async for message in channel.history(limit=_HISTORY, after=after, oldest_first=True):
            yield message
        if since <= last:
            return
        async for message in channel.history(limit=_HISTORY, before=discord.Object(since + 1)):
            if message.id <= last:
                return
            yield message


async def keep_posted(
    ctx: Context, channel: Channel, known: int | None, outgoing: Outgoing, mark: tuple[str, str]
) -> int:
    """Edit a message that is kept current, or post it anew if it is gone or too old; return its id.

    `known` is the recorded message. Without one the channel is searched for what a crash has left without a
    record: our latest message whose buttons carry `mark`, the verb and argument of a call.
    Raises one of `remedies.FAILURES`.
    """
    message = known if known is not None else await _find_kept(ctx, channel, *mark)
    if message is not None:
        part = channel.get_partial_message(message)
        try:
            await part.edit(**outgoing.edit_fields())
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
        except (discord.HTTPException, discord.RateLimited) as error:
            # The library raises 30046 as a rate limit: messages older than an hour take few edits.
            if getattr(error, "code", _OLD_EDIT) != _OLD_EDIT:
                raise
            await part.delete()
        else:
            return message
    return (await channel.send(**outgoing.fields())).id


async def _find_kept(ctx: Context, channel: Channel, verb: str, arg: str) -> int | None:
    """Return our latest message in a channel whose buttons say what it is, posted without a record."""
    me = ctx.discord.client.user
    async for message in channel.history(limit=_SEARCHED):
        call = find_identifying_call(message.components)
        ours = me is not None and message.author.id == me.id
        if ours and call is not None and (call.verb, call.arg) == (verb, arg):
            return message.id
    return None


def _same(call: Call, wanted: Call) -> bool:
    """Return whether two calls are of the same message. A mirror is the same whatever entry it shows."""
    kinds = [each.arg if each.arg in _SPECIAL else "" for each in (call, wanted)]
    if call.match != wanted.match or kinds[0] != kinds[1]:
        return False
    return wanted.arg == "mirror" or call.seq == wanted.seq
