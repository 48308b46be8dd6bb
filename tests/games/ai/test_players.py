"""The careful player beats a random one, without touching the match's dice; one misjudges as it should."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from games.ai.players import CarefulPlayer, FalliblePlayer, PerfectPlayer, RandomPlayer
from games.dominance import GAME as DOMINANCE
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Expectation, Json, Oracle, Player, Seat
from games.engine.levels import Judgement
from games.two_domains import GAME
from games.two_domains import GAME as TWO_DOMAINS
from games.two_domains.game import LEVELS
from tests.games.two_domains.helpers import begin, position

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


ACTIONS = tuple(action.text for action in GAME.actions(begin(), Seat(0)))


class Valued:
    """An oracle that values the actions of any position by their texts."""

    def __init__(self, **worth: float) -> None:
        self._worth = {text.replace("_", " "): value for text, value in worth.items()}

    def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...] | None:
        """The values told, 0.5 for other actions; None if none were told."""
        if not self._worth:
            return None
        return tuple((action, self._worth.get(action.text, 0.5)) for action in GAME.actions(view, seat))


def shares(values: Oracle, looks: Oracle, judgement: Judgement, number: int = 400) -> dict[str, float]:
    """How often each action is taken."""
    player = FalliblePlayer(values, looks, judgement)
    dice = (Dice(bytes(32), "test", seq, "") for seq in range(number))
    taken = [player.choose(GAME, begin(), Seat(0), each).text for each in dice]
    return {text: taken.count(text) / number for text in ACTIONS}


def test_who_sees_everything_takes_the_best() -> None:
    assert shares(Valued(grow_3=0.51), Valued(gather=0.9), Judgement())["grow 3"] == 1.0


def test_who_overlooks_everything_goes_by_looks() -> None:
    found = shares(Valued(grow_3=0.9), Valued(gather=0.51), Judgement(oversight=100))
    assert found["gather"] == 1.0


def test_some_actions_are_overlooked_in_each_decision() -> None:
    # Gather looks good and isn't: it is taken where that is overlooked, unless grow 3 is seen as well.
    values, looks = Valued(grow_3=0.9, gather=0.1), Valued(gather=0.7)
    half = shares(values, looks, Judgement(oversight=50))
    assert half["grow 3"] == pytest.approx(0.5, abs=0.1)
    assert half["gather"] == pytest.approx(0.25, abs=0.1)
    few = shares(values, looks, Judgement(oversight=10))
    assert few["grow 3"] == pytest.approx(0.9, abs=0.06)


def test_looks_that_are_off_for_all_actions_alike_mislead_nobody() -> None:
    high = Valued(**{text.replace(" ", "_"): 0.9 for text in ACTIONS})
    assert shares(Valued(grow_3=0.52), high, Judgement(oversight=0, error=0.01))["grow 3"] > 0.9


def test_what_is_hard_to_see_is_misjudged_most() -> None:
    """Grow 3 is worth 0.1 more than the others; once it looks like that, once it doesn't."""
    values = Valued(grow_3=0.6)
    plain = shares(values, Valued(grow_3=0.6), Judgement(error=0.15))["grow 3"]
    hidden = shares(values, Valued(grow_3=0.3), Judgement(error=0.15))["grow 3"]
    assert plain > 0.9
    assert hidden < 0.8


def test_more_error_gives_more_away() -> None:
    values, looks = Valued(grow_3=0.6), Valued(gather=0.6)
    found = [shares(values, looks, Judgement(error=error))["grow 3"] for error in (0.02, 0.1, 0.4)]
    assert found[0] > found[1] + 0.1 > found[2] + 0.2


def test_the_same_dice_choose_alike() -> None:
    player = FalliblePlayer(Valued(grow_3=0.6), Valued(gather=0.6), LEVELS["average"])
    for seq in range(30):
        taken = {
            player.choose(GAME, begin(), Seat(0), Dice(bytes(32), "test", seq, "")).text for _ in range(3)
        }
        assert len(taken) == 1


def test_it_is_careful_where_nothing_is_known() -> None:
    state = position("12356", "22226")
    for values, looks in ((Valued(), Valued(gather=1)), (Valued(gather=1), Valued())):
        player = FalliblePlayer(values, looks, Judgement())
        for seq in range(10):
            dice = [Dice(bytes(32), "test", seq, "") for _ in range(2)]
            assert player.choose(GAME, state, Seat(0), dice[0]) == CarefulPlayer().choose(
                GAME, state, Seat(0), dice[1]
            )


def test_no_action_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to choose"):
        FalliblePlayer(Valued(gather=1), Valued(gather=1), Judgement()).choose(
            GAME, position("22", "1"), Seat(1), Dice(bytes(32), "test", 0, "")
        )


def test_it_expects_what_its_best_action_is_worth_and_nothing_by_looks() -> None:
    values, looks = Valued(gather=0.3, grow_1=0.7), Valued(gather=0.9)
    blind = FalliblePlayer(values, looks, Judgement(oversight=100))
    dice = Dice(bytes(32), "test", 0, "")
    assert blind.weigh(GAME, begin(), Seat(0), dice)[1] == Expectation(0.7, 0.0), "though it overlooks that"
    assert FalliblePlayer(looks, looks, Judgement()).weigh(GAME, begin(), Seat(0), dice)[1] is None
    assert FalliblePlayer(Valued(), looks, Judgement()).weigh(GAME, begin(), Seat(0), dice)[1] is None


def test_the_perfect_player_expects_the_same_by_exact_values_only() -> None:
    values, dice = Valued(gather=0.3, grow_1=0.7), Dice(bytes(32), "test", 0, "")
    action, hope = PerfectPlayer(values).weigh(GAME, begin(), Seat(0), dice)
    assert action.text == "grow 1"
    assert hope == Expectation(0.7, 0.0)
    assert PerfectPlayer(values, exact=False).weigh(GAME, begin(), Seat(0), dice)[1] is None
