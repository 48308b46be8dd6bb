"""Stories by hand: who led, what was lost, who was eliminated, how lucky dice were."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from games.ai.analysis import Analysis, Mistake, SeatReport, public_reason
from games.ai.decisions import decisions_of
from games.domination.rules import facts as domination_facts
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Fact, Outcome, Seat
from games.engine.log import Ending
from games.engine.lookback import Fortune
from games.engine.match import Change, Kind, Match, abort, begin, leave, offer_draw, play, take_back
from games.engine.message import Msg, msg
from games.engine.scene import Mark
from locales import Catalogue
from matches.lookback.story import story_of
from matches.lookback.story_turns import StoryTurn, Throw, turns_of
from matches.lookback.turning_points import Leads, leads_of, march_length, odds_text, turning_points

CATALOGUE = Catalogue(strict=True)
WON = frozenset((0,))


def say(message: Msg) -> str:
    """Strictly: what is missing or left over raises."""
    return CATALOGUE.say(message, "en", lambda seat: ("Red", "Blue", "Green", "Pink")[seat])


def changed(change: Change | Msg) -> Match:
    assert isinstance(change, Change), change
    return change.match


def played(key: str, moves: int, **options: Any) -> tuple[Match, Sealed]:
    """A match after the first legal action of each turn, `moves` times."""
    game = registry.get(key)
    sealed = Sealed(bytes(32), f"{game.code}-TEST", "salt")
    match = begin(game, game.setup(2, options), sealed).match
    for _ in range(moves):
        seat = min(match.to_act)
        action = next(iter(game.actions(game.view(match.state, seat), seat)))
        match = changed(play(match, seat, action, sealed))
    return match, sealed


# --- who led --------------------------------------------------------------------------------------------


def shares(*firsts: float) -> list[tuple[int, tuple[float, ...]]]:
    """Points of two seats, given the first one's shares."""
    return [(turn, (first, 1 - first)) for turn, first in enumerate(firsts)]


def test_the_lead_is_taken_for_good() -> None:
    assert leads_of(shares(0.5, 0.5, 0.6, 0.7, 0.8), (0, 1), WON) == Leads(0, 2)
    back_and_forth = shares(0.5, 0.7, 0.7, 0.3, 0.3, 0.3, 0.8, 0.8, 0.8)
    assert leads_of(back_and_forth, (0, 1), WON) == Leads(2, 6)


def test_who_won_from_behind() -> None:
    assert leads_of(shares(0.5, 0.3, 0.2), (0, 1), WON) == Leads(0, behind=True)
    assert leads_of(shares(0.5, 0.5, 0.51), (0, 1), WON) == Leads(0), "nobody led"
    assert leads_of(shares(0.5, 0.3, 0.3, 0.5, 0.5, 0.5), (0, 1), WON) == Leads(0), "it was even again"


def test_a_lead_is_larger_than_its_error() -> None:
    points = shares(0.5, 0.6, 0.6, 0.8, 0.9)
    assert leads_of(points, (0, 1), WON, (0.01,) * 5) == Leads(0, 1)
    assert leads_of(points, (0, 1), WON, (0.1,) * 5) == Leads(0, 4), "0.6 ± 0.1 is no lead"


def test_a_flicker_after_each_move_is_no_change_of_the_lead() -> None:
    """Who has just moved looks better by a fifth: the average of both says who leads."""
    assert leads_of(shares(*(0.6, 0.4) * 10), (0, 1), WON).changes == 0


def test_partners_lead_together_and_a_draw_has_no_leader() -> None:
    points = [(0, (0.25,) * 4), (1, (0.7, 0.3, 0.7, 0.3)), (2, (0.7, 0.3, 0.7, 0.3))]
    assert leads_of(points, (0, 1, 0, 1), WON) == Leads(0, 1)
    assert leads_of(shares(0.8, 0.8, 0.2, 0.2), (0, 1), frozenset((0, 1))) == Leads(1)


