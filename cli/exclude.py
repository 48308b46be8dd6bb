"""`dominium exclude add|lift|log`: who may not begin anything new, while the bot is stopped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar, cast

import click

from bot.platform.real_clock import DiscordClock, SystemEntropy
from cli.opening import database_option, in_store, store_of
from cli.terminal import Sorry, out
from matches.people.exclusions import MAX_DAYS, MAX_ID, OPERATOR, Exclusions, Kind
from matches.service import MatchService

Answer = TypeVar("Answer")


def _on(database: str | None, act: Callable[[Exclusions], Awaitable[Answer]]) -> Answer:
    try:
        return in_store(
            store_of(database),
            lambda store: act(MatchService(store, DiscordClock(), SystemEntropy()).exclusions),
        )
    except ValueError as error:
        raise Sorry(str(error)) from error


_KIND = click.argument("kind", type=click.Choice(["person", "server"]))
_ID = click.argument("id", type=click.IntRange(1, MAX_ID))


@click.group()
def command() -> None:
    """Exclude people or servers from the whole bot, while it is stopped; /operator does it while it runs.

    Matches in progress go on, open lobbies are left, and nothing new can be begun.
    """


@command.command(short_help="Exclude a person or a server.")
@_KIND
@_ID
@click.option("--reason", required=True, help="Why, in one line; those who are excluded are shown it.")
@click.option(
    "--days", type=click.IntRange(1, MAX_DAYS), help="For how many days; by default without an end."
)
@database_option
def add(kind: str, id: int, reason: str, days: int | None, database: str | None) -> None:  # noqa: A002
    """Exclude the person or server with this Discord id, in place of an earlier exclusion."""
    lasts = None if days is None else timedelta(days=days)
    left = _on(database, lambda one: one.exclude(cast("Kind", kind), id, OPERATOR, reason, lasts))
    out().print(f"excluded; {len(left)} lobbies were left or closed")


@command.command(short_help="Lift an exclusion.")
@_KIND
@_ID
@database_option
def lift(kind: str, id: int, database: str | None) -> None:  # noqa: A002
    """Lift the exclusion of a person or server."""
    if not _on(database, lambda one: one.lift(cast("Kind", kind), id, OPERATOR)):
        raise Sorry(f"{kind} {id} isn't excluded")
    out().print("lifted")


@command.command(short_help="List who was excluded and readmitted.")
@_KIND
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True)
@database_option
def log(kind: str, limit: int, database: str | None) -> None:
    """List exclusions and their ends, the latest first: when, by whom (0: this command), what, why."""
    for row in _on(database, lambda one: one.log(cast("Kind", kind), limit)):
        done = "lifted" if row.action == "lift" else "excluded"
        until = "" if row.until is None else f" until {row.until:%Y-%m-%d %H:%M}"
        click.echo(f"{row.at:%Y-%m-%d %H:%M}  by {row.moderator}  {row.person} {done}{until}  {row.reason}")
