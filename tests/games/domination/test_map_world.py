"""The drawing of the standard map: countries touch exactly where they are neighbours by land."""

from __future__ import annotations

from math import hypot

import pytest

from games.domination.maps.atlas import Atlas, Continent
from games.domination.maps.drawing import Drawing, bend, board, closed_outlines, points
from games.domination.maps.islands import ISLANDS, ISLANDS_DRAWING
from games.domination.maps.world import WORLD, WORLD_DRAWING
from games.engine.message import Msg, msg
from games.engine.scene import Area, Map, Spot

MAPS = ((WORLD, WORLD_DRAWING), (ISLANDS, ISLANDS_DRAWING))


def name(continent: Continent) -> Msg:
    return msg("name", name=continent.name)


def borders(atlas: Atlas) -> set[frozenset[str]]:
    codes = [country.code for country in atlas.countries]
    return {frozenset((codes[a], codes[b])) for a, others in enumerate(atlas.borders) for b in others}


def touching(of: Map) -> set[frozenset[str]]:
    """Pairs of areas that share a point."""
    owners: dict[Spot, set[str]] = {}
    for area in of.areas:
        for outline in area.outlines:
            for spot in outline:
                owners.setdefault(spot, set()).add(area.name)
    return {
        frozenset((one, other))
        for names in owners.values()
        for one in names
        for other in names
        if one != other
    }


def sharing(of: Map) -> set[frozenset[str]]:
    """Pairs of areas that share an edge."""
    owners: dict[frozenset[Spot], list[str]] = {}
    for area in of.areas:
        for outline in area.outlines:
            for edge in zip(outline, (*outline[1:], outline[0]), strict=True):
                owners.setdefault(frozenset(edge), []).append(area.name)
    assert all(len(names) <= 2 for names in owners.values())
    return {frozenset(names) for names in owners.values() if len(names) == 2}


def inside(spot: Spot, area: Area) -> bool:
    x, y = spot
    crossed = 0
    for outline in area.outlines:
        for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                crossed += 1
    return crossed % 2 == 1


@pytest.mark.parametrize(("atlas", "drawing"), MAPS)
def test_areas_touch_exactly_if_they_are_neighbours_by_land(atlas: Atlas, drawing: Drawing) -> None:
    of = board(atlas, drawing, name)
    linked = {frozenset(link.ends) for link in of.links}
    assert sharing(of).isdisjoint(linked)
    assert sharing(of) | linked == borders(atlas)
    assert touching(of) <= sharing(of) | {frozenset(pair) for pair in CORNERS[atlas.key]}


CORNERS: dict[str, tuple[tuple[str, str], ...]] = {"world": (), "islands": ()}
"""Countries that meet in a point only, where four come together."""


@pytest.mark.parametrize(("atlas", "drawing"), MAPS)
def test_neighbours_of_a_board_are_those_of_its_atlas(atlas: Atlas, drawing: Drawing) -> None:
    codes = [country.code for country in atlas.countries]
    for of in (board(atlas, drawing, name), board(atlas, None, name)):
        assert of.neighbours == {
            codes[at]: tuple(sorted(codes[near] for near in others))
            for at, others in enumerate(atlas.borders)
        }


@pytest.mark.parametrize(("atlas", "drawing"), MAPS)
def test_armies_stand_in_their_country_and_links_end_in_theirs(atlas: Atlas, drawing: Drawing) -> None:
    areas = {area.name: area for area in board(atlas, drawing, name).areas}
    for area in areas.values():
        assert inside(area.at, area), area.name
    for link in board(atlas, drawing, name).links:
        assert inside(link.path[0], areas[link.ends[0]]), link
        assert inside(link.path[-1], areas[link.ends[1]]), link


@pytest.mark.parametrize(("atlas", "drawing"), MAPS)
def test_all_of_it_lies_on_the_map_and_no_line_crosses_another(atlas: Atlas, drawing: Drawing) -> None:
    of = board(atlas, drawing, name)
    for area in of.areas:
        for outline in area.outlines:
            assert all(0 <= x <= of.size[0] and 0 <= y <= of.size[1] for x, y in outline)
    edges = {
        frozenset(edge): edge
        for area in of.areas
        for outline in area.outlines
        for edge in zip(outline, (*outline[1:], outline[0]), strict=True)
    }
    cells: dict[tuple[int, int], list[tuple[Spot, Spot]]] = {}
    for one, other in edges.values():
        for x in range(int(min(one[0], other[0])) // 20, int(max(one[0], other[0])) // 20 + 1):
            for y in range(int(min(one[1], other[1])) // 20, int(max(one[1], other[1])) // 20 + 1):
                cells.setdefault((x, y), []).append((one, other))
    for there in cells.values():
        for nth, edge in enumerate(there):
            for rival in there[:nth]:
                assert not crossing(edge, rival), (edge, rival)


def crossing(edge: tuple[Spot, Spot], rival: tuple[Spot, Spot]) -> bool:
    def side(a: Spot, b: Spot, c: Spot) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = edge, rival
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


@pytest.mark.parametrize(("atlas", "drawing"), MAPS)
def test_each_continent_is_named_on_the_water(atlas: Atlas, drawing: Drawing) -> None:
    of = board(atlas, drawing, name)
    assert len(of.zones) == len(atlas.continents)
    for zone in of.zones:
        assert zone.at is not None
        assert not any(inside(zone.at, area) for area in of.areas)
    assert frozenset().union(*(zone.places for zone in of.zones)) == of.places


def test_one_way_borders_become_links_of_one_direction() -> None:
    half = Atlas(
        "half", "Half", (100, 100), WORLD.continents[:1], WORLD.countries[:3], ((1, 2), (0,), ()), (), ()
    )
    links = board(half, None, name).links
    assert {(link.ends, link.directed) for link in links} == {(("ala", "nwt"), False), (("ala", "alb"), True)}
    assert board(half, None, name).neighbours == {"ala": ("alb", "nwt"), "nwt": ("ala",), "alb": ()}


def test_lines_that_can_not_be_are_refused() -> None:
    with pytest.raises(ValueError, match="two points"):
        points("1,2")
    with pytest.raises(ValueError, match="not enough values"):
        points("1 2")
    with pytest.raises(ValueError, match=r"here isn't closed: nothing goes on at \(5\.0, 5\.0\)"):
        closed_outlines("here", [points("0,0 5,5")])


def test_arcs_chain_whichever_way_they_were_drawn() -> None:
    way, back = points("0,0 5,0 5,5"), points("0,0 0,5 5,5")
    assert closed_outlines("here", [way, back]) == (((0, 0), (5, 0), (5, 5), (0, 5)),)
    assert closed_outlines("here", [back[::-1], way]) == (((5, 5), (0, 5), (0, 0), (5, 0)),)


def test_bends_stay_near_and_ends_where_they_are() -> None:
    line = bend(points("0,0 60,0 60,40"))
    corners = [spot for spot in line if spot in points("0,0 60,0 60,40")]
    assert corners == [line[0], (60, 0), line[-1]]
    assert len(line) > 6
    assert all(hypot(x - min(x, 60), y - max(0, min(y, 40))) < 12 for x, y in line)
    assert bend(points("0,0 5,5")) == ((0, 0), (5, 5))
