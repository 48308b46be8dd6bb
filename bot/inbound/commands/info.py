"""Commands that show information: `/matches`, `/rules`, `/help`."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.board_links import board_link
from bot.actions.help_text import help_text
from bot.actions.interaction_responses import respond_privately
from bot.actions.match_places import is_archived
from bot.actions.rules_pages import rules_page
from bot.context import Context
from bot.inbound.commands.common import describe, game_choices
from bot.messages.outgoing import Outgoing
from bot.messages.seats import game_title, occupant_text
from bot.platform.permissions import bot_is_there
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.message import msg

_MAX_LISTED = 20


async def matches_text(ctx: Context, user: int, reader: Reader) -> str:
    """Return a person's live matches on all servers with links, those waiting for them first."""
    say = reader.say
    lines = []
    for seen in (await ctx.service.queries.mine(user))[:_MAX_LISTED]:
        row, match = seen.row, seen.match
        seat = ctx.service.queries.seat_of(row, user)
        turn = seat is not None and seat in match.to_act
        link = await board_link(ctx, row)
        others = tuple(occupant_text(each, reader) for each in row.seats if each.seat != seat)
        title = say(msg("bot.matches.against", game=game_title(row, reader), who=others))
        state = say(msg("bot.matches.yours")) if turn else say(msg("bot.matches.theirs"))
        asleep = f" ({say(msg('bot.matches.archived'))})" if is_archived(ctx, row) else ""
        lines.append(f"{'▶' if turn else '·'} `{row.id}` {title}: {state} {link}{asleep}")
    if not lines:
        return say(msg("bot.matches.none"))
    return "\n".join([say(msg("bot.matches.head", n=len(lines))), *lines])


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add the commands of this file to the tree."""
    games = game_choices(ctx)

    @tree.command(name="matches", description=describe(ctx, "matches"))
    async def matches(interaction: discord.Interaction[Any]) -> None:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(await matches_text(ctx, interaction.user.id, reader)))

    @tree.command(name="rules", description=describe(ctx, "rules"))
    @app_commands.describe(game=describe(ctx, "rules.game"))
    @app_commands.choices(game=games)
    async def rules(interaction: discord.Interaction[Any], game: str | None = None) -> None:
        reader = await ctx.readers.of(interaction)
        if game is None:
            here = await ctx.service.queries.live_in(interaction.channel_id or 0)
            game = here[0].game if here else registry.all_games()[0].key
        await respond_privately(interaction, rules_page(game, 1, reader))

    @tree.command(name="help", description=describe(ctx, "help"))
    async def help_(interaction: discord.Interaction[Any]) -> None:
        reader = await ctx.readers.of(interaction)
        text = help_text(ctx, reader)
        if not bot_is_there(interaction):
            text += f"\n{reader.say(msg('bot.help.elsewhere'))}"
        await respond_privately(interaction, Outgoing(text))
