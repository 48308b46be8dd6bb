"""`/watch`: mirror a match live into this channel, or stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.answers import private, thinking
from bot.commands.common import describe, meant
from bot.permissions import complaint, missing
from bot.presenter import Outgoing
from games.engine.message import msg
from matches.ports import MatchRow
from matches.results import Refused

if TYPE_CHECKING:
    from bot.app import Dominium


async def may_show(interaction: discord.Interaction[Any], row: MatchRow) -> bool:
    """Whether the person can read the match's own channel: a mirror must not open what is closed to them."""
    guild = interaction.guild
    if guild is None or row.place.guild != guild.id or not isinstance(interaction.user, discord.Member):
        return False
    try:
        home = guild.get_channel_or_thread(row.place.home) or await guild.fetch_channel(row.place.home)
    except discord.HTTPException:
        return False
    return home.permissions_for(interaction.user).view_channel


def add(app: Dominium) -> None:
    """`/watch here` and `/watch stop`."""
    group = app_commands.Group(name="watch", description=describe(app, "watch"), guild_only=True)

    @group.command(name="here", description=describe(app, "watch.here"))
    @app_commands.describe(match=describe(app, "match"))
    async def here(interaction: discord.Interaction[Any], match: str) -> None:
        if (found := await meant(app, interaction, match)) is None:
            return
        row, reader = found
        say = app.presenter.say
        channel = interaction.channel_id
        if channel is None or not await may_show(interaction, row):
            text = say(msg("bot.watch.closed", match=row.id), reader.language)
        elif not interaction.permissions.send_messages:
            text = say(msg("bot.watch.quiet"), reader.language)
        elif lacking := missing(interaction, threads=False):
            text = say(complaint(app, interaction, lacking), reader.language)
        else:
            await thinking(interaction)
            result = await app.service.watch(row.id, channel, interaction.user.id)
            why = result.why if isinstance(result, Refused) else msg("bot.watch.here", match=row.id)
            text = say(why, reader.language)
        await private(interaction, Outgoing(text))
        await app.publisher.drain()

    @group.command(name="stop", description=describe(app, "watch.stop"))
    @app_commands.describe(match=describe(app, "match"))
    async def stop(interaction: discord.Interaction[Any], match: str) -> None:
        if (found := await meant(app, interaction, match)) is None:
            return
        row, reader = found
        watches = await app.store.watches(row.id)
        mine = next((w for w in watches if w.channel == interaction.channel_id), None)
        if mine is None:
            key = msg("bot.watch.none", match=row.id)
        elif mine.by != interaction.user.id and not interaction.permissions.manage_messages:
            key = msg("bot.watch.not_yours", by=f"<@{mine.by}>")
        else:
            await app.service.unwatch(row.id, mine.channel)
            key = msg("bot.watch.stopped", match=row.id)
        await private(interaction, Outgoing(app.presenter.say(key, reader.language)))

    app.tree.add_command(group)
