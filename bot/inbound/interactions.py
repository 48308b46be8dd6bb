"""Pass pressed buttons, used menus and submitted forms to their handlers, and answer for errors.

What excluded people may still do is listed here: go on with what they play, and look after their data. Every
other command, button, menu and form is closed to them, and so is whatever is added later. Messages only ever
make moves in matches that go on, so they have no gate.
"""

from __future__ import annotations

import logging
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot.actions import (  # noqa: F401 - each registers the handlers of its verbs
    absence,
    front_panel,
    help_panel,
    lessons,
    match_panel,
    puzzles,
    rules_pages,
    seats,
    standing,
    tournaments,
)
from bot.actions.handlers import handler_of
from bot.actions.interaction_responses import respond_privately
from bot.actions.lobby import lobby_clock, opening, terms  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.lookback import analyses, dice, films, replay, story  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.match_access import may_look, respond_unknown_match
from bot.actions.people import blocks, data_exports, erasures, moderation, ping_settings, settings_panel  # noqa: F401 - each registers the handlers of its verbs
from bot.actions.play import (  # noqa: F401 - each registers the handlers of its verbs
    coach,
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
from bot.actions.watching import follows as watching  # noqa: F401 - each registers the handlers of its verbs
from bot.context import Context
from bot.inbound.commands.common import describe
from bot.messages.buttons import NO_MATCH
from bot.messages.components import Call
from bot.messages.outgoing import Outgoing
from games.engine.message import Msg, msg
from matches.ports import StoreError

log = logging.getLogger(__name__)

_UNKNOWN_INTERACTION = 10062
_ACKNOWLEDGED = 40060
"""Something has responded to the interaction before: it was delivered twice."""
OPEN_COMMANDS: Final = frozenset({
    "games", "move", "match", "help", "settings", "server", "moderate",
    "ask board", "ask moves", "ask about", "ask odds", "ask hand", "learn rules",
    "matches mine", "matches finished", "matches watch stop", "replay record", "replay verify",
})  # fmt: skip
"""Names of slash commands, or of groups with all that is in them."""
OPEN_MENUS: Final = ("play_this", "block")
"""Keys of the texts that name message and user commands."""
OPEN_VERBS: Final = frozenset({
    "moves", "page", "type", "typed", "try", "tried", "asked", "targets", "pick", "play", "sure", "tap",
    "odds", "view", "overlay", "zoom", "since", "sealed", "offer", "draw", "agree", "refuse", "abort",
    "resign", "resign_yes", "undo", "undo_agree", "undo_refuse", "undo_yes", "claim", "pause_agree",
    "pause_refuse", "idle_on", "idle_off", "idle_up", "snooze", "pings", "ping_form", "ping_set",
    "ping_times", "plan", "plan_add", "plan_clear", "plan_drop", "plan_line", "plan_only", "seat_back",
    "seat_keep", "seat_no", "seat_take", "seat_yes", "leave", "close", "mine", "unfollow", "rules",
    "rules_page", "rules_try", "block", "blocks", "unblock", "data", "forget", "forget_no", "forget_now",
    "forget_sure", "front_finished", "front_more", "front_rules", "help", "help_topic", "match_more",
    "mod_ask", "mod_do", "mod_log", "mod_match", "mod_seat", "pause_ask", "pause_end", "seat_give",
    "seat_leave", "seat_offer", "seat_panel", "servers", "server_leave",
})  # fmt: skip
"""Verbs of buttons, menus and forms. A seat that is taken asks `Admission` itself."""


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
    """Return whether a person may do what they ask for; if not, reply why.

    They may do nothing while they are being forgotten, and if they are excluded only what goes on.
    """
    why: Msg | None = None
    if ctx.service.erasures.is_running(interaction.user.id):
        why = msg("bot.privacy.running")
    elif not goes_on(ctx, interaction, call):
        why = await ctx.service.admission.why_excluded(None, interaction.user.id)
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
    """Reply in one sentence that we failed, and log the error with its traceback.

    If what the person asked for was done all the same, the reply is that, and never to try again.
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
        text = msg("bot.error.ours") if done is None else msg("bot.error.done", match=done)
        await respond_privately(interaction, Outgoing(ctx.readers.default.say(text)))
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


def goes_on(ctx: Context, interaction: discord.Interaction[Any], call: Call | None = None) -> bool:
    """Return whether an interaction is open to excluded people; `call` is that of a component or form."""
    if call is not None:
        return call.verb in OPEN_VERBS
    command = interaction.command
    if isinstance(command, app_commands.ContextMenu):
        return command.name in {describe(ctx, key) for key in OPEN_MENUS}
    if command is None:
        return True  # no command of ours: the library answers for it
    name = command.qualified_name
    return name in OPEN_COMMANDS or name.split()[0] in OPEN_COMMANDS
