"""Read the messages that no event brought, in the channels of live matches, and handle them like new ones.

Discord sends a session everything from its READY on, and replays what was missed when the session is resumed:
then there is nothing to read. A new session has missed what was written before it, and a server that comes
late, or comes back, what was written in it meanwhile: each of its channels has a gap then, from the read mark
on (see `read_marks`), which is read to the end. Several channels are read side by side, at a rate that leaves
room for boards; first those in which something is new, as Discord has reported. A new message waits for
the gap of its own channel only, which is read at once, ahead of the others. Where we lack the right to read,
the gap and its mark stay until our rights change.

The other channels of a server with live matches have one mark and one gap together: those in which something
was written since are searched for what is addressed to us.

What is read at a start grows with what was written, not with what is live. Of active threads and channels
Discord sends the last message's id. An archived thread in which someone writes is active for an hour at
least, so after a shorter absence it isn't read: its gap stays, and is read when it is opened. Direct messages
have to be read, for nothing reports them; those in which nobody has written for long come last, a few at a
time.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import aiohttp
import discord
from discord.utils import snowflake_time

from bot.inbound import deletions
from bot.inbound.messages import Inbox, read_typed
from bot.inbound.read_marks import session_mark
from bot.platform.permissions import permissions_in
from matches.store.rows import Unread

log = logging.getLogger(__name__)

_PAGE = 100
"""Messages asked for at a time: Discord's limit."""
_SIDE_BY_SIDE = 8
"""Number of channels read at the same time."""
_RATE_LIMITED = 429
_MAX_SEARCHED = 20
"""Maximum number of channels of a server that are searched for what is addressed to us: the latest."""
_ADDRESSED = ("mention", "role", "reply")
_PAGES_PER_SECOND = 25
"""Half of what Discord lets a bot ask in total; the rest is for boards."""
_ARCHIVED_AFTER = timedelta(minutes=55)
"""A thread isn't archived automatically sooner than an hour after a message, Discord's shortest time."""
_SILENT = timedelta(days=14)
"""Direct messages in which nobody has written for so long are read late."""
_LATE_AT_ONCE = 2
"""Number of them that are read at a time, between two pauses of the poller."""
NOTE_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Noted:
    """Where messages may have been missed, in channels that aren't listed yet."""

    fits: Callable[[int | None], bool]
    """Returns whether a server is meant; None stands for direct messages."""
    reported: bool = True
    """Whether Discord has reported the last messages there."""
    shard: int | None = None
    """The shard whose new session this is: it has heard everything until its read mark."""


@dataclass(eq=False)
class Gap:
    """A channel with messages that may have been missed, those after `after`."""

    unread: Unread
    after: int
    reported: bool = True
    """Whether Discord has reported the channel's last message."""
    short: bool = False
    """Whether the absence was too short for a thread to be archived in it automatically."""
    tried: bool = False
    waits: bool = False
    """Whether it isn't read on its own: its thread is archived, or we lack the right to read it. When that
    changes it is read, or listed anew.
    """
    late: bool = False
    """Whether it is read when nothing else is left to read."""
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class Pace:
    """Lets at most `most` calls a second through, in the order in which they ask."""

    def __init__(self, most: int) -> None:
        self._turns: deque[float] = deque(maxlen=most)

    def wait(self, now: float) -> float:
        """Return how many seconds the next call has to wait; it counts as made then."""
        full = len(self._turns) == self._turns.maxlen
        turn = max(now, self._turns[0] + 1) if full else now
        self._turns.append(turn)
        return turn - now


