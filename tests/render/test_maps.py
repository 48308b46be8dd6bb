"""Maps: areas in their owners' tints, counts on pills, links, attacks and crowns in their places."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from games.engine.scene import Area, Ink, Link, Map, Mark, MarkKind, Scene, Zone
from render import THEMES, alt_text, animate, draw, region, text_board
from render.geometry import FULL_UNIT
from render.kinds import layout
from render.map_shapes import dashes, map_shapes
from render.picture import picture
from render.themes import MAP_SUFFIX, MAX_COLOURS, PIECE_INKS, colours, theme_of
from tests.render.boards import nearest_index, say
from tests.render.hexes_and_lines import lines
from tests.render.maps import EAST, ISLE, ROCK, SEATS, SMALL, WEST, map_scene, war_scene
from tests.render.test_picture import count_pixels, decoded
from tests.rows import rows

pytestmark = pytest.mark.slow

EMPTY = map_scene({})


def drawn(of: Scene, theme: str = "classic") -> Image.Image:
    return decoded(draw(of, say, theme=theme))


def crop_area(image: Image.Image, of: Scene, name: str) -> Image.Image:
    """Cut out an area, with everything else black."""
    assert isinstance(of.board, Map)
    shape = map_shapes(of.board, FULL_UNIT).areas[name]
    cut = Image.new("RGB", image.size)
    cut.paste(image.crop(shape.box), shape.box[:2], shape.mask)
    return cut.crop(shape.box)


@rows("theme", THEMES)
def test_a_palette_of_maps_only_adds_colours_and_tells_all_tints_apart(theme: str) -> None:
    plain, more = colours(theme), colours(theme + MAP_SUFFIX)
    assert len(more) <= MAX_COLOURS
    assert more[: len(plain)] == plain
    look = theme_of(theme)
    grounds = [look.sea, look.shallows, *map(look.zone, PIECE_INKS[:6])]
    assert len({nearest_index(theme + MAP_SUFFIX, ground) for ground in grounds}) == len(grounds)
    assert all(look.zone(ink) != look.empty_area(ink) for ink in PIECE_INKS[:6])


@pytest.mark.parametrize("theme", THEMES)
def test_areas_are_tinted_by_their_owners_only(theme: str) -> None:
    look = theme_of(theme)
    image = drawn(map_scene({"west": ("R", 3), "isle": ("G", 2)}), theme)
    of = map_scene({})
    for name, ink, other in (("west", "red", "green"), ("isle", "green", "red")):
        owned: Ink = "red" if ink == "red" else "green"
        rival: Ink = "red" if other == "red" else "green"
        assert count_pixels(crop_area(image, of, name), look.zone(owned)) > 4000
        assert count_pixels(crop_area(image, of, name), look.zone(rival)) < 20
    for name, zone in (("east", "blue"), ("rock", "green")):
        tint = look.empty_area("blue" if zone == "blue" else "green")
        assert count_pixels(crop_area(image, of, name), tint) > 1500
    assert count_pixels(image, look.sea) > 100_000


def test_every_pixel_of_land_belongs_to_one_area() -> None:
    shore = map_shapes(SMALL, FULL_UNIT)
    taken = Image.new("1", (shore.plan.width, shore.plan.height))
    for shape in shore.areas.values():
        part = taken.crop(shape.box)
        assert ImageChops.logical_and(part, shape.mask).getbbox() is None
        taken.paste(ImageChops.logical_or(part, shape.mask), shape.box[:2])
    west, east = shore.areas["west"].box, shore.areas["east"].box
    between = taken.crop((west[2] - 20, west[1] + 20, east[0] + 40, west[3] - 20))
    assert between.getextrema() == (255, 255)


def test_borders_are_of_the_kind_of_what_they_separate() -> None:
    other = replace(SMALL, zones=(Zone("blue", frozenset({"west"})), Zone("red", frozenset({"east"}))))
    for board, kind in ((SMALL, "border"), (other, "frontier")):
        shapes = map_shapes(board, FULL_UNIT).areas
        assert {found for found, _ in shapes["west"].borders} == {"coast", kind}
        assert {found for found, _ in shapes["isle"].borders} == {"coast"}
    plain, parted = drawn(map_scene({})), drawn(map_scene({}, other))
    groove = theme_of("classic").drawn_line
    assert (
        count_pixels(crop_area(parted, EMPTY, "west"), groove)
        > count_pixels(crop_area(plain, EMPTY, "west"), groove) + 100
    )


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", ["from", "to", "captured", "changed", "legal", "hint", "capital"])
@pytest.mark.parametrize("taken", [True, False])
def test_each_mark_is_visible_on_its_place_only(kind: MarkKind, taken: bool, theme: str) -> None:
    plain = map_scene({"west": ("R", 3)} if taken else {})
    marked = replace(plain, marks=(Mark(kind, "west", "blue" if kind == "capital" else None),))
    before, after = drawn(plain, theme), drawn(marked, theme)
    same = kind == "captured" and not taken
    assert same or crop_area(before, plain, "west").tobytes() != crop_area(after, plain, "west").tobytes()
    for name in ("east", "isle", "rock"):
        assert crop_area(before, plain, name).tobytes() == crop_area(after, plain, name).tobytes()
    if kind != "capital":
        colour = theme_of(theme).inks["mark"]
        assert (
            count_pixels(crop_area(after, plain, "west"), colour)
            > count_pixels(crop_area(before, plain, "west"), colour) + 300
        )


def test_targets_differ_from_changes_without_colours() -> None:
    grey = []
    for kinds in ((), ("legal",), ("changed",)):
        marks = tuple(Mark("legal" if kind == "legal" else "changed", "west") for kind in kinds)
        grey.append(drawn(map_scene({"west": ("R", 3)}, marks=marks)).convert("L").tobytes())
    assert len(set(grey)) == 3


@pytest.mark.parametrize("theme", THEMES)
def test_pills_show_owner_and_count(theme: str) -> None:
    of = [map_scene({"west": (code, count)}) for code, _, _ in SEATS for count in (1, 2, 21, 999)]
    assert len({crop_area(drawn(one, theme), one, "west").tobytes() for one in of}) == len(of)
    more = [map_scene({"west": ("R", count)}) for count in (1000, 1001, 10**9)]
    assert len({draw(one, say, theme=theme) for one in more}) == 1
    ink = theme_of(theme).inks["red"]
    assert count_pixels(crop_area(drawn(map_scene({"west": ("R", 5)}), theme), EMPTY, "west"), ink) > 600
    assert count_pixels(crop_area(drawn(EMPTY, theme), EMPTY, "west"), ink) < 20


def test_counts_are_large_enough_to_read_on_a_phone() -> None:
    plan = layout(SMALL, 0)
    assert plan.cell * 390 / plan.width > 12.5


@pytest.mark.parametrize("theme", ["contrast", "patterns"])
def test_owners_differ_by_patterns(theme: str) -> None:
    look = theme_of(theme)
    parts = []
    for code, ink, _ in SEATS:
        part = crop_area(drawn(map_scene({"west": (code, 3)}), theme), EMPTY, "west").crop((4, 4, 90, 60))
        assert (count_pixels(part, look.area_pattern(ink)) > 50) is (ink != "red")
        away = ImageChops.difference(part, Image.new("RGB", part.size, look.zone(ink))).convert("L")
        parts.append(away.point([0] * 8 + [255] * 248).tobytes())
    assert len(set(parts)) == len(SEATS)


def test_crowns_are_in_the_ink_of_whose_capital_it_was() -> None:
    of = map_scene({"west": ("R", 3)})
    looks = {
        crop_area(drawn(replace(of, marks=(Mark("capital", "west", ink),))), of, "west").tobytes()
        for ink in PIECE_INKS[:6]
    }
    assert len(looks) == 6
    blue = theme_of("classic").inks["blue"]
    crowned = drawn(replace(of, marks=(Mark("capital", "west", "blue"),)))
    assert count_pixels(crop_area(crowned, of, "west"), blue) > 60


@pytest.mark.parametrize("theme", THEMES)
def test_attacks_are_arrows_from_one_pill_to_the_other(theme: str) -> None:
    held = {"west": ("R", 3), "east": ("G", 3)}
    plain = drawn(map_scene(held), theme)
    there = drawn(map_scene(held, marks=(Mark("arrow", "west", "red", "east"),)), theme)
    back = drawn(map_scene(held, marks=(Mark("arrow", "east", "green", "west"),)), theme)
    plan = layout(SMALL, 0)
    (x0, y), (x1, _) = plan.centre("west"), plan.centre("east")
    strip = (round(x0) + plan.cell * 2, round(y) - 4, round(x1) - plan.cell * 2, round(y) + 4)
    look = theme_of(theme)
    for image, ink in ((there, look.inks["red"]), (back, look.inks["green"])):
        assert count_pixels(image.crop(strip), ink) > count_pixels(plain.crop(strip), ink) + 400
    assert there.tobytes() != back.tobytes()


def test_links_around_the_world_leave_over_both_rims() -> None:
    plan = layout(SMALL, 0)
    quiet = replace(SMALL, links=SMALL.links[:2])
    plain, linked = drawn(map_scene({}, quiet)), drawn(EMPTY)
    attack = drawn(map_scene({}, marks=(Mark("arrow", "west", "red", "isle"),)))
    box = plan.board
    rims = [
        (box.x, box.y, box.x + 20, box.y + box.height),
        (box.x + box.width - 20, box.y, box.x + box.width, box.y + box.height),
    ]
    for rim in rims:
        assert plain.crop(rim).tobytes() != linked.crop(rim).tobytes()
        assert count_pixels(attack.crop(rim), theme_of("classic").inks["red"]) > 100
    middle = (box.x + box.width // 2 - 5, box.y, box.x + box.width // 2 + 5, box.y + box.height)
    assert count_pixels(attack.crop(middle), theme_of("classic").inks["red"]) == 0


def test_dashes_begin_and_end_a_line() -> None:
    found = list(dashes(((0.0, 0.0), (25.0, 0.0), (25.0, 25.0)), 6, 4))
    assert (found[0][0], len(found)) == ((0, 0), 5)
    assert found[-1][-1] == pytest.approx((25, 25))
    assert any(len(dash) == 3 for dash in found)
    assert list(dashes(((0.0, 0.0), (3.0, 0.0)), 6, 4)) == [((0, 0), (3, 0))]


def test_links_of_one_direction_and_over_water_look_different() -> None:
    pictures = set()
    for directed in (True, False):
        for end in ("rock", "west"):
            board = replace(SMALL, links=(Link(("isle", end), directed=directed),))
            pictures.add(draw(map_scene({}, board), say))
    assert len(pictures) == 3  # over water there is no head


def test_names_of_zones_are_where_the_map_says_or_cover_least() -> None:
    nameless = replace(SMALL, zones=tuple(replace(zone, name=None) for zone in SMALL.zones))
    anywhere = replace(SMALL, zones=tuple(replace(zone, at=None) for zone in SMALL.zones))
    found = [drawn(map_scene({}, board)) for board in (SMALL, nameless, anywhere)]
    assert len({image.tobytes() for image in found}) == 3
    for name in ("west", "east", "isle", "rock"):
        assert crop_area(found[0], EMPTY, name).tobytes() == crop_area(found[1], EMPTY, name).tobytes()


@pytest.mark.parametrize("count", range(2, 7))
def test_all_seats_have_their_cards(count: int) -> None:
    of = map_scene({}, replace(SMALL, seats=count), seats=count)
    plan = layout(of.board, 0)
    below = drawn(of).crop((0, plan.seats.y, plan.width, plan.height))
    look = theme_of("classic")
    assert [count_pixels(below, look.inks[ink]) > 150 for _, ink, _ in SEATS] == [
        nth < count for nth in range(6)
    ]


def test_a_region_shows_its_areas_larger_with_their_neighbours() -> None:
    of = war_scene()
    near = region(of, ["isle"])
    assert isinstance(near.board, Map)
    assert near.board.places == {"isle"}
    assert [token.at for token in near.tokens] == ["isle"]
    assert {mark.kind for mark in near.marks} == {"captured", "changed"}
    whole, plan = layout(SMALL, 0), layout(near.board, 0)
    assert plan.scale > whole.scale * 1.4
    assert plan.cell > whole.cell
    assert (plan.width, plan.height) == pytest.approx((whole.width, whole.height), abs=2)
    left, top, right, bottom = near.board.window or (0, 0, 0, 0)
    assert all(left < x < right and top < y < bottom for outline in ISLE.outlines for x, y in outline)
    alone, look = map_scene({"isle": ("G", 1)}), theme_of("classic")
    tint = look.zone("green")
    assert count_pixels(drawn(region(alone, ["isle"])), tint) > 1.8 * count_pixels(drawn(alone), tint)
    assert region(of, ["west", "east", "isle", "rock"]).board.places == SMALL.places


def test_invalid_regions_are_refused() -> None:
    with pytest.raises(ValueError, match="needs a place"):
        region(EMPTY, [])
    with pytest.raises(ValueError, match="off the board: moon"):
        region(EMPTY, ["west", "moon"])
    with pytest.raises(ValueError, match="squares or a map"):
        region(lines("1", "1"), ["a1"])


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        (map_scene({"moon": ("R", 1)}), "R at 'moon'"),
        (map_scene({}, marks=(Mark("to", "moon"),)), "to at 'moon'"),
        (
            map_scene({}, marks=(Mark("arrow", "west", "red"),)),
            "an arrow leads off the board: from 'west' to ''",
        ),
        (map_scene({}, marks=(Mark("arrow", "west", None, "east"),)), "arrow without an ink: at 'west'"),
        (map_scene({}, marks=(Mark("capital", "west"),)), "capital without an ink: at 'west'"),
        (replace(EMPTY, turns=2), "not after 2 quarter turns"),
        (map_scene({}, Map((10, 10), ())), "needs an area and a size"),
        (map_scene({}, Map((0, 10), (WEST,))), "needs an area and a size"),
        (map_scene({}, Map((760, 480), (WEST, EAST, WEST))), "two areas are called west"),
        (map_scene({}, Map((760, 480), (WEST,), (Link(("west", "moon")),))), "off the map: moon"),
        (
            map_scene({}, Map((760, 480), (WEST,), (), (Zone("red", frozenset({"moon"})),))),
            "off the map: moon",
        ),
        (
            map_scene({}, Map((760, 480), (WEST,), (), (Zone("red", frozenset({"west"})),) * 2)),
            "two zones have west",
        ),
        (map_scene({}, replace(SMALL, window=(0, 400, 50, 450))), "a window without an area"),
    ],
)
def test_an_invalid_map_is_refused_by_name(wrong: Scene, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        draw(wrong, say)


def test_neighbours_are_those_that_touch_and_those_that_are_linked() -> None:
    assert SMALL.neighbours == {
        "west": ("east", "isle"),
        "east": ("isle", "west"),
        "isle": ("east", "rock", "west"),
        "rock": (),
    }


def test_equal_maps_share_a_hash_and_a_picture() -> None:
    other = Map(SMALL.size, SMALL.areas, SMALL.links, SMALL.zones, SMALL.seats)
    assert (other, hash(other)) == (SMALL, hash(SMALL))
    assert replace(SMALL, seats=3) != SMALL
    assert draw(map_scene({}, other), say) == draw(EMPTY, say)


@pytest.mark.parametrize("theme", THEMES)
def test_maps_are_animated_in_the_colours_of_their_pictures(theme: str) -> None:
    frames = (map_scene({"west": ("R", 3)}), war_scene())
    film = Image.open(BytesIO(animate(frames, say, theme=theme)))
    for nth, of in enumerate(frames):
        film.seek(nth)
        assert film.convert("RGB").tobytes() == picture(of, say, theme).convert("RGB").tobytes()


@pytest.mark.parametrize("unit", [80, 60, 40])
def test_maps_of_any_size_and_shape_are_drawn(unit: int) -> None:
    for size, areas in (
        ((10, 10), (Area("a", (5, 5)),)),
        ((300, 2000), (ROCK, EAST)),
        ((2000, 200), (WEST,)),
    ):
        of = map_scene({areas[0].name: ("R", 1)}, Map(size, areas))
        plan = layout(of.board, 0, unit)
        assert picture(of, say, "dark", unit=unit).size == (plan.width, plan.height)
        assert plan.board.x >= 0
        assert plan.height < plan.width * 1.4


def test_the_text_is_a_table_of_areas() -> None:
    assert text_board(war_scene(), say).splitlines() == [
        "Red",
        "",
        "Mainland 5",
        " west  R  12 east isle",
        "!east! G   3 isle west",
        "Isles 2",
        "{isle} G   1 east rock west",
        "<rock> ·",
        "",
        "Attacks: east>isle, west>isle.",
        "",
        "► R Red   ✓ Steady   Armies: 7 R",
        "  G Green   Armies: 8 G",
        "Capitals: R west.",
    ]
    both = map_scene({"west": ("R", 1), "east": ("R", 2)}, replace(SMALL, zones=SMALL.zones[:1]))
    assert text_board(both, say, unicode=False).splitlines()[2:8] == [
        "Mainland 5: R",
        " west  R   1 east isle",
        " east  R   2 isle west",
        " isle  .     east rock west",
        " rock  .",
        "",
    ]


def test_the_alt_text_is_grouped_by_owner() -> None:
    assert alt_text(war_scene(), say) == (
        "Red. Attacks: east>isle, west>isle. Capitals: R west. Captured at isle. Changed: isle. "
        "Possible: rock. Hint: east. Red (R): west 12. Steady. Armies: 7 R. Green (G): east 3, isle 1. "
        "Armies: 8 G."
    )
    assert "Mainland 5: Red." in alt_text(map_scene({"west": ("R", 1), "east": ("R", 2)}), say)
