"""Run the bot as a process: build the client from a configuration, and serve until a signal."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator

import discord

from bot.app import Dominium
from bot.platform.config import Config, ConfigError
from bot.platform.loopback import point_discord_at
from bot.platform.real_clock import DiscordClock
from bot.sharded import ShardedDominium
from bot.supervisor import READY, Supervisor
from matches.ports import Entropy, Store
from storage import open_either

log = logging.getLogger(__name__)

_GC_THRESHOLDS = (20_000, 20, 20)
"""Thresholds of the garbage collector: a picture allocates thousands of objects, and shouldn't trigger it."""

_SWITCH_INTERVAL = 0.0002
"""How long a drawing thread may hold the interpreter while others wait, in seconds. Python's default is 25
times that, which is longer than a commit takes."""

_TOKEN_REFUSED = 4004
"""The gateway's close code for a token that is wrong, or was reset while the bot was running."""
_SHARDS_NEEDED = 4011
"""Its close code for a bot that is in too many servers for one session."""
_BOT_REFUSED = frozenset({4010, 4012, 4013})
"""Its close codes for a bot that connects in a way that it doesn't take."""


def build(config: Config, *, entropy: Entropy | None = None) -> Dominium:
    """Return a new client on the configured database, which is opened when the client starts."""

    name = f"{socket.gethostname()}:{os.getpid()}" if config.is_shared else None

    async def opened() -> Store:
        return await open_either(config.store, clock=DiscordClock(), name=name)

    return kind(config)(config, opened, entropy=entropy)


def kind(config: Config) -> type[Dominium]:
    """Return the class of the client: that of bots with one shard, or with several."""
    return ShardedDominium if config.is_shared or config.shards != 1 else Dominium


@contextlib.asynccontextmanager
async def operator_server(config: Config, client: Dominium) -> AsyncIterator[tuple[str, int] | None]:
    """Serve metrics and health meanwhile, if they are switched on; yield their address.

    Otherwise nothing of it is even imported.
    """
    if config.metrics is None:
        yield None
        return
    from bot.platform.operator_server import OperatorServer

    server = OperatorServer(client.counters, DiscordClock(), client.outbox_state)
    try:
        yield await server.start(*config.metrics)
    finally:
        await server.close()


async def serve(config: Config) -> None:
    """Run on Discord until the process is asked to stop.

    Raises ConfigError for a wrong token or intent, at the start or later.
    """
    if config.discord_api:
        point_discord_at(config.discord_api)
    client = build(config)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    gc.collect()
    gc.freeze()  # exclude what was loaded at the start from collections
    gc.set_threshold(*_GC_THRESHOLDS)
    loop = asyncio.get_running_loop()
    serving = asyncio.create_task(_start(config, client))
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, serving.cancel)
    heeding = None
    if config.supervisor is not None:
        heeding = asyncio.create_task(_heed_supervisor(config.supervisor, client, serving))
    try:
        await serving
    except asyncio.CancelledError:
        log.info("asked to stop")
    except discord.LoginFailure as error:
        raise ConfigError("Discord refuses DISCORD_TOKEN: copy it anew from the portal's Bot page") from error
    except discord.ConnectionClosed as error:
        if error.code == _SHARDS_NEEDED:
            raise ConfigError(
                "Discord requires shards for the number of servers this bot is in: set SHARDS=auto"
            ) from error
        if error.code in _BOT_REFUSED:
            raise ConfigError(
                f"Discord's gateway refuses this bot (close code {error.code}): update the program"
            ) from error
        if error.code != _TOKEN_REFUSED:
            raise
        raise ConfigError(
            "Discord no longer accepts DISCORD_TOKEN: it was reset. "
            "Copy the new one from the portal's Bot page"
        ) from error
    except discord.PrivilegedIntentsRequired as error:
        raise ConfigError(
            "DOMINIUM_MESSAGE_CONTENT is on, but the Message Content Intent is not switched on for this "
            "application: switch it on at Discord's developer portal (Bot page), or set it to no"
        ) from error
    finally:
        if heeding is not None:
            heeding.cancel()
        await client.close()


async def supervise(config: Config) -> int:
    """Run several processes until this one is asked to stop; return the exit status."""
    return await Supervisor(config).run()


async def _heed_supervisor(fd: int, client: Dominium, serving: asyncio.Task[None]) -> None:
    """Notify the supervisor once people are heard, and stop if it is gone."""
    reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=fd))
    reading = asyncio.create_task(reader.read())
    heard = asyncio.create_task(client.own_shards.serving.wait())
    try:
        await asyncio.wait((reading, heard), return_when=asyncio.FIRST_COMPLETED)
        if heard.done():
            writer.write(READY)
        with contextlib.suppress(ConnectionError):  # it has died before it read that
            await reading
        log.warning("the supervisor is gone")
        serving.cancel()
    finally:
        reading.cancel()
        heard.cancel()
        writer.close()


async def _start(config: Config, client: Dominium) -> None:
    async with operator_server(config, client):
        await client.start(config.token)
