"""Leaderboards: page by page, with one's own place and neighbours; buttons carry what is shown."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, edit_in_place
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import File, Outgoing
from bot.messages.standing import (
    PAGE,
    TopPage,
    TopView,
    read_top_view,
    season_start,
    top_message,
    top_table,
)
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.message import msg
from matches.store.standing_rows import EVERYWHERE
from matches.store.standing_store import Ladder, Ranked, StandingStore

_MOST_LADDERS: Final = 25
"""Maximum number of ladders to choose from (Discord's limit for a menu)."""


async def first_page(
    ctx: Context,
    guild: int | None,
    user: int,
    reader: Reader,
    game: str | None,
    *,
    here: bool,
    season: bool = False,
) -> Outgoing:
    """Return the first page of the largest leaderboard of a game, or of any game for None."""
    here = here and guild is not None
    since = season_start(ctx.clock.now()) if season else None
    for ladder, _ in await _ladders(ctx.store, guild if here else None, since):
        if game is None or ladder.game == game:
            view = TopView(ladder.game, ladder.family, here, season=season)
            return await _page(ctx, guild, user, reader, view)
    return Outgoing(reader.say(msg("bot.top.nobody_in_season" if season else "bot.top.nobody")))


async def _ladders(
    store: StandingStore, guild: int | None, since: datetime | None
) -> tuple[tuple[Ladder, int], ...]:
    """Return the ladders of a server, or of all for None, of games that are still here."""
    games = {game.key for game in registry.all_games()}
    found = await store.ladders(guild or EVERYWHERE, _MOST_LADDERS, since)
    return tuple(one for one in found if one[0].game in games)


async def read_top(
    store: StandingStore, view: TopView, guild: int | None, user: int, now: datetime
) -> TopPage:
    """Return a page of a leaderboard as someone reads it."""
    ladder, since = view.ladder(guild), season_start(now) if view.season else None
    rows = await store.leaderboard(ladder, PAGE + 1, view.page * PAGE, since)
    shown = rows[:PAGE]
    mine = await store.ranked(ladder, user, since)
    own: tuple[Ranked, ...] = ()
    if mine is not None and mine.place not in {one.place for one in shown}:
        around = await store.leaderboard(ladder, 3, max(0, mine.place - 2), since)
        own = tuple(one for one in around if one.place not in {other.place for other in shown})
    ladders = await _ladders(store, guild if view.here else None, since)
    return TopPage(ladders, shown, own, len(rows) > PAGE, since)


async def _page(ctx: Context, guild: int | None, user: int, reader: Reader, view: TopView) -> Outgoing:
    page = await read_top(ctx.store, view, guild, user, ctx.clock.now())
    picture = None if reader.text else await _picture(ctx, view, view.ladder(guild), page, user, reader)
    return top_message(view, guild, page, user, reader, picture)


async def _picture(
    ctx: Context, view: TopView, ladder: Ladder, page: TopPage, user: int, reader: Reader
) -> File | None:
    if (table := top_table(ladder, page, user, reader)) is None:
        return None
    return f"top-{view.page + 1}.png", await ctx.presenter.pictures.table(table[0], reader), table[1]


@on("top")
async def turn_page(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another page or leaderboard to the person who presses."""
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    view = read_top_view(call.values[0] if call.values else call.arg)
    guild, user = interaction.guild_id, interaction.user.id
    if view is None:
        page = await first_page(ctx, guild, user, reader, None, here=True)
    else:
        page = await _page(ctx, guild, user, reader, view)
    await edit_in_place(interaction, page)
