"""`/watch`: mirror a match live in this channel, or stop mirroring."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.match_access import can_read_home
from bot.actions.match_places import MatchPlace, this_place, why_not_here
from bot.context import Context
from bot.inbound.commands.common import FOR_SERVERS, IN_SERVERS, describe, resolve_match
from bot.messages.outgoing import Outgoing
from games.engine.message import msg
from matches.results import Refused
from matches.rows import MatchRow


async def may_mirror(ctx: Context, interaction: discord.Interaction[Any], row: MatchRow) -> bool:
    """Return whether the person can read the match's own channel: a mirror must not bypass permissions."""
    same_server = interaction.guild_id is not None and row.place.guild == interaction.guild_id
    return same_server and await can_read_home(ctx, row, interaction.user)


def _may_write(interaction: discord.Interaction[Any], at: MatchPlace) -> bool:
    """Return whether the person can write in the channel themselves."""
    rights = interaction.permissions
    return rights.send_messages_in_threads if at.kind == "thread" else rights.send_messages


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add `/watch here` and `/watch stop` to the tree."""
    group = app_commands.Group(
        name="watch",
        description=describe(ctx, "watch"),
        allowed_contexts=IN_SERVERS,
        allowed_installs=FOR_SERVERS,
    )

    @group.command(name="here", description=describe(ctx, "watch.here"))
    @app_commands.describe(match=describe(ctx, "match"))
    async def here(interaction: discord.Interaction[Any], match: str) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, reader = found
        say = reader.say
        at = this_place(interaction)
        if at is None or not await may_mirror(ctx, interaction, row):
            text = say(msg("bot.watch.closed", match=row.id))
        elif not _may_write(interaction, at):
            text = say(msg("bot.watch.quiet"))
        elif (why_not := await why_not_here(ctx, interaction, at)) is not None:
            text = say(why_not)
        else:
            await defer(interaction)
            result = await ctx.service.channels.watch(row.id, at.channel, interaction.user.id)
            why = result.why if isinstance(result, Refused) else msg("bot.watch.here", match=row.id)
            text = say(why)
        await respond_privately(interaction, Outgoing(text))
        await ctx.send()

    @group.command(name="stop", description=describe(ctx, "watch.stop"))
    @app_commands.describe(match=describe(ctx, "match"))
    async def stop(interaction: discord.Interaction[Any], match: str) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, reader = found
        watches = await ctx.store.watches(row.id)
        mine = next((w for w in watches if w.channel == interaction.channel_id), None)
        if mine is None:
            key = msg("bot.watch.none", match=row.id)
        elif mine.by != interaction.user.id and not interaction.permissions.manage_messages:
            key = msg("bot.watch.not_yours", by=f"<@{mine.by}>")
        else:
            await ctx.service.channels.unwatch(row.id, mine.channel)
            key = msg("bot.watch.stopped", match=row.id)
        await respond_privately(interaction, Outgoing(reader.say(key)))

    tree.add_command(group)
