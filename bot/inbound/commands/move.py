"""`/move`, and the message command "Play this" (long press or right click, Apps): play a written message.

The interaction of "Play this" carries the message, so that no intent is needed to read it. The request has
the message's id: a message that is also read in another way counts once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.actions.interaction_responses import respond_privately
from bot.actions.play.move_answers import refusal_text
from bot.actions.play.moves import submit
from bot.actions.play.typed_message import TypedMessage, choose_match
from bot.actions.play.typed_moves import is_choosing_in_secret
from bot.context import Context
from bot.inbound.commands.common import Menu, command, complete_match, complete_move, describe, resolve_match
from bot.inbound.messages import read_typed
from bot.messages.buttons import own_view_label
from bot.messages.outgoing import Outgoing
from games.engine import registry
from games.engine.message import msg


async def play_message(ctx: Context, interaction: discord.Interaction[Any], message: discord.Message) -> None:
    """Play a person's own message: in the match of its thread, otherwise as a direct message is played."""
    reader = await ctx.readers.of(interaction)
    typed = await _typed(ctx, message)
    if message.author.id != interaction.user.id or not typed.text:
        key = "bot.play_this.empty" if message.author.id == interaction.user.id else "bot.play_this.not_yours"
        await respond_privately(interaction, Outgoing(reader.say(msg(key))))
        return
    choice = await choose_match(ctx, message, typed)
    if choice.row is None:
        why = None if choice.why is None else await refusal_text(ctx, choice.why, reader, None)
        await respond_privately(interaction, Outgoing(why or reader.say(msg("bot.move.no_match"))))
        return
    openly = message.guild is not None and await is_choosing_in_secret(ctx, choice.row)

    async def tell(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
        if openly:
            view = own_view_label(registry.get(row.game))
            note = reader.say(msg("bot.move.open", view=view))
            outgoing = replace(outgoing, content=f"{outgoing.content}\n{note}")
        await respond_privately(interaction, outgoing)

    row, request = choice.row, f"m{message.id}"
    await submit(
        ctx, interaction, row.id, choice.text, version=typed.version, request=request, on_played=tell
    )


async def _typed(ctx: Context, message: discord.Message) -> TypedMessage:
    """Return the text as if the bot had been mentioned; a reply to a board stays one."""
    typed = await read_typed(ctx, message)
    if typed is not None and typed.route in ("reply", "mention", "dm"):
        return typed
    return TypedMessage("mention", message.content.strip())


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""

    @command(menu.tree, ctx, "move", move=complete_move, match=complete_match)
    async def move(interaction: discord.Interaction[Any], move: str, match: str | None = None) -> None:
        if (found := await resolve_match(ctx, interaction, match)) is not None:
            await submit(ctx, interaction, found[0].id, move)

    async def play_this(interaction: discord.Interaction[Any], message: discord.Message) -> None:
        await play_message(ctx, interaction, message)

    menu.tree.add_command(app_commands.ContextMenu(name=describe(ctx, "play_this"), callback=play_this))
