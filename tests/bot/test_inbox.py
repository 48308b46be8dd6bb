"""What the inbox does with messages, whatever they say: each once, in order, and none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest import mock

import discord
import pytest

from bot.actions.play.typed_message import Decision
from bot.inbound import messages
from bot.inbound.messages import Inbox
from matches.ports import StoreError

GUILD = 5


def written(number: int, channel: int = 90, *, guild: int | None = GUILD, **more: Any) -> Any:
    """A message of a person."""
    values = {
        "id": number,
        "channel": SimpleNamespace(id=channel),
        "guild": None if guild is None else SimpleNamespace(id=guild),
        "author": SimpleNamespace(id=7, bot=False),
        "webhook_id": None,
        "reference": None,
        "type": discord.MessageType.default,
        "components": [],
    }
    return SimpleNamespace(**values | more)


class Hall:
    """An inbox, and what comes of the messages that it takes in."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.again: list[int] = []
        self.failures: dict[int, list[BaseException]] = {}
        """What the next tries of a message raise."""
        self.waits: dict[int, asyncio.Event] = {}
        """What some messages wait for before it is decided what they do."""
        self.refused: set[int] = set()
        self.erased: set[int] = set()
        self.direct: set[int] = set()
        self.stored: list[dict[int, int]] = []
        self.broken: list[BaseException] = []
        """What the next tries to store marks raise."""
        self.seen: list[tuple[int, int]] = []
        ctx: Any = SimpleNamespace(
            store=SimpleNamespace(mark_read=self._mark_read),
            service=SimpleNamespace(erasures=SimpleNamespace(is_running=self.erased.__contains__)),
            discord=SimpleNamespace(
                client=SimpleNamespace(user=SimpleNamespace(id=1)),
                members=SimpleNamespace(note_seen=lambda guild, user: self.seen.append((guild, user))),
            ),
        )
        self.inbox = Inbox(ctx)
        self.inbox.marks.keep((90, 91, -GUILD))

    async def _mark_read(self, marks: dict[int, int]) -> None:
        if self.broken:
            raise self.broken.pop(0)
        self.stored.append(marks)

    async def submit(self, _ctx: Any, message: Any, typed: Any, decision: Decision, *, again: bool) -> bool:
        """Stand in for the moves that people type."""
        self.begun.append(message.id)
        if again:
            self.again.append(message.id)
        if message.id in self.waits:
            await self.waits[message.id].wait()
        if failures := self.failures.get(message.id):
            raise failures.pop(0)
        decision.refused = message.id in self.refused
        decision.made.set()
        return int(message.channel.id) == 92

    async def note_direct(self, _ctx: Any, user: int, message: Any) -> bool:
        """Stand in for what remembers where people are written to."""
        assert user == message.author.id
        assert message.guild is None
        return int(message.channel.id) in self.direct

    async def marks(self) -> dict[int, int]:
        """Store the marks, and return those that have moved."""
        self.stored.clear()
        await self.inbox.save_marks()
        return self.stored[0] if self.stored else {}


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()

    async def typed(_ctx: Any, message: Any) -> Any:
        return None if message.id < 0 else message

    with (
        mock.patch.object(messages, "read_typed", typed),
        mock.patch.object(messages, "submit_typed", made.submit),
        mock.patch.object(messages, "note_direct", made.note_direct),
    ):
        yield made


async def test_each_is_handled_once(hall: Hall) -> None:
    hall.waits[10] = asyncio.Event()
    first = asyncio.create_task(hall.inbox.receive(written(10)))
    await asyncio.sleep(0)
    await hall.inbox.receive(written(10))
    assert await hall.marks() == {}, "not before it is handled"
    hall.waits[10].set()
    await first
    await hall.inbox.receive(written(10))
    assert hall.begun == [10]
    assert hall.again == []
    assert await hall.marks() == {90: 10, -GUILD: 10}
    assert hall.seen == [(GUILD, 7)]


async def test_what_people_write_in_a_channel_counts_in_their_order(hall: Hall) -> None:
    hall.waits[10] = asyncio.Event()
    tasks = [asyncio.create_task(hall.inbox.receive(written(n))) for n in (10, 11, 12)]
    await asyncio.sleep(0)
    await hall.inbox.receive(written(13, 91))
    assert hall.begun == [10, 13], "another channel doesn't wait"
    hall.waits[10].set()
    await asyncio.gather(*tasks)
    assert hall.begun == [10, 13, 11, 12]
    assert await hall.marks() == {90: 12, 91: 13, -GUILD: 13}


