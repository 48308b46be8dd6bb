"""A process that commits as fast as it can and is killed, again and again, on one file.

`python -m tests.storage.crash FILE ROUNDS SEED`: each round forks a writer, kills it with SIGKILL a moment
after so many acknowledged commits, opens the file again and compares. Prints a line of JSON for each round.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

from matches.ports import StoreError
from matches.store.rows import Commit
from storage import SqliteStore, check_file, open_store
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby, move

MATCHES = tuple(f"F-{number}" for number in range(4))


async def commits(store: SqliteStore) -> AsyncIterator[None]:
    """Commit for ever, and tell of each change that is said to be kept."""
    rows = {}
    for match_id in MATCHES:
        kept = await store.match(match_id)
        if kept is None:
            kept = lobby(match_id)
            await store.create(Commit(kept, START, request=f"{match_id}/0"))
            yield
        rows[match_id] = kept
    while True:
        for match_id, row in rows.items():
            change = move(row, f"{match_id}/{row.revision + 1}", entries=1 + row.revision % 3)
            await store.commit(change)
            yield
            rows[match_id] = change.row


async def write(path: Path, ack: int) -> None:
    """Write one byte to `ack` for each change that is said to be kept."""
    store = await open_store(path, clock=FakeClock())
    async for _ in commits(store):
        os.write(ack, b"+")


async def changes(path: Path, store: SqliteStore) -> tuple[int, list[str]]:
    """How many changes the file holds, and what does not fit together in it."""
    wrong = list(check_file(path))
    kept = 0
    for match_id in MATCHES:
        row = await store.match(match_id)
        if row is None:
            continue
        kept += 1 + row.revision
        log = [one.entry.seq for one in await store.log(match_id)]
        if log != list(range(row.version + 1)):
            wrong.append(f"{match_id}: version {row.version}, log {log}")
        told = [one.draft.message.to_json()["last"] for one in await store.outbox_pending(match_id)]
        versions = []
        for revision in range(row.revision + 2):
            request = await store.request(f"{match_id}/{revision}")
            if (request is None) != (revision > row.revision):
                wrong.append(f"{match_id}: revision {row.revision}, request {revision} is {request}")
            elif request is not None:
                versions.append(request.version)
        if told != versions[1:] or versions[-1:] != [row.version]:
            wrong.append(f"{match_id}: outbox {told}, requests {versions}, version {row.version}")
    return kept, wrong


async def look(path: Path) -> tuple[int, list[str]]:
    """Open the file as the next start does, and compare."""
    try:
        store = await open_store(path, clock=FakeClock())
    except StoreError as error:
        return -1, [str(error)]
    found = await changes(path, store)
    await store.close()
    return found


def main(path: Path, rounds: int, seed: int) -> None:
    """Kill a writer so many times."""
    dice = random.Random(seed)
    before = 0
    for _ in range(rounds):
        read, ack = os.pipe()
        if (child := os.fork()) == 0:
            os.close(read)
            asyncio.run(write(path, ack))
        os.close(ack)
        enough = dice.randrange(12)
        acked = 0
        while acked < enough:
            acked += len(os.read(read, enough - acked))
        # Then a moment more, to hit every part of a commit, or of the opening if none was awaited.
        moment = time.perf_counter_ns() + dice.randrange(40_000_000 if not enough else 800_000)
        while time.perf_counter_ns() < moment:
            pass
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while more := os.read(read, 4096):
            acked += len(more)
        os.close(read)
        kept, wrong = asyncio.run(look(path))
        print(json.dumps({"acked": acked, "kept": kept - before, "wrong": wrong}))
        before = kept


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
