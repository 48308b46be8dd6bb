"""The bot is killed at every step of forgetting a person who plays: the next start finishes it, once."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from games.engine.match import Kind
from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import seated
from tests.loopback import Person
from tests.soak import sampled, seeds

pytestmark = [pytest.mark.process, pytest.mark.slow]

STEPS = (
    "begin_erasure.before",
    "begin_erasure.after",
    "commit.before",
    "commit.after",
    "commit.before:2",
    "commit.after:2",
    "erase.before",
    "erase.after",
    "outbox_sent.before",
    "outbox_sent.after",
)


async def asked_twice(house: House, person: Person) -> None:
    """Press the last button after which a person is forgotten; the bot may die instead of answering."""
    first = await person.slash(house.room, "settings privacy", do="erase")
    await first.complete()
    assert first.message is not None, first
    second = await person.click(first.message, "Continue")
    await second.complete()
    assert second.message is not None, second
    await house.bots.arm()
    await person.click(second.message, "Forget me now", answered=False)


def is_forgotten(house: House, person: Person) -> bool:
    return not house.records.ask("SELECT 1 FROM erasures WHERE user = ?", person.id) and not any(
        person.id in row.seats for row in house.records.rows()
    )


@pytest.mark.parametrize("seed", seeds(["one"], more=2))
async def test_a_person_is_forgotten_whenever_the_bot_dies(tmp_path: Path, seed: str) -> None:
    """Two matches are live: the person leaves one after the other, then nothing of theirs is left."""
    async with open_house(tmp_path, seed) as house:
        steps = list(STEPS)
        house.dice.shuffle(steps)
        await house.start()
        for step in sampled(steps, steps[:5]):
            house.ann, house.ben = (house.server.create_person(name, house.guild) for name in ("Ann", "Ben"))
            house.people = {person.id: person for person in (house.ann, house.ben)}
            matches = [await seated(house, mirrored=False) for _ in range(2)]
            await house.bots.kill()
            await house.start(step)
            await asked_twice(house, house.ann)
            await house.bots.wait()
            await house.start()
            if step == "begin_erasure.before":  # the person saw that fail, and asks again
                await asked_twice(house, house.ann)
            await house.quiet(lambda: is_forgotten(house, house.ann))
            for match in matches:
                left = [one for one in house.records.entries(match) if one.kind is Kind.RESIGN]
                assert len(left) == 1, "left once"
            assert str(house.ann.id) not in dump(house.path)


def dump(path: Path) -> str:
    """All that a database says."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return "\n".join(db.iterdump())
