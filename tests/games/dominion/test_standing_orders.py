"""Standing orders: what is typed behind a move, for the questions of fate."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.dominion import GAME, reading
from games.dominion.actions import decode
from games.dominion.position import LETTERS
from games.dominion.reading import StandingOrder
from games.engine import match as engine
from games.engine.dice import Sealed
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.orders import Executed, play
from games.engine.values import Script
from tests.games.dominion.helpers import S, act
from tests.games.dominion.reading import FALLING, RISING, SETTLING, START, action, choices, read
from tests.rows import rows


@rows(
    "text, rest",
    [
        ("e3-e4 ! +f3 -h3 @g5", "! +f3 -h3 @g5"),
        ("e3-e4!+f3-h3@g5", "! +f3 -h3 @g5"),
        ("sol e4 ! promote f3, demote h3 and peasant g5", "! +f3 -h3 @g5"),
        ("e3-e4 ! +F3=w -H3=a", "! +f3=W -h3=A"),
        ("e3-e4 ! +f3 to warrior; + h3", "! +f3=W +h3"),
    ],
)
def test_orders_follow_a_move(text: str, rest: str) -> None:
    found = read(START, text)
    assert isinstance(found, Done)
    assert found.action == decode("e3-e4")
    assert found.script is not None
    assert " ".join(["!", *map(written_out, found.script.orders)]) == rest


def written_out(order: StandingOrder) -> str:
    """Return a standing order in its short typed form."""
    sign = {"promote": "+", "demote": "-", "peasant": "@"}[order.request]
    return f"{sign}{order.square}{f'={LETTERS[order.kind]}' if order.kind else ''}"


def test_the_first_order_that_fits_is_the_answer() -> None:
    for text, wire in (
        ("! +f3 -h3 @g5", "promote f3=R"),
        ("! -f3 +h3", "promote h3=R"),
        ("! +g2 +l7 +h3 +f3", "promote h3=R"),
        ("! +d4=X", "promote d4=X"),
    ):
        assert read(RISING, text) == Done(decode(wire))
    assert choices(RISING, "! +d4") == ("promote d4=W", "promote d4=X")
    assert choices(RISING, "! -h3 @g5") == choices(RISING, ""), "none of that sort: it is asked"
    assert action(SETTLING, "! +f3 @g5 @e5") == "peasant e5"
    assert action(FALLING, "! -l7 -f2=W") == "demote f2=W"


def test_a_turn_in_one_message() -> None:
    for text, wire in (("e3-e4 ! +f3=X +g3", "promote f3=X"), ("e3-e4 ! -f3 +g2 +g3", "promote g3=R")):
        found = read(START, text)
        assert isinstance(found, Done)
        asked = act(act(START, "e3-e4"), "fate 5")
        assert found.script is not None
        answer = GAME.resume(GAME.view(asked, Seat(S)), Seat(S), found.script)
        assert isinstance(answer, Done)
        assert GAME.encode(answer.action) == wire
        assert answer.script is None


@pytest.mark.parametrize("orders", ["+d4", "-h3 +d4 @g5"])
def test_an_order_with_two_meanings_is_asked_about_where_it_was_typed(orders: str) -> None:
    typed = reading.read(f"e3-e4 ! {orders}")
    assert typed is not None
    script = Script(f"e3-e4 ! {orders}", typed.orders, len("e3-e4 ! "))
    asked = GAME.resume(GAME.view(RISING, Seat(S)), Seat(S), script)
    assert isinstance(asked, Partial)
    assert (asked.choices, asked.start) == (("promote d4=W", "promote d4=X"), script.start)


@pytest.mark.parametrize("orders", ["+f3", "+f3 -h3 @g5"])
def test_orders_that_come_too_late_are_refused_as_a_whole(orders: str) -> None:
    found = read(START, f"e3-e4 ! {orders}")
    assert isinstance(found, Done)
    assert found.script is not None
    moved = act(START, "e3-e4")
    late = [(act(moved, "fate no"), "turn"), (GAME.forfeit(START, Seat(S), "resign").state, "over")]
    for state, why in late:
        refused = GAME.resume(GAME.view(state, Seat(S)), Seat(S), found.script)
        assert isinstance(refused, Rejected)
        assert refused.why.key == f"dominion.refuse.{why}"
        assert refused.span == (len("e3-e4 ! "), len(found.script.text))


@pytest.mark.slow
@given(
    move=st.sampled_from(["e3-e4", " sol e4", "sol e3 e4 "]),
    orders=st.lists(
        st.sampled_from(
            ["+f3", "-f3", "+f3=X", "@g5", "+g3", "promote h3 = w", "demote l7, ", "@a1", "+e13"]
        ),
        min_size=1,
        max_size=6,
    ).map(" ".join),
    fate=st.integers(1, 6),
    blanks=st.sampled_from(["", " ", "  "]),
)
def test_orders_that_do_not_fit_are_told_in_the_words_of_their_author(
    move: str, orders: str, fate: int, blanks: str
) -> None:
    typed = f"{move}!{blanks}{orders}{blanks}"
    sealed = Sealed(bytes([fate]), "D-AAA", "typed")
    match = replace(engine.begin(GAME, GAME.setup(2), sealed).match, state=START)
    found = read(START, typed)
    assert isinstance(found, Done)
    carried = play(match, Seat(S), found, sealed)
    assert isinstance(carried, Executed)
    if carried.undone is not None:
        assert carried.undone.text
        assert typed[typed.index("!") + 1 :].strip().endswith(carried.undone.text)
