"""From the command line to a setup, a seat and a secret."""

from __future__ import annotations

import hashlib

import pytest

from cli.table import find_seat, make_secret, make_setup
from cli.terminal import Sorry
from games.engine import registry
from games.engine.game import Seat
from tests.cli.conftest import Run
from tests.toy import GAME


def test_the_fewest_seats_and_the_printed_rules_are_the_default() -> None:
    assert make_setup(GAME, None, ()) == GAME.setup(2)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("rounds=3", "rounds", 3),
        (" Rounds = 3 ", "rounds", 3),
        ("pairs", "pairs", True),
        ("pairs=yes", "pairs", True),
        ("pairs=ON", "pairs", True),
        ("pairs=true", "pairs", True),
        ("pairs=off", "pairs", False),
    ],
)
def test_options_are_read_leniently(text: str, key: str, value: object) -> None:
    chosen = make_setup(GAME, 3, (text,)).options[key]
    assert chosen == value
    assert type(chosen) is type(value)


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (5, (), "2, 3 players, not for 5"),
        (2, ("dragons=2",), "no option 'dragons'. Its options: pairs, rounds"),
        (2, ("rounds=9",), "choose 2, 3"),
        (2, ("rounds=yes",), "choose 2, 3"),
        (2, ("rounds",), "choose 2, 3"),
    ],
)
def test_what_the_game_does_not_have_is_refused(seats: int, options: tuple[str, ...], reason: str) -> None:
    with pytest.raises(Sorry, match=reason):
        make_setup(GAME, seats, options)


def test_the_game_refuses_in_its_own_words() -> None:
    with pytest.raises(Sorry) as refused:
        make_setup(GAME, 2, ("pairs",))
    assert refused.value.message.startswith("Pairs is for 3 players.")
    with pytest.raises(Sorry, match=r"three has no option 'x'. Its options: none"):
        make_setup(registry.get("three"), 2, ("x",))


def test_a_seat_goes_by_number_letter_and_name() -> None:
    setup = GAME.setup(3)
    look = GAME.look(setup, Seat(1))
    assert find_seat(GAME, setup, "2") == 1
    assert find_seat(GAME, setup, look.code.lower()) == 1
    assert find_seat(GAME, setup, "birch") == 1
    with pytest.raises(Sorry, match=r"no seat '4'. Choose from: 1 or Ash, 2 or Birch, 3 or Cedar"):
        find_seat(GAME, setup, "4")


def test_seeds() -> None:
    assert make_secret("00ff") == hashlib.sha256(b"\x00\xff").digest()
    assert make_secret("ab" * 32) == b"\xab" * 32
    assert make_secret(None) != make_secret(None)
    for bad in ("", "0", "xyz", "00" * 33):
        with pytest.raises(Sorry):
            make_secret(bad)


def test_an_unknown_game_is_refused_by_name(run: Run) -> None:
    result = run("perft", "go")
    assert result.exit_code == 2
    assert "There is no game go." in result.output
