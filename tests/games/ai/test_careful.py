"""The careful player beats a random one in every open game, without touching the dice of the match."""

from __future__ import annotations

from itertools import count

import pytest

from games.ai.players import CarefulPlayer, RandomPlayer
from games.dominance import GAME as DOMINANCE
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Json, Player, Seat
from games.two_domains import GAME as TWO_DOMAINS

OPEN = [registry.get(key) for key in registry.KEYS if not registry.get(key).hidden]


def duel(game: AnyGame, careful: int, number: int) -> bool:
    """Return whether the careful player, in that seat, wins a match against a random player."""
    players: list[Player] = [RandomPlayer(), RandomPlayer()]
    players[careful] = CarefulPlayer()
    state = game.start(game.setup(2)).state
    for turn in count():
        if (outcome := game.outcome(state)) is not None:
            return outcome.ranks[careful] < outcome.ranks[1 - careful]
        (seat,) = game.to_act(state)
        dice = Dice(b"duel", game.key, turn, str(number))
        action = game.draw(state, dice) if seat == CHANCE else players[seat].choose(game, state, seat, dice)
        state = game.apply(state, seat, action).state
    raise AssertionError("a match without an end")


@pytest.mark.slow
@pytest.mark.parametrize("game", OPEN, ids=lambda game: game.key)
def test_it_beats_a_random_player(game: AnyGame) -> None:
    assert sum(duel(game, number % 2, number) for number in range(12)) >= 10


def test_a_win_at_hand_is_taken() -> None:
    data: Json = {"pieces": {"R": ["e4", "b2"], "B": ["c3", "c4"]}, "lost": {"R": 0, "B": 8}, "turn": "R"}
    state = DOMINANCE.load(data, 1)
    for number in range(10):
        chosen = CarefulPlayer().choose(DOMINANCE, state, Seat(0), Dice(b"win", "D-A", number, ""))
        after = DOMINANCE.outcome(DOMINANCE.apply(state, Seat(0), chosen).state)
        assert after is not None
        assert after.ranks == (1, 2)


def test_without_anything_to_choose_from_it_says_so() -> None:
    state = TWO_DOMAINS.start(TWO_DOMAINS.setup(2)).state
    with pytest.raises(ValueError, match="nothing to choose"):
        CarefulPlayer().choose(TWO_DOMAINS, state, Seat(0), Dice(b"", "", 0, ""))
