"""Interactions: buttons, menus and forms go to their handlers; errors are answered kindly."""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord import app_commands

# Each of these registers the handlers of its verbs.
from bot.actions import (
    analysis,
    lobby,
    map_library,
    move_menu,
    move_targets,
    moves,
    odds,
    offers,
    private_views,
    rematch,
    replay,
    rules_pages,
    sealed_dice,
)
from bot.actions.handlers import HANDLERS
from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from games.engine.message import msg

log = logging.getLogger(__name__)

_UNKNOWN_INTERACTION = 10062

ACTIONS = (
    analysis,
    lobby,
    map_library,
    move_menu,
    move_targets,
    moves,
    odds,
    offers,
    private_views,
    rematch,
    replay,
    rules_pages,
    sealed_dice,
)
"""The modules whose handlers there are."""


async def answer_call(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Carry out a pressed button, a used menu or a submitted form."""
    handler = HANDLERS.get(call.verb)
    try:
        if handler is None:
            reader = await ctx.readers.of(interaction)
            await respond_privately(interaction, Outgoing(reader.say(msg("bot.error.old"))))
            return
        await handler(ctx, interaction, call)
    except Exception as error:
        await failed(ctx, interaction, error)


async def failed(ctx: Context, interaction: discord.Interaction[Any], error: Exception) -> None:
    """Say in one sentence that the fault is ours, and log it with its trace."""
    origin = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if isinstance(origin, discord.NotFound) and origin.code == _UNKNOWN_INTERACTION:
        log.warning("an interaction was answered too late", extra={"interaction": interaction.id})
        return
    log.error("an interaction failed", exc_info=origin, extra={"interaction": interaction.id})
    try:
        text = ctx.readers.default.say(msg("bot.error.ours"))
        await respond_privately(interaction, Outgoing(text))
    except discord.HTTPException:
        log.warning("and could not be answered", extra={"interaction": interaction.id})
