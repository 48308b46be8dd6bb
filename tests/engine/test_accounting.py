"""What a reading leaves over stops the text, whatever game reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.notation import left_over
from tests.laws.checks import can_be_said
from tests.three.game import Claim, State, Three


@pytest.mark.parametrize(
    ("text", "spans", "left"),
    [
        ("e4-e6", [(0, 2), (3, 5)], ""),
        ("e4-e6!?", [(0, 5)], ""),
        ("", [], ""),
        ("...", [], ""),
        ("place ala, 1", [(0, 5), (6, 9)], "1"),
        ("place ala 1.5", [(0, 5), (6, 9), (10, 11)], "5"),
        ("e4e6", [(0, 2)], "e6"),
        ("e4 to e6 please", [(0, 8)], "please"),
        ("ala ½", [(0, 3)], "½"),
        ("ala 五", [(0, 3)], "五"),
        ("e4", [(0, 99)], ""),
        ("7 e4 8", [(2, 4)], "7"),
    ],
)
def test_letters_and_digits_without_a_meaning_are_found(
    text: str, spans: list[tuple[int, int]], left: str
) -> None:
    found = left_over(text, spans)
    assert (text[slice(*found)] if found else "") == left


@given(
    text=st.text(max_size=30), cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=4)
)
def test_the_first_uncovered_letter_is_where_the_part_begins(text: str, cuts: list[tuple[int, int]]) -> None:
    spans = [(min(cut), max(cut)) for cut in cuts]
    bare = [
        at
        for at, char in enumerate(text)
        if char.isalnum() and not any(start <= at < end for start, end in spans)
    ]
    found = left_over(text, spans)
    assert (found[0] if found else None) == (bare[0] if bare else None)
    if found:
        assert set(range(*found)) <= set(bare)


class Careless(Three):
    """Reads the first word only, and says so."""

    def read(self, view: State, seat: Seat, text: str) -> Done[Claim] | Partial | Rejected:
        found = super().read(view, seat, text.split()[0])
        return replace(found) if isinstance(found, Done) else found


def test_no_game_can_drop_a_word() -> None:
    game = Careless()
    view = game.start(game.setup(2)).state
    assert game.parse(view, Seat(0), "b2") == Done(Claim("b2"))
    found = game.parse(view, Seat(0), "b2 c3 please")
    assert isinstance(found, Rejected)
    assert (found.why.key, dict(found.why.values)["part"]) == ("match.refuse.unused", "c3")
    assert (found.span, found.near, found.chat) == ((3, 5), ("b2",), False)
    can_be_said(found.why)
