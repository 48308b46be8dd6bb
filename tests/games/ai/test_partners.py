"""Computers of one side help each other: who plays alone loses to them."""

from __future__ import annotations

from typing import Any

import pytest

from cli.matchups import matches
from games.ai.players import SearchingPlayer, think
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat
from games.focus.board import get_variant


class Loner:
    """A level of Focus that takes its partner for one more opponent."""

    def __init__(self, player: SearchingPlayer) -> None:
        self._player = player

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return a legal action, found as if everyone played alone."""
        parted = view._replace(variant=get_variant(4, fast=False, partners=False))
        state = game.search_state(parted, seat, dice)
        assert state is not None
        return state.action(think(state, self._player.level, dice).move)


@pytest.mark.slow
def test_who_plays_with_a_partner_beats_who_plays_alone() -> None:
    game, easy = registry.get("focus"), Levels().player("focus", "easy")
    assert isinstance(easy, SearchingPlayer)
    setup = game.setup(4, {"partners": True})
    done = matches(game, setup, (easy, Loner(easy)), 6, "partners")
    assert sum(one.points(setup) for one in done) >= 5
