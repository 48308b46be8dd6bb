"""Words of typed text, what a reading accounts for, and the nearest legal texts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.normalization import normalized
from games.engine.notation import MAX_LENGTH, left_over, nearest, words
from tests.laws.checks import can_be_said
from tests.rows import rows
from tests.three.game import Claim, State, Three

MOVES = ("e4-e5", "e4-e6", "e4-d4", "c3-c4", "+c4")


def texts(text: str) -> list[str]:
    return [word.text for word in words(normalized(text).text)]


@rows(
    "text, found",
    [
        ("", []),
        (" \t\n\u3000", []),
        ("e4-e6", ["e", "4", "-", "e", "6"]),
        ("E4 x e6!", ["e", "4", "x", "e", "6", "!"]),
        ("E4E6", ["e", "4", "e", "6"]),
        ("2:d4 → d6", ["2", ":", "d", "4", "→", "d", "6"]),
        ("RESERVE c4", ["reserve", "c", "4"]),
        ("10e", ["10", "e"]),
        ("ｅ４－ｅ６", ["e", "4", "-", "e", "6"]),
        ("＋ｃ４", ["+", "c", "4"]),
        ("ｅ４\u3000ｅ６", ["e", "4", "e", "6"]),
        ("Straße", ["strasse"]),
        ("ﬁ", ["fi"]),
        ("é4", ["é", "4"]),
        ("𝟜", ["4"]),
        ("中文3", ["中文", "3"]),
        ("\ud800e4", ["\ud800", "e", "4"]),
        ("++", ["+", "+"]),
    ],
)
def test_a_text_is_split_into_words(text: str, found: list[str]) -> None:
    assert texts(text) == found


def test_places_are_those_of_the_text_as_it_was_typed() -> None:
    assert [(word.start, word.end) for word in words("  Ｅ4 to ß9")] == [
        (2, 3),
        (3, 4),
        (5, 7),
        (8, 9),
        (9, 10),
    ]


def test_no_more_is_read_than_an_order_may_be_long() -> None:
    assert words("e" * 4000)[-1].end == MAX_LENGTH
    assert len(words("-" * 4000)) == MAX_LENGTH


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    found = words(text)
    seen = text[:MAX_LENGTH]
    at = 0
    for word in found:
        assert at <= word.start < word.end <= len(seen)
        assert not seen[at : word.start].strip(), "only spaces vanish"
        assert word.text
        at = word.end
    assert not seen[at:].strip()
    assert all(len(word.text) == 1 or word.text[0].isalnum() for word in found)


@given(st.text(alphabet="abcdefgh12345678-+", max_size=40), st.data())
def test_case_spaces_and_full_width_change_nothing(text: str, data: st.DataObject) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if data.draw(st.booleans()) else char for char in text)
    assert texts(wide) == texts(text) == texts(text.upper())
    assert [word.text for word in words(f"  {text} ")] == texts(text)


@rows(
    "text, found",
    [
        ("e4-e7", ("e4-e5", "e4-e6", "e4-d4")),
        ("e4e6", ("e4-e6", "e4-e5", "e4-d4")),
        ("E4 - E6", ("e4-e6", "e4-e5", "e4-d4")),
        ("c4", ("+c4", "c3-c4")),
        ("zzz", ()),
        ("", ()),
        ("中", ()),
    ],
)
def test_the_nearest_moves_come_first(text: str, found: tuple[str, ...]) -> None:
    assert nearest(text, MOVES)[: len(found)] == found
    assert bool(nearest(text, MOVES)) == bool(found)


def test_ties_stay_in_order_and_the_limit_holds() -> None:
    assert nearest("a", ("ab", "ac", "ad", "ae")) == ("ab", "ac", "ad")
    assert nearest("a", ("ab", "ac"), limit=1) == ("ab",)
    assert nearest("a", ()) == ()


@pytest.mark.slow
@given(st.text(max_size=200), st.lists(st.text(max_size=8), max_size=12), st.integers(0, 5))
def test_the_nearest_are_candidates(text: str, candidates: list[str], limit: int) -> None:
    found = nearest(text, candidates, limit)
    assert len(found) <= limit
    assert set(found) <= set(candidates)
    assert nearest(text, candidates, limit) == found


@given(st.lists(st.sampled_from(MOVES), min_size=1, unique=True))
def test_a_candidate_is_nearest_to_itself(candidates: list[str]) -> None:
    for candidate in candidates:
        assert nearest(f"  {candidate.upper()}", candidates)[0] == candidate


@rows(
    "text, spans, left",
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
