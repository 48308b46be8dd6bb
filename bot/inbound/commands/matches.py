"""`/matches`: one's own, finished ones, records taken in and given out, watching; "Import record" (Apps)."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.match_access import can_read_home
from bot.actions.match_places import MatchPlace, this_place, why_not_here
from bot.actions.records.archive import Whose, archive_page, asked_for, send_archive
from bot.actions.records.imports import import_from, import_record
from bot.actions.watching.follows import follow, unfollow
from bot.actions.watching.matches_list import matches_message
from bot.context import Context
from bot.inbound.commands.common import (
    Menu,
    command,
    complete_watched,
    describe,
    game_choices,
    resolve_match,
    subgroup,
)
from bot.messages.archive import ArchiveView
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, msg
from matches.ids import read_id
from matches.results import Refused
from matches.store.archive import ArchiveResult
from matches.store.rows import MatchRow


async def may_mirror(ctx: Context, interaction: discord.Interaction[Any], row: MatchRow) -> bool:
    """Return whether the person can read the match's own channel: a mirror must not bypass permissions."""
    same_server = interaction.guild_id is not None and row.place.guild == interaction.guild_id
    return same_server and await can_read_home(ctx, row, interaction.user)


def _may_write(interaction: discord.Interaction[Any], at: MatchPlace) -> bool:
    """Return whether the person can write in the channel themselves."""
    rights = interaction.permissions
    return rights.send_messages_in_threads if at.kind == "thread" else rights.send_messages


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""
    games = game_choices(ctx)

    @command(menu.matches, ctx, "matches.mine")
    async def mine(interaction: discord.Interaction[Any]) -> None:
        await defer(interaction)
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, await matches_message(ctx, interaction.user.id, reader))

    @command(menu.matches, ctx, "matches.finished")
    @app_commands.choices(game=games)
    async def finished(
        interaction: discord.Interaction[Any],
        game: str | None = None,
        opponent: discord.User | None = None,
        result: ArchiveResult | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> None:
        await defer(interaction)
        reader, user = await ctx.readers.of(interaction), interaction.user.id
        whom = None if opponent is None else opponent.id
        asked = asked_for(game, whom, result, since, until, ctx.clock.now())
        if isinstance(asked, Msg):
            await respond_privately(interaction, Outgoing(reader.say(asked)))
        else:
            await respond_privately(interaction, await archive_page(ctx, user, ArchiveView(asked), reader))

    @command(menu.matches, ctx, "record.import")
    async def import_(interaction: discord.Interaction[Any], file: discord.Attachment) -> None:
        await import_record(ctx, interaction, file)

    @command(menu.matches, ctx, "record.archive", texts={"since": "matches.since", "until": "matches.until"})
    async def archive(
        interaction: discord.Interaction[Any],
        whose: Whose = "mine",
        since: str | None = None,
        until: str | None = None,
    ) -> None:
        await defer(interaction)
        reader = await ctx.readers.of(interaction)
        asked = asked_for(None, None, None, since, until, ctx.clock.now())
        if isinstance(asked, Msg):
            await respond_privately(interaction, Outgoing(reader.say(asked)))
        else:
            await send_archive(ctx, interaction, whose, asked, reader)

    async def from_message(interaction: discord.Interaction[Any], message: discord.Message) -> None:
        await import_from(ctx, interaction, message)

    menu.tree.add_command(
        app_commands.ContextMenu(name=describe(ctx, "import_record"), callback=from_message)
    )

    _add_watch(subgroup(menu.matches, ctx, "watch"), ctx)


def _add_watch(group: app_commands.Group, ctx: Context) -> None:
    when = [
        app_commands.Choice(name=ctx.readers.default.say(msg(f"bot.follow.when.{key}")), value=key)
        for key in ("end", "turns", "daily", "stop")
    ]

    @command(group, ctx, "watch.follow", match=complete_watched)
    @app_commands.choices(tell=when)
    async def follow_(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        tell: Literal["end", "turns", "daily", "stop"] = "end",
    ) -> None:
        await defer(interaction)
        user = interaction.user.id
        if tell == "stop" and match is not None and (known := read_id(match)) is not None:
            # It can be ended without being seen: rights may have changed.
            reader = await ctx.readers.of(interaction)
            await respond_privately(interaction, Outgoing(await unfollow(ctx, user, known, reader)))
            return
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, reader = found
        if tell == "stop":
            text = await unfollow(ctx, user, row.id, reader)
        else:
            text = await follow(ctx, user, row, reader, tell)
        await respond_privately(interaction, Outgoing(text))

    @command(group, ctx, "watch.here")
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
        await ctx.delivery.send()

    @command(group, ctx, "watch.stop")
    async def stop(interaction: discord.Interaction[Any], match: str) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, reader = found
        watches = await ctx.store.watches(row.id)
        mine = next((w for w in watches if w.channel == interaction.channel_id), None)
        if mine is None and await ctx.service.follows.stop(row.id, interaction.user.id):
            key = msg("bot.follow.stopped", match=row.id)
        elif mine is None:
            key = msg("bot.watch.none", match=row.id)
        elif mine.by != interaction.user.id and not interaction.permissions.manage_messages:
            key = msg("bot.watch.not_yours", by=f"<@{mine.by}>")
        else:
            await ctx.service.channels.unwatch(row.id, mine.channel)
            key = msg("bot.watch.stopped", match=row.id)
        await respond_privately(interaction, Outgoing(reader.say(key)))
