"""The law of certainty: 0, 1 and words such as "wins by force" only where the end is proved by the rules."""

from __future__ import annotations

from math import isclose
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.messages.hints import expectations
from bot.platform.tablebases import find_oracles
from games.ai.advice import Advice, advise
from games.ai.appraisal import Appraisal, Question, appraise
from games.ai.players_by_level import Levels
from games.ai.valued import Rated
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Seat
from games.engine.message import msg
from games.two_domains import GAME as TWO_DOMAINS
from games.two_domains.domain import domain
from games.two_domains.evaluation import Estimate
from games.two_domains.value_table import PositionValues
from tests.games.test_perfect import Told
from tests.games.two_domains.helpers import begin, position
from tests.laws.courses import Case, course, is_quick, parameters
from tests.soak import examples

CERTAIN = ("bot.hint.wins", "bot.hint.loses")
EFFORT = 0.02
_MOST_PLIES = 400


def asked(game: AnyGame, state: Any, seat: Seat, teams: tuple[int, ...], levels: Levels) -> Appraisal:
    """An appraisal of a position with one other move, as hints and analyses ask for it."""
    view = game.view(state, seat)
    dice = Dice(b"certain", game.key, 0, "")
    other = dice.pick(list(game.actions(view, seat)))
    return appraise(Question(game, view, seat, teams, (other,), effort=EFFORT, consults=False), levels, dice)


def played_on(game: AnyGame, state: Any, claim: Rated, winner: Seat, dice: Dice, case: Case) -> bool:
    """Whether the claimed winner wins in fact, with its best moves against random ones."""
    teams, levels = case.setup.teams, Levels()
    (mover,) = game.to_act(state)
    state = game.apply(state, mover, claim.action).state
    for _ in range(_MOST_PLIES):
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.ranks[winner] == 1 and outcome.ranks.count(1) == teams.count(teams[winner])
        (mover,) = game.to_act(state)
        if mover == CHANCE:
            action = game.draw(state, dice)
        elif teams[mover] == teams[winner]:
            found = asked(game, state, mover, teams, levels).best
            assert found is not None
            assert found.certain_for(mover), f"{case}: a proved win was lost sight of"
            action = found.action
        else:
            action = dice.pick(list(game.actions(game.view(state, mover), mover)))
        state = game.apply(state, mover, action).state
    return False


@pytest.mark.parametrize("case", parameters())
def test_who_is_said_to_win_by_force_wins(case: Case) -> None:
    game, teams = case.game, case.setup.teams
    stops = [stop.match for stop in course(case, "random").stops if min(stop.match.to_act, default=-1) >= 0]
    proved = 0
    for match in stops[-1 : -1 - examples(3) : -1]:
        seat = min(match.to_act)
        found = asked(game, match.state, seat, teams, Levels())
        for rated in {id(each): each for each in (found.best, *found.also) if each is not None}.values():
            assert rated.exact or 0.0 < rated.shares[seat] < 1.0, "an estimate proves nothing"
            if not rated.certain_for(seat):
                continue
            proved += 1
            assert not game.hidden, "what is hidden can't be counted on"
            winner = (
                seat if rated.shares[seat] else next(s for s, team in enumerate(teams) if team != teams[seat])
            )
            if len(set(teams)) == 2:
                dice = Dice(b"played on", str(case), match.seq, "")
                assert all(played_on(game, match.state, rated, Seat(winner), dice, case) for _ in range(2))
    if is_quick(case) and game.levels() and not game.hidden:
        ending = course(case, "random").final.ending
        assert ending is not None
        assert ending.outcome is not None
        assert proved or ending.outcome.ranks.count(1) > 1, "the last move of a match wins it"


# --- tables of values -----------------------------------------------------------------------------------