# --- turning points -------------------------------------------------------------------------------------


def three(*turns: StoryTurn, ranks: tuple[int, ...] = (1, 2, 3)) -> tuple[Match, list[StoryTurn]]:
    """A match of Focus for three that is over, and made-up turns after its start."""
    game = registry.get("focus")
    match = begin(game, game.setup(len(ranks)), Sealed(bytes(32), "F-TEST", "salt")).match
    match = replace(match, ending=Ending("outcome", Outcome(ranks, msg("match.outcome.draw"))))
    start = StoryTurn(0, material=(10.0,) * len(ranks))
    return match, [start, *(replace(turn, number=at, last=at) for at, turn in enumerate(turns, 1))]


def turn(*material: float, seat: int = 0, **more: Any) -> StoryTurn:
    return StoryTurn(0, Seat(seat), move="e4-e5", material=material, **more)


def told(match: Match, turns: list[StoryTurn], leads: Leads = Leads(0)) -> list[str]:  # noqa: B008 - frozen
    return [say(point.text) for point in turning_points(match, turns, leads)]


def test_the_largest_loss_is_told_if_it_stands_out() -> None:
    (line,) = told(*three(turn(10, 9, 10), turn(10, 7, 10), turn(9, 7, 10)))
    assert line.startswith("Move 2, `e4-e5`: Blue went from 9 piles and reserves to 7 piles and reserves, ")
    assert line.endswith("the largest loss in one go.")
    assert told(*three(turn(10, 9, 10), turn(10, 8, 10))) == [], "two losses of one"
    assert len(told(*three(turn(10, 9, 10)))) == 1, "the only loss"
    assert told(*three(turn(10, 0, 10))) == [], "who loses all was eliminated"
    (line,) = told(*three(turn(10, 6, 10), turn(10, 6, 0)))
    assert line.endswith("the largest loss in one go that a side survived.")


def test_who_was_eliminated_and_who_left() -> None:
    match, turns = three(
        turn(10, 10, 0, seat=1, eliminated=frozenset((Seat(2),))),
        turn(10, 10, 0, eliminated=frozenset((Seat(2),)), left=((3, Seat(1), Kind.TIMEOUT),)),
    )
    assert told(match, turns) == [
        "Move 1, `e4-e5`: Blue eliminated Green.",
        "After that (Move 2, `e4-e5`): Blue ran out of time.",
    ]
    pair, two = three(turn(10, 10, seat=1, left=((2, Seat(0), Kind.RESIGN),)), ranks=(2, 1))
    assert told(pair, two) == [], "between two it is the result"


def test_the_lead_in_words() -> None:
    match, turns = three(turn(10, 10, 10), turn(10, 10, 10))
    assert told(match, turns, Leads(1, 2)) == ["Move 2, `e4-e5`: Red took the lead for good."]
    assert told(match, turns, Leads(0, 0)) == ["Red led from start to finish."]
    assert told(match, turns, Leads(1, behind=True)) == ["Red was behind until the very end."]


def throw(better: float, worse: float, *facts: Fact) -> Throw:
    return Throw(7, Fortune(Seat(1), better, worse), facts)


def test_the_luckiest_and_the_unluckiest_dice() -> None:
    fact = Fact(msg("focus.fact.kept", n=1))
    small = Fact(msg("focus.fact.kept", n=9), detail=True)
    throws = [throw(0.5, 0.8, small), throw(1 / 240, 1.0, small, fact), throw(1.0, 0.02, fact)]
    match, turns = three(turn(10, 10, 10, throws=throws))
    best, worst = told(match, turns)
    kept = say(fact.msg)
    assert best == (
        f"Move 1, `e4-e5`, the luckiest of 3 throws, by Blue: {kept}. Dice at least this good: 1 time in 240."
    )
    assert worst.startswith("Move 1, `e4-e5`, the unluckiest of 3 throws, by Blue: ")
    assert worst.endswith("Dice at least this bad: 1 time in 50.")
    match, turns = three(turn(10, 10, 10, throws=[throw(0.5, 0.5, fact)]))
    assert told(match, turns) == [], "that's no luck"
    assert say(odds_text(1e-9)) == "less than 1 time in a million"


