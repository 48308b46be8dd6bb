"""`dominium doctor`: look at everything the bot needs, and say what to do. No secret is shown."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path

import click
from rich.text import Text

from bot.platform.config import Config, ConfigError, ReadSetting, load_config
from bot.platform.real_clock import DiscordClock
from cli import check_discord, check_logs, check_machine, check_operation
from cli.findings import Finding
from cli.terminal import out
from matches.ports import StoreError

_STYLE = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def examine(config: Config, *, offline: bool, logs: bool = False) -> Iterator[Finding]:
    """Run every check in turn; `logs` replays the log of every match."""
    yield from check_machine.python()
    yield from check_machine.sqlite()
    yield from check_machine.pictures()
    yield from check_machine.tables(config.table_folder)
    yield from check_machine.teaching()
    yield from check_machine.time_zones()
    if config.database_url:
        found = check_operation.look(config.database_url)
        yield from check_operation.database(found)
        if not isinstance(found, StoreError) and found.schema:
            if logs:
                yield from check_logs.logs(config.database_url)
            yield from check_operation.backups(config, DiscordClock().now(), of_server_since=found.made)
    else:
        yield from check_machine.disk(config.data)
        yield from check_machine.database(config.data)
        if logs:
            yield from check_logs.logs(config.data)
        yield from check_operation.backups(config, DiscordClock().now())
    yield from check_operation.commands(config.store)
    yield from check_operation.logs(config)
    yield from check_operation.metrics(config)
    yield from check_operation.unit()
    token = check_discord.shape(config.token)
    yield token
    if token.level == "ok" and not offline:
        portal = check_discord.Portal(config.token, config.discord_api)
        yield from check_discord.look(
            portal, DiscordClock().now(), wants_content=config.message_content, data=config.store
        )


def _settings(dotenv: Path, read: dict[str, ReadSetting]) -> Config | Finding:
    try:
        return load_config(os.environ, dotenv, read)
    except ConfigError as error:
        return Finding("fail", "settings", str(error), f"Correct it in {dotenv} or in the environment.")


@click.command()
@click.option(
    "--env", "dotenv", type=click.Path(path_type=Path), default=Path(".env"), help="The settings file."
)
@click.option("--offline", is_flag=True, help="Don't contact Discord.")
@click.option("--logs", is_flag=True, help="Replay the log of every match, in a copy of the database.")
@click.option(
    "--data", type=click.Path(path_type=Path), help="Another database, such as a backup. It isn't changed."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def command(dotenv: Path, data: Path | None, *, offline: bool, logs: bool, as_json: bool) -> None:
    """Check token, intents, permissions, disk, database, backups, libraries, and how the bot is run.

    Shows every setting, without secrets. Exit code 1 if something fails.
    """
    read: dict[str, ReadSetting] = {}
    config = _settings(dotenv, read)
    if isinstance(config, Finding):
        found = iter((config,))
    elif data is not None and not data.is_file() and not check_machine.has_log(data):
        found = iter((Finding("fail", "database", f"{data} doesn't exist", "Name a file that does."),))
    else:
        if data is not None:  # everything else stays where it is
            config = replace(
                config, data=data, database_url="", backups=config.backup_folder, tables=config.table_folder
            )
        found = examine(config, offline=offline, logs=logs)
    found = chain(check_operation.settings(read, dotenv), found)
    console = out()
    failed = False
    for finding in found:
        failed = failed or finding.level == "fail"
        if as_json:
            console.print(json.dumps(asdict(finding)))
            continue
        line = Text(f"{finding.level:<5}", _STYLE[finding.level])
        line.append(f" {finding.what:<12} {finding.text}", "default")
        console.print(line)
        if finding.advice:
            console.print(Text(f"{'':<19}{finding.advice}", "dim"))
    if failed:
        raise SystemExit(1)
