"""The board has every property that the rules describe."""

from __future__ import annotations

from games.dominion.board import (
    ALL_STRONGHOLDS,
    CIRCLE,
    CIRCLE_POINTS,
    DEFENSIVE_LINES,
    INDEX,
    LINE_STEPS,
    NAMES,
    NEIGHBOURS,
    NO_SIDE,
    OPPOSITE_NEIGHBOURS,
    SIZE,
    START_ARMY,
    STRONGHOLDS,
    TERRITORIES,
    TERRITORY_OF,
    start_points,
    territory_square,
)
from tests.rows import rows

LITERAL_LINES = {
    2: "d1-e2 d3-e2 e2-f1 e2-f3 f1-g2 f3-g2 g2-h1 g2-h3 h1-i2 h3-i2 i2-j1 i2-j3",
    0: "d11-e12 d13-e12 e12-f11 e12-f13 f11-g12 f13-g12 g12-h11 g12-h13 h11-i12 h13-i12 i12-j11 i12-j13",
    1: "k4-l5 k6-l5 l5-m4 l5-m6 k6-l7 k8-l7 l7-m6 l7-m8 k8-l9 k10-l9 l9-m8 l9-m10",
    3: "a4-b5 a6-b5 b5-c4 b5-c6 a6-b7 a8-b7 b7-c6 b7-c8 a8-b9 a10-b9 b9-c8 b9-c10",
}
LITERAL_ARMIES = {
    2: "Eg1 Gf2 Pg2 Ah2 Se2 Si2 Se3 Sf3 Sg3 Sh3 Si3",
    0: "Eg13 Gh12 Pg12 Af12 Se12 Si12 Se11 Sf11 Sg11 Sh11 Si11",
    1: "Em7 Gl6 Pl7 Al8 Sl5 Sl9 Sk5 Sk6 Sk7 Sk8 Sk9",
    3: "Ea7 Gb8 Pb7 Ab6 Sb5 Sb9 Sc5 Sc6 Sc7 Sc8 Sc9",
}


def _turned(square: int) -> int:
    """Return a square after a quarter turn clockwise."""
    file, rank = square % SIZE, square // SIZE
    return (SIZE - 1 - file) * SIZE + rank


def test_four_equal_territories_and_neutral_land_besides_the_circle() -> None:
    assert [len(territory) for territory in TERRITORIES] == [21] * 4
    assert [TERRITORY_OF.count(side) for side in range(4)] == [21] * 4
    assert {NAMES[square] for square in TERRITORIES[2]} == {f"{f}{r}" for f in "defghij" for r in (1, 2, 3)}
    assert len(CIRCLE) == 37
    assert all(TERRITORY_OF[square] == NO_SIDE for square in CIRCLE)
    assert TERRITORY_OF.count(NO_SIDE) == 4 * 9 + 49


def test_the_circle_is_the_one_drawn() -> None:
    literal = {f"{f}{r}" for f, low, high in zip("defghij", (6, 5, 4, 4, 4, 5, 6), (8, 9, 10, 10, 10, 9, 8),
               strict=True) for r in range(low, high + 1)}  # fmt: skip
    assert {NAMES[square] for square in CIRCLE} == literal


@rows("side", range(4))
def test_strongholds_lie_deep_in_the_heartland(side: int) -> None:
    assert len(STRONGHOLDS[side]) == 3
    for fort in STRONGHOLDS[side]:
        assert set(NEIGHBOURS[fort]) <= TERRITORIES[side]
        assert len(NEIGHBOURS[fort]) == 8
    assert len(ALL_STRONGHOLDS) == 12


@rows("side", range(4))
def test_lines_and_armies_are_as_written(side: int) -> None:
    lines = {frozenset(INDEX[end] for end in line.split("-")) for line in LITERAL_LINES[side].split()}
    assert lines == DEFENSIVE_LINES[side]
    army = {f"{letter}{NAMES[territory_square(side, x, y)]}" for letter, x, y in START_ARMY}
    assert army == set(LITERAL_ARMIES[side].split())


def test_lines_are_walked_both_ways_and_nowhere_else() -> None:
    walked = {frozenset((a, b)) for a, steps in enumerate(LINE_STEPS) for b in steps}
    assert walked == frozenset().union(*DEFENSIVE_LINES)
    assert all(a in LINE_STEPS[b] for a, steps in enumerate(LINE_STEPS) for b in steps)


def test_everything_is_the_same_from_each_side() -> None:
    for side in range(4):
        after = (side + 1) % 4
        assert {_turned(square) for square in TERRITORIES[side]} == TERRITORIES[after]
        assert {_turned(square) for square in STRONGHOLDS[side]} == set(STRONGHOLDS[after])
        assert {frozenset(map(_turned, line)) for line in DEFENSIVE_LINES[side]} == DEFENSIVE_LINES[after]
    assert {_turned(square) for square in CIRCLE} == CIRCLE
    assert set(map(_turned, start_points((0, 1, 2, 3)))) == set(start_points((0, 1, 2, 3)))


def test_peasants_start_on_9_15_or_21_squares() -> None:
    assert len(set(start_points((0, 2)))) == 9
    assert len(set(start_points((0, 1, 2)))) == 15
    assert len(set(start_points((0, 1, 2, 3)))) == 21
    assert set(CIRCLE_POINTS) <= CIRCLE
    west_is_empty = {NAMES[square] for square in start_points((0, 1, 2))} - {NAMES[p] for p in CIRCLE_POINTS}
    assert west_is_empty == {"a3", "b2", "c1", "a11", "b12", "c13"}


def test_squares_on_the_rim_are_straddled_on_one_axis_only() -> None:
    assert [len(OPPOSITE_NEIGHBOURS["all"][INDEX[square]]) for square in ("a1", "a3", "b2")] == [0, 1, 4]
    assert [len(OPPOSITE_NEIGHBOURS["orth"][INDEX[square]]) for square in ("a1", "a3", "b2")] == [0, 1, 2]
