"""`dominium run`: the bot on Discord where a token is set, else in the local sandbox."""

from __future__ import annotations

import asyncio

import click

from bot.main import serve
from bot.platform.config import Config, ConfigError
from bot.platform.logs import set_up_logs
from cli.config import configuration
from cli.sandbox import play_locally
from cli.terminal import Sorry
from matches.ports import StoreError


@click.command(short_help="Start the bot, online or in the sandbox.")
def command() -> None:
    """Start the bot: on Discord where DISCORD_TOKEN is set, else in a local sandbox."""
    config = configuration()
    if not config.token:
        play_locally(config)
        return
    on_discord(config)


def on_discord(config: Config) -> None:
    """Run until a signal; a wrong setting or an unusable database ends with one sentence."""
    set_up_logs(config.log_level, config.log_format, (config.token,))
    try:
        asyncio.run(serve(config))
    except (ConfigError, StoreError) as error:
        raise Sorry(str(error)) from error
    except OSError as error:
        # Not a setting: exit code 1, so that a supervisor tries again when the network is back.
        raise click.ClickException(f"Discord can't be reached: {error}") from error
