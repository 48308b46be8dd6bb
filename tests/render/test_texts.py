"""Text boards and alt texts: complete, within their limits, and the same on every machine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine.message import Msg, msg
from games.engine.scene import Grid, Hexes, Mark, Row, Scene, Token
from render import alt_text, text_board
from render.alt import MAX_LENGTH
from render.text_cells import COLUMNS
from tests.render.boards import PLACES, SET_UPS, SetUp, fullest, midgame, say, scene, start
from tests.render.hexes_and_lines import BADGES, EVERY, HEX4, RINGED, SMALL, hexes, lines
from tests.rows import rows

POSITION = scene(
    {"e4": "RGGRG", "c5": "GRR", "d2": "G", "f6": "R"},
    marks=(Mark("from", "b4"), Mark("to", "e4"), Mark("captured", "d2")),
    reserves={"G": 3},
    captured={"G": {"R": 2}},
)


def test_the_board_of_a_small_match_is_this_text() -> None:
    of = scene(
        {"b2": "RG", "c3": "R"},
        board=Grid(3, 3, frozenset({"a1"})),
        marks=(Mark("from", "b3"), Mark("to", "b2")),
        reserves={"G": 3},
        captured={"G": {"R": 2}},
    )
    assert text_board(of, say).splitlines() == [
        "Red to move",
        "",
        "3  ·   (·)   R",
        "2  ·  [RG]   ·",
        "1       ·    ·",
        "   a    b    c",
        "",
        "► R Red   Reserve: –   Captured: –",
        "  G Green   Reserve: 3 G   Captured: 2 R",
    ]


def test_turned_boards_turn_their_coordinates() -> None:
    of = scene({"c1": "G"}, board=Grid(3, 3))
    turned = text_board(replace(of, turns=1), say).splitlines()
    assert turned[2:6] == ["a ·  ·  ·", "b ·  ·  ·", "c G  ·  ·", "  1  2  3"]


@rows("kind", SET_UPS)
def test_text_boards_fit_a_message_and_a_terminal(kind: SetUp) -> None:
    for of in (start(kind), midgame(kind), fullest(kind)):
        for unicode in (True, False):
            text = text_board(of, say, unicode=unicode)
            assert len(text) + len("```\n\n```") <= 2000
            assert max(map(len, text.splitlines())) <= COLUMNS
            assert "`" not in text
            assert unicode or text.isascii()


def test_every_pile_is_in_the_text() -> None:
    text = text_board(POSITION, say)
    for shown in ("[RGGRG]", "(·)", "{G}", "GRR"):
        assert shown in text


def test_piles_without_room_say_how_many_pieces_are_hidden() -> None:
    text = text_board(scene({"e4": "RG" * 50}), say)
    assert "96+RGRG" in text
    assert max(map(len, text.splitlines())) <= COLUMNS


def test_two_letter_codes_stay_whole() -> None:
    of = replace(
        scene({}), tokens=(Token("e4", "circle", "green", "Kn"), Token("e4", "circle", "red", "Bi", 1))
    )
    assert "KnBi" in text_board(of, say)
    assert "e4 KnBi" in alt_text(of, say)


def test_the_alt_text_of_a_position_is_this() -> None:
    assert alt_text(POSITION, say) == (
        "Red to move. Last move: b4 to e4. Captured at d2. Piles from bottom to top. "
        "Red (R): c5 GRR, f6. Green (G): d2, e4 RGGRG. Reserve: 3 G. Captured: 2 R."
    )


def test_items_with_a_label_are_said_in_words_where_they_fit() -> None:
    start = scene({"e4": "R"}, reserves={"R": 3})
    (red, *others) = start.panels
    items = tuple(replace(item, label=msg("three towers")) for item in red.rows[0].items)

    def told(row: Row) -> str:
        return alt_text(replace(start, panels=(replace(red, rows=(row,)), *others)), say)

    assert "Reserve: three towers." in told(Row(msg("reserve"), items))
    assert "e4. three towers." in told(Row(msg("reserve"), items, legend=True))
    long = tuple(replace(item, label=msg("long")) for item in items * 4)
    assert "Reserve: 3 R, 3 R, 3 R, 3 R." in told(Row(msg("reserve"), long, legend=True))


def test_pieces_without_a_seat_are_named() -> None:
    of = replace(scene({"e4": "G"}), tokens=(Token("c3", "diamond", "purple", "P"),))
    assert alt_text(of, say).endswith("Others: c3 P.")


def test_seats_that_are_out_are_named() -> None:
    assert "Green (G): e4. Out." in alt_text(scene({"e4": "G"}, states={"G": "out"}), say)


@rows("kind", SET_UPS)
def test_even_the_fullest_board_has_room_for_every_pile(kind: SetUp) -> None:
    text = alt_text(fullest(kind), say)
    assert len(text) <= MAX_LENGTH
    assert all(f"{place} " in text for place in PLACES)
    assert "don't fit" not in text


def test_piles_left_out_are_counted() -> None:
    of = scene(dict.fromkeys(PLACES, "RG" * 10) | {"e4": "RG" * 12})
    text = alt_text(of, say)
    kept = sum(f"{place} RG" in text for place in PLACES)
    assert 900 < len(text) <= MAX_LENGTH
    assert f"{52 - kept} more piles don't fit here." in text
    assert "e4 RGRG" in text


def test_an_endless_language_is_truncated() -> None:
    def chatter(message: Msg) -> str:
        return message.key * 300

    assert len(alt_text(fullest(), chatter)) <= MAX_LENGTH


@pytest.mark.parametrize("write", [text_board, alt_text])
def test_texts_refuse_what_lies_off_the_board(write: object) -> None:
    assert callable(write)
    with pytest.raises(ValueError, match="h8"):
        write(replace(start("2"), marks=(Mark("to", "h8"),)), say)
    with pytest.raises(ValueError, match="a1"):
        write(replace(start("2"), tokens=(Token("a1", "circle", "green", "G"),)), say)


def test_headlines_end_in_one_stop() -> None:
    assert alt_text(scene({}, headline=msg("render.alt.order")), say).startswith(
        "Piles from bottom to top. Red"
    )


def test_long_seats_are_wrapped() -> None:
    lines = text_board(fullest("4"), say).splitlines()
    assert "► G Green   Reserve: 12 G   Captured: 13 B, 13 Y, 13 R" in lines
    of = start("2")
    rows = of.panels[0].rows * 4
    many = replace(of, panels=(replace(of.panels[0], rows=rows), of.panels[1]))
    tail = text_board(many, say).splitlines()[-3:]
    assert tail[1].startswith("    ")
    assert " ".join(" ".join(tail[:2]).split()).count("Captured: –") == 4


def test_hexagons_are_listed_row_by_row() -> None:
    marks = (Mark("from", "b1"), Mark("to", "b2"), Mark("guard", "a2", "red"), Mark("guard", "a2", "black"))
    of = hexes({"b2": "R", "c1": "B"}, SMALL, marks=marks, badges=BADGES)
    assert text_board(of, say).splitlines() == [
        "Red",
        "",
        "c      B     2",
        "b  (1)   [R]    3",
        "a      o1    2",
        "",
        "► R Red   ✓ Steady   ! Torn   • Alone   Lost: 1 R",
        "  B Black   Lost: –",
        "Guarded by R: a2.",
        "Guarded by B: a2.",
    ]
    assert alt_text(of, say) == (
        "Red. Last move: b1 to b2. Red (R): b2. Steady, Torn, Alone. Lost: 1 R. Black (B): c1. "
        "Guarded by Red: a2. Guarded by Black: a2. Ringed: a1."
    )
    turned = text_board(replace(of, turns=2), say).splitlines()
    assert turned[2:5] == ["a      2     o1", "b   3    [R]   (1)", "c      2     B"]


def test_rings_of_squares_are_in_the_texts() -> None:
    of = hexes({"c3": "B"}, RINGED)
    assert text_board(of, say).splitlines()[2:6] == ["3 ·  ·  B", "2 ·  ·  ·", "1 o  ·  ·", "  a  b  c"]
    assert alt_text(of, say).endswith("Ringed: a1, c3.")


def test_lines_are_read_from_home_to_front() -> None:
    marks = (Mark("from", "a4"), Mark("to", "b3"))
    of = lines("1336", "22", marks=(*marks, Mark("captured", "b3")), badges=BADGES[:2])
    assert text_board(of, say, unicode=False).splitlines() == [
        "Red",
        "",
        "R  1:F1   2:F3   3:F3  (4:F6)  5:.",
        "   Home: 1   Meeting: 2   Front: 4",
        "   ~ Nowhere ~",
        "B  1:F2   2:F2  [3:.]   4:.    5:.",
        "   Home: 1   Meeting: 2   Front: 2",
        "",
        "> R Red   + Steady   ! Torn   Lost: 1 R",
        "  B Blue   + Steady   Lost: 3 B",
    ]
    assert alt_text(of, say) == (
        "Red. Attack from R4. Changed: B3. Captured at B3. "
        "Red (R): 1 one (Home), 2 three (Meeting), 3 three, 4 six (Front), lost 5. Steady, Torn. Lost: 1 R. "
        "Blue (B): 1 two (Home), 2 two (Meeting, Front), lost 3, 4, 5. Steady. Lost: 3 B."
    )


def test_the_nearer_line_comes_first() -> None:
    text = text_board(lines("1", "2", turns=2), say)
    assert text.index("B  1:F2") < text.index("Nowhere") < text.index("R  1:F1")


@rows("of", [*EVERY, hexes(dict.fromkeys(HEX4.places, "R")), lines("6" * 30, "5" * 30, length=30)])
def test_texts_of_all_boards_stay_within_their_limits(of: Scene) -> None:
    for unicode in (True, False):
        text = text_board(of, say, unicode=unicode)
        assert max(map(len, text.splitlines())) <= COLUMNS
        assert unicode or text.isascii()
    assert len(alt_text(of, say)) <= MAX_LENGTH


def test_the_largest_board_of_hexagons_fits_a_terminal() -> None:
    rows = (*range(7, 20), *range(18, 6, -1))
    of = hexes({"m19": "R"}, Hexes(rows))
    assert max(map(len, text_board(of, say).splitlines())) <= COLUMNS
