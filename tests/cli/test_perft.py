"""The count of the tree: known figures of Focus, and agreement with a walk over the toy game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cli.perft import root
from games.engine import registry
from tests.cli.conftest import Run


def depths(run: Run, *args: object) -> list[int]:
    result = run("perft", *args, "--json")
    assert result.exit_code == 0, result.output
    return [row["nodes"] for row in json.loads(result.output)["depths"]]


@pytest.mark.parametrize("first", ["red", "G"])
def test_focus_begins_with_68_moves_for_either_colour(run: Run, first: str) -> None:
    assert depths(run, "focus", "--seats", 2, "--depth", 1, "--first", first) == [68]


def test_four_players_begin_with_44_moves(run: Run) -> None:
    assert depths(run, "focus", "--seats", 4, "--depth", 1, "--first", "green") == [44]


@pytest.mark.parametrize(
    ("way", "nodes"),
    [
        (("--seats", 2), [68, 4_460, 299_912]),
        (("--seats", 3), [16, 240, 3_360]),
        (("--seats", 4), [44, 1_895, 80_983]),
        (("--seats", 4, "--option", "partners"), [44, 1_895, 80_983]),
    ],
)
def test_the_tables_of_the_four_set_ups(run: Run, way: tuple[object, ...], nodes: list[int]) -> None:
    assert depths(run, "focus", *way, "--depth", 3) == nodes


def test_three_players_begin_with_16_places(run: Run) -> None:
    assert depths(run, "focus", "--seats", 3, "--depth", 2) == [16, 16 * 15]


def test_the_parts_make_the_whole(run: Run) -> None:
    result = json.loads(run("perft", "focus", "--depth", 2, "--divide", "--json").output)
    assert len(result["divide"]) == 68
    assert sum(nodes for _, nodes in result["divide"]) == result["depths"][-1]["nodes"]


def test_the_table_names_depths_and_first_moves(run: Run) -> None:
    lines = run("perft", "focus", "--depth", 1, "--divide").output.splitlines()
    assert lines[0].split() == ["depth", "nodes", "seconds", "nodes/s"]
    assert lines[1].split()[:2] == ["1", "68"]
    assert len(lines) == 2 + 68


def test_a_game_with_dice_and_simultaneous_choices_is_counted(run: Run) -> None:
    first, second = depths(run, "toy", "--depth", 2)
    assert first > 1
    assert second > first


def test_every_draw_is_counted_where_chance_is_a_ply(run: Run) -> None:
    game = registry.get("toy")
    state, _ = root(game, game.setup(game.seats[0]), None)

    def walk(state: Any, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(
            walk(game.apply(state, seat, action).state, depth - 1)
            for seat in game.to_act(state)
            for action in game.actions(game.view(state, seat), seat)
        )

    counted = depths(run, "toy", "--chance", "--depth", 4)
    assert counted == [walk(state, depth) for depth in range(1, 5)]
    assert counted != depths(run, "toy", "--depth", 4)


def test_options_reach_the_game(run: Run) -> None:
    result = run("perft", "focus", "--option", "partners", "--depth", 1)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
