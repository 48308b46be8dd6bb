"""`dominium errors list|clear`: unexpected errors, by the place in the code where they happen."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from cli.opening import database_option, in_store, store_of
from cli.terminal import Sorry, out
from storage import StoreError, read_errors


@click.group()
def command() -> None:
    """Show unexpected errors by place in the code and kind. What they say is in the log only."""


@command.command("list", short_help="List them, those seen latest first.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@database_option
def list_(as_json: bool, database: str | None) -> None:
    """List the errors, those seen latest first.

    The bot may run meanwhile: it stores new ones twice a minute.
    """
    try:
        groups = read_errors(store_of(database))
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error
    for one in groups:
        if as_json:
            click.echo(json.dumps(asdict(one), default=lambda time: time.isoformat()))
        else:
            times = f"{one.since:%Y-%m-%d %H:%M} to {one.latest:%Y-%m-%d %H:%M}"
            click.echo(f"{one.count:>6} x  {times}  {one.version}  {one.kind}  {one.place}")
    if not groups and not as_json:
        out().print("no errors")


@command.command(short_help="Remove them all.")
@database_option
def clear(database: str | None) -> None:
    """Remove all of them; on a file, while the bot is stopped (/operator does it while it runs)."""
    out().print(f"{in_store(store_of(database), lambda store: store.clear_errors()):,} removed")
