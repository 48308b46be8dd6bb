"""Continue a finished match from one of its moves, at a table of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lobby.lobby_panel import direct_channel, person, why_no_guest
from bot.actions.match_access import may_be_shown
from bot.actions.match_places import LobbyPlace, lobby_place, respond_opened, respond_opened_elsewhere
from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.platform.permissions import bot_is_there
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.results import Lobby, Refused
from matches.store.rows import MatchRow, Place


async def open_fork(
    ctx: Context,
    interaction: discord.Interaction[Any],
    row: MatchRow,
    reader: Reader,
    *,
    move: int | None,
    friends: Sequence[discord.User | discord.Member],
    study: bool = False,
) -> None:
    """Open the lobby of a match that continues this one, where the command was given; or begin a study."""
    if study and friends:
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.fork.study_alone"))))
        return
    if study:
        await _begin_study(ctx, interaction, row, reader, move)
        return
    settings = await ctx.preferences.get("guild", interaction.guild_id) if interaction.guild_id else {}
    found = why_no_guest(friends) or await _place(ctx, interaction, row, settings)
    if isinstance(found, Msg):
        await respond_privately(interaction, Outgoing(reader.say(found)))
        return
    await defer(interaction)
    result = await ctx.service.forks.open(
        row,
        person(interaction.user),
        found[0],
        request=f"i{interaction.id}",
        move=move,
        invited=[person(friend) for friend in friends],
        use_thread=found[1],
    )
    if isinstance(result, Refused):
        await respond_privately(interaction, Outgoing(reader.say(result.why)))
        return
    await _respond(ctx, interaction, result, reader)


async def _begin_study(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, reader: Reader, move: int | None
) -> None:
    await defer(interaction)
    channel = await direct_channel(interaction.user)
    if channel is None:
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.elsewhere.closed"))))
        return
    request = f"i{interaction.id}"
    result = await ctx.service.forks.study(row, person(interaction.user), channel, request=request, move=move)
    why = result.why if isinstance(result, Refused) else msg("bot.fork.study", match=result.id)
    await respond_privately(interaction, Outgoing(reader.say(why)))
    if not isinstance(result, Refused):
        await ctx.delivery.finish(result.id)


async def _respond(
    ctx: Context, interaction: discord.Interaction[Any], opened: Lobby, reader: Reader
) -> None:
    if bot_is_there(interaction):
        await respond_opened(ctx, interaction, opened.row)
        return
    await respond_opened_elsewhere(ctx, interaction, opened.row.id, reader)


async def _place(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, settings: Mapping[str, Any]
) -> tuple[Place, bool] | Msg:
    """Return where the lobby opens, and whether its match gets a thread; or why it can't open here.

    In the thread of the match that is continued, it opens where that match's own lobby was.
    """
    if not bot_is_there(interaction):
        channel = await direct_channel(interaction.user)
        return msg("bot.elsewhere.closed") if channel is None else (Place(None, channel), True)
    if interaction.guild_id is not None and not await may_be_shown(ctx, interaction, row):
        return msg("bot.fork.not_here", match=row.id)
    found = await lobby_place(ctx, interaction, row.game, settings)
    if isinstance(found, Msg):
        return found
    if row.place.guild == interaction.guild_id and row.place.thread == found.at.channel:
        return Place(interaction.guild_id, row.place.channel), row.lobby.use_thread
    return _here(interaction, found)


def _here(interaction: discord.Interaction[Any], found: LobbyPlace) -> tuple[Place, bool]:
    return Place(interaction.guild_id, found.at.channel), found.use_thread
