"""Steps, stretches, moments and the plan of an animation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.game import Seat
from games.engine.log import Entry, Kind
from games.engine.match import walk
from games.engine.record import read
from matches.lookback.films import CLOSING, MAX_LENGTH, OPENING, Stretch, plan_film, read_stretch
from matches.lookback.key_moments import EntryNote, key_moments, note_of
from matches.lookback.steps import ReplayStep, step_at, step_of_move, steps_of, turns_of
from matches.results import Refused
from tests.laws.golden import folder

PLAY = Kind.PLAY


def log_of(*kinds: tuple[Any, ...]) -> list[Entry]:
    """A log of kinds, each with its seat and data."""
    entries = [Entry(0, Kind.START, None, "{}")]
    for kind, *rest in kinds:
        seat, data = (*rest, None, "")[:2] if len(rest) < 2 else rest
        entries.append(Entry(len(entries), kind, seat, data or ""))
    return entries


def turns(count: int, seats: int = 2) -> list[Entry]:
    return log_of(*((PLAY, Seat(n % seats)) for n in range(count)))


@given(st.integers(1, 2000), st.integers(1, 40), st.sets(st.integers(0, 2000), max_size=60))
def test_no_film_is_longer_than_forty_seconds(count: int, run: int, keys: set[int]) -> None:
    log = log_of(*((PLAY, Seat(n // run % 3)) for n in range(count)))
    steps = steps_of(log)
    whole = turns_of(log, steps)
    planned = plan_film(steps[1:], whole[1:], keys)
    assert OPENING + sum(each.milliseconds for each in planned) + CLOSING <= MAX_LENGTH
    assert planned[-1].step.last == log[-1].seq, "the last position is shown"
    assert [each.step.last for each in planned] == sorted({each.step.last for each in planned})
    assert all(each.milliseconds >= 200 and each.milliseconds % 10 == 0 for each in planned)
    usual = min(each.milliseconds for each in planned)
    assert all(each.milliseconds == 2 * usual for each in planned if each.key and len(planned) > 1) or all(
        each.key for each in planned
    )


def test_the_longest_match_shows_some_of_its_turns() -> None:
    log = turns(1771)
    planned = plan_film(steps_of(log)[1:], turns_of(log, steps_of(log))[1:], {500})
    assert 80 <= len(planned) <= 110
    (key,) = [each for each in planned if each.key]
    assert key.step.last == 500


def test_steps_have_what_follows_and_leave_talk_out() -> None:
    log = log_of(
        (PLAY, Seat(0)),
        (Kind.CHANCE,),
        (PLAY, Seat(0)),
        (Kind.OFFER, Seat(1)),
        (Kind.DECLINE, Seat(0)),
        (PLAY, Seat(1)),
        (Kind.TAKEBACK, Seat(1), "3"),
        (PLAY, Seat(1)),
        (Kind.HINT, Seat(0), "1"),
    )
    steps = steps_of(log)
    assert [(each.first, each.last, each.plays) for each in steps] == [
        (0, 0, 0), (1, 2, 1), (3, 3, 2), (4, 6, 3), (7, 7, 2), (8, 8, 3),
    ]  # fmt: skip
    assert [(each.first, each.last) for each in turns_of(log, steps)] == [
        (0, 0),
        (1, 3),
        (4, 6),
        (7, 7),
        (8, 8),
    ]
    assert not steps[3].tells(log[4])
    assert steps[3].tells(log[6])
    assert step_of_move(steps, 3) == 5, "the one that wasn't taken back"
    assert step_of_move(steps, 4) is None
    assert [step_at(steps, entry) for entry in (0, 2, 5, 99)] == [0, 1, 3, 5]
    drawn = log_of((PLAY, Seat(0)), (Kind.OFFER, Seat(0)), (Kind.OFFER, Seat(1)), (Kind.REVEAL,))
    assert [(each.first, each.last) for each in steps_of(drawn)] == [(0, 0), (1, 1), (2, 4)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("", 1, 60), ("The whole match", 1, 60), ("from 40", 40, 60), ("40-", 40, 60), ("40 – 50", 40, 50),
        ("40…50", 40, 50), ("40..50", 40, 50),
        ("from move 40 to 50", 40, 50), ("to 5", 1, 5), ("-5", 1, 5), ("last turn", 60, 60), ("7", 7, 60),
        ("the last three turns", 58, 60), ("last 3 rounds", 52, 60), ("last 10 moves", 51, 60),
        ("first two rounds", 1, 6), ("first 4 moves", 1, 4), ("LAST ROUND.", 58, 60),
    ],
)  # fmt: skip
def test_stretches(text: str, first: int, last: int) -> None:
    log = turns(60, seats=3)
    steps = steps_of(log)
    assert read_stretch(text, steps, turns_of(log, steps)) == Stretch(first, last)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("banana", "unclear"), ("last", "unclear"), ("last 0 turns", "unclear"), ("last first", "unclear"),
        ("3 4 5", "unclear"), ("x" * 41, "unclear"), ("61", "beyond"), ("0-99999999999", "beyond"),
        ("50-40", "order"), ("to 0", "order"),
    ],
)  # fmt: skip
def test_what_is_no_stretch_is_explained(text: str, why: str) -> None:
    log = turns(60, seats=3)
    steps = steps_of(log)
    found = read_stretch(text, steps, turns_of(log, steps))
    if text == "last":
        assert found == Stretch(60, 60), "the last move"
        return
    assert isinstance(found, Refused)
    assert found.why.key == f"match.stretch.{why}"


@given(st.text(max_size=50))
def test_any_text_is_read_or_refused(text: str) -> None:
    log = turns(9)
    steps = steps_of(log)
    found = read_stretch(text, steps, turns_of(log, steps))
    assert isinstance(found, Refused) or 1 <= found.first <= found.last < len(steps)


def test_before_the_first_move_there_is_nothing() -> None:
    found = read_stretch("", *[(ReplayStep(0, 0, None, 0, 0),)] * 2)
    assert isinstance(found, Refused)
    assert found.why.key == "match.stretch.nothing"


def test_moments_are_the_heaviest_in_order() -> None:
    log = turns(40, seats=3)
    steps = turns_of(log, steps_of(log))
    notes = [EntryNote(values=(0.5, 0.0, 0.0))] * 41
    notes[3] = EntryNote(taken=4, values=(0.5, 0.0, 0.0))
    notes[7] = EntryNote(taken=1)
    notes[9:] = [EntryNote(values=(0.0, 0.6, 0.0))] * 32
    notes[30:] = [EntryNote(out=frozenset({Seat(2)}), values=(0.0, 0.6, -1.0))] * 11
    found = key_moments(steps, notes, (0, 1, 2), {12: (Seat(2), 0.25)})
    assert [(each.entry, each.kind, each.seat, each.n) for each in found] == [
        (3, "capture", 2, 4), (9, "lead", 1, 0), (12, "mistake", 2, 25), (30, "out", 2, 0),
    ]  # fmt: skip
    assert [each.kind for each in key_moments(steps, notes, (0, 1, 2), most=1)] == ["out"]


def test_who_leads_is_judged_by_what_the_viewer_knows() -> None:
    """A seat knows its own mission: to itself it takes the lead, to all others nobody does."""
    log = turns(20, seats=2)
    steps = turns_of(log, steps_of(log))
    notes = [EntryNote(values=(0.3, 0.0), own=(0.3, 0.0))] * 10
    notes += [EntryNote(values=(0.3, 0.0), own=(0.3, 0.9))] * 11

    def found(viewer: Seat | None) -> list[tuple[int, Seat | None]]:
        return [(each.entry, each.seat) for each in key_moments(steps, notes, (0, 1), viewer=viewer)]

    assert found(Seat(1)) == [(10, 1)]
    assert found(Seat(0)) == found(None) == []


def test_a_hidden_mission_counts_for_its_owner_alone() -> None:
    match = read((folder("domination") / "3-mission.txt").read_text()).match
    notes = [note_of(past, facts, past.log[-1].seat) for past, facts in walk(match.log)]
    judged = [note for note in notes if note.own != note.values]
    assert judged, "a mission makes a difference"
    for note in judged:
        assert note.seen_by(None) == note.values
        for seat in map(Seat, range(3)):
            theirs = [note.seen_by(seat)[each] == note.values[each] for each in range(3) if each != seat]
            assert all(theirs), "of others they know what all know"
