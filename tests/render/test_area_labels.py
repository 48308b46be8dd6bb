"""Labels of crowded maps: each count is visible, each area has a label, letters are legible on a phone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from games.engine.scene import Area, Ground, Map
from render import legend, region, text_board
from render.area_labels import CAPITAL_HEIGHT, MIN_CAPITAL, PHONE_WIDTH, AreaLabel, AreaLabels, shows_numbers
from render.geometry import FULL_UNIT
from render.label_packing import Rect
from render.map_annotations import MapAnnotations
from render.map_artwork import crossings
from render.map_artwork import from_mask as numbers_of
from tests.render.boards import say
from tests.render.crowded_maps import RECIPES, annotated, annotations_of, crowded_map, crowded_scene
from tests.render.maps import SMALL
from tests.soak import SOAK, examples, sampled

CODED = ("classic", "fifty", "islands", "rims", "photo")
"""The maps that aren't too crowded for codes; all of up to 50 areas are among them."""

NAMES = [
    name if name == "classic" else pytest.param(name, marks=pytest.mark.slow)
    for name in sampled(RECIPES, ("classic", "islands", "rims"))
]


def apart(one: Rect, other: Rect) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def crosses(label: AreaLabel, box: Rect) -> bool:
    """Tell whether the leader of a label meets a box."""
    (x0, y0), (x1, y1) = label.pill_centre, label.anchor
    spots = ((x0 + (x1 - x0) * k / 200, y0 + (y1 - y0) * k / 200) for k in range(201))
    return any(box[0] < x < box[2] and box[1] < y < box[3] for x, y in spots)


