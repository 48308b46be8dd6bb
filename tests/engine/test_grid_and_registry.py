"""Squares by name, and games by key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import registry
from games.engine.grid import DIRECTIONS, coordinates, name, ray, squares
from tests.rows import rows
from tests.toy import GAME
from tests.toy.game import Toy


def test_squares_are_named_from_the_bottom_left() -> None:
    assert squares(3, 2) == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert squares(2, 2, frozenset({"a1", "b2"})) == ("b1", "a2")
    assert squares(1, 11)[-1] == "a11"
    assert name(4, 3) == "e4"


@given(st.integers(0, 25), st.integers(0, 200))
def test_a_name_and_its_coordinates_are_one_to_one(file: int, rank: int) -> None:
    assert coordinates(name(file, rank)) == (file, rank)


@rows("text", ["", "a", "4", "A1", "e04", "e-1", "e4 ", " e4", "e٤", "é4", "ee4", "e4e", "e４", "aa"])
def test_an_invalid_square_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not the name of a square"):
        coordinates(text)


def test_a_ray_ends_at_the_edge_and_at_holes() -> None:
    board = frozenset(squares(8, 8, frozenset({"h4"})))
    north, east, south, west = DIRECTIONS
    assert ray("e4", north, board) == ("e5", "e6", "e7", "e8")
    assert ray("e4", east, board) == ("f4", "g4")
    assert ray("e4", south, board) == ("e3", "e2", "e1")
    assert ray("e4", west, board) == ("d4", "c4", "b4", "a4")
    assert ray("a1", west, board) == ray("a1", south, board) == ()


@pytest.fixture
def guest() -> Iterator[Toy]:
    class Guest(Toy):
        """The toy game under another key."""

        key = "guest"

    game = Guest()
    registry.register(game)
    yield game
    del registry._registered["guest"]


def test_games_are_found_by_key(guest: Toy) -> None:
    assert registry.get("guest") is guest
    assert registry.all_games()[-1] is guest
    assert [game.key for game in registry.all_games()][: len(registry.KEYS)] == list(registry.KEYS)
    for key in registry.KEYS:
        assert registry.get(key).key == key
        assert registry.package(key) == f"games.{key}"
    assert registry.package("toy") == "tests.toy"


def test_a_key_is_taken_once(guest: Toy) -> None:
    registry.register(guest)
    registry.register(GAME)
    for key in ("guest", "toy", *registry.KEYS):
        other = Toy()
        other.key = key  # type: ignore[misc]  # each a game of its own under a key that is taken
        with pytest.raises(ValueError, match=f"the key {key} is taken"):
            registry.register(other)
    assert registry.get("toy") is GAME


def test_an_unknown_key_is_refused() -> None:
    for key in ("", "chess", "engine", "ai", "focus.rules"):
        with pytest.raises(KeyError):
            registry.get(key)
        with pytest.raises(KeyError):
            registry.package(key)
