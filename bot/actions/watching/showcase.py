"""Choose the channel in which a server shows its matches."""

from __future__ import annotations

import contextlib
from typing import Any

import discord
from discord.app_commands import AppCommandChannel, AppCommandThread

from bot.actions.match_places import chosen_place
from bot.context import Context
from bot.platform.permissions import missing_permissions, permission_request
from bot.platform.readers import Reader
from games.engine.message import Msg, msg
from matches.store.showcase_store import Showcase

_KINDS = frozenset({discord.ChannelType.text, discord.ChannelType.news})


def why_no_showcase(
    interaction: discord.Interaction[Any], chosen: AppCommandChannel | AppCommandThread
) -> Msg | None:
    """Return why a channel can't be a showcase: its kind, or what we may not do there. None if it can."""
    place = chosen_place(interaction, chosen)
    if chosen.type not in _KINDS:
        return msg("bot.showcase.kind", place=f"<#{chosen.id}>")
    if lacking := missing_permissions(place.have, place.kind):
        return permission_request(interaction, lacking, place.channel)
    return None


async def set_showcase(
    ctx: Context,
    interaction: discord.Interaction[Any],
    guild: int,
    chosen: AppCommandChannel | AppCommandThread | None,
    *,
    off: bool,
) -> tuple[Msg, ...]:
    """Choose a server's showcase, or switch it off, and return what to say of that.

    A channel that is chosen counts more than `off`; that of the showcase, chosen again, keeps its list.
    """
    known, now = await ctx.store.showcase(guild), ctx.clock.now()
    if chosen is not None:
        if known is None or known.channel != chosen.id:
            await ctx.store.save_showcase(Showcase(guild, chosen.id, interaction.user.id, now))
            await _remove_list(ctx, known)
        return (msg("bot.showcase.set", place=f"<#{chosen.id}>"),)
    if off and known is not None and await ctx.store.drop_showcase(guild, known.channel, now):
        await _remove_list(ctx, known)
        return (msg("bot.showcase.off", place=f"<#{known.channel}>"),)
    return ()


async def _remove_list(ctx: Context, case: Showcase | None) -> None:
    """Delete a list that is no longer kept current, if it can be deleted."""
    if case is None or case.message is None:
        return
    channel = ctx.client.get_partial_messageable(case.channel, guild_id=case.guild)
    with contextlib.suppress(discord.HTTPException):  # already deleted, or not allowed
        await channel.get_partial_message(case.message).delete()


async def showcase_line(ctx: Context, guild: int, reader: Reader) -> str:
    """Return the setting as a line."""
    case = await ctx.store.showcase(guild)
    value = reader.say(msg("bot.settings.off")) if case is None else f"<#{case.channel}>"
    return f"{reader.say(msg('bot.settings.showcase'))}: {value}"
