"""Commands about one match: `/move`, `/ask board`, `/match undo`, `/match resign` and so on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import discord

from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.match_places import this_place, why_not_here
from bot.actions.play import move_targets
from bot.actions.play import odds as odds_of
from bot.actions.play.move_menu import moves_panel
from bot.actions.play.moves import submit
from bot.actions.play.offers import resign_question, respond_with_outcome
from bot.actions.play.private_views import private_part
from bot.actions.play.undo import undo_question
from bot.actions.watching.publicity import publicity_text, set_publicity
from bot.context import Context
from bot.inbound.commands.common import (
    Menu,
    command,
    complete_match,
    complete_move,
    resolve_match,
)
from bot.messages.outgoing import Outgoing
from bot.platform.permissions import bot_is_there
from games.engine.message import msg
from matches import drafts
from matches.outbox.messages import BoardMessage
from matches.store.rows import Place


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.tree, ctx, "move", move=complete_move, match=complete_match)
    async def move(interaction: discord.Interaction[Any], move: str, match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await submit(ctx, interaction, found[0].id, move)

    @command(menu.ask, ctx, "board", match=complete_match)
    async def board(
        interaction: discord.Interaction[Any],
        match: str | None = None,
        look: Literal["picture", "text"] | None = None,
        part: str = "",
    ) -> None:
        await defer(interaction)
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            row, reader = found
            if look is not None:
                reader = replace(reader, text=look == "text")
            user = interaction.user.id
            await respond_privately(interaction, await private_part(ctx, row, reader, part, user=user))

    @command(menu.ask, ctx, "moves", match=complete_match)
    async def moves(interaction: discord.Interaction[Any], piece: str = "", match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, reader = found
        if piece.strip():
            await defer(interaction)
            await respond_privately(interaction, await move_targets.targets_message(ctx, row, reader, piece))
        else:
            await respond_privately(interaction, await moves_panel(ctx, row, interaction.user.id, reader))

    @command(menu.ask, ctx, "odds", move=complete_move, match=complete_match)
    async def odds(interaction: discord.Interaction[Any], move: str = "", match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond_privately(interaction, await odds_of.odds_message(ctx, *found, move))

    @command(menu.match, ctx, "undo", match=complete_match)
    async def undo(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            row, reader = found
            question = await undo_question(ctx, row, interaction.user.id, reader)
            await respond_privately(interaction, question)

    @command(menu.match, ctx, "resign", match=complete_match)
    async def resign(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await respond_privately(interaction, await resign_question(ctx, *found))

    @command(menu.match, ctx, "draw", match=complete_match)
    async def draw(
        interaction: discord.Interaction[Any],
        answer: Literal["offer", "accept", "decline"] = "offer",
        match: str | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        row, _ = found
        user, request = interaction.user.id, f"i{interaction.id}"
        if answer == "decline":
            result = await ctx.service.play.decline_draw(row.id, user, request=request)
        else:
            result = await ctx.service.play.offer_draw(row.id, user, request=request)
        await respond_with_outcome(ctx, interaction, row.id, result)

    @command(menu.match, ctx, "public", name="share", match=complete_match)
    async def share(
        interaction: discord.Interaction[Any],
        answer: Literal["yes", "no"] | None = None,
        match: str | None = None,
    ) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is None:
            return
        if answer is None:
            await respond_privately(interaction, Outgoing(publicity_text(*found)))
        else:
            await set_publicity(ctx, interaction, *found, public=answer == "yes")

    @command(menu.match, ctx, "continue", match=complete_match)
    async def go_on(interaction: discord.Interaction[Any], match: str | None = None) -> None:
        await _continue_here(ctx, interaction, match)


async def _continue_here(ctx: Context, interaction: discord.Interaction[Any], match: str | None) -> None:
    """Continue a match whose thread or channel was lost in this channel."""
    if (found := await resolve_match(ctx, interaction, match)) is None:
        return
    row, reader = found
    say = reader.say
    if reader.seat is None:
        await respond_privately(interaction, Outgoing(say(msg("bot.move.not_yours", match=row.id))))
        return
    if not bot_is_there(interaction):
        await respond_privately(interaction, Outgoing(say(msg("bot.elsewhere.continue"))))
        return
    at = this_place(interaction)
    if not row.unreachable or at is None or row.place.guild != interaction.guild_id:
        text = say(msg("bot.continue.no_need", match=row.id, place=f"<#{row.place.home}>"))
        await respond_privately(interaction, Outgoing(text))
        return
    if (why := await why_not_here(ctx, interaction, at)) is not None:
        await respond_privately(interaction, Outgoing(say(why)))
        return
    await defer(interaction)
    moved = await ctx.service.channels.move(row.id, Place(interaction.guild_id, at.channel))
    if not await ctx.store.outbox_pending(row.id):
        board = BoardMessage((await ctx.service.queries.last_change(row)).first, row.version)
        await ctx.store.outbox_add(drafts.draft(board, row.id), moved.updated)
    await respond_privately(interaction, Outgoing(say(msg("bot.continue.done", match=row.id))))
    await ctx.delivery.send()