class CatchUp:
    """The channels with gaps, and how they are closed."""

    def __init__(self, inbox: Inbox) -> None:
        """Read at a rate that lets other processes on this machine do the same."""
        self._inbox = inbox
        self._ctx = inbox.ctx
        self._shards = self._ctx.discord.guilds.shards
        self._gaps: dict[int, Gap] = {}
        self._unlisted: list[Noted] = []
        self._listing = asyncio.Lock()
        self._slots = asyncio.Semaphore(_SIDE_BY_SIDE)
        self._pace = Pace(max(1, _PAGES_PER_SECOND // self._ctx.config.processes))
        self._listed: frozenset[int] = frozenset()
        """The channels that have gaps of their own."""
        self._closing = 0
        self._heard_at = self._ctx.clock.now()
        """When it was last noted what the sessions have heard."""
        inbox.held = self._held

    def note_gap(self, guild: int, *, reported: bool = True) -> None:
        """Note that messages may have been missed until now in one server.

        `reported` is whether Discord has reported the last messages since, as it does when it sends a server.
        """
        self._unlisted.append(Noted(lambda there: there == guild, reported))

    def note_session(self, shard: int = 0) -> None:
        """Note that a new session of a shard begins, which has missed what was written before it."""
        self._unlisted.append(Noted(lambda there: self._shards.of(there) == shard, shard=shard))

    def note_heard(self) -> None:
        """Note now and then that the sessions have heard everything until now, unless gaps are still open."""
        now, shards = self._ctx.clock.now(), self._shards
        if now < self._heard_at + NOTE_EVERY or not shards.in_time or self._is_behind:
            return
        self._heard_at = now
        for shard in shards.heard:
            self._inbox.marks.note_session(shards.count, shard, now)

    @property
    def _is_behind(self) -> bool:
        return bool(self._unlisted) or any(not gap.waits for gap in self._gaps.values())

    def _held(self, channel: int) -> bool:
        """Return whether earlier messages of a channel may have been missed."""
        return bool(self._unlisted) or channel in self._gaps

    async def receive(self, message: discord.Message) -> None:
        """Handle a new message, after the missed ones of its channel."""
        if not message.author.bot:
            await self._list()
            places = [message.channel.id]
            if message.guild is not None and message.raw_mentions:
                places.append(-message.guild.id)
            for gap in filter(None, map(self._gaps.get, places)):
                if not gap.tried:
                    await self._close(gap)
        await self._inbox.receive(message)

    async def opened(self, channel: int) -> None:
        """Read what was missed in a thread that was closed until now."""
        if gap := self._gaps.get(channel):
            await self._close(gap, again=True)

    async def run(self) -> None:
        """Send what is due and read all gaps, both at once; then send what came of it."""
        await asyncio.gather(self._ctx.delivery.send(), self.close_gaps())
        await self._ctx.delivery.send()

    async def retry(self) -> None:
        """Try again what failed before, unless gaps are being read now."""
        if not self._closing:
            await self.close_gaps()
            late = [gap for gap in self._gaps.values() if gap.late and not gap.waits]
            for gap in late[:_LATE_AT_ONCE]:
                await self._close(gap, again=True)

    async def close_gaps(self) -> None:
        """Read all gaps."""
        self._closing += 1
        try:
            await self._list()
            await asyncio.gather(*(self._in_turn(gap) for gap in self._by_urgency(self._gaps.values())))
        finally:
            self._closing -= 1

    # --- which channels have gaps ---------------------------------------------------------------------

    async def _list(self) -> None:
        """List the channels to read where messages may have been missed."""
        if not self._unlisted:
            return
        async with self._listing:
            while noted := tuple(self._unlisted):
                await self._inbox.save_marks()
                short = {each.shard for each in noted if await self._was_short(each.shard)}
                homes = await self._ctx.store.channels_to_read()
                listed = {unread.channel for unread in homes}
                others = await self._ctx.store.channels_elsewhere()
                channels = (*homes, *(unread for unread in others if unread.channel not in listed))
                self._inbox.marks.keep(unread.channel for unread in channels)
                self._listed = frozenset(unread.channel for unread in channels)
                for unread in channels:
                    if unread.after is None or self._is_away(unread):
                        continue
                    there = self._guild(unread)
                    if fitting := [each for each in noted if each.fits(there)]:
                        reported = all(each.reported for each in fitting)
                        brief = all(each.shard in short for each in fitting)
                        self._gaps[unread.channel] = Gap(unread, unread.after, reported, brief)
                del self._unlisted[: len(noted)]

    async def _was_short(self, shard: int | None) -> bool:
        """Return whether a session has missed too little time for a thread to be archived in it."""
        if shard is None:
            return False
        mark = await self._ctx.store.read_mark(session_mark(self._shards.count, shard))
        return mark is not None and self._ctx.clock.now() < snowflake_time(mark) + _ARCHIVED_AFTER

    def _guild(self, unread: Unread) -> int | None:
        """Return the server of a channel, as far as it is known without asking Discord."""
        if unread.home or unread.channel < 0:
            return unread.guild
        guild = getattr(self._ctx.discord.client.get_channel(unread.channel), "guild", None)
        return guild.id if isinstance(guild, discord.Guild) else None

    def _is_away(self, unread: Unread) -> bool:
        """Return whether a channel is in a server that the bot was removed from."""
        return self._ctx.discord.guilds.has_left(unread.guild)

    def _by_urgency(self, gaps: Iterable[Gap]) -> list[Gap]:
        """Return the gaps in the order to read them: first those with something new, as Discord has reported.

        For direct messages and archived threads it reports nothing: they come next, if not later. Where
        nothing is new, the gap is closed without reading.
        """
        new, unreported = [], []
        for gap in tuple(gaps):
            if gap.waits or gap.late:
                continue
            channel = self._ctx.discord.client.get_channel(gap.unread.channel)
            last: int | None = getattr(channel, "last_message_id", None) if gap.reported else None
            if last is None and not gap.tried and self._is_asleep(gap):
                gap.waits = True
            elif last is None and gap.unread.is_direct and self._is_silent(gap):
                gap.late = True
            elif last is None:
                unreported.append(gap)
            elif last > gap.after:
                new.append(gap)
            elif not gap.reading.locked():
                self._done(gap)
        return new + unreported

    def _is_asleep(self, gap: Gap) -> bool:
        """Return whether a thread is archived, and was so before messages may have been missed."""
        guild = self._ctx.discord.guilds.get(gap.unread.guild)
        return gap.reported and gap.short and gap.unread.home and guild is not None and not guild.unavailable

    def _is_silent(self, gap: Gap) -> bool:
        """Return whether nobody has written in direct messages for long, as far as we know."""
        return self._ctx.clock.now() > snowflake_time(gap.after) + _SILENT

    # --- reading --------------------------------------------------------------------------------------

    async def _in_turn(self, gap: Gap) -> None:
        async with self._slots:
            await self._close(gap, again=True)

    async def _close(self, gap: Gap, *, again: bool = False) -> None:
        """Read a gap to its end, unless that is done; `again` even if it has failed before."""
        async with gap.reading:
            if self._gaps.get(gap.unread.channel) is not gap or (gap.tried and not again):
                return
            extra, gap.waits = {"channel": gap.unread.channel}, False
            try:
                gap.waits = not await self._read(gap)
            except (discord.DiscordServerError, discord.RateLimited, OSError, aiohttp.ClientError) as error:
                log.warning("a channel will be read once more", extra=extra | {"error": repr(error)})
                return
            except discord.HTTPException as error:
                if error.status == _RATE_LIMITED:  # more often than the library waits for
                    log.warning("a channel will be read once more", extra=extra | {"error": repr(error)})
                    return
                log.warning("a channel could not be read", extra=extra | {"error": repr(error)})
                gap.waits = isinstance(error, discord.Forbidden)
                if isinstance(error, discord.NotFound):
                    await deletions.channel_deleted(self._ctx, gap.unread.channel)
            except Exception:
                log.exception("a channel will be read once more", extra=extra)
                return
            finally:
                gap.tried = True
            if not gap.waits:
                self._done(gap)

    def _done(self, gap: Gap) -> None:
        if self._gaps.get(gap.unread.channel) is gap:
            del self._gaps[gap.unread.channel]

    async def _read(self, gap: Gap) -> bool:
        """Handle all messages of a gap, oldest first; return False if we lack the right to read them."""
        client, channel = self._ctx.discord.client, gap.unread.channel
        guild = gap.unread.guild
        if channel < 0:
            await self._search(gap)
            return True
        if not gap.unread.home and not gap.unread.is_direct:
            known = client.get_channel(channel) or await client.fetch_channel(channel)
            guild = getattr(getattr(known, "guild", None), "id", None)
            if not self._ctx.discord.guilds.serves(guild):
                return True  # another process reads it
        # The messages read here don't name their server.
        place = client.get_partial_messageable(channel, guild_id=guild)
        more = True
        while more:
            page = await self._page(place, gap.after)
            if not page and not self._may_read(channel):
                return False
            for message in page:
                await self._handle(message)
                gap.after = message.id
                if self._gaps.get(channel) is gap:
                    self._inbox.marks.move(channel, message.id)
            more = len(page) == _PAGE
        return True

    async def _page(self, place: discord.abc.Messageable, after: int) -> list[discord.Message]:
        """Return the messages of a channel after one, oldest first, at our pace."""
        if (wait := self._pace.wait(asyncio.get_running_loop().time())) > 0:
            await asyncio.sleep(wait)
        found = place.history(limit=_PAGE, after=discord.Object(after), oldest_first=True)
        return [one async for one in found]

    async def _handle(self, message: discord.Message) -> None:
        try:
            await self._inbox.receive(message)
        except Exception:
            log.exception("a message could not be handled", extra={"sent": message.id})

    async def _search(self, gap: Gap) -> None:
        """Handle what is addressed to us in channels of a server in which no match is shown.

        Of each channel the first messages since are looked at, as many as Discord gives at a time.
        """
        guild = self._ctx.discord.client.get_guild(-gap.unread.channel)
        if guild is None or not gap.reported or not self._ctx.discord.guilds.serves(guild.id):
            return
        new: list[tuple[int, Any]] = []
        for place in (*guild.channels, *guild.threads):
            last: int | None = getattr(place, "last_message_id", None)
            if (
                last is not None
                and last > gap.after
                and place.id not in self._listed
                and self._may_read(place.id)
            ):
                new.append((last, place))
        new.sort(key=lambda each: each[0], reverse=True)
        for _, place in new[:_MAX_SEARCHED]:
            try:
                page = await self._page(place, gap.after)
            except (discord.Forbidden, discord.NotFound):
                continue
            for message in page:
                typed = None if message.author.bot else await read_typed(self._ctx, message)
                if typed is not None and typed.route in _ADDRESSED:
                    await self._handle(message)
        if new:
            self._inbox.marks.move(gap.unread.channel, new[0][0])

    def _may_read(self, channel: int) -> bool:
        """Return whether we may read a channel's history, which is empty otherwise; True if unknown."""
        known = self._ctx.discord.client.get_channel(channel)
        if not isinstance(known, discord.Thread | discord.abc.GuildChannel) or known.guild.unavailable:
            return True
        return permissions_in(known, known.guild.me).read_message_history
