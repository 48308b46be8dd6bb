"""`dominium run`: the bot on Discord if a token is set, otherwise in the local sandbox."""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import Final

import aiohttp
import click
import discord

from bot.main import serve, supervise
from bot.platform.config import Config, ConfigError, application_id
from bot.platform.logs import set_up_logs
from cli.config import configuration
from cli.sandbox import listening, play_locally
from cli.terminal import Sorry
from matches.ports import StoreError, StoreUnavailableError

_NETWORK_ERRORS: Final = (
    aiohttp.ClientError,
    discord.HTTPException,
    discord.GatewayNotFound,
    socket.gaierror,
    ConnectionError,
    TimeoutError,
)


@click.command()
@click.option("--host", help="For the sandbox: a loopback address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="For the sandbox: a port, 0 for any free one.")
def command(host: str | None, port: int | None) -> None:
    """Start the bot: on Discord if DISCORD_TOKEN is set, otherwise in a local sandbox."""
    config = configuration()
    if not config.token:
        play_locally(listening(config, host, port))
        return
    if host is not None or port is not None:
        raise Sorry(
            "--host and --port are for the sandbox, but DISCORD_TOKEN is set: this would go online. "
            "`dominium sandbox` starts the sandbox even with a token."
        )
    try:
        application_id(config.token)
    except ValueError as error:
        raise Sorry(
            f"DISCORD_TOKEN can't be a token: {error}. "
            "Copy it again from the developer portal (Bot, Reset Token)."
        ) from error
    on_discord(config)


def on_discord(config: Config) -> None:
    """Run until a signal; a wrong setting, an unusable database or no Discord end with one sentence."""
    set_up_logs(config.log_level, config.log_format, config.secrets)
    try:
        if config.processes > 1 and config.process is None:
            sys.exit(asyncio.run(supervise(config)))
        asyncio.run(serve(config))
    # Exit code 2 is for what someone has to set right. What may pass on its own (a full disk, a locked
    # database, no network, an outage of Discord) ends with 1, so that a supervisor tries again.
    except StoreUnavailableError as error:
        raise click.ClickException(str(error)) from error
    except (ConfigError, StoreError) as error:
        raise Sorry(str(error)) from error
    except _NETWORK_ERRORS as error:
        raise click.ClickException(f"Discord can't be reached: {one_line(error)}") from error
    except OSError as error:  # of this machine: memory, processes, files
        raise click.ClickException(f"This machine can't run the bot now: {one_line(error)}") from error


def one_line(error: Exception) -> str:
    """Return the text of an error, on one line of at most 200 characters: a proxy answers with a page."""
    return " ".join(str(error).split())[:200] or type(error).__name__
