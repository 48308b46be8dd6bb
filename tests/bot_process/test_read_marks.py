"""A read mark never passes a message at work, nor a gap."""

from __future__ import annotations

from bot.inbound.read_marks import ReadMarks

ROOM, OTHER = 7, 8


def test_a_message_that_ends_alone_is_the_mark() -> None:
    marks = ReadMarks()
    marks.begin(ROOM, 10)
    assert marks.end(ROOM, 10) == 10
    marks.begin(ROOM, 11)
    assert marks.end(ROOM, 11) == 11


def test_a_quick_message_waits_for_the_slow_one_before_it() -> None:
    marks = ReadMarks()
    for message in (10, 11, 12):
        marks.begin(ROOM, message)
    assert not marks.passable(ROOM, 11)
    assert marks.end(ROOM, 11) is None
    assert marks.end(ROOM, 10) == 11
    assert marks.passable(ROOM, 11)
    assert marks.end(ROOM, 12) == 12


def test_a_message_behind_two_at_work_waits_for_both() -> None:
    marks = ReadMarks()
    for message in (10, 11, 12):
        marks.begin(ROOM, message)
    assert marks.end(ROOM, 12) is None
    assert marks.end(ROOM, 10) is None
    assert marks.end(ROOM, 11) == 12


def test_rooms_do_not_wait_for_each_other() -> None:
    marks = ReadMarks()
    marks.begin(ROOM, 10)
    marks.begin(OTHER, 11)
    assert marks.passable(OTHER, 12) is False
    assert marks.end(OTHER, 11) == 11
    assert marks.passable(OTHER, 12)


def test_a_gap_holds_the_mark_until_it_is_closed() -> None:
    marks = ReadMarks()
    marks.gaps.add(ROOM)
    marks.begin(ROOM, 10)
    assert marks.end(ROOM, 10) is None
    marks.gaps.discard(ROOM)
    marks.begin(ROOM, 11)
    assert marks.end(ROOM, 11) == 11
