"""Keep showcases, front pages and daily puzzles of servers current, each a message in a channel.

Its content follows from the store, so it isn't queued: `tick` makes it anew, and posts or edits it if it
reads differently, at most once a minute. The time is recorded before the edit, for a crash in between.
Before it is posted its channel is searched for one that an earlier process has left without a record. If
the channel can't be used, those who can put that right are notified once, and it is off.

When a server's next puzzle begins, and which it is, follows from `matches/daily_puzzles.py`. If two processes
begin the same puzzle, the row of one of them counts. With that row the message of the day before is let go:
it stays as it is.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, NamedTuple, TypeAlias

import discord
from cachetools import LRUCache

from bot.context import Context
from bot.messages.front_panel import PANEL, standing_panel
from bot.messages.outgoing import File, Outgoing
from bot.messages.puzzles import DAILY, PuzzlePlace, daily_message, puzzle_place
from bot.messages.scenes import scene_for
from bot.messages.watching import SHOWCASE, Shown, digest_of, showcase_list
from bot.outbound import remedies, reports
from bot.outbound.posting import keep_posted
from bot.outbound.remedies import Remedy
from bot.platform.members import all_readers_see
from bot.platform.puzzle_files import shipped_puzzles
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.match import CorruptLogError
from matches.daily_puzzles import next_daily, next_due
from matches.long_work import in_thread
from matches.ports import StoreError
from matches.store.lessons import DailyPuzzle, DailySolver
from matches.store.rows import MatchRow
from matches.store.servers import Showcase, ShowcaseKind
from render import thumbnail

log = logging.getLogger(__name__)
EVERY: Final = timedelta(minutes=1)
"""The least time between two edits of a list."""
_MOST: Final = 200
"""Maximum number of matches of a server that are looked at."""
Basis: TypeAlias = tuple[Reader, tuple[tuple[object, ...], ...]]
"""All that a message depends on: its reader, and what it shows with the counts of its changes."""
_MARKS: Final = {"matches": ("mine", SHOWCASE), "panel": ("front_play", PANEL)}
"""Verb and argument of the call by which a message is found again, by its kind."""
_REMEMBERED: Final = 10_000
"""How many puzzles of a server count as shown."""


class Content(NamedTuple):
    """What a message shows, before it is made."""

    basis: tuple[tuple[object, ...], ...]
    """All that it depends on besides its reader."""
    mark: tuple[str, str]
    """Verb and argument of the call by which it is found again."""
    make: Callable[[Reader], Awaitable[Outgoing]]


async def is_for_all_readers(ctx: Context, row: MatchRow, channel: int, *, fetch: bool) -> bool:
    """Return whether all who can read a channel of a match's server may see the match.

    They may if it is public, or played where all of them can read; False where that isn't certain. Nothing is
    known of archived threads that people have made, unless Discord is asked (`fetch`); then it raises errors
    of discord.py where Discord doesn't answer.
    """
    guild = ctx.discord.guilds.get(row.place.guild)
    target = None if guild is None else guild.get_channel(channel)
    if guild is None or target is None:
        return False
    if row.publicity.public:
        return True
    home: object = guild.get_channel_or_thread(row.place.home)
    if home is None and row.place.thread is not None:  # archived; we made it, and make none that are private
        home = guild.get_channel(row.place.channel)
    if home is None and fetch:
        try:
            home = await guild.fetch_channel(row.place.home)
        except (discord.NotFound, discord.Forbidden):
            return False
    if isinstance(home, discord.Thread):
        if home.is_private():
            return False
        home = home.parent
    return isinstance(home, discord.abc.GuildChannel) and all_readers_see(target, home)


class Showcases:
    """Posts and edits the lists."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._to_act: LRUCache[tuple[str, int], tuple[int, ...]] = LRUCache(4096)
        """Who is to act, by match and version."""
        self._listed: LRUCache[int, Basis] = LRUCache(1024)
        """What the lists were made from that stand, by message."""
        self._plain: set[tuple[int, ShowcaseKind]] = set()
        """Servers whose list or panel is sent without a picture, as Discord didn't take it."""

    async def tick(self) -> None:
        """Bring all lists up to date whose time has come. An error with one is logged."""
        now = self._ctx.clock.now()
        for case in await self._ctx.store.showcases():
            if case.edited is not None and case.edited <= now < case.edited + EVERY:
                continue
            guild = self._ctx.discord.guilds.get(case.guild)
            if guild is None or guild.unavailable:
                continue
            try:
                await self._refresh(case, guild)
            except StoreError:
                raise
            except Exception:
                log.exception("a showcase can't be kept current", extra={"guild": case.guild})

    async def _refresh(self, case: Showcase, guild: discord.Guild) -> None:
        reader = await self._ctx.readers.public(case.guild)
        if case.kind == "puzzle":
            day = await current_day(self._ctx, case)
            if day is None:
                return
            case, content = day.case, self._daily(day)
        else:
            content = await self._matches(case, guild)
        basis: Basis = (reader, content.basis)
        stands = case.message is not None and guild.get_channel(case.channel) is not None
        if stands and self._listed.get(case.message or 0) == basis:
            return
        outgoing = await content.make(reader)
        digest = digest_of(outgoing)
        if stands and case.message is not None and digest == case.shown:
            self._listed[case.message] = basis
            return
        begun = replace(case, edited=self._ctx.clock.now())
        if not await self._ctx.store.note_showcase(begun):
            return
        try:
            channel = self._ctx.discord.client.get_partial_messageable(case.channel, guild_id=case.guild)
            message = await keep_posted(self._ctx, channel, case.message, outgoing, content.mark)
        except remedies.FAILURES as error:
            await self._failed(case, guild, error)
            return
        await self._ctx.store.note_showcase(replace(begun, message=message, shown=digest))
        self._listed[message] = basis

    # --- its content ----------------------------------------------------------------------------------

    def _daily(self, day: Day) -> Content:
        """Return the daily puzzle: as a board of text where Discord doesn't take pictures."""

        async def make(reader: Reader) -> Outgoing:
            plain = (day.case.guild, day.case.kind) in self._plain
            return await day_message(self._ctx, day, replace(reader, text=True) if plain else reader)

        return Content(((day.today.daily, day.solvers),), (DAILY, day.today.arg), make)

    async def _matches(self, case: Showcase, guild: discord.Guild) -> Content:
        """Return the list of live matches, or the front page."""
        shown = await self._shown(case, guild)
        lobbies = await self._lobbies(case) if case.kind == "panel" else ()
        changes = [(each.row.id, each.row.revision, each.named) for each in shown]
        basis = (*changes, *((row.id, row.revision, False) for row in lobbies))
        return Content(basis, _MARKS[case.kind], lambda reader: self._made(case, shown, lobbies, reader))

    async def _shown(self, case: Showcase, guild: discord.Guild) -> list[Shown]:
        """Return the live matches that all readers of the showcase may see, the latest change first."""
        found = []
        for current in await self._ctx.store.live_in_guild(case.guild, _MOST):
            if not await is_for_all_readers(self._ctx, current, case.channel, fetch=False):
                continue
            try:
                row = await self._ctx.service.queries.seen_elsewhere(current)
                to_act = await self._who(row)
            except (CorruptLogError, LookupError):
                continue  # reported where people use it
            home = guild.get_channel_or_thread(row.place.home)
            named = isinstance(home, discord.Thread) and home.name.endswith(f" · {row.id}")
            found.append(Shown(row, to_act, row.place.home, named))
        return found

    async def _lobbies(self, case: Showcase) -> tuple[MatchRow, ...]:
        """Return the lobbies with free seats that all readers of a panel may see, the newest first."""
        found = await self._ctx.store.lobbies_in_guild(case.guild, _MOST)
        free = [row for row in found if row.lobby.message and any(s.occupant == "open" for s in row.seats)]
        return tuple(
            [row for row in free if await is_for_all_readers(self._ctx, row, case.channel, fetch=False)]
        )

    async def _made(
        self, case: Showcase, shown: list[Shown], lobbies: tuple[MatchRow, ...], reader: Reader
    ) -> Outgoing:
        if case.kind == "matches":
            return showcase_list(shown, reader, await self._picture(case, shown, reader))
        panel = await standing_panel(self._ctx.presenter, reader, lobbies, shown)
        return replace(panel, files=()) if (case.guild, case.kind) in self._plain else panel

    async def _who(self, row: MatchRow) -> tuple[int, ...]:
        known = self._to_act.get((row.id, row.version))
        if known is None:
            match = (await self._ctx.service.queries.last_change(row)).match
            known = tuple(sorted(int(seat) for seat in match.to_act if seat >= 0))
            self._to_act[row.id, row.version] = known
        return known

    async def _picture(self, case: Showcase, shown: list[Shown], reader: Reader) -> File | None:
        """Return a small picture of the match that changed last; None without one."""
        if not shown or (case.guild, case.kind) in self._plain:
            return None
        row = shown[0].row
        try:
            match, facts, _ = await self._ctx.service.queries.last_change(row)
            scene = scene_for(match, None, facts)
            name, data, alt = await self._ctx.presenter.pictures.file(
                scene, reader, f"{SHOWCASE}-{row.id}-{match.seq}.png"
            )
            return name, await in_thread(thumbnail, data), alt
        except StoreError:
            raise
        except Exception:
            log.exception("the picture of a showcase can't be drawn", extra={"match": row.id})
            return None

    # --- how it gets there ----------------------------------------------------------------------------

    async def _failed(self, case: Showcase, guild: discord.Guild, error: Exception) -> None:
        """Try again with the next tick, without a picture if that was refused, or switch the showcase off."""
        what = remedies.meaning(error)
        log.warning("a showcase wasn't updated", extra={"guild": case.guild, "code": what.label})
        self._ctx.operation.counters.add(f"showcases: failed ({what.label})")
        if remedies.passes(what):
            return
        if what.remedy is Remedy.PLAIN and (case.guild, case.kind) not in self._plain:
            self._plain.add((case.guild, case.kind))
            return
        await reports.showcase_ended(self._ctx, case, guild, what.label)


