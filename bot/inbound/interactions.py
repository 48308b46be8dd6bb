"""Pass pressed buttons, used menus and submitted forms to their handlers, and answer for errors."""

from __future__ import annotations

import logging
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.actions import front_panel, help_panel, lessons, match_panel, puzzles, rules_pages, seats  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.absence import clocks, idle  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.handlers import handler_of
from bot.actions.interaction_responses import respond_privately
from bot.actions.loading import respond_unknown_match
from bot.actions.lobby import invitations, lobby_clock, rematch, terms  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.lookback import analysis, films, replay, sealed_dice, story  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.match_access import may_look
from bot.actions.people import blocks, erasures, moderation, pings, settings_panel  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.play import (  # noqa: F401 - each registers the handlers of its verbs
    coaching,
    hints,
    move_menu,
    move_targets,
    moves,
    odds,
    offers,
    plans,
    private_views,
    since,
    undo,
)
from bot.actions.records import archive, positions  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.servers import map_library  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.standing import leaderboards  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.tournaments import taking_part  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.watching import following as watching  # noqa: F401 - each registers the handlers of its verbs
from bot.context import Context
from bot.inbound.exclusion_gate import goes_on
from bot.messages.buttons import NO_MATCH
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, msg
from matches.ports import StoreError

log = logging.getLogger(__name__)

_UNKNOWN_INTERACTION = 10062
_ACKNOWLEDGED = 40060
"""Something has responded to the interaction before: it was delivered twice."""


async def answer_call(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Call the handler of a button, menu or form."""
    handler = handler_of(call)
    try:
        if not await may_act(ctx, interaction, call):
            return
        if handler is None:
            reader = await ctx.readers.of(interaction)
            await respond_privately(interaction, Outgoing(reader.say(msg("bot.error.old"))))
            return
        if call.verb in seats.ADDRESSED or await _may_press(ctx, interaction, call.match):
            await handler(ctx, interaction, call)
        else:
            await respond_unknown_match(ctx, interaction, call.match)
    except Exception as error:
        await report_failure(ctx, interaction, error)


async def may_act(ctx: Context, interaction: discord.Interaction[Any], call: Call | None = None) -> bool:
    """Return whether a person may do what they ask for; if not, tell them why.

    They may do nothing while they are being forgotten, and if they are excluded only what goes on.
    """
    why: Msg | None = None
    if ctx.service.erasures.is_running(interaction.user.id):
        why = msg("bot.privacy.running")
    elif not goes_on(ctx, interaction, call):
        why = await ctx.service.exclusions.why_excluded(interaction.user.id)
    if why is not None and interaction.type is not discord.InteractionType.autocomplete:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(reader.say(why)))
    return why is None


async def _may_press(ctx: Context, interaction: discord.Interaction[Any], match: str) -> bool:
    """Return whether a person may use the components of a match, which may be older than its permissions."""
    row = None if match == NO_MATCH else await ctx.service.queries.row(match)
    if row is None or row.version < 0:  # handlers judge this; a lobby shows no more than its message
        return True
    return await may_look(ctx, row, interaction.user, interaction.channel_id)


async def report_failure(ctx: Context, interaction: discord.Interaction[Any], error: Exception) -> None:
    """Tell the person in one sentence that we failed, and log the error with its traceback.

    If what they asked for was done all the same, they are told that, and never to try again.
    """
    origin = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    code = origin.code if isinstance(origin, discord.HTTPException) else 0
    extra = {"interaction": interaction.id}
    if code == _ACKNOWLEDGED:
        log.info("an interaction came twice", extra=extra)
        return
    done = await _done_by(ctx, interaction)
    if code == _UNKNOWN_INTERACTION:
        ctx.operation.counters.add("answers too late")
        log.warning("an interaction was answered too late", extra=extra)
        return
    ctx.operation.counters.add("interactions that failed")
    log.error("an interaction failed", exc_info=origin, extra=extra)
    try:
        said = msg("bot.error.ours") if done is None else msg("bot.error.done", match=done)
        await respond_privately(interaction, Outgoing(ctx.readers.default.say(said)))
    except (discord.DiscordException, OSError, aiohttp.ClientError):
        log.warning("and could not be answered", extra=extra)


async def _done_by(ctx: Context, interaction: discord.Interaction[Any]) -> str | None:
    """Return the match that an interaction has changed in spite of a failure, and show it; None if none."""
    try:
        served = await ctx.store.request(f"i{interaction.id}")
        if served is not None:
            ctx.service.play.note_unanswered(served.match, interaction.user.id, served.version)
            await ctx.delivery.finish(served.match)
    except StoreError:
        return None
    return None if served is None else served.match
