"""Fonts that detect missing letters, a cache that stays within its bounds, and the slant of piles."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render import fonts
from render.piled_pieces import MAX_VISIBLE_DISCS, slant
from render.thread_safe_cache import Cache
from tests.rows import rows


@rows("text", ["Grün zieht", "À vous, Noël", "¿Quién juega?", "São João", "2×3 – “…”"])
def test_fonts_have_the_letters_of_latin_languages(text: str) -> None:
    assert all(fonts.has_glyph(0, character) for character in text)


def test_missing_letters_are_detected() -> None:
    assert not fonts.has_glyph(0, "棋")
    assert fonts.font("棋", 20).getname() == fonts.font("a", 20).getname()


@rows(
    "text, shown",
    [
        ("Анна Ђукић", "Анна Ђукић"),
        ("Ελλάδα", "Ελλάδα"),
        ("Łódź, Ősz, Việt Nam, İzmir", "Łódź, Ősz, Việt Nam, İzmir"),
        ("Ann 🎲", "Ann"),
        ("𝓐𝓷𝓷 Ｂ", "Ann B"),
        ("A̷n̷n̷", "Ann"),
        ("Ann 対 Анна", "Ann … Анна"),
        ("棋手", "…"),
        ("مصر", "…"),
        ("भारत", "…"),
        ("🎲", "…"),
        ("", ""),
    ],
)
def test_what_no_face_has_is_replaced_and_never_a_box(text: str, shown: str) -> None:
    assert fonts.legible(text) == shown
    assert fonts.legible(shown) == shown


@given(st.text(max_size=12))
def test_any_text_can_be_set_in_one_face(text: str) -> None:
    shown, face = fonts.legible(text), fonts.font(text, 20).getname()[0]
    nth = [fonts.font(one, 20).getname()[0] for one in ("a", "Ж")].index(face)
    assert all(fonts.has_glyph(nth, one) for one in shown)
    assert fonts.legible(shown) == shown


def test_bold_is_a_face_of_its_own() -> None:
    assert fonts.font("a", 20).getname()[1] == "Regular"
    assert fonts.font("a", 20, bold=True).getname()[1] == "Bold"


def test_texts_shrink_and_are_then_truncated() -> None:
    assert fonts.fit("Red", 500, 30, min_size=20) == ("Red", 30)
    text, size = fonts.fit("Red and all the others", 220, 30, min_size=18)
    assert (text, 18 <= size < 30) == ("Red and all the others", True)
    text, size = fonts.fit("Red and all the others" * 3, 100, 30, min_size=20)
    assert size == 20
    assert text.endswith("…")
    assert fonts.width(text, size) <= 100


@pytest.mark.slow
def test_sentences_break_between_words_and_stay_within_their_lines() -> None:
    lines, size = fonts.wrap("Green wins by domination", 150, 30, lines=2, min_size=16)
    assert " ".join(lines) == "Green wins by domination"
    assert all(fonts.width(line, size) <= 150 for line in lines)
    lines, size = fonts.wrap("word " * 60, 150, 30, lines=3, min_size=20)
    assert (len(lines), size, lines[-1][-1]) == (3, 20, "…")
    assert all(fonts.width(line, size) <= 150 for line in lines)


def test_scripts_without_spaces_break_anywhere() -> None:
    lines, size = fonts.wrap("щ" * 20, 150, 30, lines=4, min_size=10)
    assert len(lines) > 1
    assert "".join(lines) == "щ" * 20
    assert all(fonts.width(line, size) <= 150 for line in lines)


def test_an_empty_text_is_one_empty_line() -> None:
    assert fonts.wrap("", 100, 30, lines=2, min_size=20) == ([""], 30)


def test_a_cache_drops_what_was_used_least_recently() -> None:
    made: list[int] = []
    cache: Cache[int, int] = Cache(2)

    def value(key: int) -> int:
        def make() -> int:
            made.append(key)
            return key * 10

        return cache.get(key, make)

    assert [value(key) for key in (1, 2, 1, 3, 1, 2)] == [10, 20, 10, 30, 10, 20]
    assert made == [1, 2, 3, 2]
    assert len(cache) == 2


def test_all_threads_get_one_value() -> None:
    cache: Cache[str, object] = Cache(4)
    together = Barrier(4)

    def make() -> object:
        together.wait()
        return object()

    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(lambda _: cache.get("key", make), range(4)))
    assert len(set(map(id, values))) == 1


@rows("height", [1, 2, 3, 4, 5, 9, 30])
def test_a_pile_of_any_height_fits_its_cell(height: int) -> None:
    depth, rise = slant(height)
    assert depth + rise * min(height, MAX_VISIBLE_DISCS) <= 0.96
    assert rise > 0.05