@dataclass(frozen=True, slots=True)
class Day:
    """The current puzzle of a server, the one before, and who has solved that."""

    case: Showcase
    today: PuzzlePlace
    before: PuzzlePlace | None
    solvers: tuple[DailySolver, ...]


async def current_day(ctx: Context, case: Showcase) -> Day | None:
    """Return the current puzzle of a server, and begin the next if it is time; None if there is none."""
    days = await ctx.store.daily_puzzles(case.guild, 2)
    latest = days[0] if days else None
    due = next_due(None if latest is None else latest.due, case.since, ctx.clock.now())
    if due is not None:
        every = await ctx.store.daily_puzzles(case.guild, _REMEMBERED)
        if (found := await in_thread(_next_of_shipped, case.guild, every)) is None:
            return None
        new = DailyPuzzle(case.guild, 1 + (0 if latest is None else latest.n), *found, due)
        if not await ctx.store.add_daily_puzzle(new):
            return None  # another process was first: the next tick goes on
        days, case = (new, *days[:1]), replace(case, message=None, shown="")
    today, *before = [await puzzle_place(ctx.store, each.game, each.puzzle, each.n) for each in days]
    if today is None:  # an update has taken it out: the message stays as it is
        return None
    solvers = await ctx.store.daily_solvers(case.guild, days[1].n) if before else ()
    return Day(case, today, before[0] if before else None, solvers)


def _next_of_shipped(guild: int, shown: Sequence[DailyPuzzle]) -> tuple[str, str] | None:
    """Return the game and key of a server's next daily puzzle. Reads files: call it in a worker thread."""
    every = [(game.key, key) for game in registry.all_games() for key in shipped_puzzles(game.key)]
    return next_daily(guild, shown, every)


async def day_message(ctx: Context, day: Day, reader: Reader) -> Outgoing:
    """Return the message of a server's current puzzle."""
    return await daily_message(ctx.presenter, reader, day.today, day.before, day.solvers)