async def test_one_that_fails_by_a_mistake_holds_nothing_up(hall: Hall) -> None:
    hall.failures[10] = [ValueError("ours")]
    hall.waits[10] = asyncio.Event()
    tasks = [asyncio.create_task(hall.inbox.receive(written(n))) for n in (10, 11)]
    await asyncio.sleep(0)
    assert hall.begun == [10]
    hall.waits[10].set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(each) for each in results] == [ValueError, type(None)]
    assert hall.begun == [10, 11]
    assert await hall.marks() == {90: 11, -GUILD: 11}, "it isn't read again"


async def test_what_the_database_fails_for_waits_and_so_does_what_follows(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    hall.failures[11] = [StoreError("locked")] * 2
    for n, channel in ((10, 90), (11, 90), (12, 90), (13, 91)):
        await hall.inbox.receive(written(n, channel))
    assert hall.begun == [10, 11, 13]
    assert [record.getMessage() for record in caplog.records] == ["a message waits"]
    assert await hall.marks() == {90: 10, 91: 13, -GUILD: 10}, "a start would read what waits"
    hall.failures[14] = [StoreError("locked")]
    await hall.inbox.receive(written(14, 91))
    hall.begun.clear()
    await hall.inbox.try_again()
    assert hall.begun == [11]
    await hall.inbox.try_again()
    assert hall.begun == [11, 14, 11, 12], "the other channel has its turn first"
    assert hall.again == hall.begun, "each may have counted before"
    assert await hall.marks() == {90: 12, 91: 14, -GUILD: 14}
    await hall.inbox.try_again()
    assert len(hall.begun) == 4


async def test_a_mistake_among_those_that_wait_is_not_tried_again(hall: Hall) -> None:
    hall.failures[10] = [StoreError("locked"), ValueError("ours")]
    for n in (10, 11):
        await hall.inbox.receive(written(n))
    await hall.inbox.try_again()
    assert hall.begun == [10, 10, 11]
    assert await hall.marks() == {90: 11, -GUILD: 11}


async def test_what_waits_in_a_shard_that_is_lost_is_left_to_others(hall: Hall) -> None:
    for n, channel, guild in ((10, 90, GUILD), (11, 91, 6), (12, 93, None)):
        hall.failures[n] = [StoreError("locked")]
        await hall.inbox.receive(written(n, channel, guild=guild))
    asked: list[int | None] = []

    def fits(guild: int | None) -> bool:
        asked.append(guild)
        return guild == GUILD

    hall.inbox.leave(fits)
    assert asked == [GUILD, 6, None]
    assert await hall.marks() == {}
    hall.begun.clear()
    await hall.inbox.try_again()
    assert hall.begun == [11, 12]
    await hall.inbox.receive(written(10))
    assert hall.begun == [11, 12, 10], "the shard is ours again: it is read once more"
    assert (await hall.marks())[90] == 10


async def test_what_was_refused_is_marked_at_once(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    hall.refused = {10, 11}
    await hall.inbox.receive(written(10))
    assert hall.stored == [{90: 10, -GUILD: 10}]
    hall.broken = [StoreError("locked")]
    await hall.inbox.receive(written(11))
    assert "read marks wait" in caplog.text
    assert await hall.marks() == {90: 11, -GUILD: 11}


async def test_marks_that_cannot_be_stored_are_kept(hall: Hall) -> None:
    await hall.inbox.receive(written(10))
    hall.broken = [StoreError("locked"), asyncio.CancelledError()]
    for error in (StoreError, asyncio.CancelledError):
        with pytest.raises(error):
            await hall.inbox.save_marks()
    assert await hall.marks() == {90: 10, -GUILD: 10}
    assert await hall.marks() == {}
    assert hall.stored == [], "where nothing has moved the database isn't asked"


async def test_where_a_match_turns_out_to_be_played_marks_are_kept(hall: Hall) -> None:
    hall.direct = {93}
    await hall.inbox.receive(written(-10, 94))
    await hall.inbox.receive(written(10, 94))
    await hall.inbox.receive(written(11, 92))
    await hall.inbox.receive(written(12, 93, guild=None))
    assert hall.begun == [10, 11, 12], "what can't be meant for the bot isn't looked at further"
    assert await hall.marks() == {92: 11, 93: 12, -GUILD: 11}


@pytest.mark.parametrize(
    ("verb", "arg", "author", "kept"),
    [
        ("moves", "", 1, True),
        ("moves", "mirror", 1, False),
        ("join", "", 1, False),
        ("moves", "", 2, False),
        ("", "", 1, False),
    ],
)
async def test_a_board_of_ours_says_that_a_match_is_played_there(
    hall: Hall, verb: str, arg: str, author: int, *, kept: bool
) -> None:
    call = SimpleNamespace(verb=verb, arg=arg) if verb else None
    with mock.patch.object(messages, "find_identifying_call", return_value=call):
        board = written(10, 95, author=SimpleNamespace(id=author, bot=True))
        await hall.inbox.receive(board)
        await hall.inbox.receive(board)
    assert hall.begun == []
    assert (await hall.marks()).get(95) == (10 if kept else None)


async def test_before_the_library_knows_us_no_board_is_ours(hall: Hall) -> None:
    ctx: Any = hall.inbox.ctx
    ctx.discord.client.user = None
    await hall.inbox.receive(written(10, 95, author=SimpleNamespace(id=1, bot=True)))
    assert 95 not in await hall.marks()


async def test_where_messages_may_have_been_missed_the_mark_stays(hall: Hall) -> None:
    hall.inbox.held = lambda place: place == 90
    await hall.inbox.receive(written(10))
    assert await hall.marks() == {-GUILD: 10}


async def test_who_is_being_forgotten_is_not_heard(hall: Hall) -> None:
    hall.erased.add(7)
    await hall.inbox.receive(written(10))
    assert (hall.begun, hall.seen) == ([], [])
    assert (await hall.marks())[90] == 10


FORWARDED = SimpleNamespace(type=discord.MessageReferenceType.forward)
REPLIED = SimpleNamespace(type=discord.MessageReferenceType.default)


@pytest.mark.parametrize(
    ("more", "heard"),
    [
        ({}, True),
        ({"reference": REPLIED, "type": discord.MessageType.reply}, True),
        ({"reference": FORWARDED}, False),
        ({"webhook_id": 3}, False),
        ({"author": SimpleNamespace(id=8, bot=True)}, False),
        ({"type": discord.MessageType.pins_add}, False),
    ],
)
async def test_only_what_a_person_wrote_is_heard_and_all_moves_the_mark(
    hall: Hall, more: dict[str, Any], *, heard: bool
) -> None:
    await hall.inbox.receive(written(10, **more))
    assert hall.begun == ([10] if heard else [])
    assert await hall.marks() == {90: 10, -GUILD: 10}


@pytest.mark.parametrize("author", [{"author": {"id": "7"}}, {}], ids=["known", "unknown"])
async def test_who_edits_a_move_hears_once_that_it_stays(hall: Hall, author: dict[str, Any]) -> None:
    served: dict[str, Any] = {}
    told: list[tuple[object, ...]] = []

    async def request(key: str) -> Any:
        return served.get(key)

    async def reader(who: int, _place: object = None) -> Any:
        return SimpleNamespace(say=lambda words: f"{words.key} {dict(words.values)['match']} for {who}")

    async def answer(channel: object, reference: Any, outgoing: Any) -> None:
        assert not reference.fail_if_not_exists, "it may be deleted by now"
        told.append((channel, reference.message_id, outgoing.content))

    ctx: Any = hall.inbox.ctx
    ctx.store.request = request
    ctx.readers = SimpleNamespace(person=reader, public=reader)
    ctx.delivery = SimpleNamespace(answer=answer)
    ctx.discord.client.get_partial_messageable = lambda channel, guild_id: (channel, guild_id)

    async def edit(**data: Any) -> None:
        payload: Any = SimpleNamespace(message_id=10, channel_id=90, guild_id=GUILD, data=data)
        await hall.inbox.edited(payload)

    at = {"edited_timestamp": "2026-01-01T12:00:00+00:00"}
    await edit(**at, **author)
    served["m10"] = SimpleNamespace(match="F-1")
    await edit(**author)  # its link has got a preview
    await edit(**at, author={"id": "8", "bot": True})
    assert told == []
    for _ in range(2):
        await edit(**at, **author)
    assert told == [((90, GUILD), 10, f"bot.move.edited F-1 for {7 if author else GUILD}")]
