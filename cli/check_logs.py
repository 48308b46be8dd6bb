"""Check of `doctor --logs`: replay the log of every match, in a copy of the database.

The copy is brought up to the schema of this version first. So the same check rehearses an update (with the
database in use) and a restore (with a backup), and never writes to the file that it is given.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from bot.platform.real_clock import DiscordClock
from cli.findings import Finding
from games.engine.match import CorruptLogError
from matches.log.replay import replay_log
from matches.store.rows import MatchRow, Status
from storage import SqliteStore, StoreError, back_up, check_file, open_store

SHOWN = 10
"""Matches named one by one."""
_ALL = 1_000_000_000


def logs(data: Path | str) -> Iterator[Finding]:
    """Replay every log of a file or of a URL's database, in use or not.

    It may take seconds for a thousand matches.
    """
    name = data if isinstance(data, Path) else "The database of DATABASE_URL"
    if isinstance(data, Path) and not data.exists():
        return
    with TemporaryDirectory(prefix="dominium-") as folder:
        scratch = Path(folder) / "scratch.sqlite3"
        try:
            back_up(data, scratch)
            matches, entries, wrong = asyncio.run(_replay_all(scratch))
            wrong += check_file(scratch)
        except (StoreError, OSError) as error:
            yield Finding("fail", "logs replay", str(error), "Check the database, or take another backup.")
            return
    if wrong:
        more = f"; and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        advice = "Keep the file. Use the version that wrote it, or an earlier backup."
        yield Finding("fail", "logs replay", f"{name}: {'; '.join(wrong[:SHOWN])}{more}", advice)
        return
    yield Finding("ok", "logs replay", f"{name}: {matches} matches with {entries} entries, all as they were")


async def _replay_all(path: Path) -> tuple[int, int, list[str]]:
    """Return the numbers of matches and of entries, and what is wrong, one clause each."""
    store = await open_store(path, clock=DiscordClock())
    try:
        entries, matches = 0, 0
        wrong: list[str] = []
        for status in get_args(Status):
            for row in await store.by_status(status, _ALL):
                if row.version < 0:
                    continue  # a lobby has no log
                matches += 1
                entries += row.version + 1
                if problem := await _problem(store, row):
                    wrong.append(problem)
        return matches, entries, wrong
    finally:
        await store.close()


async def _problem(store: SqliteStore, row: MatchRow) -> str:
    """Return what is wrong with the log of a match, as a clause; empty if nothing is."""
    try:
        match = (await replay_log(await store.log(row.id), row.version)).match
    except (CorruptLogError, LookupError, ValueError) as error:
        return f"{row.id} can't be replayed: {error}"
    if (match.ending is not None) != (row.status in ("over", "aborted")):
        return f"{row.id} is {row.status}, but its log says otherwise"
    return ""
