"""`dominium servers`: the servers that the bot is in and how they use it, and how to leave one."""

from __future__ import annotations

import json
import sys
import urllib.error
from collections.abc import Iterator
from typing import Any

import click

from bot.messages.names import plain_name
from cli.check_discord import Portal, all_guilds
from cli.config import configuration
from cli.opening import database_option, store_of
from cli.terminal import Sorry, out
from matches.people.exclusions import MAX_ID
from matches.store.servers import ServerUse
from storage import StoreError, read_server_use


@click.group(invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List the servers that the bot is in, as `dominium servers list` does, or leave one.

    The bot may run meanwhile.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_, as_json=False, database=None)


@command.command("list", short_help="List them, by use.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@database_option
def list_(as_json: bool, database: str | None) -> None:
    """List the servers: those with most matches in progress first, then those used last.

    Names and members come from Discord, by DISCORD_TOKEN. Without it only servers with matches are known.
    """
    use = {one.guild: one for one in _use(database)}
    for row in _rows(use, _on_discord()):
        if as_json:
            click.echo(json.dumps(row))
            continue
        members = "?" if row["members"] is None else f"{row['members']:,}"
        used = "never" if row["latest"] is None else f"{row['first'][:10]} to {row['latest'][:10]}"
        name = "" if row["name"] is None else plain_name(row["name"])
        click.echo(
            f"{row['id']:<20} {row['live']:>5} live  {used:<24}  {members:>9} members  {name}".rstrip()
        )


@command.command(short_help="Leave a server.")
@click.argument("id", type=click.IntRange(1, MAX_ID))
@click.option("--yes", is_flag=True, help="Don't ask.")
@database_option
def leave(id: int, yes: bool, database: str | None) -> None:  # noqa: A002 - what people see
    """Let the bot leave the server with this Discord id, also while it runs.

    Its matches stay as they are, as after a moderator removes the bot: nothing can be posted there. If the
    bot is invited again, they go on.
    """
    portal = _portal()
    if portal is None:
        raise Sorry("Leaving a server needs DISCORD_TOKEN in the settings.")
    try:
        guild = portal.get(f"/guilds/{id}")
        live = next((one.live for one in _use(database) if one.guild == id), 0)
        if not yes:
            asked = f"Leave {plain_name(str(guild['name']))}, where {live:,} matches are in progress?"
            click.confirm(asked, abort=True)
        portal.leave(id)
    except urllib.error.HTTPError as error:
        if error.code in (403, 404):
            raise Sorry(f"The bot isn't in the server {id}.") from error
        raise Sorry(f"Discord answers {error.code}.") from error
    except (OSError, ValueError) as error:
        raise Sorry(f"Discord can't be reached: {getattr(error, 'reason', None) or error}") from error
    out().print("left")


def _use(database: str | None) -> tuple[ServerUse, ...]:
    try:
        return read_server_use(store_of(database))
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error


def _portal() -> Portal | None:
    config = configuration()
    return Portal(config.token, config.discord_api) if config.token else None


def _on_discord() -> dict[int, dict[str, Any]] | None:
    """Return the bot's servers by id; None, with a word on stderr, if Discord can't be asked."""
    portal = _portal()
    if portal is None:
        why = "DISCORD_TOKEN isn't set"
    else:
        try:
            return {int(one["id"]): one for one in all_guilds(portal, with_counts=True)}
        except (OSError, ValueError) as error:
            why = f"Discord can't be asked ({getattr(error, 'reason', None) or error})"
    click.echo(f"{why}: names, members and servers without matches are unknown.", file=sys.stderr)
    return None


def _rows(use: dict[int, ServerUse], known: dict[int, dict[str, Any]] | None) -> Iterator[dict[str, Any]]:
    """Yield what is listed of each server, in the order of use; of those that the bot has left, nothing."""
    for guild in dict.fromkeys((*use, *(() if known is None else known))):
        if known is not None and guild not in known:
            continue
        there, played = (known or {}).get(guild, {}), use.get(guild)
        yield {
            "id": guild,
            "name": there.get("name"),
            "members": there.get("approximate_member_count"),
            "live": 0 if played is None else played.live,
            "first": None if played is None else played.first.isoformat(),
            "latest": None if played is None else played.latest.isoformat(),
        }
