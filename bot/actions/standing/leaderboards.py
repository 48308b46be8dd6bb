"""Leaderboards: page by page, with one's own place and neighbours; buttons carry what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, edit_in_place
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import File, Outgoing
from bot.messages.standing import PAGE, TopView, read_top_view, top_message, top_table
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.message import msg
from matches.store.standing_rows import EVERYWHERE
from matches.store.standing_store import Ladder, Ranked

_MOST_LADDERS: Final = 25
"""Maximum number of ladders to choose from (Discord's limit for a menu)."""


async def first_page(
    ctx: Context, guild: int | None, user: int, reader: Reader, game: str | None, *, here: bool
) -> Outgoing:
    """Return the first page of the largest leaderboard of a game, or of any game for None."""
    here = here and guild is not None
    for ladder, _ in await _ladders(ctx, guild if here else None):
        if game is None or ladder.game == game:
            return await _page(ctx, guild, user, reader, TopView(ladder.game, ladder.family, here))
    return Outgoing(reader.say(msg("bot.top.nobody")))


async def _ladders(ctx: Context, guild: int | None) -> tuple[tuple[Ladder, int], ...]:
    """Return the ladders of a server, or of all for None, of games that are still here."""
    games = {game.key for game in registry.all_games()}
    found = await ctx.store.ladders(guild or EVERYWHERE, _MOST_LADDERS)
    return tuple(one for one in found if one[0].game in games)


async def _page(ctx: Context, guild: int | None, user: int, reader: Reader, view: TopView) -> Outgoing:
    ladder = view.ladder(guild)
    rows = await ctx.store.leaderboard(ladder, PAGE + 1, view.page * PAGE)
    shown = rows[:PAGE]
    mine = await ctx.store.ranked(ladder, user)
    own: tuple[Ranked, ...] = ()
    if mine is not None and mine.place not in {one.place for one in shown}:
        around = await ctx.store.leaderboard(ladder, 3, max(0, mine.place - 2))
        own = tuple(one for one in around if one.place not in {other.place for other in shown})
    ladders = await _ladders(ctx, guild if view.here else None)
    picture = None if reader.text else await _picture(ctx, view, ladder, shown, own, user, reader)
    more = len(rows) > PAGE
    return top_message(view, guild, ladders, shown, own, user, reader, more=more, picture=picture)


async def _picture(
    ctx: Context,
    view: TopView,
    ladder: Ladder,
    shown: Sequence[Ranked],
    own: Sequence[Ranked],
    user: int,
    reader: Reader,
) -> File | None:
    if (table := top_table(ladder, shown, own, user, reader)) is None:
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
