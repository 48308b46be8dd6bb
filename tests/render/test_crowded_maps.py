"""Pictures of crowded maps: light enough to be sent in every theme, with names, and the same every time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import cycle, product

import pytest
from PIL import Image

from games.engine.scene import Mark, Scene
from render import THEMES, draw, map_annotations
from render.byte_budget import BUDGET
from render.geometry import FULL_UNIT
from render.map_artwork import artwork, without_bytes
from render.themes import palette_key, theme_of
from tests.render.boards import say
from tests.render.crowded_maps import KINDS, crowded, dense
from tests.render.maps import SEATS
from tests.render.test_picture import shows
from tests.soak import sampled

SAMPLE = (("classic", "patterns"), ("rims", "dark"))


def marked(name: str, theme: str) -> Scene:
    """Return a position with whatever makes a picture heavier: long counts, attacks, capitals, targets."""
    names = [area.name for area in dense(name).board.areas]
    marks = tuple(Mark("capital", place, SEATS[n][1]) for n, place in enumerate(names[:6]))
    marks += tuple(Mark("legal", place) for place in names[6:20])
    marks += (Mark("arrow", names[7], "red", names[8]), Mark("captured", names[8]), Mark("changed", names[9]))
    return crowded(name, counts=1200 if theme in ("dark", "patterns") else 40, marks=marks)


@pytest.mark.parametrize(("name", "theme"), SAMPLE)
def test_what_is_sent_is_light(name: str, theme: str) -> None:
    of = marked(name, theme)
    data = draw(of, say, theme=theme)
    assert len(data) <= BUDGET
    assert draw(of, say, theme=theme) == data


@pytest.mark.slow
@pytest.mark.parametrize(("name", "theme"), sampled(product(KINDS, THEMES), zip(KINDS, cycle(THEMES))))
def test_what_is_sent_is_light_on_every_map_in_every_theme(name: str, theme: str) -> None:
    for of in (marked(name, theme), crowded(name), crowded(name, held=False), crowded(name, counts=9)):
        assert len(draw(of, say, theme=theme)) <= BUDGET


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_counts_lie_above_everything(theme: str) -> None:
    plain, decorated = crowded("wide"), marked("wide", theme)
    decorated = replace(decorated, tokens=plain.tokens)
    one, other = (
        Image.open(BytesIO(draw(each, say, theme=theme))).convert("RGB") for each in (plain, decorated)
    )
    assert one.size == other.size
    board = dense("wide").board
    unit = round(FULL_UNIT * one.width / 1120)
    signs = map_annotations.map_annotations(without_bytes(board), unit, partial(artwork, board))
    for label in signs.labels.by_area.values():
        x, y = label.pill_centre
        half = signs.labels.cell * 0.3
        box = (round(x - half), round(y - half), round(x + half), round(y + half))
        assert one.crop(box).tobytes() == other.crop(box).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "wide", "crowd"])
def test_continents_bear_their_names_where_nothing_is_to_be_read(name: str) -> None:
    board = dense(name).board
    signs = map_annotations.map_annotations(without_bytes(board), FULL_UNIT, partial(artwork, board))
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
@pytest.mark.parametrize("theme", ["classic", "dark"])
def test_names_and_ways_are_seen_over_a_picture(theme: str) -> None:
    of = crowded("classic")
    board = dense("classic").board
    assert board.ground is not None
    silent = tuple(replace(zone, name=None) for zone in board.zones)
    nameless = replace(board, zones=silent, ground=replace(board.ground, key="nameless"))
    linkless = replace(board, links=(), ground=replace(board.ground, key="linkless"))
    plain = Image.open(BytesIO(draw(of, say, theme=theme))).convert("RGB")
    colour = theme_of(palette_key(theme, board)).drawn_line
    for less in (nameless, linkless):
        without = Image.open(BytesIO(draw(replace(of, board=less), say, theme=theme))).convert("RGB")
        assert shows(plain, colour) > shows(without, colour) + 150


@pytest.mark.slow
def test_names_without_room_are_left_out() -> None:
    board = dense("classic").board
    signs = map_annotations.map_annotations(without_bytes(board), FULL_UNIT, partial(artwork, board))
    long = tuple(f"{'Wide ' * 40}{n}" for n in range(len(board.zones)))
    assert all(len(each.lines) <= 3 for each in map_annotations.placed_names(signs, long))
    assert map_annotations.placed_names(signs, ("",) * len(board.zones)) == ()
