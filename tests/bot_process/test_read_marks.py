"""A read mark moves with every message, and never passes one at work, nor a gap."""

from __future__ import annotations

import pytest

from bot.inbound.read_marks import ReadMarks, session_mark

ROOM, OTHER = 7, 8


@pytest.fixture
def marks() -> ReadMarks:
    made = ReadMarks()
    made.keep([ROOM, OTHER])
    return made


def begin(marks: ReadMarks, *messages: int) -> None:
    for message in messages:
        marks.begin(ROOM, message)


def test_a_message_that_ends_alone_is_the_mark(marks: ReadMarks) -> None:
    for message in (10, 11):
        begin(marks, message)
        marks.end(ROOM, message)
        assert marks.take_unsaved() == {ROOM: message}
    assert marks.take_unsaved() == {}


def test_a_quick_message_waits_for_the_slow_one_before_it(marks: ReadMarks) -> None:
    begin(marks, 10, 11, 12)
    marks.end(ROOM, 11)
    marks.move(ROOM, 11)
    assert marks.take_unsaved() == {}
    marks.end(ROOM, 10)
    assert marks.take_unsaved() == {ROOM: 11}
    marks.end(ROOM, 12)
    assert marks.take_unsaved() == {ROOM: 12}


def test_a_message_behind_two_at_work_waits_for_both(marks: ReadMarks) -> None:
    begin(marks, 10, 11, 12)
    marks.end(ROOM, 12)
    marks.end(ROOM, 10)
    assert marks.take_unsaved() == {}
    marks.end(ROOM, 11)
    assert marks.take_unsaved() == {ROOM: 12}


def test_rooms_do_not_wait_for_each_other(marks: ReadMarks) -> None:
    begin(marks, 10)
    marks.begin(OTHER, 11)
    marks.end(OTHER, 11)
    assert marks.take_unsaved() == {OTHER: 11}


def test_where_messages_may_have_been_missed_the_mark_stays(marks: ReadMarks) -> None:
    begin(marks, 10)
    marks.end(ROOM, 10, held=True)
    assert marks.take_unsaved() == {}
    begin(marks, 11)
    marks.end(ROOM, 11)
    assert marks.take_unsaved() == {ROOM: 11}


def test_only_channels_with_live_matches_have_marks() -> None:
    marks = ReadMarks()
    begin(marks, 10)
    marks.end(ROOM, 10)
    assert marks.take_unsaved() == {}
    marks.keep_also(ROOM)
    begin(marks, 11)
    marks.end(ROOM, 11)
    assert marks.take_unsaved() == {ROOM: 11}


def test_marks_that_could_not_be_stored_are_stored_the_next_time(marks: ReadMarks) -> None:
    marks.move(ROOM, 10)
    taken = marks.take_unsaved()
    marks.move(ROOM, 12)
    marks.put_back(taken)
    assert marks.take_unsaved() == {ROOM: 12}


def test_the_marks_of_sessions_are_stored_so_their_places_stay() -> None:
    assert [session_mark(1, 0), session_mark(2, 0), session_mark(2, 1)] == [-100_000, -200_000, -200_001]


def test_what_was_left_is_read_once_more_and_is_not_passed_by_what_was_done_behind_it(
    marks: ReadMarks,
) -> None:
    begin(marks, 10, 11, 12)
    marks.end(ROOM, 12)
    marks.leave(ROOM, 10)
    marks.leave(ROOM, 11)
    marks.leave(ROOM, 11)
    assert marks.take_unsaved() == {}
    assert marks.begin(ROOM, 10)
    marks.end(ROOM, 10)
    assert marks.take_unsaved() == {ROOM: 10}
    assert marks.begin(ROOM, 11)
    marks.end(ROOM, 11)
    assert marks.take_unsaved() == {ROOM: 11}


def test_the_mark_stays_before_a_message_at_work_even_if_it_is_moved_there(marks: ReadMarks) -> None:
    begin(marks, 10)
    marks.move(ROOM, 10)
    assert marks.take_unsaved() == {}
    marks.move(ROOM, 9)
    assert marks.take_unsaved() == {ROOM: 9}
