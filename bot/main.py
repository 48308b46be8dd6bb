"""Composition for a process: a client from a configuration, and its life until a signal."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys

import discord

from bot.app import Dominium
from bot.platform.clock import DiscordClock
from bot.platform.config import Config, ConfigError
from bot.platform.loopback import point_discord_at
from matches.ports import Entropy, Store
from storage import open_store

log = logging.getLogger(__name__)

_COLLECT = (20_000, 20, 20)
"""Objects until a collection of the young: a picture makes thousands, so that each would pay for one."""

_TURN = 0.0002
"""Seconds after which a thread that draws lets those of the loop and the database go on; Python's own is ten
times that, which is longer than a commit takes."""


def build(config: Config, *, entropy: Entropy | None = None) -> Dominium:
    """Return a new client on the configured database, which is opened when the client starts."""

    async def opened() -> Store:
        return await open_store(config.data, clock=DiscordClock())

    return Dominium(config, opened, entropy=entropy)


async def serve(config: Config) -> None:
    """Run on Discord until the process is asked to stop. Raises ConfigError for a wrong token."""
    if config.discord_api:
        point_discord_at(config.discord_api)
    client = build(config)
    sys.setswitchinterval(_TURN)
    gc.collect()
    gc.freeze()  # what a process loads once need not be looked through at every collection
    gc.set_threshold(*_COLLECT)
    loop = asyncio.get_running_loop()
    serving = asyncio.create_task(client.start(config.token))
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        log.info("asked to stop")
    except discord.LoginFailure as error:
        raise ConfigError("Discord refuses DISCORD_TOKEN: copy it anew from the portal's Bot page") from error
    except discord.PrivilegedIntentsRequired as error:
        raise ConfigError(
            "DOMINIUM_MESSAGE_CONTENT is on, but the Message Content Intent is not switched on for this "
            "application: switch it on at Discord's developer portal (Bot page), or set it to no"
        ) from error
    finally:
        await client.close()
