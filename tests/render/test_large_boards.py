"""Large boards with zones: bases are drawn in their places, pictures are small, and texts are complete."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from games.engine.scene import MAX_COMPACT_SIDE, Grid, Hexes, Ink, Mark, MarkKind, Scene, Zone
from render import THEMES, alt_text, animate, draw, region, text_board
from render.alt import MAX_LENGTH
from render.kind_grid import layout, visible_rows
from render.picture import picture
from render.square_base import square_bases
from render.text_cells import COLUMNS
from render.themes import MAX_COLOURS, ZONES_SUFFIX, colours, theme_of
from tests.render.boards import nearest_index, say, scene, start
from tests.render.hexes_and_lines import hexes
from tests.render.large_boards import CIRCLE, LARGE_BOARD, MARCHES, MIDDLE, battle_scene, large_scene, piece
from tests.render.test_picture import count_pixels, crop_place, decoded
from tests.rows import rows
from tests.soak import sampled

pytestmark = pytest.mark.slow

BARE = large_scene("NESW", {})


def drawn(of: Scene, theme: str = "classic") -> Image.Image:
    return decoded(draw(of, say, theme=theme))


def part(of: Scene, *places: str) -> tuple[Scene, Grid]:
    near = region(of, places)
    assert isinstance(near.board, Grid)
    return near, near.board


@pytest.mark.parametrize("theme", THEMES)
def test_pictures_of_large_boards_are_small(theme: str) -> None:
    fullest = {
        place: piece("NESW"[nth % 4], "GAPS"[nth % 4], place)
        for nth, place in enumerate(sorted(LARGE_BOARD.places))
    }
    for of in (large_scene(), battle_scene(), large_scene("NESW", fullest)):
        assert len(draw(of, say, theme=theme)) <= 120_000


@rows("theme", THEMES)
def test_a_palette_with_zones_only_adds_colours(theme: str) -> None:
    plain, more = colours(theme), colours(theme + ZONES_SUFFIX)
    assert len(more) < MAX_COLOURS
    assert more[: len(plain)] == plain
    look = theme_of(theme)
    inks: tuple[Ink, ...] = ("red", "green", "blue", "yellow", "faint")
    tints = {nearest_index(theme + ZONES_SUFFIX, look.zone(ink)) for ink in inks}
    assert len(tints | {nearest_index(theme + ZONES_SUFFIX, look.inks["space"])}) == 6


@rows("theme", THEMES)
def test_zones_are_visible_on_their_places_only(theme: str) -> None:
    image, look = drawn(BARE, theme), theme_of(theme)
    found: tuple[tuple[Ink, str, str], ...] = (
        ("blue", "d2", "c2"),
        ("red", "j12", "k12"),
        ("green", "c10", "d10"),
    )
    for ink, inside, outside in found:
        tint = look.zone(ink)
        assert count_pixels(crop_place(image, BARE, inside), tint) > 1000
        assert count_pixels(crop_place(image, BARE, outside), tint) == 0


def test_borders_are_where_a_zone_ends_but_not_at_the_rim() -> None:
    spots = layout(LARGE_BOARD, 0, 80).bases
    assert spots["d1"].border == (False, False, False, True)
    assert spots["d3"].border == (True, False, False, True)
    assert spots["g2"].border == (False, False, False, False)
    assert spots["d10"].tint is None
    assert spots["d10"].border == (False, False, False, False)
    assert layout(LARGE_BOARD, 1, 80).bases["d1"].border == (True, False, False, False)
    assert spots["g7"].tint == "faint"
    assert {name for name, floor in spots.items() if floor.tint == "faint"} == CIRCLE


@rows("turns", range(4))
def test_a_line_is_in_every_square_it_touches(turns: int) -> None:
    board = Grid(3, 3, edges=frozenset({("a1", "b2"), ("c3", "c2")}))
    found = {name for name, floor in layout(board, turns, 80).bases.items() if floor.lines}
    assert found == {"a1", "b2", "a2", "b1", "c2", "c3"}
    of = scene({}, board=board, turns=turns)
    without = replace(of, board=Grid(3, 3))
    one, other = drawn(of), drawn(without)
    changed = {
        name
        for name in board.places
        if crop_place(one, of, name).tobytes() != crop_place(other, of, name).tobytes()
    }
    assert changed == found


@rows("theme", THEMES)
def test_forts_and_starts_differ_from_other_places(theme: str) -> None:
    image, look = drawn(BARE, theme), theme_of(theme)
    empty, plain = (crop_place(image, BARE, place) for place in ("e2", "e1"))
    assert count_pixels(empty, look.light) > count_pixels(plain, look.light) + 400
    assert count_pixels(empty, look.zone("blue")) > 500
    for place in (*MIDDLE, *MARCHES):
        assert count_pixels(crop_place(image, BARE, place), look.drawn_line) > 30
    assert crop_place(image, BARE, "a3").tobytes() == crop_place(image, BARE, "m3").tobytes()
    assert crop_place(image, BARE, "a3").tobytes() != crop_place(image, BARE, "a2").tobytes()


def test_an_octagon_is_visible_around_its_piece() -> None:
    of = large_scene("S", {"e2": piece("S", "S", "e2"), "e1": piece("S", "S", "e1")})
    image, light = drawn(of), theme_of("classic").light
    assert (
        count_pixels(crop_place(image, of, "e2"), light)
        > count_pixels(crop_place(image, of, "e1"), light) + 200
    )


@rows("theme", THEMES)
def test_pieces_without_an_owner_are_smaller(theme: str) -> None:
    free, owned = (large_scene("S", {"e6": piece(seat, "p", "e6")}) for seat in "-S")
    ground = theme_of(theme).zone("faint")
    room = [count_pixels(crop_place(drawn(of, theme), of, "e6"), ground) for of in (free, owned)]
    assert room[0] > room[1] + 500


@rows("theme", THEMES)
def test_targets_are_tinted_with_and_without_a_piece(theme: str) -> None:
    there = {"e6": piece("N", "S", "e6")}
    tint = theme_of(theme).marked_space(0.5)
    for tokens in ({}, there):
        of = replace(large_scene("N", tokens), marks=(Mark("legal", "e6"),))
        assert count_pixels(crop_place(drawn(of, theme), of, "e6"), tint) > 100


@pytest.mark.parametrize("theme", THEMES)
def test_pieces_differ_by_seat_glyph_and_letter(theme: str) -> None:
    kinds = [piece(seat, kind, "e6") for seat in "NESW" for kind in "EPGARS"]
    kinds += [piece("-", "p", "e6"), replace(kinds[0], letter="Q"), replace(kinds[0], letter="")]
    looks = {
        crop_place(drawn(of, theme), of, "e6").tobytes()
        for of in (large_scene("N", {"e6": one}) for one in kinds)
    }
    assert len(looks) == len(kinds)


def test_rims_carry_patterns_where_the_theme_has_them() -> None:
    look = theme_of("patterns")
    of = large_scene("NW", {"e6": piece("N", "S", "e6"), "h6": piece("W", "S", "h6")})
    image = drawn(of, "patterns")
    dark = look.hatch("green")
    assert (
        count_pixels(crop_place(image, of, "h6"), dark) > count_pixels(crop_place(image, of, "e6"), dark) + 40
    )


@rows("theme", sampled(THEMES, ("classic", "patterns")))
@rows("kind", ["from", "to", "captured", "changed", "contested", "legal", "hint", "flag"])
@rows("place, taken", [("e2", True), ("d1", False)])
def test_each_mark_is_visible_on_its_place_only(kind: MarkKind, place: str, taken: bool, theme: str) -> None:
    plain = large_scene("S", {place: piece("S", "G", place)} if taken else {})
    marked = replace(plain, marks=(Mark(kind, place, "red" if kind == "flag" else None),))
    before, after = drawn(plain, theme), drawn(marked, theme)
    x, y = layout(LARGE_BOARD, 0, 80).places[place]
    side = layout(LARGE_BOARD, 0, 80).cell
    assert crop_place(before, plain, place).tobytes() != crop_place(after, plain, place).tobytes()
    for image in (before, after):
        image.paste((0, 0, 0), (x, y, x + side, y + side))
    assert before.tobytes() == after.tobytes()


def test_a_flag_shows_whose_it_is() -> None:
    for ink in ("red", "green", "blue"):
        of = replace(BARE, marks=(Mark("flag", "d3", ink),))
        assert count_pixels(crop_place(drawn(of), of, "d3"), theme_of("classic").inks[ink]) > 100
    with pytest.raises(ValueError, match="flag without an ink: at 'd3'"):
        draw(replace(BARE, marks=(Mark("flag", "d3"),)), say)


def test_a_large_board_takes_the_whole_width() -> None:
    plan = layout(LARGE_BOARD, 0, 80)
    assert plan.cards_below
    assert plan.top_view
    assert plan.board.width > plan.width * 0.9
    assert plan.seats.y > plan.board.y + plan.board.height
    assert plan.cell * 390 / plan.width > 27.5  # on a phone
    small = layout(Grid(MAX_COMPACT_SIDE, MAX_COMPACT_SIDE), 0, 80)
    assert not small.cards_below
    assert not small.top_view


@rows("count", range(5))
def test_all_seats_are_shown_below(count: int) -> None:
    of = large_scene("NESW"[:count])
    image, plan = drawn(of), layout(LARGE_BOARD, 0, 80)
    below = image.crop((0, plan.seats.y, plan.width, plan.height))
    inks: tuple[Ink, ...] = ("red", "yellow", "blue", "green")
    look = theme_of("classic")
    assert [count_pixels(below, look.inks[ink]) > 150 for ink in inks] == [nth < count for nth in range(4)]


def test_a_region_shows_its_places_larger_under_their_names() -> None:
    of = battle_scene()
    near, board = part(of, "c4", "i9")
    whole, plan = layout(LARGE_BOARD, 0, 80), layout(board, 0, 80)
    rows, left, below = visible_rows(board, 0)
    assert (left, below) == (tuple("987654"), tuple("cdefghi"))
    assert rows[-1][0] == "c4"
    assert plan.cell > whole.cell * 1.4
    assert plan.top_view
    assert {token.at for token in near.tokens} == {token.at for token in of.tokens} & near.board.places
    assert drawn(near).size == (plan.width, plan.height)
    assert "c d" in " ".join(text_board(near, say).split())
    turned = replace(near, turns=1)
    assert visible_rows(board, 1)[1] == tuple("cdefghi")
    assert drawn(turned).size != drawn(near).size


def test_a_line_that_leaves_the_region_is_left_out() -> None:
    _, board = part(BARE, "d1", "e1")
    assert all(not floor.lines for floor in layout(board, 0, 80).bases.values())


def test_a_region_says_who_holds_the_zones_in_it_and_no_others() -> None:
    of = replace(battle_scene(), marks=(Mark("flag", "d13", "red"), Mark("flag", "k4", "blue")))
    near = region(of, ["f11", "k9"])
    assert text_board(near, say).splitlines()[-1] == "Zhao: N   Qi: S"
    north, east = (mark.at for mark in near.marks)
    assert north == "f11"
    assert east == "k10"
    assert not region(of, ["g5", "h8"]).marks
    assert "Chu: –" not in alt_text(region(of, ["g5", "h8"]), say)
    assert next(mark.at for mark in region(of, ["d9", "m13"]).marks) == "d13"


def test_one_place_is_a_region_too() -> None:
    near = region(battle_scene(), ["g2"])
    assert near.board.places == {"g2"}
    assert len(near.tokens) == 1
    assert drawn(near).width < 600


def test_invalid_regions_are_refused() -> None:
    with pytest.raises(ValueError, match="only a board of squares or a map"):
        region(hexes({}, Hexes((2, 3, 2))), ["a1"])
    with pytest.raises(ValueError, match="needs a place"):
        region(BARE, [])
    with pytest.raises(ValueError, match="off the board: z9"):
        region(BARE, ["a1", "z9"])
    with pytest.raises(ValueError, match="reaches off the board: n1"):
        draw(replace(BARE, board=replace(LARGE_BOARD, window=("a1", "n1"))), say)


@rows(
    "wrong, what",
    [
        (Grid(3, 3, zones=(Zone("red", frozenset({"d1"})),)), "a zone lies off the board: d1"),
        (
            Grid(3, 3, zones=(Zone("red", frozenset({"a1", "b1"})), Zone("blue", frozenset({"b1"})))),
            "two zones have b1",
        ),
        (Grid(3, 3, edges=frozenset({("a1", "a4")})), "a line lies off the board: a4"),
        (Grid(3, 3, edges=frozenset({("a1", "a3")})), "aren't neighbours: a1 and a3"),
        (Grid(3, 3, edges=frozenset({("a1", "a1")})), "aren't neighbours: a1 and a1"),
        (Grid(3, 3, forts=frozenset({"c4"})), "a fort lies off the board: c4"),
        (Grid(3, 3, starts=frozenset({"d4"})), "a start lies off the board: d4"),
    ],
)
def test_invalid_bases_are_refused_by_name(wrong: Grid, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        draw(scene({}, board=wrong), say)


def test_a_board_of_plain_squares_has_no_bases() -> None:
    assert not layout(Grid(8, 8), 0, 80).bases
    assert not square_bases(Grid(13, 13), {"a1": (0, 0)})


@pytest.mark.parametrize("turns", range(4))
def test_turned_pieces_and_their_letters_stay_upright(turns: int) -> None:
    of = large_scene("S", {"g7": piece("S", "G", "g7")})
    upright = crop_place(drawn(of), of, "g7")
    turned = replace(of, turns=turns)
    assert crop_place(drawn(turned), turned, "g7").tobytes() == upright.tobytes()


@pytest.mark.parametrize("theme", THEMES)
def test_animations_have_the_colours_of_their_pictures(theme: str) -> None:
    one = large_scene("S", {"g7": piece("S", "G", "g7")})
    other = large_scene("S", {"g8": piece("S", "G", "g8")}, marks=(Mark("from", "g7"), Mark("to", "g8")))
    film = Image.open(BytesIO(animate([one, other], say, theme=theme)))
    for nth, of in enumerate((one, other)):
        film.seek(nth)
        assert film.convert("RGB").tobytes() == picture(of, say, theme).convert("RGB").tobytes()


def test_the_text_says_who_holds_what_and_what_happened() -> None:
    text = text_board(battle_scene(), say)
    lines = text.splitlines()
    assert lines[-1] == "Zhao: N   Qi: S   Chu: S   Liang: W"
    assert lines[6] == " 9  ·   WS   WS   NG    p    ·   ?p?   ·    p    ·   ES   ES    ·"
    assert "+Sp+" in text
    assert "[SA]" in text
    assert text_board(BARE, say, unicode=False).splitlines()[-1] == "Zhao: -   Qi: -   Chu: -   Liang: -"
    for of in (large_scene(), battle_scene(), battle_scene(1)):
        for unicode in (True, False):
            text = text_board(of, say, unicode=unicode)
            assert len(text) + len("```\n\n```") <= 2000
            assert max(map(len, text.splitlines())) <= COLUMNS
            assert unicode or text.isascii()


def test_empty_forts_are_in_the_text() -> None:
    row = text_board(BARE, say).splitlines()[13]
    assert row.split() == ["2", *"····o·o·o····"]


def test_the_alt_text_is_grouped_by_kind() -> None:
    text = alt_text(battle_scene(), say)
    assert len(text) <= MAX_LENGTH
    assert "don't fit" not in text
    assert "Zhao (N): General d9 h12, Soldier e11 e12 f8 g11 i11 i12, Admiral f12" in text
    assert "Changed: g5." in text
    assert "Others: free Peasant a3 e5 e9" in text
    assert text.endswith("Zhao: Zhao; Qi: Chu; Chu: Chu; Liang: Liang.")
    assert alt_text(large_scene(), say).count("–") == 4


def test_single_pieces_on_smaller_boards_are_listed_one_by_one() -> None:
    of = replace(start("2"), tokens=(piece("N", "S", "c3"), piece("N", "S", "d3")))
    assert "c3 Soldier, d3 Soldier" in alt_text(of, say)
