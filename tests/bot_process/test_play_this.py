"""The message command "Play this" plays a written message, once, whoever else reads it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.house import House, open_house
from tests.bot_process.lobbies import newest, seated

pytestmark = pytest.mark.process

PLAY = "Play this"


@pytest.fixture(params=["yes", "no"])
async def house(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """A house with the message-content intent, and one without."""
    async with open_house(tmp_path, "apps", content=request.param == "yes") as made:
        made.settings["DOMINIUM_MESSAGE_CONTENT"] = request.param
        await made.start()
        yield made


async def test_a_written_message_is_played_once(house: House) -> None:
    match = await seated(house, mirrored=False)
    mover = house.mover(newest(house), house.now(match))
    act = house.move(match, "apps")
    await act.do()
    await house.quiet(act.done)
    written = [one for one in house.server.messages(house.thread(match)) if one.author.id == mover.id][-1]
    answer = await mover.apps(written, PLAY)
    assert f"already played in `{match}`" in answer.content
    await house.bots.kill()
    await house.start()
    await house.quiet()
    house.judge()


async def test_a_message_written_in_a_downtime_and_played_is_not_played_again(house: House) -> None:
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    act = house.move(match, "bare")
    await act.do()
    written = house.server.messages(house.thread(match))[-1]
    await house.start()
    mover = next(person for person in house.people.values() if person.id == written.author.id)
    await mover.apps(written, PLAY)
    await house.quiet(act.done)
    house.judge()


async def test_elsewhere_it_goes_to_the_match_that_can_read_it(house: House) -> None:
    match = await seated(house, mirrored=False)
    mover = house.mover(newest(house), house.now(match))
    written = mover.send(house.gallery, house.any_move(match))
    answer = await mover.apps(written, PLAY)
    assert f"Played in `{match}`" in answer.content
    await house.quiet(lambda: len(house.plays(match)) == 1)


async def test_what_can_not_be_played_is_refused_privately(house: House) -> None:
    match = await seated(house, mirrored=False)
    mover = house.mover(newest(house), house.now(match))
    other = next(person for person in house.people.values() if person is not mover)
    theirs = mover.send(house.gallery, house.any_move(match))
    answer = await other.apps(theirs, PLAY)
    assert answer.ephemeral
    assert "isn't your message" in answer.content
    board = house.boards(match)[-1]
    assert "isn't your message" in (await mover.apps(board, PLAY)).content
    picture = mover.send(house.gallery, files=[("cat.png", b"cat")])
    assert "no text" in (await mover.apps(picture, PLAY)).content
    nonsense = mover.send(house.gallery, "z99-z98")
    assert "Played" not in (await mover.apps(nonsense, PLAY)).content
    assert house.plays(match) == []
