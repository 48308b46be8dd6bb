"""Whatever is typed is answered, and every legal action can be typed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dominion import GAME, judge
from games.dominion.actions import decode
from games.dominion.board import NAMES
from games.dominion.position import LETTERS, State, kind_of
from games.engine.game import Done, Partial, Rejected, Seat
from tests.games.dominion.reading import FALLING, RISING, SETTLING, START, STATES, read, refusal
from tests.rows import rows
from tests.soak import examples

LOOKS = st.text(alphabet="abcdefghm1234590 +-=@!:x>sSRWgpromte,", max_size=24)


WORDS = st.lists(
    st.sampled_from(["e3", "e4", "f3", "h3", "g5", "z9", "gen", "sol", "S", "pea", "x", "to", "-", "+", "@",
                     "=", "!",
                     "W", "promote", "demote", "auto", "stay", "pass", "sgt", "and", "move", "3", "e"]),
    max_size=7,
).map(" ".join)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=examples(400), deadline=None)
@given(st.sampled_from(STATES), st.one_of(st.text(max_size=40), LOOKS, WORDS), st.integers(-1, 1))
def test_no_text_raises_and_done_is_legal(state: State, text: str, seat: int) -> None:
    found = read(state, text, seat)
    if isinstance(found, Done):
        assert GAME.refuse(state, Seat(seat), found.action) is None  # type: ignore[arg-type]  # it is an action
    elif isinstance(found, Partial):
        assert found.choices
        assert all(isinstance(read(state, each, seat), Done) for each in found.choices[:6])
    else:
        assert 0 <= found.span[0] <= found.span[1] <= len(text)
        assert all(isinstance(read(state, each, seat), Done) for each in found.near)


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(st.data())
def test_every_legal_action_is_read_back_however_it_is_written(data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(STATES))
    seat = max(judge.to_act(state.position))
    legal = judge.legal(state.position, seat)
    chosen = data.draw(st.sampled_from(legal))
    text = GAME.format(GAME.view(state, Seat(seat)), chosen)
    if chosen.kind == "move":
        text = text.replace("-", data.draw(st.sampled_from(["-", ">", " x ", " to ", "", "–", " "])))
    cased = "".join(data.draw(st.sampled_from([s.lower(), s.upper()])) for s in text)
    assert read(state, f" {cased} ", seat) == Done(chosen)
    assert GAME.decode(GAME.encode(chosen)) == chosen


@rows("state", [RISING, FALLING, SETTLING])
def test_an_answer_to_fate_has_one_verb_one_square_and_one_kind_on_each_side(state: State) -> None:
    for action in judge.legal(state.position, max(judge.to_act(state.position))):
        at = NAMES[action.a]
        if action.kind == "peasant":
            words = ["place", "peasant", at]
        else:
            there = LETTERS[kind_of(state.position.board[action.a])]
            words = [action.kind, there, at, "=", LETTERS[action.b]]
        assert read(state, " ".join(words)) == Done(action)
        other = "promote" if action.kind == "demote" else "demote"
        for n, more in enumerate((other, *words[1:])):
            text = " ".join((*words[:n], more, *words[n:]))
            assert more == "=" or isinstance(read(state, text), Rejected), text
        if action.kind == "peasant":
            assert isinstance(read(state, f"soldier {at}"), Rejected)


@rows("unit", ["e3-e4 ", "a", "+", "4", "d4 is strong ", "🙂", "ﷺ", "e3", "- ", "! +f3 "])
def test_a_text_longer_than_any_action_is_conversation_and_not_looked_into(unit: str) -> None:
    found = refusal(START, (unit * 4000)[:4000])
    assert (found.chat, found.near) == (True, ())


def test_an_action_among_thousands_of_spaces_is_one() -> None:
    assert read(START, " " * 2000 + "e3-e4" + "\n" * 1900) == Done(decode("e3-e4"))
