"""`dominium ratings rebuild`: compute all ratings again from the logs, and compare or replace them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from bot.platform.clock import DiscordClock
from cli.opening import database_option, in_store, store_of
from cli.terminal import Sorry, out, progress
from matches.standing.match_results import result_of
from matches.store.archive_store import ArchiveQuery
from matches.store.standing_rows import MatchResult
from storage import StoreError, back_up, differing_standing, open_store, read_finished

SHOWN = 10
"""Differences named one by one."""


@click.group()
def command() -> None:
    """Ratings follow from the logs of finished matches, and can be computed again at any time."""


@command.command(short_help="Compute them again, and compare or replace those that are stored.")
@click.option("--write", is_flag=True, help="Replace what is stored, while the bot is stopped.")
@database_option
def rebuild(write: bool, database: str | None) -> None:
    """Compute all results and ratings again, in a copy, and compare them with those that are stored.

    The bot may run meanwhile, unless they are to be replaced.
    """
    where = store_of(database)
    with TemporaryDirectory(prefix="dominium-") as folder:
        scratch = Path(folder) / "scratch.sqlite3"
        try:
            back_up(where, scratch)
            asyncio.run(_migrated(scratch))
            results = _results(scratch)
            wrong, ratings = differing_standing(scratch, results)
        except (StoreError, OSError) as error:
            raise Sorry(str(error)) from error
    out().print(f"{len(results):,} results, {ratings:,} ratings: {_difference(wrong)}")
    if write:
        count = in_store(where, lambda store: store.replace_standing(results))
        out().print(f"{count:,} results were counted again, and all ratings replaced")
    elif wrong:
        raise Sorry("`dominium ratings rebuild --write` replaces them, while the bot is stopped.")


async def _migrated(scratch: Path) -> None:
    """Bring a copy up to the schema of this version."""
    await (await open_store(scratch, clock=DiscordClock())).close()


def _results(path: Path) -> list[MatchResult]:
    """Return what all finished matches of a file say about their people."""
    found = []
    with progress() as bar:
        task = bar.add_task("logs", total=None)
        for one in read_finished(path, ArchiveQuery()):
            if (result := result_of(one.row, one.log, one.holders)) is not None:
                found.append(result)
            bar.advance(task)
    return found


def _difference(wrong: list[str]) -> str:
    if not wrong:
        return "as the logs give them"
    more = f" and {len(wrong) - SHOWN:,} more" if len(wrong) > SHOWN else ""
    return f"{len(wrong):,} differ from what the logs give: {', '.join(wrong[:SHOWN])}{more}"
