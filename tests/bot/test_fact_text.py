"""Facts as text, summarised or in full: long turns leave room for the rest of a board's message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.fact_text import facts_for, full_text, names_its_seats, summary
from games.engine.game import Fact, Seat
from games.engine.message import Msg, Who, msg

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


@pytest.mark.parametrize(("who", "named"), [((1, 2), True), ((1,), False), ((), False), ((2, None), False)])
def test_facts_may_name_their_seats(who: tuple[int | None, ...], named: bool) -> None:
    facts = [Fact(msg(READY) if seat is None else msg(READY, who=Who(seat))) for seat in who]
    assert names_its_seats([*facts, fact("later", 1)], 2) is named
