"""Pictures: equal scenes give equal bytes, in small files, and what a scene has is visible in its place."""

from __future__ import annotations

import os
import subprocess
import sys
from cmath import phase
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from games.engine.message import msg
from games.engine.scene import Grid, Ink, Item, Mark, MarkKind, Row, Scene, Token
from render import THEMES, draw
from render.colour import RGB
from render.kind_grid import visible_rows
from render.kinds import layout
from render.themes import theme_of
from tests.render.boards import SET_UPS, SetUp, fullest, midgame, say, scene, start
from tests.render.hexes_and_lines import HEX4, hexes
from tests.rows import rows


def decoded(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    assert image.mode == "P"
    return image.convert("RGB")


def is_near(colour: object, other: RGB) -> bool:
    assert isinstance(colour, tuple)
    return all(abs(a - b) <= 4 for a, b in zip(colour, other, strict=True))


def crop_place(picture: Image.Image, of: Scene, name: str) -> Image.Image:
    plan = layout(of.board, of.turns)
    x, y = plan.places[name]
    return picture.crop((x, y, x + plan.cell, y + plan.cell))


def count_pixels(picture: Image.Image, colour: RGB) -> int:
    """Count the pixels of a colour."""
    return sum(
        count
        for count, found in picture.getcolors(picture.width * picture.height) or ()
        if is_near(found, colour)
    )


def top_inks(of: Scene, name: str, theme: str = "classic") -> set[Ink]:
    """Return the inks in the upper third of a place, where only the top piece has its face."""
    picture = crop_place(decoded(draw(of, say, theme=theme)), of, name)
    face = picture.crop((0, 0, picture.width, picture.height // 3))
    inks: tuple[Ink, ...] = ("red", "green", "blue", "yellow")
    return {ink for ink in inks if count_pixels(face, theme_of(theme).inks[ink]) > 60}


@rows(
    "to, right, down",
    [
        ("f5", 1, 0), ("f3", 1, 1), ("d3", 0, 1), ("b3", -1, 1),
        ("b5", -1, 0), ("b7", -1, -1), ("d7", 0, -1), ("f7", 1, -1),
    ],
)  # fmt: skip
def test_an_arrow_leads_out_of_a_place_towards_the_move_s_end(to: str, right: int, down: int) -> None:
    marks = Mark("from", "d5"), Mark("to", to)
    of = scene({}, "2")
    with_arrow = crop_place(decoded(draw(replace(of, marks=marks), say)), of, "d5")
    # Of two moves at once none has an arrow.
    without = crop_place(decoded(draw(replace(of, marks=(*marks, Mark("from", "e1"))), say)), of, "d5")
    left, top, end, bottom = ImageChops.difference(with_arrow, without).convert("L").getbbox() or (0, 0, 0, 0)
    middle = with_arrow.width / 2
    for way, (low, high) in ((right, (left, end)), (down, (top, bottom))):
        if way:
            assert (low + high) / 2 * way > middle * way + 5
        else:
            assert abs((low + high) / 2 - middle) <= 1


@pytest.mark.parametrize(("far", "near"), [("f6", "e6"), ("b4", "c4"), ("c7", "c6"), ("e3", "e4")])
def test_an_arrow_on_squares_has_one_of_eight_directions(far: str, near: str) -> None:
    of = scene({}, "2")
    arrows = {
        crop_place(
            decoded(draw(replace(of, marks=(Mark("from", "d5"), Mark("to", to))), say)), of, "d5"
        ).tobytes()
        for to in (far, near)
    }
    assert len(arrows) == 1


@pytest.mark.parametrize("to", ["c4", "d4", "e4", "e5", "d6", "c5"])
def test_an_arrow_on_hexagons_points_at_the_centre_of_the_move_s_end(to: str) -> None:
    of = hexes({}, HEX4)
    plan = layout(of.board, 0)
    marks = Mark("from", "d5"), Mark("to", to)
    x, y = plan.places["d5"]
    place = (x, y, x + plan.cell, y + plan.tile_height)
    with_arrow = decoded(draw(replace(of, marks=marks), say)).crop(place)
    without = decoded(draw(replace(of, marks=(*marks, Mark("from", "a1"))), say)).crop(place)
    left, top, right, bottom = ImageChops.difference(with_arrow, without).convert("L").getbbox() or (
        0,
        0,
        0,
        0,
    )
    (x0, y0), (x1, y1) = plan.centre("d5"), plan.centre(to)
    arrow = complex((left + right) / 2 + x - x0, (top + bottom) / 2 + y - y0)
    assert abs(phase(arrow / complex(x1 - x0, y1 - y0))) < 0.1


@pytest.mark.parametrize("ends", [("d5",), ("f5", "b5")])
def test_a_move_to_where_it_began_or_to_two_places_has_no_arrow(ends: tuple[str, ...]) -> None:
    of = scene({}, "2")
    marks = (Mark("from", "d5"), *(Mark("to", end) for end in ends))
    pictures = {
        crop_place(decoded(draw(replace(of, marks=each), say)), of, "d5").tobytes()
        for each in (marks, (*marks, Mark("from", "e1")))
    }
    assert len(pictures) == 1


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", SET_UPS)
def test_pictures_of_a_typical_position_are_small(kind: SetUp, theme: str) -> None:
    assert len(draw(start(kind), say, theme=theme)) <= 40_000
    assert len(draw(midgame(kind), say, theme=theme)) <= 42_000


@pytest.mark.parametrize("theme", THEMES)
def test_the_fullest_picture_is_below_64_kilobytes(theme: str) -> None:
    assert len(draw(fullest("4"), say, theme=theme)) <= 64_000


def test_pictures_of_two_players_stay_below_40_kilobytes() -> None:
    sizes = [len(draw(midgame("2", seed), say, theme=theme)) for seed in range(3) for theme in THEMES]
    assert max(sizes) <= 40_000


def test_equal_scenes_give_equal_bytes_whatever_was_drawn_before() -> None:
    first = draw(midgame(), say)
    draw(fullest(), say, theme="dark")
    assert draw(midgame(), say) == first
    assert draw(start("2"), say) != first


@pytest.mark.slow
def test_other_processes_draw_the_same_bytes() -> None:
    code = (
        "import hashlib\nfrom render import THEMES, draw\nfrom tests.render.boards import midgame, say\n"
        "from tests.render.hexes_and_lines import EVERY\nfrom tests.render.large_boards import battle_scene\n"
        "from tests.render.maps import war_scene\n"
        "for of in (midgame('4'), battle_scene(), war_scene(), *EVERY):\n"
        "  for theme in THEMES: print(hashlib.sha256(draw(of, say, theme=theme)).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "3")
    }
    assert len(said) == 1
    assert len(set(said.pop().split())) == 6 * len(THEMES)


@pytest.mark.slow
def test_threads_draw_the_same_bytes() -> None:
    scenes = [midgame("4", seed) for seed in range(6)] * 3
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda one: draw(one, say, theme="patterns"), scenes))
    assert drawn == [draw(one, say, theme="patterns") for one in scenes]
    assert len(set(drawn)) == 6


@pytest.mark.parametrize("theme", THEMES)
def test_the_controller_has_the_top_face(theme: str) -> None:
    of = scene({"e4": "RRRRG", "c3": "GR", "f6": "YYB", "d5": "BY"}, "4")
    assert top_inks(of, "e4", theme) == {"green"}
    assert top_inks(of, "c3", theme) == {"red"}
    assert top_inks(of, "f6", theme) == {"blue"}
    assert top_inks(of, "d5", theme) == {"yellow"}
    assert top_inks(of, "c4", theme) == set()


def test_every_rim_of_a_pile_of_five_shows() -> None:
    theme = theme_of("classic")
    of = scene({"e4": "RBYGR", "d4": "RRRRR"}, "4")
    picture = decoded(draw(of, say))
    for ink in ("red", "blue", "yellow", "green"):
        assert count_pixels(crop_place(picture, of, "e4"), theme.rim(ink)) > 150, ink
    assert count_pixels(crop_place(picture, of, "d4"), theme.rim("blue")) == 0


def test_heights_differ_from_one_another() -> None:
    of = scene({"c4": "RG", "d4": "RRG", "e4": "G"})
    picture = decoded(draw(of, say))
    ink = theme_of("classic").inks["text"]
    corners = {}
    for name in ("c4", "d4", "e4"):
        part = crop_place(picture, of, name)
        corners[name] = part.crop((part.width * 2 // 3, part.height * 2 // 3, part.width, part.height))
    assert count_pixels(corners["c4"], ink) > 100
    assert count_pixels(corners["e4"], ink) < 20
    assert corners["c4"].tobytes() != corners["d4"].tobytes()


@rows("theme", THEMES)
@rows("kind", ["from", "to", "captured", "legal", "hint"])
@rows("pile", ["", "RRG"])
def test_each_mark_is_visible_on_its_place_only(kind: MarkKind, pile: str, theme: str) -> None:
    plain = scene({"e4": pile, "c3": "R"})
    marked = replace(plain, marks=(Mark(kind, "e4"),))
    before, after = decoded(draw(plain, say, theme=theme)), decoded(draw(marked, say, theme=theme))
    assert crop_place(before, plain, "e4").tobytes() != crop_place(after, plain, "e4").tobytes()
    assert crop_place(before, plain, "c3").tobytes() == crop_place(after, plain, "c3").tobytes()
    colour = theme_of(theme).danger if kind == "captured" else theme_of(theme).inks["mark"]
    assert count_pixels(crop_place(after, plain, "e4"), colour) > 40


def test_the_arrow_points_where_the_piece_went() -> None:
    pictures = set()
    for to in ("e6", "e2", "c4", "g4"):
        of = scene({to: "G"}, marks=(Mark("from", "e4"), Mark("to", to)))
        pictures.add(crop_place(decoded(draw(of, say)), of, "e4").tobytes())
    assert len(pictures) == 4


@rows(
    "turns, corner, left",
    [(0, "bottom", True), (1, "top", True), (2, "top", False), (3, "bottom", False)],
)
def test_quarter_turns_turn_the_board(turns: int, corner: str, left: bool) -> None:
    plan = layout(Grid(8, 8), turns)
    x, y = plan.places["a1"]
    assert (x == plan.board.x) is left
    assert (y == plan.board.y) is (corner == "top")
    bottom = {0: "1", 1: "h", 2: "8", 3: "a"}[turns]
    rows, left_of, _ = visible_rows(Grid(8, 8), turns)
    assert all(bottom in name for name in rows[-1])
    assert left_of[-1] == bottom


def test_turned_pieces_stay_upright() -> None:
    of = scene({"e4": "RRG"})
    upright = crop_place(decoded(draw(of, say)), of, "e4").tobytes()
    for turns in (1, 2, 3):
        turned = replace(of, turns=turns)
        assert crop_place(decoded(draw(turned, say)), turned, "e4").tobytes() == upright


def test_boards_that_are_not_square_turn_too() -> None:
    rows, left, below = visible_rows(Grid(5, 3), 1)
    assert (len(rows), len(rows[0])) == (5, 3)
    assert left == ("a", "b", "c", "d", "e")
    assert below == ("1", "2", "3")


def test_the_column_shows_who_is_to_act_and_how_it_ended() -> None:
    of = scene({"e4": "G"})
    drawn = {draw(of, say)}
    for state in ("waiting", "out", "won", "drawn"):
        drawn.add(draw(replace(of, panels=(replace(of.panels[0], state=state), of.panels[1])), say))
    assert len(drawn) == 5
    won = replace(of, panels=(replace(of.panels[0], state="won"), of.panels[1]))
    assert draw(won, say, final=True) != draw(won, say)
    assert draw(of, say, final=True) != draw(of, say)


def test_partners_are_shown_with_one_another() -> None:
    pairs = start("pairs")
    single = replace(pairs, panels=tuple(replace(panel, team=None) for panel in pairs.panels))
    swapped = replace(pairs, panels=tuple(replace(panel, team=panel.seat // 2) for panel in pairs.panels))
    assert len({draw(one, say) for one in (pairs, single, swapped)}) == 3


@pytest.mark.parametrize("count", [0, 1, 99, 1000, 10**30])
def test_any_count_is_drawn(count: int) -> None:
    of = start("4")
    items = tuple(Item(panel.glyph, panel.ink, panel.code, count) for panel in of.panels) * 3
    rows = tuple(Row(msg("captured"), items) for _ in range(4))
    crowded = replace(of, panels=tuple(replace(panel, rows=rows) for panel in of.panels))
    assert decoded(draw(crowded, say)).size == decoded(draw(of, say)).size


def test_high_piles_stay_in_their_place() -> None:
    of = scene({"e4": "RG" * 600})
    plain = scene({})
    picture, empty = decoded(draw(of, say)), decoded(draw(plain, say))
    assert crop_place(picture, of, "e5").tobytes() == crop_place(empty, of, "e5").tobytes()
    assert crop_place(picture, of, "e4").tobytes() != crop_place(empty, of, "e4").tobytes()


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (replace(start("2"), tokens=(Token("a1", "circle", "green", "G"),)), "G at 'a1'"),
        (replace(start("2"), tokens=(Token("z9", "circle", "green", "G"),)), "G at 'z9'"),
        (replace(start("2"), tokens=(Token("e4", "circle", "green", "G"),) * 2), "level 0 of e4"),
        (replace(start("2"), marks=(Mark("to", "h8"),)), "to at 'h8'"),
        (replace(start("2"), turns=4), "quarter turns"),
        (replace(start("2"), board=Grid(0, 8)), "0 x 8"),
        (replace(start("2"), board=Grid(27, 8)), "27 x 8"),
        (replace(start("2"), board=Grid(8, 8, frozenset({"j1"}))), "j1"),
    ],
)
def test_an_invalid_scene_is_refused_by_name(wrong: Scene, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        draw(wrong, say)


@pytest.mark.parametrize(("files", "ranks"), [(1, 1), (3, 3), (19, 19), (26, 4)])
def test_boards_of_any_size_are_drawn(files: int, ranks: int) -> None:
    of = scene({"a1": "RG"}, board=Grid(files, ranks))
    plan = layout(of.board, 0)
    assert decoded(draw(of, say)).size == (plan.width, plan.height)


def test_a_missing_glyph_is_blank() -> None:
    of = scene({"e4": "G"})
    assert draw(replace(of, glyphs={}), say) != draw(of, say)
