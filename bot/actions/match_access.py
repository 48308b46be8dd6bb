"""Who may look at a match: its people, those who can read the channel that shows it, anyone if it is public.

An id can be guessed, and a button can be older than the permissions of its channel. So every match that is
typed or pressed is checked and loaded here. To all others it doesn't exist: they get the answer for an
unknown id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord

from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.platform.members import reads_channel
from bot.platform.reader_settings import Reader
from games.engine.game import Seat
from games.engine.message import msg
from matches.occupants import people
from matches.store.rows import MatchRow


async def may_look(ctx: Context, row: MatchRow, user: discord.abc.Snowflake, channel: int | None) -> bool:
    """Return whether a person, who writes or presses in `channel`, may look at a match.

    They may if they play in it, are invited or host it, if it is played or mirrored in that channel, or if
    they can read its own channel. A match in direct messages has nobody but its people, unless they have made
    it public.
    """
    if row.publicity.public:
        return True
    if user.id == row.host or any(seat.user == user.id for seat in row.seats):
        return True
    if channel in (row.place.home, row.place.channel):  # a thread of ours is as public as its channel
        return True
    if row.place.guild is None:
        return False
    if any(watch.channel == channel for watch in await ctx.store.watches(row.id)):
        return True
    return await can_read_home(ctx, row, user)


async def anyone_reads(ctx: Context, row: MatchRow) -> bool:
    """Return whether a match is played where everyone in its server can read; False if unknown."""
    try:
        guild = await ctx.discord.guilds.find(row.place.guild)
        if guild is None:
            return False
        home = guild.get_channel_or_thread(row.place.home) or await guild.fetch_channel(row.place.home)
        if isinstance(home, discord.Thread) and home.is_private():
            return False
        return home.permissions_for(guild.default_role).view_channel
    except discord.DiscordException:
        return False


async def may_be_shown(ctx: Context, interaction: discord.Interaction[Any], row: MatchRow) -> bool:
    """Return whether a person may show a match to all who read the channel of a server they write in.

    So it is where all of them may look at it, and for a match that has no people but this one.
    """
    channel = interaction.channel_id
    if interaction.guild_id is None:
        return False
    if (
        row.publicity.public
        or people(row) <= {interaction.user.id}
        or channel in (row.place.home, row.place.channel)
    ):
        return True
    if interaction.guild_id != row.place.guild:
        return False
    mirrored = any(watch.channel == channel for watch in await ctx.store.watches(row.id))
    return mirrored or await anyone_reads(ctx, row)


async def can_read_home(ctx: Context, row: MatchRow, user: discord.abc.Snowflake) -> bool:
    """Return whether a person can read a match's own channel; False where Discord doesn't say."""
    try:
        guild = await ctx.discord.guilds.find(row.place.guild)
        if guild is None:
            return False
        return await reads_channel(guild, row.place.home, user)
    except discord.DiscordException:
        return False


async def load_match(
    ctx: Context, interaction: discord.Interaction[Any], match_id: str
) -> tuple[MatchRow, Reader] | None:
    """Return a started match as the person may see it, and its reader; if there is none, say so."""
    row = await ctx.service.queries.row(match_id)
    if row is None or row.version < 0:
        await respond_unknown_match(ctx, interaction, match_id)
        return None
    return await as_seen(ctx, interaction, row)


async def as_seen(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow
) -> tuple[MatchRow, Reader]:
    """Return a match as the person may see it, and its reader; they have looked at it now."""
    seat = ctx.service.queries.seat_of(row, interaction.user.id)
    if seat is not None:
        await ctx.service.pings.looked(row.id, interaction.user.id)
    row = await ctx.service.queries.seen_by(row, interaction.user.id, interaction.channel_id)
    return row, await ctx.readers.of(interaction, None if seat is None else Seat(seat))


async def open_form(
    ctx: Context,
    interaction: discord.Interaction[Any],
    match_id: str,
    form: Callable[[MatchRow, Reader], discord.ui.Modal],
) -> None:
    """Open a form about a started match; if there is no such match, say so."""
    row = await ctx.service.queries.row(match_id)
    if row is None or row.version < 0:
        await respond_unknown_match(ctx, interaction, match_id)
        return
    await interaction.response.send_modal(form(row, await ctx.readers.of(interaction)))


async def respond_unknown_match(ctx: Context, interaction: discord.Interaction[Any], match_id: str) -> None:
    """Say that there is no such match."""
    reader = await ctx.readers.of(interaction)
    text = reader.say(msg("bot.match.unknown", match=match_id))
    await respond_privately(interaction, Outgoing(text))
