"""A player of a match in direct messages closes them: the match waits, the other is told, nothing is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import discord
import pytest

from tests.bot_process.house import House, calls, open_house
from tests.bot_process.lobbies import newest
from tests.loopback import Person

pytestmark = pytest.mark.process

HASTE = {"DOMINIUM_TEST_POLL": "0.02"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "direct") as made:
        await made.start(**HASTE)
        yield made


def boards(house: House, person: Person) -> list[int]:
    """The entries that the boards in a person's conversation show, oldest first."""
    found = [calls(one) for one in house.server.messages(person.dm)]
    return [call[0][2] for call in found if call and call[0][0] == "moves"]


def sorry(house: House, person: Person) -> list[str]:
    """What a person was told about somebody who can't be written to."""
    messages = house.server.messages(person.dm)
    return [one.content for one in messages if "I can't write to" in one.content]


def calls_join(invitation: discord.Message) -> str:
    """The button that accepts an invitation."""
    return f"domb:join:{calls(invitation)[0][1]}:-1"


def is_seated(house: House, person: Person) -> bool:
    """Whether a person has accepted the newest invitation."""
    return house.occupant(newest(house).id, person) == "person"


async def begun(house: House, *guests: Person) -> str:
    """A match of Ann and her guests in direct messages, its first boards posted."""
    friends: dict[str, Any] = {
        name: guest.user for name, guest in zip(("friend", "friend2"), guests, strict=False)
    }
    await house.ann.slash(house.ann.dm, "play", game="focus", **friends)
    for guest in guests:
        invitation = await house.server.wait_for_message(guest.dm, lambda one: bool(calls(one)))
        await guest.click(invitation, calls_join(invitation), answered=False)
        await house.quiet(partial(is_seated, house, guest))
    match = newest(house).id
    lobby = next(one for one in house.server.messages(house.ann.dm) if calls(one))
    await house.ann.click(lobby, f"domb:start:{match}:-1", answered=False)
    await house.quiet(lambda: newest(house).status == "live")
    return match


def sides(house: House, match: str) -> tuple[Person, Person]:
    """The person to move and the other."""
    mover = house.mover(newest(house), house.now(match))
    (other,) = (person for person in house.people.values() if person is not mover)
    return mover, other


async def moved(house: House, match: str) -> None:
    """A move of the person to move, in their own conversation, with what comes of it."""
    plays = len(house.plays(match))
    mover = house.mover(newest(house), house.now(match))
    mover.send(mover.dm, house.any_move(match))
    await house.quiet(lambda: len(house.plays(match)) == plays + 1)


async def test_the_other_is_told_once_and_the_board_comes_when_they_write(house: House) -> None:
    match = await begun(house, house.ben)
    mover, other = sides(house, match)
    other.close_dms()
    await moved(house, match)
    seq = house.now(match).seq
    assert boards(house, mover)[-1] == seq
    assert boards(house, other)[-1] < seq
    (told,) = sorry(house, mover)
    assert other.name in told
    assert match in told
    other.close_dms(closed=False)
    other.send(other.dm, "hello")
    await house.server.wait_for_message(other.dm, lambda one: calls(one)[:1] == [("moves", match, seq)])
    await house.quiet()
    await moved(house, match)
    await moved(house, match)
    assert boards(house, other) == sorted(set(boards(house, other)))
    assert len(sorry(house, mover)) == 1


async def test_a_command_brings_the_board_after_a_restart_too(house: House) -> None:
    match = await begun(house, house.ben)
    mover, other = sides(house, match)
    other.close_dms()
    await moved(house, match)
    await house.bots.kill()
    await house.start(**HASTE)
    await other.slash(house.room, "ask board", match=match)  # they can't be written to yet
    await house.quiet()
    other.close_dms(closed=False)
    await other.slash(house.room, "matches mine")
    seq = house.now(match).seq
    await house.server.wait_for_message(other.dm, lambda one: calls(one)[:1] == [("moves", match, seq)])
    await house.quiet()
    assert boards(house, other).count(seq) == 1
    assert len(sorry(house, mover)) == 1


async def test_who_shares_no_server_gets_the_board_once_they_do(house: House) -> None:
    match = await begun(house, house.ben)
    mover, other = sides(house, match)
    other.leave(house.guild)
    await moved(house, match)
    assert len(sorry(house, mover)) == 1
    other.join(house.guild)
    other.send(other.dm, "back again")
    seq = house.now(match).seq
    await house.server.wait_for_message(other.dm, lambda one: calls(one)[:1] == [("moves", match, seq)])


async def test_only_the_newest_board_comes(house: House) -> None:
    cleo = house.server.create_person("Cleo", house.guild)
    house.people[cleo.id] = cleo
    match = await begun(house, house.ben, cleo)
    away = house.mover(newest(house), house.now(match))
    await moved(house, match)
    shown = boards(house, away)
    away.close_dms()
    await moved(house, match)
    await moved(house, match)
    assert boards(house, away) == shown
    away.close_dms(closed=False)
    away.send(away.dm, "thanks")
    seq = house.now(match).seq
    board = await house.server.wait_for_message(
        away.dm, lambda one: calls(one)[:1] == [("moves", match, seq)]
    )
    await house.quiet()
    assert boards(house, away) == [*shown, seq]
    assert [user.id for user in board.mentions] == [away.id]
    assert [len(sorry(house, person)) for person in house.people.values() if person is not away] == [1, 1]


async def test_the_next_board_that_arrives_brings_them_up_to_date(house: House) -> None:
    match = await begun(house, house.ben)
    _, other = sides(house, match)
    other.close_dms()
    await moved(house, match)
    missed = house.now(match).seq
    other.close_dms(closed=False)
    await other.slash(house.room, "move", match=match, move=house.any_move(match))
    await house.quiet(lambda: len(house.plays(match)) == 2)
    assert boards(house, other) == sorted({*boards(house, other)})
    assert boards(house, other)[-1] == house.now(match).seq > missed
    assert house.records.ask("SELECT match FROM outbox_dead WHERE until <> ''") == []


async def test_an_invitation_that_did_not_arrive_comes_once_they_write(house: House) -> None:
    house.ben.close_dms()
    await house.ann.slash(house.ann.dm, "play", game="focus", friend=house.ben.user)
    told = await house.server.wait_for_message(house.ann.dm, lambda one: "whom you invited" in one.content)
    assert "Ben" in told.content
    await house.quiet()
    house.ben.close_dms(closed=False)
    house.ben.send(house.ben.dm, "hello")
    invitation: discord.Message = await house.server.wait_for_message(
        house.ben.dm, lambda one: bool(calls(one))
    )
    assert calls(invitation)[0][1] == newest(house).id
