"""Slash commands, in files named after their first word.

Their names are English; their descriptions come from the catalogue.

Commands that say nothing else work everywhere, also where only a person has installed the bot. Those that
need the bot itself are offered in its servers only, and those under `/server` to people who manage a server,
unless the server decides otherwise (Server Settings, Integrations).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot.context import Context
from bot.inbound.commands import (
    ask,
    learn,
    maps,
    match,
    matches,
    moderate,
    move,
    operator,
    play,
    ranking,
    replay,
    server,
    settings,
    tournament,
)
from bot.inbound.commands.common import Menu

CONTEXTS = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
"""Where commands are offered, unless they say otherwise."""
INSTALLS = app_commands.AppInstallationType(guild=True, user=True)
"""To whom commands are offered, unless they say otherwise: servers and people that have installed the bot."""


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add all commands to the tree, unless it has some already."""
    if tree.get_commands():
        return
    menu = Menu.add_to(tree, ctx)
    for each in (
        play,
        move,
        learn,
        ask,
        match,
        settings,
        server,
        replay,
        matches,
        ranking,
        tournament,
        maps,
        moderate,
        operator,
    ):
        each.add(menu, ctx)


log = logging.getLogger(__name__)
_PATIENCE: Final = 10.0
"""Seconds that a start waits for Discord to take the list of commands."""


COMMANDS_WAIT: Final = "commands_wait"
"""Noted with the digest of the list while Discord hasn't taken a changed one: `dominium doctor` shows it."""


async def sync(tree: app_commands.CommandTree[Any], ctx: Context) -> bool:
    """Send the list of commands to Discord if it has changed: 200 may be created in a day.

    Return whether Discord has it. If not, the bot goes on with the earlier one, and tries again later.
    """
    listed = [command.to_dict(tree) for command in tree.get_commands()]
    listed.append({"application": ctx.discord.client.application_id})
    digest = hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()
    known = await ctx.preferences.get("guild", 0)
    waited = known.pop(COMMANDS_WAIT, None)
    if known.get("commands") == digest and not ctx.config.always_sync:
        if waited:
            await ctx.preferences.save("guild", 0, known)
        return True
    try:
        async with asyncio.timeout(_PATIENCE):
            await tree.sync()
    except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError) as error:
        log.warning("Discord hasn't taken the list of commands; it waits", extra={"error": repr(error)})
        if not waited:
            await ctx.preferences.save("guild", 0, {**known, COMMANDS_WAIT: True})
        return False
    log.info("Discord has taken the list of commands")
    await ctx.preferences.save("guild", 0, {**known, "commands": digest})
    return True