def test_the_longest_march() -> None:
    board = registry.get("focus").scene(
        registry.get("focus").start(registry.get("focus").setup(2)).state, None
    )
    facts = [Fact(msg("match.die"), (Mark("from", "c1"), Mark("to", "c6")))]
    assert march_length(board.board, facts) == 5
    assert march_length(board.board, [Fact(msg("match.die"), (Mark("to", "c6"),))]) == 0
    world = registry.get("domination")
    area = world.scene(world.view(world.start(world.setup(2)).state, None), None).board
    conquest = Fact(msg("match.die"), domination_facts._arrow("a", "b", "red", taken=True))
    assert march_length(area, [conquest, Fact(msg("match.die"), (Mark("changed", "c"),)), conquest]) == 2
    long, short = turn(10, 10, 10, facts=facts), turn(10, 10, 10)
    assert told(*three(short, long)) == ["Move 2, `e4-e5`: Red moved 5 squares, the longest march."]
    assert told(*three(long, replace(long))) == [], "two as long"


def test_an_analysis_knows_the_costliest_mistake_and_the_lead() -> None:
    match, sealed = played("two_domains", 4)
    match = changed(leave(match, Seat(1), "resign", sealed))
    worst = Mistake(Seat(1), 3, 2, "gather", 0.2, "grow 1", 0.55, 0.0, ("gather", "grow 1"), ())
    seats = tuple(SeatReport(Seat(n), 2, 1, 80.0, (worst,) * n, None, 0.0) for n in range(2))
    points = ((0.5, 0.5), (0.45, 0.55), (0.8, 0.2), (0.9, 0.1), (1.0, 0.0))
    story = story_of(match, analysis=Analysis((0, 1), points, (0.0,) * 5, seats, "test"))
    assert story is not None
    lines = [say(line) for line in story.lines]
    assert lines[1:-1] == [
        "Move 2, `grow 1`: Red took the lead for good.",
        "Move 2, `grow 1`: the costliest mistake. It cost Blue 35 percentage points of win probability.",
    ]
    assert lines[-1] == "Who led is taken from the analysis; a lead smaller than its error is none."
    doubted = replace(worst, error=0.09)
    seats = tuple(SeatReport(Seat(n), 2, 1, 80.0, (doubted,) * n, None, 0.0) for n in range(2))
    story = story_of(match, analysis=Analysis((0, 1), points, (0.1,) * 5, seats, "test"))
    assert story is not None
    found = [say(line) for line in story.lines]
    assert found[1].endswith(
        "the costliest mistake found. It cost Blue about 35 ± 9 percentage points of win probability."
    )
    assert not any("took the lead" in line and line.startswith("Move 2") for line in found), (
        "0.55 ± 0.1 is none"
    )


def test_the_costliest_mistake_says_why_where_there_is_a_reason() -> None:
    match, sealed = played("focus", 18)
    match = changed(leave(match, min(match.to_act), "resign", sealed))
    game, decision, told = match.game, decisions_of(match)[-1], set[bool | None]()
    view = game.view(decision.state, decision.seat)
    for better in game.actions(view, decision.seat):
        actions = (game.encode(decision.action), game.encode(better))
        worst = Mistake(decision.seat, decision.seq, decision.turn, "", 0.4, "", 0.55, 0.0, actions, ())
        reason = public_reason(game, decision.state, worst)
        if (kind := None if reason is None else reason.good) in told:
            continue
        told.add(kind)
        seats = (SeatReport(decision.seat, 9, 0, 80.0, (worst,), None, 0.0),)
        points = ((0.5, 0.5),) * 20
        story = story_of(match, analysis=Analysis((0, 1), points, (0.0,) * 20, seats, "test"))
        assert story is not None
        (line,) = (say(each) for each in story.lines if "the costliest mistake" in say(each))
        cost = "percentage points of win probability."
        if reason is None:
            assert line.endswith(cost)
        else:
            of, who = " of a better move" if reason.good else "", ("Red", "Blue")[decision.seat]
            assert line.endswith(f"{cost} A coach would tell {who}{of}: “{say(reason.sentence)}”")
    assert told == {None, True, False}


