"""Keep the threads of live matches and open lobbies open, and archive those of finished ones.

Discord archives a thread after a week without a message. Commands and buttons don't work in it then, so we
open it again, unless

- someone archived it on purpose, or locked it: it was archived sooner than its time without activity allows;
- nobody has moved in its match for `_IDLE`: a post, ours or a player's, opens it once someone does;
- its server is close to the number of active threads that Discord allows.

When a match is over and nobody has written in its thread for `_SEEN`, we archive it, if the server's settings
don't say otherwise and no rematch is going on. That happens once: a thread that is opened again stays open
until Discord archives it.

`unarchive` opens one thread; what edits a message in an archived one calls it first.

Nothing of this is stored. Discord sends all active threads of a server at the beginning of a session; what is
due follows from those, from the matches and from the times of their messages.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import aiohttp
import discord

from bot.context import Context
from bot.outbound.reports import unreachable
from matches.store.rows import MatchRow, Status

log = logging.getLogger(__name__)
_IDLE = timedelta(days=14)
_SEEN = timedelta(hours=24)
_MOST_ACTIVE = 900
"""Number of active threads in a server from which on we open none: Discord allows 1,000."""
_AT_ONCE = 20
"""Maximum number of threads opened or archived at a time: the rest follows with the next call."""
_SLACK = timedelta(minutes=1)
_LOOK_FOR_ARCHIVED = timedelta(hours=1)
_LOOK_FOR_FINISHED = timedelta(minutes=10)
_NO_LIMIT = 1_000_000
_UNKNOWN_CHANNEL = 10003
_PASSING = (discord.RateLimited, OSError, aiohttp.ClientError)
_HERE: tuple[Status, ...] = ("lobby", "live", "over", "aborted")


def last_activity(thread: discord.Thread) -> datetime:
    """Return when a thread was made or written in last; when it was opened isn't known."""
    newest = max(thread.id, thread.last_message_id or 0)
    return discord.utils.snowflake_time(newest)


def archived_by_time(thread: discord.Thread, opened: datetime | None = None) -> bool:
    """Return whether a thread was archived for want of activity: opening it counts as such, too."""
    if thread.locked:
        return False
    since = last_activity(thread) if opened is None else max(opened, last_activity(thread))
    idle = timedelta(minutes=thread.auto_archive_duration)
    return thread.archive_timestamp - since >= idle - _SLACK


def _is_full(guild: discord.Guild) -> bool:
    return len(guild.threads) >= _MOST_ACTIVE


async def unarchive(ctx: Context, thread: int) -> bool:
    """Open an archived thread; return False if Discord refuses: it is locked, or a right is missing."""
    try:
        await ctx.discord.client.http.edit_channel(thread, archived=False)
    except discord.HTTPException as error:
        if isinstance(error, (discord.DiscordServerError, discord.NotFound)):
            raise
        log.info("a thread stays archived", extra={"channel": thread, "error": repr(error)})
        return False
    return True