def rolled_ends(state: Any, action: Any, seat: Seat) -> set[float | None]:
    """What each roll after an action leads to: a seat's result, or None where the game goes on."""
    state = TWO_DOMAINS.apply(state, seat, action).state
    states = [state]
    if TWO_DOMAINS.outcome(state) is None and CHANCE in TWO_DOMAINS.to_act(state):
        rolls = TWO_DOMAINS.actions(state, CHANCE)
        states = [TWO_DOMAINS.apply(state, CHANCE, roll).state for roll in rolls]
    ends = [TWO_DOMAINS.outcome(each) for each in states]
    return {None if end is None else float(end.ranks[seat] < end.ranks[1 - seat]) for end in ends}


class AllCertain(PositionValues):
    """A source that has rounded all of its values to 0 and 1."""

    def mover_value(self, mine: str, theirs: str) -> float:
        """Return 1 for the larger domain."""
        return float(mine > theirs)


@pytest.mark.parametrize("source", ["shipped", "estimate", "rounded"])
def test_a_table_gives_0_and_1_only_to_ends(source: str) -> None:
    oracles = {
        "shipped": find_oracles(Path("none"))["two_domains"],
        "estimate": Estimate(),
        "rounded": AllCertain(),
    }
    random, near = Random(source), 0
    for _ in range(examples(600)):
        sides = ["".join(random.choice("123456") for _ in range(random.choice((1, 2, 3, 5)))) for _ in "ab"]
        mine, theirs = ("1" if len(side) == 1 else side for side in sides)
        if len(mine) == 1 or any(domain(side).civil_war for side in (mine, theirs)):
            continue
        state = position(mine, theirs)
        (seat,) = TWO_DOMAINS.to_act(state)
        for action, value in oracles[source].appraise(TWO_DOMAINS.view(state, seat), seat) or ():
            assert 0.0 <= value <= 1.0
            ends = rolled_ends(state, action, seat)
            proved = ends in ({0.0}, {1.0})
            assert (value in (0.0, 1.0)) == proved, f"{mine} against {theirs}, {action.text}: {value}"
            assert not proved or ends == {value}
            near += not proved and not 0.005 < value < 0.995
    assert near, "values that whole percents would have made certain"


@pytest.mark.parametrize("worth", [0.9999, 0.99999999, 0.996, 0.00004, 0.0000001])
def test_a_rounded_value_is_not_put_into_words_of_certainty(worth: float) -> None:
    state = begin()
    (seat,) = TWO_DOMAINS.to_act(state)
    actions = [action.text for action in TWO_DOMAINS.actions(state, seat)]
    oracle = Told(
        **{text.replace(" ", "_"): worth if worth < 0.5 else 0.0 for text in actions} | {"gather": worth}
    )
    question = Question(TWO_DOMAINS, state, seat, (0, 1))
    advice = advise(
        TWO_DOMAINS, state, appraise(question, Levels({"two_domains": oracle}), Dice(b"x", "t", 0, ""))
    )
    assert advice is not None
    assert isclose(advice.best.share, worth)
    said = expectations(advice)
    assert not {each.key for each in said} & {*CERTAIN}
    bound = msg("bot.hint.over" if worth > 0.5 else "bot.hint.under")
    assert msg("bot.hint.chance_exact", percent=bound) in said


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("exact", [False, True])
def test_words_of_certainty_are_for_what_is_proved(share: float, exact: bool) -> None:
    rated = Rated("move", (share, 1.0 - share), 0.0, exact)
    assert rated.certain_for(Seat(0)) == exact
    assert Rated("move", (0.5, 0.5), 0.0, exact=True).certain_for(Seat(0)) is False
    state = begin()
    (seat,) = TWO_DOMAINS.to_act(state)
    action = next(iter(TWO_DOMAINS.actions(state, seat)))
    shares = (share, 1.0 - share) if seat == 0 else (1.0 - share, share)
    found = Appraisal(seat, Rated(action, shares, 0.0, exact), ())
    advice = advise(TWO_DOMAINS, state, found)
    assert isinstance(advice, Advice)
    assert ({each.key for each in expectations(advice)} & {*CERTAIN} == {CERTAIN[share == 0.0]}) == exact
