"""Pictures and texts of both maps at their fullest: within Discord's limits, and the same everywhere."""

from __future__ import annotations

import hashlib
from io import BytesIO

import pytest
from PIL import Image

from games.domination.maps.atlas import Atlas
from games.domination.maps.drawing import Drawing, board
from games.domination.maps.islands import ISLANDS, ISLANDS_DRAWING
from games.domination.maps.world import WORLD, WORLD_DRAWING
from games.engine.message import Msg, msg
from games.engine.scene import Badge, Ink, Item, Map, Mark, Panel, Row, Scene, Token
from render import THEMES, alt_text, draw, region, text_board
from render.alt import MAX_LENGTH
from render.geometry import FULL_UNIT
from render.kind_map import TABLE_COLUMNS
from render.kinds import layout
from render.map_shapes import map_shapes
from tests.render.boards import GLYPHS, WORDS
from tests.render.maps import SEATS

pytestmark = pytest.mark.slow

MAPS = ((WORLD, WORLD_DRAWING, 6), (ISLANDS, ISLANDS_DRAWING, 3))


def say(message: Msg) -> str:
    """Return a message in English; names are unchanged."""
    values = {name: say(value) if isinstance(value, Msg) else value for name, value in message.values}
    return WORDS.get(message.key, "{name}").format(**values)


def fullest(atlas: Atlas, drawing: Drawing | None, seats: int) -> Scene:
    """Return a map on which every country is held by hundreds, every seat has a capital, and all attack."""
    of = board(atlas, drawing, lambda one: msg("as is", name=f"{one.name} {one.value}"), seats)
    tokens = tuple(
        Token(
            area.name, SEATS[n % seats][2], SEATS[n % seats][1], SEATS[n % seats][0], count=100 + 37 * n % 899
        )
        for n, area in enumerate(of.areas)
    )
    inks: dict[str, Ink] = {token.at: token.ink for token in tokens}
    marks = [Mark("capital", of.areas[n * 3].name, SEATS[n][1]) for n in range(seats)]
    for area in of.areas[::6]:
        marks += [Mark("arrow", area.name, inks[area.name], to) for to in of.neighbours[area.name][:1]]
        marks += [Mark("changed", to) for to in of.neighbours[area.name][:1]]
    panels = tuple(
        Panel(
            n,
            msg("as is", name=f"A player with a long name {n}"),
            glyph,
            ink,
            code,
            "waiting" if n else "to_act",
            (
                Row(msg("as is", name="Countries"), (Item(glyph, ink, code, 42),)),
                Row(msg("as is", name="Armies"), tuple(Item(g, ink, g[0], 999) for _, _, g in SEATS[:3])),
            ),
            badges=(Badge(msg("as is", name="Two continents"), "good"),),
        )
        for n, (code, ink, glyph) in enumerate(SEATS[:seats])
    )
    headline = msg("as is", name="Somebody with a long name places 37 armies")
    return Scene(of, tokens, panels, headline, tuple(marks), glyphs=GLYPHS)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("atlas", "drawing", "seats"), MAPS)
def test_the_fullest_picture_is_below_120_kilobytes(
    atlas: Atlas, drawing: Drawing, seats: int, theme: str
) -> None:
    of = fullest(atlas, drawing, seats)
    data = draw(of, say, theme=theme)
    assert len(data) <= 120_000
    assert Image.open(BytesIO(data)).width >= 1100
    assert hashlib.sha256(draw(of, say, theme=theme)).digest() == hashlib.sha256(data).digest()


@pytest.mark.parametrize(("atlas", "drawing", "seats"), MAPS)
def test_texts_fit_a_message(atlas: Atlas, drawing: Drawing, seats: int) -> None:
    of = fullest(atlas, drawing, seats)
    for unicode in (True, False):
        text = text_board(of, say, unicode=unicode)
        table = text.split("\n\n")[1].splitlines()
        assert max(map(len, table)) <= TABLE_COLUMNS
        assert unicode or text.isascii()
        named = {line.strip(" []{}<>()!+?").split()[0].strip("[]{}<>()!+?") for line in table}
        assert {country.code for country in atlas.countries} <= named
    alt = alt_text(of, say)
    assert len(alt) <= MAX_LENGTH
    assert all(f"{token.at} {token.count}" in alt for token in of.tokens)


@pytest.mark.parametrize(("atlas", "drawing", "seats"), MAPS)
def test_pills_lie_apart_and_in_the_picture(atlas: Atlas, drawing: Drawing, seats: int) -> None:
    of = fullest(atlas, drawing, seats)
    for scene in (of, *(region(of, [atlas.countries[n].code for n in each]) for each in atlas.countries_of)):
        plan = layout(scene.board, 0)
        middles = [plan.centre(name) for name in plan.places]
        for n, (x, y) in enumerate(middles):
            assert plan.board.x < x < plan.board.x + plan.board.width
            assert plan.board.y < y < plan.board.y + plan.board.height - plan.cell
            for u, v in middles[:n]:
                assert abs(y - v) >= plan.cell or abs(x - u) >= plan.cell * 1.5


@pytest.mark.parametrize(("atlas", "drawing", "seats"), MAPS)
def test_each_continent_is_looked_at_closely(atlas: Atlas, drawing: Drawing, seats: int) -> None:
    of = fullest(atlas, drawing, seats)
    whole = layout(of.board, 0)
    for each in atlas.countries_of:
        wanted = {atlas.countries[n].code for n in each}
        near = region(of, wanted)
        assert isinstance(near.board, Map)
        assert wanted <= near.board.places
        plan = layout(near.board, 0)
        assert plan.scale > whole.scale * 1.15
        assert (plan.width, plan.cell >= whole.cell) == (whole.width, True)
        assert all(map_shapes(near.board, FULL_UNIT).areas[name].visible for name in wanted)


@pytest.mark.parametrize(("atlas", "_", "seats"), MAPS)
def test_maps_without_a_drawing_are_drawn_too(atlas: Atlas, _: object, seats: int) -> None:
    of = fullest(atlas, None, seats)
    assert len(draw(of, say)) <= 120_000


def test_the_second_map_is_sound() -> None:
    codes = [country.code for country in ISLANDS.countries]
    assert len(set(codes)) == len(codes) == 20
    assert sum(map(len, ISLANDS.borders)) == 2 * 33
    for at, others in enumerate(ISLANDS.borders):
        assert list(others) == sorted(set(others) - {at})
        assert all(at in ISLANDS.borders[other] for other in others)
    reached = {0}
    while more := {other for at in reached for other in ISLANDS.borders[at]} - reached:
        reached |= more
    assert len(reached) == 20
    assert [
        sum(card.kind == kind for card in ISLANDS.cards) for kind in ("infantry", "cavalry", "cannon", "wild")
    ] == [
        7,
        6,
        7,
        2,
    ]
    assert [len(each) for each in ISLANDS.countries_of] == [5, 5, 4, 6]
    assert len(ISLANDS.missions) == 10
    assert all(0 <= mission.player <= 3 for mission in ISLANDS.missions)