class ThreadCare:
    """Decides which threads to open and which to archive. `tick` is called by a poller."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._archived: dict[int, None] = {}
        """Threads that time has archived lately, in order."""
        self._left: set[int] = set()
        """Threads that stay as they are: archived on purpose, or not ours to open or archive."""
        self._look_for_archived = self._look_for_finished = datetime.min.replace(
            tzinfo=ctx.clock.now().tzinfo
        )

    def note_gap(self) -> None:
        """Look for archived threads soon: some may have been archived when we didn't hear of it."""
        self._look_for_archived = self._ctx.clock.now()

    def note_change(self, before: discord.Thread, after: discord.Thread) -> None:
        """Note that a thread was archived. Does nothing for other changes."""
        if not after.archived or before.archived:
            return
        if archived_by_time(after, before.archive_timestamp):
            self._archived[after.id] = None
        else:
            self._left.add(after.id)

    async def tick(self) -> None:
        """Open and archive what is due."""
        now = self._ctx.clock.now()
        for thread in tuple(self._archived)[:_AT_ONCE]:
            del self._archived[thread]
            for row in (await self._ctx.store.by_place(thread, ("live", "lobby")))[:1]:
                await self._open(row, now)
        if now >= self._look_for_archived:
            self._look_for_archived = now + _LOOK_FOR_ARCHIVED
            await self._find_archived(now)
        if now >= self._look_for_finished:
            self._look_for_finished = now + _LOOK_FOR_FINISHED
            await self._archive_finished(now)

    # --- threads of live matches ----------------------------------------------------------------------

    async def _find_archived(self, now: datetime) -> None:
        """Look at the threads of live matches that aren't among the active ones, and open them."""
        looked_at = 0
        lobbies = await self._ctx.store.by_status("lobby", _NO_LIMIT)
        for row in (*lobbies, *reversed(await self._ctx.store.by_status("live", _NO_LIMIT))):
            if row.updated < now - _IDLE or not self._may_be_archived(row):
                continue
            if looked_at == _AT_ONCE:
                self.note_gap()
                break
            looked_at += 1
            try:
                thread = await self._ctx.discord.client.fetch_channel(row.place.home)
            except (*_PASSING, discord.HTTPException) as error:
                await self._not_found(row, error)
                continue
            if isinstance(thread, discord.Thread) and archived_by_time(thread):
                await self._open(row, now)
            else:
                self._left.add(row.place.home)

    async def _not_found(self, row: MatchRow, error: Exception) -> None:
        """Judge why a match's channel can't be looked at."""
        if isinstance(error, discord.NotFound) and error.code == _UNKNOWN_CHANNEL:
            await unreachable(self._ctx, row, "channel")
        elif isinstance(error, discord.Forbidden):
            self._left.add(row.place.home)
        else:
            log.warning("a thread could not be looked at", extra={"match": row.id, "error": repr(error)})

    def _may_be_archived(self, row: MatchRow) -> bool:
        guild = self._ctx.discord.guilds.get(row.place.guild)
        if guild is None or guild.unavailable or row.unreachable or _is_full(guild):
            return False
        home = row.place.home
        if guild.get_channel_or_thread(home) is not None:
            self._left.discard(home)
            return False
        return home not in self._left

    async def _open(self, row: MatchRow, now: datetime) -> None:
        """Open the archived thread of a match that someone may still want to play."""
        guild = self._ctx.discord.guilds.get(row.place.guild)
        if guild is None or row.updated < now - _IDLE or _is_full(guild):
            return
        try:
            if not await unarchive(self._ctx, row.place.home):
                self._left.add(row.place.home)
        except (*_PASSING, discord.HTTPException) as error:  # it is found again within the hour
            log.warning("a thread could not be opened", extra={"match": row.id, "error": repr(error)})

    # --- threads of finished matches ------------------------------------------------------------------

    async def _archive_finished(self, now: datetime) -> None:
        me = self._ctx.discord.client.user
        archived = 0
        for guild in self._ctx.discord.guilds.all:
            for thread in guild.threads:
                if me is None or thread.owner_id != me.id or thread.locked or thread.id in self._left:
                    continue
                if now - last_activity(thread) < _SEEN or not await self._is_done_with(thread, now):
                    continue
                if archived == _AT_ONCE:
                    self._look_for_finished = now
                    return
                archived += 1
                try:
                    await self._ctx.discord.client.http.edit_channel(thread.id, archived=True)
                except (*_PASSING, discord.HTTPException) as error:
                    log.warning("a thread stays open", extra={"channel": thread.id, "error": repr(error)})
                    self._left.add(thread.id)

    async def _is_done_with(self, thread: discord.Thread, now: datetime) -> bool:
        """Return whether a thread of ours may be archived: its match is over, and its end has been seen."""
        rows = await self._ctx.store.by_place(thread.id, _HERE)
        if not rows or any(row.status in ("lobby", "live") for row in rows):
            return False
        row = rows[0]
        if row.place.thread != thread.id or now - row.updated < _SEEN:
            return False
        settings = await self._ctx.preferences.get("guild", thread.guild.id)
        if settings.get("archive") == "off":
            return False
        boards = await self._ctx.store.posts(row.id, "board")
        shown = discord.utils.snowflake_time(boards[-1].message) if boards else row.updated
        if thread.archive_timestamp > max(shown, row.updated) + _SLACK:
            return False  # opened again since
        if await self._ctx.store.outbox_pending(row.id):
            return False
        return not await self._has_rematch(row)

    async def _has_rematch(self, row: MatchRow) -> bool:
        for user in {seat.user for seat in row.seats if seat.user is not None}:
            if any(
                one.provenance.previous == row.id
                for one in await self._ctx.store.by_user(user, ("lobby", "live"))
            ):
                return True
        return False
