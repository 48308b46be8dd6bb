"""How lucky draws were, with probabilities worked out by hand, and which dice a draw has shown."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import isclose
from typing import Any

import pytest

from games.domination.rules import actions as domination_actions
from games.domination.rules import battle_odds, lookback
from games.domination.rules.battles import begin_attack
from games.domination.view.attack_odds import odds_of
from games.dominion.actions import FATE, throw
from games.dominion.position import State as DominionState
from games.engine import registry
from games.engine.game import CHANCE
from games.engine.lookback import SIX_SIDED
from games.two_domains import rules
from games.two_domains.actions import BATTLE, GATHER, ROLLS
from tests.rows import rows


def state_of(key: str, seats: int = 2, **options: Any) -> Any:
    """The first state of a game."""
    game = registry.get(key)
    return game.start(game.setup(seats, options)).state


# --- Domination -----------------------------------------------------------------------------------------


def attacked(armies: int, against: int, how: str = "until", n: int = 1) -> Any:
    """A state in which an attack begins, from a country of Red's on one of Blue's."""
    state = state_of("domination", map="islands")
    atlas = state.position.info.law.atlas
    src, dst = 0, 1
    owner = bytes([0, 1]) + bytes(len(atlas.countries) - 2)
    stacks = (armies, against) + (1,) * (len(atlas.countries) - 2)
    position = state.position._replace(owner=owner, armies=stacks, phase="attack", turn=0)
    codes = [country.code for country in atlas.countries]
    order = domination_actions.attack(codes[src], codes[dst], how, n)
    return begin_attack(state._replace(position=position), order)


def test_one_roll_of_three_against_two() -> None:
    """Three dice against two: 2,890 of 7,776 kill both, 2,611 one each, 2,275 lose both."""
    state = attacked(4, 3, "x", 1)
    both = lookback.fortune(state, [domination_actions.roll((6, 6, 1), (5, 5))])
    assert both is not None
    assert both.seat == 0
    assert isclose(both.better, 2890 / 7776)
    assert isclose(both.worse, 1.0)
    split = lookback.fortune(state, [domination_actions.roll((6, 1, 1), (5, 5))])
    assert split is not None
    assert split.better == pytest.approx((2890 + 2611) / 7776)
    assert split.worse == pytest.approx((2611 + 2275) / 7776)
    neither = lookback.fortune(state, [domination_actions.roll((1, 1, 1), (5, 5))])
    assert neither is not None
    assert neither.worse == pytest.approx(2275 / 7776)


def test_a_whole_battle() -> None:
    """Two armies against one: one die each until either falls; the attacker wins 15 of 36."""
    state = attacked(2, 1)
    won = lookback.fortune(state, [domination_actions.roll((6,), (1,))])
    lost = lookback.fortune(state, [domination_actions.roll((1,), (1,))])
    assert won is not None
    assert lost is not None
    assert isclose(won.better, 15 / 36)
    assert isclose(won.worse, 1.0)
    assert isclose(lost.better, 1.0)
    assert isclose(lost.worse, 21 / 36)


def test_a_battle_of_two_rolls() -> None:
    """Three armies against one: the first roll wins 125 of 216 with two dice, the second 15 of 36."""
    first = next(part for lost, killed, part in battle_odds.distribution(2, 1) if killed)
    assert first == Fraction(125, 216)
    state = attacked(3, 1)
    at_once = lookback.fortune(state, [domination_actions.roll((6, 6), (1,))])
    second = [domination_actions.roll((1, 1), (1,)), domination_actions.roll((6,), (1,))]
    later = lookback.fortune(state, second)
    assert at_once is not None
    assert later is not None
    assert at_once.better == pytest.approx(125 / 216)
    assert later.better == pytest.approx(125 / 216 + 91 / 216 * 15 / 36)
    assert later.worse == pytest.approx(1 - 125 / 216)


def test_the_chances_of_any_attack_add_up_to_those_of_the_odds() -> None:
    """An independent sum: what takes the country is as likely as the odds say."""
    for armies, against, how, n in ((9, 7, "until", 3), (6, 9, "lead", 2), (5, 4, "x", 2), (8, 2, "dice", 2)):
        chances = lookback._chances(armies, against, how, n, 2)
        assert isclose(sum(chance for _, chance in chances), 1.0)
        taken = sum(chance for (wins, _), chance in chances if wins)
        assert isclose(taken, odds_of(armies, against, how, n, 2).wins, abs_tol=1e-12)


def test_draws_of_other_kinds_are_no_luck_and_have_no_dice() -> None:
    state = state_of("domination", map="islands")
    deal = domination_actions.assignment("deal", (0, 1))
    assert lookback.fortune(state, [deal]) is None
    assert lookback.rolls(state, deal) == ()
    assert lookback.fortune(attacked(80, 40), [domination_actions.roll((1, 1, 1), (6, 6))]) is None, (
        "too many"
    )


def test_whose_dice_a_battle_has() -> None:
    found = lookback.rolls(attacked(4, 3), domination_actions.roll((6, 3, 1), (5, 2)))
    assert [(each.seat, each.result + 1) for each in found] == [(0, 6), (0, 3), (0, 1), (1, 5), (1, 2)]
    assert {each.die for each in found} == {SIX_SIDED}


# --- Two Domains ----------------------------------------------------------------------------------------


def test_a_battle_of_two_domains() -> None:
    game = registry.get("two_domains")
    state = rules.start(2)._replace(domains=("12226", "22222"), turn=0, roll="")
    assert game.refuse(state, 0, BATTLE) is None  # type: ignore[arg-type] # a seat
    due = game.apply(state, 0, BATTLE).state  # type: ignore[arg-type] # a seat
    lost, won = (game.fortune(due, [ROLLS[face - 1]]) for face in (1, 4))
    assert lost is not None
    assert won is not None
    assert (lost.seat, lost.better, lost.worse) == (0, 1.0, 1 / 6)
    assert (won.better, won.worse) == (5 / 6, 1.0)
    gathers = game.apply(rules.start(2)._replace(turn=1, roll=""), 1, GATHER).state  # type: ignore[arg-type]
    assert game.fortune(gathers, [ROLLS[0]]) is None, "who knows what was wanted"
    (rolled,) = game.rolls(gathers, ROLLS[4])
    assert (rolled.seat, rolled.die, rolled.result) == (1, SIX_SIDED, 4)


# --- Dominion -------------------------------------------------------------------------------------------


def fate(**options: Any) -> DominionState:
    """A state in which Fate is asked after a move of Zhao's, everything being possible."""
    state: DominionState = state_of("dominion", **options)
    return state._replace(position=state.position._replace(phase="fate", turn=0))


