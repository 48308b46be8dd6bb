"""Pictures of crowded maps: within the byte budget in every theme, with names, and reproducible."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import product

import pytest
from PIL import Image

from games.engine.scene import Mark, Scene
from render import THEMES, draw, map_annotations
from render.geometry import FULL_UNIT
from render.geometry_map import without_bytes
from render.map_artwork import artwork
from render.map_byte_budget import BUDGET
from render.themes import palette_key, theme_of
from tests.render.boards import say
from tests.render.crowded_maps import RECIPES, annotations_of, crowded_map, crowded_scene
from tests.render.maps import SEATS
from tests.render.test_picture import count_pixels
from tests.soak import SOAK, sampled


def heavy_scene(name: str, theme: str) -> Scene:
    """Return a position that makes a large file: long counts, attacks, capitals and targets."""
    names = [area.name for area in crowded_map(name).board.areas]
    marks = tuple(Mark("capital", place, SEATS[n][1]) for n, place in enumerate(names[:6]))
    marks += tuple(Mark("legal", place) for place in names[6:20])
    marks += (Mark("arrow", names[7], "red", names[8]), Mark("captured", names[8]), Mark("changed", names[9]))
    return crowded_scene(name, counts=1200 if theme in ("dark", "patterns") else 40, marks=marks)


SAMPLE = (("rims", "classic"), ("wide", "dark"), ("rims", "patterns"))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "theme"), sampled(product(RECIPES, THEMES), SAMPLE))
def test_pictures_of_all_maps_fit_the_budget_in_all_themes(name: str, theme: str) -> None:
    lighter = (crowded_scene(name), crowded_scene(name, held=False), crowded_scene(name, counts=9))
    for of in (heavy_scene(name, theme), *sampled(lighter, ())):
        data = draw(of, say, theme=theme)
        assert len(data) <= BUDGET
    if SOAK or (name, theme) == SAMPLE[0]:
        assert draw(of, say, theme=theme) == data, "the same each time"


@pytest.mark.slow
@pytest.mark.parametrize("theme", sampled(THEMES, ("dark",)))
def test_counts_cover_everything_else(theme: str) -> None:
    plain, decorated = crowded_scene("wide"), heavy_scene("wide", theme)
    decorated = replace(decorated, tokens=plain.tokens)
    one, other = (
        Image.open(BytesIO(draw(each, say, theme=theme))).convert("RGB") for each in (plain, decorated)
    )
    assert one.size == other.size
    board = crowded_map("wide").board
    unit = round(FULL_UNIT * one.width / 1120)
    signs = map_annotations.map_annotations(without_bytes(board), unit, partial(artwork, board))
    for label in signs.labels.by_area.values():
        x, y = label.pill_centre
        half = signs.labels.cell * 0.3
        box = (round(x - half), round(y - half), round(x + half), round(y + half))
        assert one.crop(box).tobytes() == other.crop(box).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(["classic", "wide", "crowd"], ["classic", "wide"]))
def test_names_of_continents_cover_no_label(name: str) -> None:
    board = crowded_map(name).board
    signs = annotations_of(crowded_map(name).board)
    names = tuple(say(zone.name) for zone in board.zones if zone.name is not None)
    placed = map_annotations.placed_names(signs, names)
    assert [" ".join(each.lines) for each in placed] == list(names)
    for each in placed:
        left, top, right, bottom = each.box
        assert signs.plan.board.width >= right > left >= 0
        assert signs.plan.board.height >= bottom > top >= 0
        for label in signs.labels.by_area.values():
            for box in (label.pill, label.tag):
                x, y = signs.plan.board.x, signs.plan.board.y
                clear = right + x <= box[0] or box[2] <= left + x or bottom + y <= box[1] or box[3] <= top + y
                assert clear


@pytest.mark.slow
@pytest.mark.parametrize("theme", sampled(["classic", "dark"], ["dark"]))
def test_names_and_crossings_are_visible_on_artwork(theme: str) -> None:
    of = crowded_scene("classic")
    board = crowded_map("classic").board
    assert board.ground is not None
    silent = tuple(replace(zone, name=None) for zone in board.zones)
    nameless = replace(board, zones=silent, ground=replace(board.ground, key="nameless"))
    linkless = replace(board, links=(), ground=replace(board.ground, key="linkless"))
    plain = Image.open(BytesIO(draw(of, say, theme=theme))).convert("RGB")
    colour = theme_of(palette_key(theme, board)).drawn_line
    for less in (nameless, linkless):
        without = Image.open(BytesIO(draw(replace(of, board=less), say, theme=theme))).convert("RGB")
        assert count_pixels(plain, colour) > count_pixels(without, colour) + 150


@pytest.mark.slow
def test_names_without_room_are_left_out() -> None:
    board = crowded_map("classic").board
    signs = annotations_of(board)
    long = tuple(f"{'Wide ' * 15}{n}" for n in range(len(board.zones)))
    assert all(len(each.lines) <= 3 for each in map_annotations.placed_names(signs, long))
    assert map_annotations.placed_names(signs, ("",) * len(board.zones)) == ()
