"""What actions lead to, in positions at random: play seldom comes to battles with Consensus on both sides."""

from __future__ import annotations

from random import Random

from games.engine import registry
from games.engine.game import Json, Seat
from tests.games.two_domains.slow_effects import amounts, is_true
from tests.soak import SEED, examples


def line(random: Random) -> str:
    """Return a domain at random; a single die is a king."""
    dice = "".join(random.choice("123456") for _ in range(random.randint(1, 5)))
    return dice if len(dice) > 1 else "1"


def test_effects_are_those_of_the_slow_account_in_positions_at_random() -> None:
    game, random, seen, judged = registry.get("two_domains"), Random(SEED), set[str](), 0
    while judged < examples(6000):
        position: dict[str, Json] = {"red": line(random), "blue": line(random), "turn": "red"}
        try:
            state = game.load(position, game.rules)
        except ValueError:
            continue
        for action in game.actions(state, Seat(0)):
            effects = game.effects(state, Seat(0), action)
            assert {each.kind: each.amount for each in effects} == amounts(game, state, Seat(0), action)
            for each in effects:
                said = dict(each.sentence.values)
                assert is_true(game, state, Seat(0), action, each.kind, each.amount, said), each
            seen |= {each.kind for each in effects}
            judged += 1
    assert len(seen) == 12, "every kind"
