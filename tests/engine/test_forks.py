"""Matches that begin with a position of another one: their log, their record, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from games.engine.dice import Sealed
from games.engine.forks import decision_after, origin_of, position_after
from games.engine.game import CHANCE, Seat
from games.engine.match import (
    Change,
    CorruptLogError,
    Entry,
    Kind,
    Match,
    abort,
    begin,
    fold,
    known_as,
    leave,
    play,
    take_back,
    verify,
)
from games.engine.portable import PositionError, position_text, read_position
from games.engine.record import RecordError, export, read
from tests.engine.toy_matches import SEALED, A, B, card, done, opened, turn
from tests.rows import rows
from tests.toy import GAME

OTHER = Sealed(b"o" * 32, "T-BBB", "4:5")


def forked(source: Match, move: int | None = None) -> Match:
    found = decision_after(source.log, move).match
    return begin(GAME, found.setup, OTHER, origin=origin_of(found, source.id)).match


def test_a_fork_begins_with_the_position_and_goes_its_own_way() -> None:
    source = turn(opened())
    fork = forked(source)
    assert fork.state == source.state
    assert fork.id == "T-BBB"
    assert (fork.seq, fork.plays) == (0, 0)
    assert fork.hosting.origin is not None
    assert (fork.hosting.origin.match, fork.hosting.origin.entry, fork.hosting.origin.move) == (
        "T-AAA",
        source.seq,
        3,
    )
    assert fold(fork.log) == fork
    with pytest.raises(CorruptLogError):
        fold((*fork.log, *source.log[1:]))


def test_the_move_counts_what_stands_and_what_chance_made_of_it() -> None:
    source = turn(opened())
    undone = done(take_back(source, B, source.seq - 2, SEALED))
    assert undone.plays == 2
    found = decision_after(undone.log, 2)
    assert found.match.seq == source.seq - 2
    assert found.last == 2
    with pytest.raises(LookupError) as missing:
        decision_after(undone.log, 3)
    assert missing.value.args == (2,)
    again = card(undone, min(undone.to_act))
    rolled = decision_after(again.log, 3).match
    assert rolled.log[-1].kind is Kind.CHANCE
    assert rolled.state == again.state


def test_a_seat_that_has_left_stays_away() -> None:
    source = done(leave(turn(opened()), A, "resign", SEALED))
    fork = forked(source)
    assert fork.seats.gone == {A}
    assert A not in fork.playing
    assert read(export(fork.log)).match == fork


def test_the_end_and_a_match_without_moves() -> None:
    over = done(abort(opened(), SEALED))
    assert decision_after(over.log, None).match.plays == 0
    assert forked(over).state == opened().state
    whole = opened()
    while whole.ending is None:
        whole = turn(whole)
    with pytest.raises(LookupError):
        decision_after(whole.log, whole.plays)
    assert decision_after(whole.log, None).match.plays == whole.plays - 1


def test_nothing_can_be_taken_back_behind_the_beginning() -> None:
    fork = card(forked(turn(opened())), B)
    back = done(take_back(fork, B, 0, OTHER))
    assert back.state == forked(turn(opened())).state
    assert back.hosting.origin == fork.hosting.origin


def head_of(match: Match) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(match.log[0].data)
    return head


WRONG: dict[str, tuple[tuple[str, ...], Any]] = {
    "no position": (("position",), None),
    "odd position": (("position", "round"), 99),
    "defaults left out": (("position", "at"), [0, 0]),
    "another setup": (("position", "rounds"), 3),
    "no id": (("origin", "match"), ""),
    "odd id": (("origin", "match"), "a\nb"),
    "number": (("origin", "move"), True),
    "negative": (("origin", "entry"), -1),
    "gone twice": (("origin", "gone"), [0, 0]),
    "gone far": (("origin", "gone"), [7]),
    "gone acts": (("origin", "gone"), [1]),
    "gone text": (("origin", "gone"), ["A"]),
    "checksum": (("origin", "checksum"), "12"),
    "more": (("origin", "more"), 1),
    "no object": (("origin",), []),
}


@rows("name", WRONG)
def test_an_origin_that_no_match_has_is_refused(name: str) -> None:
    path, value = WRONG[name]
    head = head_of(forked(turn(opened())))
    at = head
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    with pytest.raises(CorruptLogError):
        fold([Entry(0, Kind.START, None, json.dumps(head, ensure_ascii=False, sort_keys=True))])


@pytest.mark.parametrize("part", ["origin", "position"])
def test_an_origin_and_its_position_belong_together(part: str) -> None:
    head = head_of(forked(turn(opened())))
    del head[part]
    with pytest.raises(CorruptLogError):
        fold([Entry(0, Kind.START, None, json.dumps(head, ensure_ascii=False, sort_keys=True))])


def test_no_match_begins_while_chance_is_due() -> None:
    source = turn(opened())
    before = fold([entry for entry in source.log if entry.seq < source.seq])
    assert before.to_act == {CHANCE}
    with pytest.raises(CorruptLogError, match="nobody is to act"):
        begin(GAME, before.setup, OTHER, origin=origin_of(before, "T-AAA"))


def test_a_record_names_its_origin_and_stands_alone() -> None:
    source = turn(opened())
    found = decision_after(source.log, None).match
    origin = replace(origin_of(found, source.id), checksum="0" * 64)
    change = begin(GAME, found.setup, OTHER, {"bank": 60}, origin)
    assert isinstance(change, Change)
    match = change.match
    while match.ending is None:
        for seat in sorted(match.to_act):
            match = card_of_fork(match, seat)
    text = export(match.log, {"Event": "x"})
    assert '\nOrigin: {"checksum": "0000' in text
    assert "\nPosition: {" in text
    again = read(text)
    assert again.match == match
    assert again.match.hosting.origin == origin
    assert export(again.entries, again.headers) == text


def card_of_fork(match: Match, seat: Seat) -> Match:
    return done(play(match, seat, next(GAME.actions(GAME.view(match.state, seat), seat)), OTHER))


@rows(
    "old, new, header",
    [
        ('"move": 3', '"move": -3', "Origin"),
        ('"round": ', '"round": 1', "Origin"),
        ("Position: {", "Position:  {", "Position"),
        ("Origin: ", "Orient: ", "Game"),
    ],
)
def test_the_header_that_is_wrong_is_named(old: str, new: str, header: str) -> None:
    text = export(forked(turn(opened())).log)
    assert old in text
    with pytest.raises(RecordError) as found:
        read(text.replace(old, new))
    named = text.splitlines()[found.value.line - 1]
    assert named.startswith(header), (named, found.value)


def test_an_imported_match_is_known_by_another_id_and_keeps_its_dice() -> None:
    match = opened()
    while match.ending is None:
        match = turn(match)
    log = (known_as(match.log[0], "W-ELSE"), *match.log[1:])
    again = fold(log)
    assert (again.id, again.hosting.recorded_as) == ("W-ELSE", "T-AAA")
    assert again.state == match.state
    assert verify(log) == ()
    assert export(log) == export(match.log)


def test_a_position_after_a_move_may_be_the_end() -> None:
    match = opened()
    assert position_after(match.log, None) == match
    while match.ending is None:
        match = turn(match)
    assert position_after(match.log, None) == match
    assert position_after(match.log, match.plays) == match
    before = position_after(match.log, match.plays - 1)
    assert (before.plays, before.ending) == (match.plays - 1, None)
    assert position_after(match.log, 0).plays == 0
    with pytest.raises(LookupError) as missing:
        position_after(match.log, match.plays + 1)
    assert missing.value.args == (match.plays,)


def test_a_position_after_a_move_that_was_taken_back_is_that_of_the_move_that_stands() -> None:
    match = turn(opened())
    undone = done(take_back(match, B, match.seq - 2, SEALED))
    assert position_after(undone.log, 2).state == undone.state
    with pytest.raises(LookupError):
        position_after(undone.log, 3)


def test_positions_are_text_and_back() -> None:
    match = turn(opened())
    text = position_text(match)
    assert read_position(text) == (GAME, match.state)
    assert read_position(f"```\n{text}```") == (GAME, match.state), "as people paste it"
    assert read_position(json.dumps(GAME.dump(match.state)), "toy") == (GAME, match.state)


BAD_POSITIONS: dict[str, tuple[str, str]] = {
    "syntax": ('{\n "game": }', "line 2, column 10"),
    "long": ("1" * 100_001, "at most"),
    "deep": ("[" * 9000, "JSON"),
    "number": ("1" * 5000, "JSON"),
    "no game": ('{"game": "tic", "position": {}}', "position of tic"),
    "odd game": ('{"game": [], "position": {}}', "position of []"),
    "other game": ('{"game": "focus", "position": {}}', "position of focus"),
    "rules": ('{"game": "toy", "rules": "1", "position": {}}', "whole number"),
    "no rules": ('{"game": "toy", "rules": 99, "position": {}}', "no version 99"),
    "part": ('{"game": "toy", "rules": 1, "position": {"teams": [0, 1]}}', "rounds"),
    "null": ("null", "object"),
}


@rows("name", BAD_POSITIONS)
def test_what_is_wrong_with_a_position_is_named(name: str) -> None:
    text, reason = BAD_POSITIONS[name]
    with pytest.raises(PositionError) as found:
        read_position(text, "toy")
    assert reason in str(found.value)


def test_a_position_of_no_game_is_refused() -> None:
    for text in ('{"game": "tic", "position": {}}', '{"game": [], "position": {}}', "{}"):
        with pytest.raises(PositionError, match="no such game"):
            read_position(text)
