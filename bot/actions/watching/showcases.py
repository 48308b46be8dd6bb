"""Choose the channels of what a server keeps current: its live matches, its front page, its daily puzzle."""

from __future__ import annotations

import contextlib
from typing import Any, Final

import discord
from discord.app_commands import AppCommandChannel, AppCommandThread

from bot.actions.match_places import chosen_place, this_place
from bot.context import Context
from bot.platform.permissions import missing_permissions, permission_request
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.store.servers import Showcase, ShowcaseKind

_KINDS = frozenset({discord.ChannelType.text, discord.ChannelType.news})
_SET: Final = {"matches": "bot.showcase.set", "panel": "front.panel.set", "puzzle": "puzzle.daily.set"}
_OFF: Final = {"matches": "bot.showcase.off", "panel": "front.panel.off", "puzzle": "puzzle.daily.off"}
_LINES: Final[dict[ShowcaseKind, str]] = {"matches": "bot.settings.showcase", "puzzle": "bot.settings.daily"}
"""What `/server settings` lists."""


def why_no_showcase(
    interaction: discord.Interaction[Any], chosen: AppCommandChannel | AppCommandThread | None
) -> Msg | None:
    """Return why a channel can't have a list: its kind, or what we may not do there. None if it can.

    Without a chosen channel it is that of the interaction.
    """
    place = this_place(interaction) if chosen is None else chosen_place(interaction, chosen)
    channel = chosen or interaction.channel
    if place is None or channel is None or channel.type not in _KINDS:
        return msg("bot.showcase.kind", place="" if place is None else f"<#{place.channel}>")
    if lacking := missing_permissions(place.have, place.kind):
        return permission_request(interaction, lacking, place.channel)
    return None


async def set_showcase(
    ctx: Context,
    interaction: discord.Interaction[Any],
    guild: int,
    channel: int | None,
    *,
    off: bool,
    kind: ShowcaseKind = "matches",
) -> tuple[Msg, ...]:
    """Choose the channel of what a server keeps current, or switch it off, and return what to say of that.

    A channel that is chosen counts more than `off`; that of the showcase, chosen again, keeps its list.
    """
    known, now = await ctx.store.showcase(guild, kind), ctx.clock.now()
    if channel is not None:
        if known is None or known.channel != channel:
            await ctx.store.save_showcase(Showcase(guild, channel, interaction.user.id, now, kind=kind))
            await _remove_list(ctx, known)
        return (msg(_SET[kind], place=f"<#{channel}>"),)
    if off and known is not None and await ctx.store.drop_showcase(known, now):
        await _remove_list(ctx, known)
        return (msg(_OFF[kind], place=f"<#{known.channel}>"),)
    return ()


async def _remove_list(ctx: Context, case: Showcase | None) -> None:
    """Delete a list that is no longer kept current, if it can be deleted."""
    if case is None or case.message is None:
        return
    channel = ctx.discord.client.get_partial_messageable(case.channel, guild_id=case.guild)
    with contextlib.suppress(discord.HTTPException):  # already deleted, or not allowed
        await channel.get_partial_message(case.message).delete()


async def showcase_lines(ctx: Context, guild: int, reader: Reader) -> list[str]:
    """Return the settings as lines."""
    lines = []
    for kind, key in _LINES.items():
        case = await ctx.store.showcase(guild, kind)
        value = reader.say(msg("bot.settings.off")) if case is None else f"<#{case.channel}>"
        lines.append(f"{reader.say(msg(key))}: {value}")
    return lines
