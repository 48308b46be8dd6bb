"""Two absences that overlap, in every order: a move typed meanwhile counts once when the bot is back.

A board may wait to be posted all the while; it is posted then, and its own event must not hide the move.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import permutations, product
from pathlib import Path

import pytest

from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import seated
from tests.soak import sampled

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}
KINDS = ("thrown out", "unavailable", "hidden", "new session", "resumed", "killed")
OUTAGES = {"new session", "resumed"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "absences") as made:
        yield made


@asynccontextmanager
async def absence(house: House, kind: str) -> AsyncIterator[None]:
    """The bot is away inside this block."""
    server = house.server
    match kind:
        case "thrown out":
            server.kick_bot(house.guild)
            yield
            server.invite_bot(house.guild)
        case "unavailable":
            server.gateway.withhold(house.guild)
            yield
            server.gateway.restore(house.guild)
        case "hidden":
            server.forbid(house.room, "view_channel")
            yield
            server.allow(house.room)
        case "killed":
            await house.bots.kill()
            yield
            await house.start(**HASTE)
        case _:
            async with server.gateway_outage(resume=kind == "resumed"):
                yield


def courses() -> list[tuple[str, str, bool, bool]]:
    """Two absences, whether the first ends first, and whether a board waits meanwhile."""
    found = []
    for (first, second), crossed, waits in product(permutations(KINDS, 2), (False, True), (False, True)):
        ends = (first, second) if crossed else (second, first)
        starts_in_vain = ends[0] == "killed" and ends[1] in OUTAGES
        if not starts_in_vain and not {first, second} <= OUTAGES:
            found.append((first, second, crossed, waits))
    return found


SAMPLE = [
    ("thrown out", "killed", False, True),
    ("thrown out", "killed", True, True),
    ("new session", "thrown out", False, True),
    ("new session", "thrown out", True, True),
    ("unavailable", "new session", True, True),
    ("unavailable", "killed", False, False),
    ("hidden", "thrown out", False, True),
    ("resumed", "unavailable", True, False),
]


@pytest.mark.parametrize(("first", "second", "crossed", "waits"), sampled(courses(), SAMPLE))
async def test_a_move_typed_while_the_bot_was_away_counts_once(
    house: House, first: str, second: str, *, crossed: bool, waits: bool
) -> None:
    await house.start(**HASTE)
    match = await seated(house, mirrored=False)
    earlier = house.move(match, "bare")
    held = house.server.faults.hold(method="POST", path=r"/channels/\d+/messages") if waits else None
    await earlier.do()
    if held is not None:
        await held.reached.wait()
        await house.bots.wait_for(earlier.done, "the move")
    else:
        await house.quiet(earlier.done)
    one, other = absence(house, first), absence(house, second)
    await one.__aenter__()
    if held is not None:
        held.release()
    await other.__aenter__()
    missed = house.move(match, "bare")
    await missed.do()
    for each in (one, other) if crossed else (other, one):
        await each.__aexit__(None, None, None)
    await house.quiet(missed.done)
    house.judge(joined=waits)
    again = house.move(match, "mention")
    await again.do()
    await house.quiet(again.done)
    house.judge(joined=waits)
