"""The database is locked or full: each move counts once, each board is posted once, nobody waits for ever."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.bot_process.house import ROUTES, House, open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process

MESSAGES = r"/channels/\d+/messages"
HASTE = {"DOMINIUM_TEST_POLL": "0.02", "DOMINIUM_TEST_LOCK": "0.02"}
NEVER = {"DOMINIUM_TEST_POLL": "3600", "DOMINIUM_TEST_LOCK": "0.02"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "database") as made:
        yield made


@contextlib.contextmanager
def locked(house: House) -> Iterator[None]:
    """Another program holds the lock of the database: the bot can read it, and write nothing."""
    with contextlib.closing(sqlite3.connect(house.path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")


async def failures(house: House, step: str, most: int = 1) -> None:
    """Wait until a step has failed so often."""
    await house.bots.wait_for(lambda: house.bots.output.count(f"{step} failed") >= most, f"{step} fails")


def posts(house: House) -> int:
    """How often the bot has asked Discord to post something."""
    return sum((one.method, one.template) == ROUTES["post"] for one in house.server.requests)


@pytest.mark.parametrize("route", ["bare", "reply", "mention"])
async def test_a_move_written_while_the_database_is_locked_counts_once(house: House, route: str) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    with locked(house):
        act = house.move(match, route)
        await act.do()
        await failures(house, "commit", 2)
    await house.quiet(act.done)
    house.judge()


async def test_a_later_message_moves_no_mark_past_a_move_that_failed(house: House) -> None:
    await house.start(**NEVER)
    match = await seated(house, mirrored=False)
    with locked(house):
        act = house.move(match, "bare")
        await act.do()
        await failures(house, "commit")
    house.ben.send(house.thread(match), "take your time")
    await house.ann.slash(house.thread(match), "matches mine")
    house.bots.signal(signal.SIGTERM)
    assert await house.bots.wait() == 0
    await house.start(**NEVER)
    await house.quiet(act.done)
    house.judge()


async def test_a_board_that_can_not_be_noted_is_posted_once(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    held = house.server.faults.hold(method="POST", path=MESSAGES, after_handling=True)
    before = posts(house)
    act = house.move(match, "bare")
    await act.do()
    await held.reached.wait()
    with locked(house):
        held.release()
        await failures(house, "outbox_sent")
        house.server.advance(600)  # Discord forgets the nonce
        await failures(house, "outbox_sent", 10)
    await house.quiet(act.done)
    house.judge()
    assert posts(house) == before + 1


async def test_a_mirror_that_can_not_be_noted_is_edited_once(house: House) -> None:
    await house.start(**HASTE)
    match = await seated(house)
    held = house.server.faults.hold(method="PATCH", path=rf"{MESSAGES}/\d+", after_handling=True)
    act = house.move(match, "slash")
    await act.do()
    await held.reached.wait()
    await house.bots.wait_for(lambda: house.records.waiting() == 1, "the mirror alone waits")
    edits = sum(one.method == "PATCH" for one in house.server.requests)
    with locked(house):
        held.release()
        await failures(house, "outbox_sent", 10)
    await house.quiet(act.done)
    house.judge()
    assert sum(one.method == "PATCH" for one in house.server.requests) == edits
