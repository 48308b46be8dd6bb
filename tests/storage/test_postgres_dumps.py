"""A dump of PostgreSQL, taken while moves are committed, holds one state, and is restored whole or not."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from matches.store.rows import Commit
from tests.fakes import START, FakeClock
from tests.soak import SEED, SOAK
from tests.storage.rows import lobby, move

psycopg = pytest.importorskip("psycopg", reason="NO POSTGRESQL IS TESTED: no driver")

from storage.postgres import open_postgres  # noqa: E402 - needs the driver
from storage.postgres.target import read_target  # noqa: E402
from tests.storage.dumps import STEPS, Campaign  # noqa: E402

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.slow
CAMPAIGNS, PARTS = (500, 10) if SOAK else (1, 1)
MATCHES = ("F-1", "F-2")


def tool(server: PostgresServer, name: str, *args: str | Path) -> int:
    """Run a program of PostgreSQL's, and return its exit status."""
    path = server._programs / name
    if not path.exists():
        pytest.skip(f"NO DUMP IS TESTED: there is no {name}")
    return subprocess.run([path, *args], capture_output=True, check=False).returncode


def rows(url: str) -> dict[str, list[str]]:
    """All rows of a database."""
    with psycopg.connect(**read_target(url).parameters) as db:
        tables = db.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        ).fetchall()
        return {name: sorted(map(repr, db.execute(f"SELECT * FROM {name}"))) for (name,) in tables}


def test_what_is_told_to_operators() -> None:
    told = Path(__file__).parents[2] / "docs" / "self-hosting.md"
    assert "pg_restore --no-owner --single-transaction --dbname=ADDRESS FILE" in told.read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("seed", range(20 if SOAK else 1))
async def test_dumps_taken_while_moves_are_committed(
    postgres: PostgresServer, empty_database: str, tmp_path: Path, seed: int
) -> None:
    store = await open_postgres(empty_database, clock=FakeClock())
    live = {name: lobby(name) for name in MATCHES}
    for row in live.values():
        await store.create(Commit(row, START))
    dump = tmp_path / "dump"
    command = ("--format=custom", f"--file={dump}", f"--dbname={empty_database}")
    dumping = asyncio.create_task(asyncio.to_thread(tool, postgres, "pg_dump", *command))
    begun, count = dict(live), 0
    while not dumping.done() or count <= seed:
        for name, row in live.items():
            change = move(row, f"{name}/{row.revision}", entries=1 + count % 3)
            await store.commit(change)
            live[name] = change.row
        count += 1
    assert await dumping == 0
    await store.close()
    copy = postgres.database(empty=True)
    restore = ("--no-owner", "--single-transaction", f"--dbname={copy}", dump)
    assert await asyncio.to_thread(tool, postgres, "pg_restore", *restore) == 0
    before = rows(copy)
    assert await asyncio.to_thread(tool, postgres, "pg_restore", *restore) != 0, "it isn't empty any more"
    assert rows(copy) == before, "and nothing was mixed"
    again = await open_postgres(copy, clock=FakeClock())
    revisions = []
    for name in MATCHES:
        found = await again.match(name)
        assert found is not None
        assert begun[name].revision <= found.revision <= live[name].revision
        assert [one.entry.seq for one in await again.log(name)] == list(range(found.version + 1))
        assert len(await again.outbox_pending(name)) == found.revision
        assert await again.request(f"{name}/{found.revision}") is None
        revisions.append(found.revision)
        await again.commit(move(found, f"next {name}"))
    assert revisions[0] - revisions[1] in (0, 1), "one state, not two"
    await again.close()
    postgres.drop(copy)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
def test_kill_dump_and_restore_in_any_order(postgres: PostgresServer, tmp_path: Path, part: int) -> None:
    if not (postgres._programs / "pg_dump").exists():
        pytest.skip("NO DUMP IS TESTED: there is no pg_dump")
    starts, share = 0, CAMPAIGNS // PARTS
    for number in range(part * share, (part + 1) * share):
        folder = tmp_path / str(number)
        folder.mkdir()
        campaign = Campaign(postgres, folder, random.Random(f"{SEED}-{number}"))
        campaign.play()
        starts += campaign.starts
        shutil.rmtree(folder)
    assert starts == (STEPS + 1) * share