# --- whole stories --------------------------------------------------------------------------------------


def test_two_lines_that_stand_alone() -> None:
    match, sealed = played("focus", 3)
    match = changed(leave(match, min(match.to_act), "resign", sealed))
    story = story_of(match, timedelta(days=2, hours=5))
    assert story is not None
    first, second = (say(line) for line in story.short)
    assert first.startswith("Focus: ")
    assert ", 3 moves over 2 days 5 hours. " in first
    assert first.endswith(".")
    assert not first.endswith("..")
    assert second
    assert say(story.at_end[0]) == "3 moves over 2 days 5 hours. The lead never changed hands."
    assert story.at_end[1] == story.short[1]


def test_a_draw_by_agreement() -> None:
    match, sealed = played("focus", 2)
    for seat in (0, 1):
        match = changed(offer_draw(match, Seat(seat), sealed))
    story = story_of(match)
    assert story is not None
    assert say(story.short[0]) == ("Focus: a draw between Red and Blue after 2 moves. Drawn by agreement.")


def test_there_is_no_story_without_a_result_or_a_move() -> None:
    match, sealed = played("focus", 2)
    assert story_of(match) is None
    start, sealed = played("focus", 0)
    assert story_of(changed(abort(start, sealed))) is None
    assert story_of(changed(leave(start, Seat(0), "resign", sealed))) is None


def test_moves_that_were_taken_back_are_left_out() -> None:
    match, sealed = played("focus", 3)
    last = match.log[-1].seq
    match = changed(take_back(match, Seat(0), last - 1, sealed))
    seat = min(match.to_act)
    other = list(match.game.actions(match.state, seat))[-1]
    match = changed(play(match, seat, other, sealed))
    turns = turns_of(match)
    assert [each.number for each in turns] == [0, 1, 2, 3]
    assert turns[-1].move == match.game.format(match.state, other)
    assert turns[-1].last == match.seq
    assert turns[2].last == last - 1


@pytest.mark.parametrize("key", ["focus", "dominance", "dominion", "domination"])
def test_what_is_given_up_with_the_match_is_not_lost(key: str) -> None:
    match, sealed = played(key, 6, **({"setup": "auto"} if key == "domination" else {}))
    (seat, *_) = match.to_act
    had = match.game.material(match.game.view(match.state, None))[seat]
    assert had > 0
    assert turns_of(changed(leave(match, seat, "resign", sealed)))[-1].material[seat] == had


def test_a_turn_of_many_actions_is_one() -> None:
    """In Domination a turn lasts until another seat decides."""
    match, sealed = played("domination", 30, map="islands", setup="auto")
    match = changed(leave(match, Seat(1), "resign", sealed))
    turns = turns_of(match)
    assert 1 < len(turns) < 31
    assert all(one.seat != other.seat for one, other in pairwise(turns))
    assert all(not each.move for each in turns)


@pytest.mark.parametrize("most", [1, 3])
def test_long_matches_are_judged_now_and_then(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr("matches.lookback.story_turns.MOST_JUDGED", most)
    match, sealed = played("two_domains", 8)
    match = changed(leave(match, Seat(1), "resign", sealed))
    judged = [each.number for each in turns_of(match) if each.values is not None]
    step = 1 + 8 // most
    assert judged == [number for number in range(9) if number % step == 0]
