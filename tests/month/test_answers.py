"""Answers to messages: Discord may not take them at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.loopback import Person
from tests.month.month import Month
from tests.month.stories import POSTS, answers, move, tell
from tests.month.tables import Table

pytestmark = pytest.mark.slow

NONSENSE = "z99-z98"


async def mistake(month: Month, table: Table) -> Person:
    """Let the one who is to move write what isn't a move, and return them."""
    person = table.seats[min(table.model.to_act)]
    person.send(table.room, NONSENSE, mention=True)
    await month.stage.settle()
    return person


def limit(month: Month, seconds: float = 45) -> None:
    """Let Discord refuse the next post, for longer than the library waits."""
    month.stage.server.faults.rate_limit(seconds, method="POST", path=POSTS)


def fail_after_posting(month: Month) -> None:
    """Let Discord post the next message and answer with an error that the library doesn't retry."""
    month.stage.server.faults.error(503, method="POST", path=POSTS, after_handling=True)


def cut_after_posting(month: Month) -> None:
    """Let Discord post the next message and close the connection instead of answering."""
    month.stage.server.faults.reset(method="POST", path=POSTS, after_handling=True, orderly=True)


@pytest.mark.parametrize("fault", [limit, fail_after_posting, cut_after_posting])
def test_an_answer_comes_once_whatever_became_of_its_request(fault: Callable[[Month], None]) -> None:
    async def story(month: Month, table: Table) -> None:
        fault(month)
        await mistake(month, table)
        await month.stage.pass_time(60)
        await month.stage.pass_time(60)
        assert len(answers(month, table.room)) == 1

    tell(story)


def test_an_answer_that_waits_is_not_posted_once_the_right_move_has_come() -> None:
    async def story(month: Month, table: Table) -> None:
        limit(month, 80)
        await mistake(month, table)
        person, text = move(table)
        person.send(person.dm, f"{table.id} {text}")
        await month.stage.pass_time(200)
        month.check_log(table)
        assert not answers(month, table.room)

    tell(story)


def test_an_answer_that_waited_is_deleted_with_the_right_move() -> None:
    async def story(month: Month, table: Table) -> None:
        limit(month)
        await mistake(month, table)
        await month.stage.pass_time(60)
        person, text = move(table)
        person.send(table.room, text, mention=True)
        await month.stage.settle()
        month.check_log(table)
        assert not answers(month, table.room)

    tell(story)


def test_a_move_is_answered_although_an_earlier_answer_can_not_be_deleted_now() -> None:
    async def story(month: Month, table: Table) -> None:
        await mistake(month, table)
        month.stage.server.faults.rate_limit(45, method="DELETE", path=POSTS + r"/\d+")
        person, text = move(table)
        person.send(person.dm, f"{table.id} {text}")
        await month.stage.settle()
        month.check_log(table)
        (answer,) = answers(month, person.dm)
        assert table.id in answer

    tell(story)


def test_the_author_of_an_edited_move_is_answered_after_a_rate_limit() -> None:
    async def story(month: Month, table: Table) -> None:
        person, text = move(table)
        sent = person.send(table.room, text, mention=True)
        await month.stage.settle()
        limit(month)
        await person.edit(sent, f"{text}!")
        await month.stage.pass_time(60)
        (answer,) = answers(month, table.room)
        assert table.id in answer

    tell(story)


def test_a_picture_alone_is_not_answered() -> None:
    async def story(month: Month, table: Table) -> None:
        person = table.seats[min(table.model.to_act)]
        for channel in (table.room, person.dm):
            person.send(channel, mention=True, files=[("board.png", b"a picture")])
            await month.stage.settle()
            assert not answers(month, channel)

    tell(story)


def test_an_answer_comes_without_its_reference_where_the_bot_can_not_reply() -> None:
    async def story(month: Month, table: Table) -> None:
        month.stage.server.forbid(table.room, "read_message_history")
        before = len(month.stage.posts_by_bot(table.room.id))
        await mistake(month, table)
        (answer,) = month.stage.posts_by_bot(table.room.id)[before:]
        assert "z99" in answer.content
        assert answer.reference is None

    tell(story)


def test_an_answer_is_given_up_when_it_is_worth_nothing_any_longer() -> None:
    async def story(month: Month, table: Table) -> None:
        limit(month, 3600)
        await mistake(month, table)
        await month.stage.pass_time(7200)
        assert not answers(month, table.room)
        assert month.stage.bot.counters.take_new()["answers: dropped (429)"] == 1

    tell(story)
