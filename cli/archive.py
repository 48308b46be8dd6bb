"""`dominium archive`: all finished matches of a database as records in one zip file, while matches go on."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import click

from bot.messages.record_file import record_entry, record_headers
from bot.platform.reader_settings import Reader
from cli.config import configuration
from cli.terminal import Sorry, out
from cli.words import catalogue
from games.engine import record
from games.engine.match import CorruptLogError
from matches.records.archive_days import days_asked_for
from matches.store.archive import ArchiveQuery
from storage import FinishedMatch, StoreError, read_finished


@click.command()
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The zip file, a new one."
)
@click.option("--person", type=click.IntRange(1), help="Matches of the person with this Discord id.")
@click.option("--server", type=click.IntRange(1), help="Matches of the server with this Discord id.")
@click.option("--since", metavar="DAY", help="Finished since then: 2026, 2026-11 or 2026-11-03 (UTC).")
@click.option("--until", metavar="DAY", help="Finished until then.")
@click.option(
    "--data", type=click.Path(path_type=Path), help="The database; by default, the one in the settings."
)
def command(
    output: Path,
    person: int | None,
    server: int | None,
    since: str | None,
    until: str | None,
    data: Path | None,
) -> None:
    """Write the records of finished matches into a zip file.

    The bot may run meanwhile. Records have the players' names, so only you can read the file.
    """
    first, last = (None if text is None else _days(text) for text in (since, until))
    query = ArchiveQuery(
        person,
        server,
        since=None if first is None else first[0],
        until=None if last is None else last[1],
    )
    count = wrong = 0
    try:
        private = os.open(output, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(private, "w+b") as raw, ZipFile(raw, "w", ZIP_DEFLATED) as file:
            for found in read_finished(data or configuration().store, query):
                try:
                    text = _written(found)
                except CorruptLogError as error:
                    out().print(f"{found.row.id} can't be read: {error}")
                    wrong += 1
                    continue
                file.writestr(record_entry(found.row), text, ZIP_DEFLATED)
                count += 1
    except FileExistsError:
        raise Sorry(f"{output} already exists: choose another name, nothing is ever overwritten.") from None
    except BaseException as error:  # Ctrl-C, too, leaves nothing half
        output.unlink(missing_ok=True)
        if isinstance(error, StoreError | OSError):
            raise Sorry(str(error)) from error
        raise
    out().print(f"{output}: {count:,} records, {output.stat().st_size / 1e6:,.1f} MB")
    if wrong:
        raise Sorry(f"{wrong:,} matches couldn't be read. `dominium doctor` looks at the database.")


def _written(found: FinishedMatch) -> str:
    headers = record_headers(found.row, Reader(catalogue(), "en", "classic"), found.holders)
    return record.export([one.entry for one in found.log], headers)


def _days(text: str) -> tuple[datetime, datetime]:
    found = days_asked_for(text, datetime.now(UTC).year)
    if not isinstance(found, list):
        return found
    if found:
        raise Sorry(f"{text} can be read in two ways: write {' or '.join(found)}.")
    raise Sorry(f"{text} isn't a day. Write a year, a month or a day, such as 2026, 2026-11 or 2026-11-03.")