def check_labels(annotations: MapAnnotations, *, led: bool = True) -> AreaLabels:
    """Check what is promised of labels; without `led`, leaders may be crossed."""
    found, frame = annotations.labels, annotations.plan.board
    assert found.by_area.keys() == annotations.board.places
    for label in found.by_area.values():
        for box in (label.pill, label.tag):
            assert frame.x <= box[0] < box[2] <= frame.x + frame.width
            assert frame.y <= box[1] < box[3] <= frame.y + frame.height
    for one, other in combinations(found.by_area.values(), 2):
        assert all(apart(a, b) for a in (one.pill, one.tag) for b in (other.pill, other.tag))
    for name, label in found.by_area.items():
        if label.leader and not led:
            continue
        if label.leader:
            others = [box for of, one in found.by_area.items() if of != name for box in (one.pill, one.tag)]
            assert not any(crosses(label, box) for box in others), "a leader meets no other label"
        else:
            x, y = label.anchor
            assert label.pill[0] - 4 <= x <= label.pill[2] + 4
            assert label.pill[1] - 4 <= y <= label.pill[3] + 4
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_labels_lie_on_the_map_and_never_overlap(name: str) -> None:
    board = crowded_map(name).board
    found = check_labels(annotations_of(board))
    assert sum(label.leader for label in found.by_area.values()) <= len(board.areas) * 0.1


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(RECIPES, ("classic", "rims")))
def test_labels_are_the_same_each_time_and_say_the_same_on_smaller_pictures(name: str) -> None:
    board = crowded_map(name).board
    found = annotations_of(board).labels
    assert found == annotated(board).labels
    smaller = check_labels(annotations_of(board, FULL_UNIT * 3 // 4))
    assert {place: label.text for place, label in smaller.by_area.items()} == {
        place: label.text for place, label in found.by_area.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_leaders_end_in_their_areas(name: str) -> None:
    board = crowded_map(name).board
    signs = annotations_of(board)
    whose = numbers_of(board, signs.plan, crowded_map(name).mask)
    number = {area.name: nth for nth, area in enumerate(board.areas, 1)}
    for place, label in signs.labels.by_area.items():
        x, y = label.anchor
        at = (round(x - signs.plan.board.x), round(y - signs.plan.board.y))
        assert whose.getpixel((min(at[0], whose.width - 1), min(at[1], whose.height - 1))) == number[place]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_labels_are_legible_on_a_phone_or_are_numbers(name: str) -> None:
    signs = annotations_of(crowded_map(name).board)
    height = signs.labels.letters * CAPITAL_HEIGHT * PHONE_WIDTH / signs.plan.width
    assert signs.labels.numbered is (name not in CODED)
    assert signs.labels.numbered is shows_numbers(crowded_map(name).board)
    if signs.labels.numbered:
        assert {label.text for label in signs.labels.by_area.values()} == {
            str(n) for n in range(1, RECIPES[name].areas + 1)
        }
        assert signs.labels.letters < signs.labels.cell, "a number isn't taken for a count"
    else:
        assert height >= MIN_CAPITAL
        assert {label.text for label in signs.labels.by_area.values()} == {
            area.name.upper() for area in crowded_map(name).board.areas
        }


@pytest.mark.slow
def test_a_tag_is_above_its_pill_at_the_lower_rim() -> None:
    signs = annotations_of(crowded_map("rims").board)
    foot = signs.plan.board.y + signs.plan.board.height
    lowest = [label for label in signs.labels.by_area.values() if label.anchor[1] > foot - 10]
    assert len(lowest) >= 6
    assert all(label.tag[3] <= foot and label.pill[3] <= foot for label in lowest)
    assert sum(label.tag[1] < label.pill[1] - 10 for label in lowest) >= len(lowest) / 2


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(["fifty", "crowd", "classic", "wide"], ["classic", "wide"]))
def test_labels_in_windows_are_as_good(name: str) -> None:
    of = crowded_scene(name)
    for zone in crowded_map(name).board.zones[: 9 if SOAK else 2]:
        near = region(of, zone.places).board
        assert isinstance(near, Map)
        check_labels(annotations_of(near))


@pytest.mark.slow
def test_areas_with_equal_or_outlying_points_have_their_own_labels() -> None:
    mask = Image.new("L", (400, 300), 255)
    for number in range(1, 7):
        mask.paste(number, (number * 55, 40, number * 55 + 30, 70))
    areas = tuple(Area(f"c{n}", (200.0, 250.0)) for n in range(1, 7))
    board = Map((400, 300), areas, seats=2)
    assert len({label.pill for label in annotations_of(board).labels.by_area.values()}) == 6
    check_labels(annotations_of(board), led=False)


@pytest.mark.slow
def test_labels_do_not_need_a_mask() -> None:
    board = crowded_map("classic").board
    bare = replace(board, ground=Ground("classic"))
    assert check_labels(annotations_of(bare)).numbered is check_labels(annotations_of(board)).numbered
    assert annotations_of(SMALL).labels.cell == annotations_of(replace(SMALL, seats=3)).labels.cell


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(st.sets(st.tuples(st.integers(0, 39), st.integers(0, 23)), min_size=6, max_size=60))
def test_labels_fit_wherever_points_lie(spots: set[tuple[int, int]]) -> None:
    areas = tuple(Area(f"k{n:02}", (x * 25.0, y * 25.0)) for n, (x, y) in enumerate(sorted(spots)))
    check_labels(annotations_of(Map((1000, 600), areas)), led=False)


@pytest.mark.slow
def test_a_map_of_a_few_pixels_is_drawn() -> None:
    areas = tuple(Area(f"c{n}", (n / 4, 2.0)) for n in range(100))
    assert len(annotations_of(Map((2000, 6), areas)).labels.by_area) == 100


@pytest.mark.parametrize("name", NAMES)
def test_crossings_join_areas_that_do_not_touch(name: str) -> None:
    of = crowded_map(name)
    found = {frozenset(way.ends): way for way in crossings(of.board, lambda: of.mask)}
    assert len(of.apart) >= 6
    assert of.apart <= found.keys()
    assert not of.touching & found.keys()
    around = [way for way in found.values() if way.wraps]
    assert len(around) == 1
    assert {line[1][0] > of.board.size[0] / 2 for line in around[0].lines} == {True, False}


@pytest.mark.parametrize("name", NAMES)
def test_crossings_lead_from_shore_to_shore(name: str) -> None:
    of = crowded_map(name)
    number = {area.name: nth for nth, area in enumerate(of.board.areas, 1)}
    near = of.mask.width / 100
    for way in crossings(of.board, lambda: of.mask):
        if way.wraps:
            continue
        ((start, end),) = way.lines
        for place, (x, y) in zip(way.ends, (start, end), strict=True):
            box = (round(x - near), round(y - near), round(x + near), round(y + near))
            assert number[place] in of.mask.crop(box).tobytes()


@pytest.mark.slow
def test_the_legend_explains_the_numbers_on_a_picture() -> None:
    board = crowded_map("wide").board
    lines = legend(board).splitlines()
    assert len(lines) == 75
    assert lines[11] == f"12 = {board.areas[11].title} ({board.areas[11].name})"
    rows = text_board(crowded_scene("wide"), say).splitlines()
    assert any(row.split()[:2] == ["12", board.areas[11].name] for row in rows)
    assert legend(SMALL) == ""
    assert not any(row.split()[:1] == ["1"] for row in text_board(crowded_scene("classic"), say).splitlines())
    part = region(crowded_scene("wide"), board.zones[0].places)
    assert isinstance(part.board, Map)
    assert bool(legend(part.board)) is shows_numbers(part.board)
