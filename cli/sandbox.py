"""`dominium sandbox`: the same bot on a local Discord, with a page to play on as several people."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from bot.main import build
from bot.platform.config import Config, ConfigError
from bot.platform.logs import set_up_logs
from cli.config import configuration
from cli.terminal import Sorry
from matches.ports import StoreError
from sandbox import USUAL_PORT, WorldFileError, serve


@click.command()
@click.option("--host", help="A loopback address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="A port, 0 for any free one; usually 8000, or the next free one.",
)
@click.option("--data", type=click.Path(path_type=Path), help="The folder for the sandbox's files.")
def command(host: str | None, port: int | None, data: Path | None) -> None:
    """Play on a local Discord in the browser: no token, no network."""
    play_locally(listening(configuration(), host, port), data)


def listening(config: Config, host: str | None, port: int | None) -> Config:
    """Return the settings with another address for the sandbox; None keeps what is set."""
    if host is not None:
        config = replace(config, sandbox_host=host)
    return config if port is None else replace(config, sandbox_port=port)


def play_locally(config: Config, folder: Path | None = None) -> None:
    """Serve the sandbox until Ctrl-C. Its matches and its world lie side by side, apart from real ones."""
    set_up_logs("WARNING" if config.log_level == "INFO" else config.log_level, config.log_format)
    home = folder or config.data.parent / "sandbox"
    home.mkdir(parents=True, exist_ok=True)
    world, matches = home / "world.sqlite3", home / "matches.sqlite3"
    local = replace(
        config,
        token="",
        data=matches,
        database_url="",
        shards=1,
        shard_ids=(),
        processes=1,
        tables=config.table_folder,
        always_sync=True,
        silence_seconds=1200,
        message_content=True,
    )

    def ready(address: str) -> None:
        port = urlsplit(address).port
        if config.sandbox_port is None and port != USUAL_PORT:
            click.echo(f"\n  Port {USUAL_PORT} is taken, so this is port {port}.")
        click.echo(f"\n  Dominium's sandbox is open at  {click.style(address, bold=True)}\n")
        click.echo(
            "  You play as Ann, Ben and others. Press a button in #games. Ctrl-C stops it; nothing is lost.\n"
        )

    def forget() -> None:
        """Move the database of an old world aside: a new world has other channels. Nothing is deleted."""
        aside = _free(matches)
        for end in ("", "-wal", "-journal"):
            if (one := matches.with_name(f"{matches.name}{end}")).exists():
                one.rename(aside.with_name(f"{aside.name}{end}"))

    try:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(
                _until_asked_to_stop(
                    serve(
                        lambda: build(local),
                        host=config.sandbox_host,
                        port=config.sandbox_port,
                        world=world,
                        ready=ready,
                        on_world_reset=forget,
                    )
                )
            )
    except (ConfigError, StoreError, WorldFileError, ValueError, OSError) as error:
        raise Sorry(str(error)) from error


async def _until_asked_to_stop(serving: Coroutine[Any, Any, None]) -> None:
    """Serve until SIGTERM, which ends it as Ctrl-C does: a container's first process would ignore it."""
    task = asyncio.create_task(serving)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await task


def _free(path: Path) -> Path:
    """Return a name beside `path` that is not taken, nor by a log."""
    number = 1
    while any(path.parent.glob(f"{path.stem}.old-{number}{path.suffix}*")):
        number += 1
    return path.with_name(f"{path.stem}.old-{number}{path.suffix}")
