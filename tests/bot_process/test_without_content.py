"""Without the message content intent the bot hears what is said to it, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot_process.house import House, calls, open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process

BLIND = {"DOMINIUM_MESSAGE_CONTENT": "no"}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, "blind", content=False) as made:
        await made.start(**BLIND)
        yield made


async def test_replies_mentions_and_commands_count(house: House) -> None:
    match = await seated(house, mirrored=False)
    for door in ("reply", "mention", "slash", "menu"):
        act = house.move(match, door)
        await act.do()
        await house.quiet(act.done)
    house.judge()


@pytest.mark.parametrize("door", ["reply", "mention"])
async def test_what_was_said_to_the_bot_in_a_downtime_counts(house: House, door: str) -> None:
    match = await seated(house, mirrored=False)
    await house.bots.kill()
    act = house.move(match, door)
    await act.do()
    await house.start(**BLIND)
    await house.quiet(act.done)
    house.judge()


async def test_bare_texts_are_not_heard(house: House) -> None:
    match = await seated(house, mirrored=False)
    act = house.move(match, "bare")
    await act.do()
    house.played[match].pop()
    answered = house.move(match, "slash")
    await answered.do()
    await house.quiet(answered.done)
    house.judge()


async def test_a_mention_of_the_bots_role_is_answered_although_it_can_not_be_read(house: House) -> None:
    match = await seated(house, mirrored=False)
    role = house.server.world.own_role(house.guild)
    other = house.guild.create_role("Players", mentionable=True)
    thread = house.thread(match)
    house.ann.send(thread, f"{other.mention} who is in?")
    asked = house.ann.send(thread, f"<@&{role.id}> {house.any_move(match)}")
    answer = await house.server.wait_for_message(thread, lambda one: not calls(one), after=asked.id)
    assert answer.reference is not None
    assert answer.reference.message_id == asked.id
    assert house.server.bot_mention in answer.content
    assert "/move" in answer.content
    act = house.move(match, "slash")
    await act.do()
    await house.quiet(act.done)
    answers = [one for one in house.server.messages(thread) if one.author.bot and not calls(one)]
    assert [one.id for one in answers] == [answer.id]


async def test_a_mention_of_the_bots_role_in_a_downtime_is_answered(house: House) -> None:
    match = await seated(house, mirrored=False)
    role = house.server.world.own_role(house.guild)
    await house.bots.kill()
    asked = house.ann.send(house.thread(match), f"<@&{role.id}> {house.any_move(match)}")
    await house.start(**BLIND)
    answer = await house.server.wait_for_message(house.thread(match), after=asked.id)
    assert house.server.bot_mention in answer.content