def test_fate_counts_only_what_can_be_done() -> None:
    """At the start, with nobody to demote below or promote above, one number in six of the sticks helps."""
    game = registry.get("dominion")
    state = fate()
    found = {n: game.fortune(state, [FATE[n]]) for n in (-1, 1, 2, 3, 5, 6)}
    luck = {n: (each.better, each.worse) for n, each in found.items() if each is not None}
    assert luck[5] == pytest.approx((1 / 24, 1.0))
    assert luck[1] == pytest.approx((1.0, 1 / 24))
    assert all(luck[n] == pytest.approx((23 / 24, 23 / 24)) for n in (-1, 2, 3, 6))


def test_an_heir_comes_one_time_in_24() -> None:
    game = registry.get("dominion")
    state = fate()
    due = state._replace(position=state.position._replace(phase="succession"))
    saved, lost = game.fortune(due, [FATE[6]]), game.fortune(due, [FATE[-1]])
    assert saved is not None
    assert lost is not None
    assert isclose(saved.better, 1 / 24)
    assert isclose(lost.worse, 23 / 24)
    assert saved.worse == lost.better == 1.0


def test_the_dice_of_fate() -> None:
    game = registry.get("dominion")
    (no,) = game.rolls(fate(), FATE[-1])
    yes, sticks = game.rolls(fate(), FATE[3])
    assert (no.die, no.result, yes.result) == (yes.die, 0, 1)
    assert [chance for _, chance in no.die.results] == [Fraction(3, 4), Fraction(1, 4)]
    assert (sticks.die, sticks.result, sticks.seat) == (SIX_SIDED, 2, 0)
    (diviner, flat) = game.rolls(fate(sticks="sticks", fate=2), FATE[0])
    assert diviner.die.results[1][1] == Fraction(1, 2)
    assert [chance * 64 for _, chance in flat.die.results] == [1, 6, 15, 20, 15, 6, 1]
    assert flat.result == 0


def test_a_kind_succession_asks_no_diviner() -> None:
    game = registry.get("dominion")
    state = fate(succession="kind")
    due = state._replace(position=state.position._replace(phase="succession"))
    (only,) = game.rolls(due, FATE[5])
    assert only.die == SIX_SIDED
    saved = game.fortune(due, [FATE[5]])
    assert saved is not None
    assert saved.better == pytest.approx(1 / 3)


def test_the_throw_for_the_start_counts_with_its_ties() -> None:
    state = state_of("dominion", 3, sandwiched="throw")
    found = registry.get("dominion").rolls(state, throw(((6, 6, 2), (3, 5))))
    assert [(each.seat, each.result + 1) for each in found] == [(0, 6), (1, 6), (2, 2), (0, 3), (1, 5)]


# --- every game -----------------------------------------------------------------------------------------


@rows("game", registry.all_games())
def test_lots_and_first_players_are_no_dice(game: Any) -> None:
    """Who begins is drawn in several games: that isn't a die of anyone's."""
    state = game.start(game.setup(game.seats[0])).state
    if CHANCE not in game.to_act(state):
        return
    kinds = Counter(
        each.die
        for action in game.actions(game.view(state, None), CHANCE)
        for each in game.rolls(state, action)
    )
    assert game.key == "dominion" or not kinds
