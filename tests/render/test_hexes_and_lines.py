"""Hexagons, lines of dice, guards, rings and badges: what a scene has is visible in its place."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import dist

import pytest
from PIL import Image, ImageChops

from games.engine.message import msg
from games.engine.scene import Badge, Board, Grid, Hexes, Lines, Mark, MarkKind, Row, Scene, Token
from render import THEMES, animate, draw
from render.geometry import Layout
from render.kinds import layout
from render.picture import picture
from render.themes import theme_of
from tests.render.boards import GLYPHS, midgame, say
from tests.render.hexes_and_lines import BADGES, EVERY, HEX4, RINGED, SMALL, hexes, lines
from tests.render.test_picture import count_pixels, decoded
from tests.rows import rows

pytestmark = pytest.mark.slow

BOARDS: tuple[Board, ...] = (
    Grid(3, 5, special=frozenset({"a1"})),
    HEX4,
    Hexes((5, 6, 7, 8, 9, 8, 7, 6, 5)),
    Hexes((1,)),
    Lines(5, msg("gap")),
    Lines(1, msg("gap")),
    Lines(9, msg("gap")),
)


def crop_centre(image: Image.Image, of: Scene, name: str) -> Image.Image:
    """Cut out the centre of a place, which no other place overlaps."""
    plan = layout(of.board, of.turns)
    x, y = plan.places[name]
    return image.crop(
        (
            x + 4,
            y + plan.tile_height // 4 + 4,
            x + plan.cell - 4,
            y + plan.tile_height - plan.tile_height // 4 - 4,
        )
    )


def crop_tile(image: Image.Image, of: Scene, name: str) -> Image.Image:
    plan = layout(of.board, of.turns)
    x, y = plan.places[name]
    return image.crop((x, y, x + plan.cell, y + plan.tile_height))


@rows("board", BOARDS)
@rows("turns", [0, 2])
@rows("unit", [80, 60, 40])
def test_every_place_lies_in_the_picture_and_on_no_other(board: Board, turns: int, unit: int) -> None:
    plan = layout(board, turns, unit)
    assert set(plan.places) == set(board.places)
    for x, y in plan.places.values():
        assert 0 <= x <= x + plan.cell <= plan.width
        assert 0 <= y <= y + plan.tile_height <= plan.height
    middles = [plan.centre(name) for name in plan.places]
    for nth, one in enumerate(middles):
        for other in middles[:nth]:
            assert dist(one, other) >= plan.cell - 1.5


@rows("board", BOARDS)
def test_two_quarter_turns_turn_the_board_around(board: Board) -> None:
    plain, turned = layout(board, 0), layout(board, 2)
    assert (plain.width, plain.height) == (turned.width, turned.height)
    flat = isinstance(board, Lines)
    for name in board.places:
        (x, y), (u, v) = from_centre(plain, name), from_centre(turned, name)
        assert x == pytest.approx(-u, abs=1.5)
        assert y == pytest.approx(v if flat else -v, abs=1.5)


def from_centre(plan: Layout, name: str) -> tuple[float, float]:
    """Return the centre of a place, relative to the centre of all places."""
    middles = [plan.centre(other) for other in plan.places]
    xs, ys = zip(*middles, strict=True)
    x, y = plan.centre(name)
    return x - (min(xs) + max(xs)) / 2, y - (min(ys) + max(ys)) / 2


def test_hexagons_have_six_neighbours_at_one_distance() -> None:
    plan = layout(HEX4, 0)
    near = {name for name in plan.places if 0 < dist(plan.centre(name), plan.centre("d4")) < plan.cell * 1.2}
    assert near == {"c3", "c4", "d3", "d5", "e3", "e4"}


def test_lines_face_each_other_with_home_outermost() -> None:
    plan = layout(Lines(5, msg("gap")), 0)
    row = [*(f"a{n}" for n in range(1, 6)), *(f"b{n}" for n in range(5, 0, -1))]
    assert all(plan.places[one][0] < plan.places[other][0] for one, other in pairwise(row))
    assert plan.gap is not None
    assert plan.places["a5"][0] + plan.cell <= plan.gap.x
    assert plan.gap.x + plan.gap.width <= plan.places["b5"][0]
    assert plan.cards[0].x < plan.cards[1].x
    turned = layout(Lines(5, msg("gap")), 2)
    assert turned.cards[1].x < turned.cards[0].x
    assert turned.places["b1"][0] < turned.places["a1"][0]


@rows("theme", THEMES)
@rows("kind", ["from", "to", "captured", "legal", "hint"])
@rows(
    "plain, at, other",
    [
        (hexes({"d4": "R", "e4": "B"}), "d4", "e4"),
        (hexes({"e4": "B"}), "d4", "e4"),
        (lines("123", "456"), "a2", "b2"),
        (lines("123", "456"), "a4", "b2"),
    ],
)
def test_each_mark_is_visible_on_its_place_only(
    plain: Scene, at: str, other: str, kind: MarkKind, theme: str
) -> None:
    marked = replace(plain, marks=(Mark(kind, at),))
    before, after = decoded(draw(plain, say, theme=theme)), decoded(draw(marked, say, theme=theme))
    assert crop_centre(before, plain, other).tobytes() == crop_centre(after, plain, other).tobytes()
    colour = theme_of(theme).danger if kind == "captured" else theme_of(theme).inks["mark"]
    shown = count_pixels(crop_tile(after, plain, at), colour) - count_pixels(
        crop_tile(before, plain, at), colour
    )
    assert abs(shown) > 40 if kind == "captured" else shown > 40


@rows("theme", THEMES)
@rows("piece", [{}, {"b2": "R"}])
@rows("board", [SMALL, RINGED])
def test_guards_are_visible(board: Hexes | Grid, piece: dict[str, str], theme: str) -> None:
    plain = hexes(piece, board)
    pictures = []
    for inks in ((), ("red",), ("black",), ("red", "black")):
        marks = tuple(Mark("guard", "b2", "red" if ink == "red" else "black") for ink in inks)
        pictures.append(crop_tile(decoded(draw(replace(plain, marks=marks), say, theme=theme)), plain, "b2"))
    assert len({one.tobytes() for one in pictures}) == 4
    inks_ = theme_of(theme).inks
    none, red, black, both = pictures
    assert count_pixels(red, inks_["red"]) > count_pixels(none, inks_["red"]) + 100
    assert count_pixels(black, inks_["black"]) != count_pixels(none, inks_["black"])
    assert count_pixels(both, inks_["red"]) > count_pixels(black, inks_["red"]) + 100


def test_guards_of_two_seats_have_their_own_corners() -> None:
    plain = hexes({}, SMALL)
    red, black = Mark("guard", "b2", "red"), Mark("guard", "b2", "black")
    one, other, both = (
        decoded(draw(replace(plain, marks=marks), say)) for marks in ((red,), (black,), (red, black))
    )
    before = decoded(draw(plain, say))

    def changed(after: Image.Image) -> Image.Image:
        return ImageChops.difference(before, after).convert("L").point([0] + [255] * 255).convert("1")

    assert changed(one).getbbox()
    assert changed(other).getbbox()
    assert ImageChops.logical_and(changed(one), changed(other)).getbbox() is None
    assert ImageChops.logical_or(changed(one), changed(other)).tobytes() == changed(both).tobytes()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("board", [HEX4, Grid(4, 4, special=frozenset({"a1"}))])
def test_rings_are_visible(board: Hexes | Grid, theme: str) -> None:
    plain = hexes({}, replace(board, special=frozenset()))
    ringed = hexes({}, board)
    faint = theme_of(theme).inks["faint"]
    with_, without = (
        count_pixels(crop_tile(decoded(draw(of, say, theme=theme)), of, "a1"), faint)
        for of in (ringed, plain)
    )
    assert with_ > without + 100


def test_names_of_hexagons_are_legible() -> None:
    of = hexes({"d4": "R"})
    image = decoded(draw(of, say))
    assert len({crop_centre(image, of, name).tobytes() for name in ("b2", "b3", "c2", "d2")}) == 4
    part = crop_centre(image, of, "b3")
    soft = theme_of("classic").place_name
    rows = [y for y in range(part.height) if count_pixels(part.crop((0, y, part.width, y + 1)), soft)]
    assert max(rows) - min(rows) >= 20


@pytest.mark.parametrize("theme", THEMES)
def test_each_face_shows_its_pips_and_each_seat_its_ink(theme: str) -> None:
    of = lines("12345", "66666")
    image = decoded(draw(of, say, theme=theme))
    foot = [crop_tile(image, of, f"a{n}").crop((8, 90, 75, 124)) for n in range(1, 6)]
    sign = theme_of(theme).glyph("red")
    counts = [count_pixels(one, sign) for one in foot]
    assert counts == sorted(counts)
    assert len(set(counts)) == 5
    assert count_pixels(crop_tile(image, of, "a1"), theme_of(theme).inks["red"]) > 1000
    assert count_pixels(crop_tile(image, of, "b1"), theme_of(theme).inks["blue"]) > 1000


def test_a_lost_die_leaves_a_hole() -> None:
    of = lines("1234", "2")
    image = decoded(draw(of, say))
    inks = theme_of("classic").inks
    assert count_pixels(crop_tile(image, of, "a5"), inks["paper"]) > 4000
    assert count_pixels(crop_tile(image, of, "a5"), inks["red"]) == 0
    assert count_pixels(crop_tile(image, of, "a4"), inks["paper"]) < 200


def test_an_attack_crosses_the_gap() -> None:
    marks = (Mark("from", "a5"), Mark("captured", "b5"))
    of = lines("12345", "2345", marks=marks)
    plan = layout(of.board, 0)
    assert plan.gap is not None
    gap = (plan.gap.x, plan.gap.y, plan.gap.x + plan.gap.width, plan.gap.y + plan.gap.height)
    mark = theme_of("classic").inks["mark"]
    there = decoded(draw(of, say)).crop(gap)
    back = decoded(draw(replace(of, marks=(Mark("from", "b4"), Mark("to", "a5"))), say)).crop(gap)
    quiet = decoded(draw(replace(of, marks=marks[:1]), say)).crop(gap)
    assert count_pixels(quiet, mark) == 0
    assert count_pixels(there, mark) > 400
    assert count_pixels(back, mark) > 400
    assert there.tobytes() != back.tobytes()


def test_an_attack_points_at_its_capture_even_if_more_has_changed() -> None:
    taken = (Mark("from", "a5"), Mark("captured", "b2"))
    more = lines("12345", "1", marks=(*taken, Mark("to", "b1")))
    unclear = replace(more, marks=(taken[0], Mark("to", "b1"), Mark("to", "b2")))
    gap = layout(more.board, 0).gap
    assert gap is not None
    inks = theme_of("classic").inks
    arrows = [
        count_pixels(
            decoded(draw(of, say)).crop((gap.x, gap.y, gap.x + gap.width, gap.y + gap.height)), inks["mark"]
        )
        for of in (more, unclear)
    ]
    assert arrows[0] > 400
    assert arrows[1] == 0


def test_names_of_places_move_with_them() -> None:
    short = lines("12", "1")
    other = lines("12", "1", labels=(("a1", msg("home")), ("a2", msg("front"))))
    unnamed = lines("12", "1", labels=())
    assert len({draw(of, say) for of in (short, other, unnamed)}) == 3
    with pytest.raises(ValueError, match="c9"):
        draw(lines("12", "1", labels=(("c9", msg("home")),)), say)


@pytest.mark.parametrize("of", [hexes({}), hexes({}, RINGED), lines("12", "12")])
def test_badges_differ_by_more_than_colour(of: Scene) -> None:
    words = Badge(msg("steady"), "good")
    pictures = []
    for tone in ("good", "bad", "plain"):
        badge = replace(words, tone=tone)
        panels = (replace(of.panels[0], badges=(badge,)), of.panels[1])
        grey = decoded(draw(replace(of, panels=panels), say, theme="contrast")).convert("L")
        pictures.append(grey.point([0] * 128 + [255] * 128).tobytes())
    assert len(set(pictures)) == 3


def test_many_badges_with_long_names_stay_on_their_card() -> None:
    of = lines("12345", "12345")
    badge = Badge(msg("face", name="a very long name of a state that nobody is ever in"), "bad")
    full = replace(of, panels=tuple(replace(panel, badges=(badge,) * 9) for panel in of.panels))
    plain, crowded = decoded(draw(of, say)), decoded(draw(full, say))
    card = layout(of.board, 0).cards[0]
    below = (0, card.y + card.height, plain.width, plain.height)
    assert plain.crop(below).tobytes() == crowded.crop(below).tobytes()
    assert plain.tobytes() != crowded.tobytes()


@pytest.mark.parametrize("of", [midgame(), *EVERY])
def test_long_words_end_before_the_right_edge_of_a_card(of: Scene) -> None:
    long = msg("face", name="a very long name of a state that nobody is ever in, " * 3)
    badges = (Badge(long, "bad"),) * 2
    rows = (Row(long, ()),)
    plan = layout(of.board, of.turns)
    full = replace(
        of, panels=tuple(replace(panel, badges=badges, rows=panel.rows + rows) for panel in of.panels)
    )
    picture = decoded(draw(full, say))
    cards = [*plan.cards.values()] or [plan.seats]
    right = max(box.x + box.width for box in cards)
    edge = picture.crop((right - 6, 0, right - 3, picture.height))
    inks = theme_of("classic").inks
    assert not any(count_pixels(edge, colour) for colour in (inks["text"], inks["faint"], inks["red"]))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("of", EVERY)
def test_pictures_are_small_and_reproducible(of: Scene, theme: str) -> None:
    first = draw(of, say, theme=theme)
    draw(midgame(), say, theme=theme)
    assert draw(of, say, theme=theme) == first
    assert len(first) <= 40_000
    assert max(decoded(first).size) <= 1000


@pytest.mark.parametrize("of", EVERY)
@pytest.mark.parametrize("length", [3, 42])
def test_all_kinds_of_boards_can_be_animated(of: Scene, length: int) -> None:
    other = replace(of, tokens=of.tokens[1:], marks=())
    film = animate([of, other] * length, say)
    assert film.startswith(b"GIF89a")
    assert len({picture(one, say, "dark").size for one in (of, other)}) == 1


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (hexes({"h1": "R"}), "R at 'h1'"),
        (hexes({}, marks=(Mark("guard", "a1"),)), "guard without an ink: at 'a1'"),
        (hexes({}, Grid(2, 2, special=frozenset({"c1"}))), "special, but not on the board: c1"),
        (hexes({}, turns=1), "0 or 2 quarter turns, not 1"),
        (hexes({}, Hexes((3, 5))), "not as 3 and 5 do"),
        (hexes({}, Hexes(())), "1 to 26 rows"),
        (hexes({}, Hexes((1, 2), frozenset({"c1"}))), "c1"),
        (lines("1", "1", marks=(Mark("to", "a6"),)), "to at 'a6'"),
        (lines("1", "1", turns=3), "0 or 2 quarter turns, not 3"),
        (lines("", "", length=0), "at least one place, not 0"),
        (replace(lines("1", "1"), tokens=(Token("c1", "circle", "red", "F"),)), "F at 'c1'"),
    ],
)
def test_an_invalid_scene_is_refused_by_name(wrong: Scene, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        draw(wrong, say)


def test_the_badges_of_these_tests_have_all_tones() -> None:
    assert {badge.tone for badge in BADGES} == {"good", "bad", "plain"}
    assert set(GLYPHS) >= {token.glyph for of in EVERY for token in of.tokens}
