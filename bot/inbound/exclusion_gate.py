"""What excluded people may still do: go on with what they play, and look after their data.

Every command, button, menu and form that isn't listed here is closed to them, and so is whatever is added
later. Messages only ever make moves in matches that go on, so they have no gate.
"""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands

from bot.context import Context
from bot.inbound.commands.common import describe
from bot.messages.components import Call

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
