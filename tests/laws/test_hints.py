"""Laws of hints: the move is legal, and the question holds nothing that its seat doesn't know."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from games.ai.advice import advise
from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, Match
from matches.play.hints import position_of, question_about
from matches.thinking import wire
from matches.thinking.questions import answer_question
from matches.thinking.turns import Patience
from tests.soak import SOAK, examples, sampled

pytestmark = pytest.mark.slow
LEVELS = Levels()
_MOVES = 60
_MOST = 500
"""Legal actions to choose from, where there are many."""


def positions(key: str, seats: int, seed: int) -> list[tuple[Match, Seat]]:
    """Return positions of a random match with the seats that know enough there for a hint."""
    game, random = registry.get(key), Random(seed)
    sealed = Sealed(bytes(range(32)), f"X-{seed}", "salt")
    match = engine.begin(game, game.setup(seats), sealed).match
    found: list[tuple[Match, Seat]] = []
    while not match.ending and len(found) < _MOVES:
        found += [
            (match, seat)
            for seat in sorted(match.to_act)
            if game.guess(game.view(match.state, seat), seat) is not None
        ]
        seat = min(match.to_act)
        view = game.view(match.state, seat)
        listed = list(islice(game.actions(view, seat), _MOST))
        secret = game.default(view, seat) if len(match.to_act) > 1 else None
        change = engine.play(match, seat, secret or random.choice(listed), sealed)
        assert isinstance(change, Change)
        match = change.match
    return random.sample(found, min(len(found), examples(3)))


CASES = sampled(
    [(key, seats) for key in registry.KEYS for seats in registry.get(key).seats],
    [(key, max(registry.get(key).seats)) for key in registry.KEYS],
)


@pytest.mark.parametrize(("key", "seats"), CASES)
def test_a_hint_is_legal_and_uses_only_what_its_seat_knows(key: str, seats: int) -> None:
    asked = 0
    for match, seat in positions(key, seats, seed=7):
        game = match.game
        view = game.view(match.state, seat)
        position, known = position_of(match, seat), game.guess(view, seat)
        assert game.view(known, seat) == view, "a state that agrees with the view"
        other = position_of(replace(match, state=known), seat)  # all that is hidden may be different there
        assert position is not None
        assert other is not None
        question = question_about(position)
        assert wire.pack_question(question_about(other)) == wire.pack_question(question)
        quick = replace(question, level="beginner", effort=0.2 if SOAK else 0.05)
        advice = advise(game, known, answer_question(quick, LEVELS, Patience.of()))
        assert advice is not None
        assert engine.refuse(match, seat, advice.best.action) is None
        assert game.format(view, advice.best.action) == advice.best.text
        assert advice.rival is None or advice.rival.action != advice.best.action
        assert 0 <= advice.best.share <= 1
        asked += 1
    assert asked
