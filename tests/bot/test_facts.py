"""Facts as text, summarised or in full: long turns leave room for the rest of a board's message."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.facts import by_mover, facts_for, full_text, names_its_seats, summary
from bot.messages.match import what_happened
from bot.messages.names import seat_names
from games.engine.game import Fact, Seat
from games.engine.message import Msg, Who, msg
from tests.bot.acts import move_by
from tests.bot.stage import Stage, legal

READY = "toy.fact.ready"


def say(message: Msg) -> str:
    """The values alone."""
    return " ".join(str(value) for _, value in message.values) + "."


def fact(text: str, line: int = 0, *, detail: bool = False) -> Fact:
    return Fact(msg(READY, text=text), line=line, detail=detail)


def test_lines_are_told_in_order_and_details_are_not() -> None:
    facts = [fact("c", 2), fact("a"), fact("hush", 1, detail=True), fact("b"), fact("d", 2)]
    assert summary(facts, say, 100) == "a · b\nc · d"
    assert full_text(facts, say, 100) == "c.\na.\nhush.\nb.\nd."
    assert summary([], say, 100) == full_text([], say, 100) == ""


def test_what_is_too_long_is_left_out_in_the_middle_and_counted() -> None:
    facts = [fact("place"), *(fact(f"battle {n}", 1) for n in range(9)), fact("card", 4)]
    assert summary(facts, say, 60) == "place\nbattle 0 · battle 1 · … +5 · battle 7 · battle 8\ncard"
    assert full_text(facts, say, 24) == "…\nbattle 8.\ncard."


@given(st.lists(st.tuples(st.text("ab", max_size=9), st.integers(0, 4)), max_size=30), st.integers(80, 200))
def test_nothing_is_longer_than_it_may_be(said: list[tuple[str, int]], most: int) -> None:
    facts = [fact(text, line) for text, line in said]
    assert len(full_text(facts, say, most)) <= most
    assert len(summary(facts, say, most)) <= most + 80


def test_who_hears_what() -> None:
    own = Fact(msg(READY), to=frozenset({Seat(1)}))
    assert facts_for([own, fact("a")], 1) == [own, fact("a")]
    assert facts_for([own, fact("a")], 0) == facts_for([own, fact("a")], None) == [fact("a")]


@pytest.mark.parametrize(
    ("who", "named"), [((1, 2), True), ((1,), False), ((), False), ((2, None), True), ((None, 2), False)]
)
def test_facts_may_name_their_seats(who: tuple[int | None, ...], named: bool) -> None:
    facts = [Fact(msg(READY) if seat is None else msg(READY, who=Who(seat))) for seat in who]
    assert names_its_seats([*facts, fact("later", 1)], 2) is named


async def test_a_move_is_ascribed_to_who_made_it(stage: Stage) -> None:
    """A board of two moves may tell those of one seat only: in secret the other did nothing to be seen."""
    match, thread = await stage.open(stage.ann, stage.ben)
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    row, now, reader = await stage.row(match), await stage.match(match), stage.bot.context.readers.default
    mover = now.log[-1].seat
    other = Seat(1 - (mover or 0))
    told = [Fact(msg("domination.fact.ready", who=Who(other)), by=other)]
    names = seat_names(row, reader)
    assert what_happened(row, now, told, reader) == f"{names(other)} has decided"


FLAG = Fact(msg("match.fact.flag", who=Who(Seat(0))))


def test_facts_are_grouped_by_who_caused_them() -> None:
    """What the host says isn't ascribed to who moved before, nor a default move to its seat."""
    ann = Fact(msg(READY), by=Seat(1))
    own, dice, default = (
        Fact(msg(READY), by=Seat(0)),
        fact("dice"),
        Fact(msg(READY), by=Seat(0), default=True),
    )
    groups = by_mover([dice, ann, dice, FLAG, default, dice, default, own, dice])
    assert [(g.seat, g.default, g.host, len(g.facts)) for g in groups] == [
        (1, False, False, 3),
        (None, False, True, 1),
        (0, True, False, 3),
        (0, False, False, 2),
    ]
    assert by_mover([]) == []


async def test_what_one_seat_was_given_is_not_ascribed_to_who_moved_next(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await move_by(stage, "slash", match, thread, await stage.mover(match), legal(await stage.match(match))[0])
    row, now, reader = await stage.row(match), await stage.match(match), stage.bot.context.readers.default
    given = Fact(msg("look.nobody"), to=frozenset({Seat(0)}))
    mine = replace(reader, seat=Seat(0))
    assert what_happened(row, now, [given], mine) == "nobody's"
    own = Fact(msg("look.nobody"), by=Seat(1))
    told = what_happened(row, now, [given, own], mine)
    assert told.splitlines() == ["nobody's", f"{seat_names(row, mine)(1)}: nobody's"]


async def test_a_late_board_tells_whose_moves_were_whose(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    row, now, reader = await stage.row(match), await stage.match(match), stage.bot.context.readers.default
    names = seat_names(row, reader)
    default = Fact(msg("look.nobody"), by=Seat(0), default=True)
    own = Fact(msg("look.nobody"), by=Seat(1))
    told = what_happened(row, now, [own, FLAG, default, own], reader)
    assert told.splitlines() == [
        f"{names(1)}: nobody's",
        f"{names(0)}'s time is up. A safe move is played for them: nobody's",
        f"{names(1)}: nobody's",
    ]
    alone = what_happened(row, now, [default], reader)
    assert alone == f"A safe move is played for {names(0)}: nobody's"
    hidden = replace(default, to=frozenset({Seat(0)}))
    assert what_happened(row, now, [FLAG, hidden], reader) == f"{names(0)}'s time is up"
    silent = replace(default, detail=True)
    closed = what_happened(row, now, [FLAG, silent], reader)
    assert closed == f"{names(0)}'s time is up. A safe choice is made for them."
    decided = Fact(msg("domination.fact.ready", who=Who(Seat(0))), by=Seat(0), default=True)
    told = what_happened(row, now, [FLAG, decided], reader)
    assert told == f"{closed} {names(0)} has decided"
