"""The laws of analyses: any finished match has a point for each turn, and comes back as it was kept."""

from __future__ import annotations

import json
from math import isclose

import pytest

from games.ai.analysis import Analysis, analyse
from games.ai.analysis_json import dump_analysis, load_analysis
from games.ai.decisions import decisions_of
from games.ai.players_by_level import Levels
from games.engine.dice import Sealed
from games.engine.match import Change, Match, begin, leave, play
from tests.laws.courses import Case, course, parameters

EFFORT = 0.002


def cut(case: Case, decisions: int) -> Match:
    """The beginning of a random match, after which all seats resign but one."""
    sealed = Sealed(f"{case} cut".encode(), f"{case.game.code}-LAW", "cut")
    match = begin(case.game, case.setup, sealed).match
    for stop in course(case, "random").some(decisions):
        del stop
        if match.ending:
            return match
        seat = min(match.to_act)
        action = next(iter(case.game.actions(case.game.view(match.state, seat), seat)))
        change = play(match, seat, action, sealed)
        assert isinstance(change, Change)
        match = change.match
    while not match.ending:
        change = leave(match, min(match.playing), "resign", sealed)
        assert isinstance(change, Change)
        match = change.match
    return match


@pytest.mark.parametrize("case", parameters())
def test_a_match_has_a_point_for_each_turn(case: Case) -> None:
    match = cut(case, 8)
    decisions = decisions_of(match)
    assert len(decisions) == match.plays
    told: list[tuple[int, int]] = []
    found = analyse(match, Levels(), "law", effort=EFFORT, progress=lambda *done: told.append(done))
    assert found is not None
    assert told == [(done, len(decisions)) for done in range(len(decisions) + 1)]
    check(match, found)
    kept = load_analysis(json.loads(json.dumps(dump_analysis(found))))
    check(match, kept)
    assert load_analysis(dump_analysis(kept)) == kept


def check(match: Match, found: Analysis) -> None:
    """Check one analysis."""
    decisions, teams = decisions_of(match), match.setup.teams
    assert len(found.points) == len(found.errors) == decisions[-1].turn + 1
    assert [each.turn for each in decisions] == sorted(each.turn for each in decisions)
    if match.game.actions_are_moves:
        assert decisions[-1].turn == len(decisions)
    for point in found.points:
        assert isclose(sum(dict(zip(teams, point, strict=True)).values()), 1.0, abs_tol=1e-4)
        assert len({*zip(teams, point, strict=True)}) == len(set(teams))
    for seat in found.seats:
        assert 0 <= seat.best <= seat.moves
        own = [each for each in decisions if each.seat == seat.seat]
        assert seat.moves + seat.unjudged + seat.defaults == len(own)
        assert seat.accuracy is None or 0 <= seat.accuracy <= 100
        assert len(seat.mistakes) <= 3
        assert [each.loss for each in seat.mistakes] == sorted((m.loss for m in seat.mistakes), reverse=True)
        for mistake in seat.mistakes:
            assert mistake.loss > 0
            assert match.log[mistake.seq].data == mistake.actions[0]
            assert match.log[mistake.seq].seat == seat.seat
    luck = [seat.luck for seat in found.seats]
    if any(each.chance for each in decisions):
        return
    assert luck == [None] * len(luck)
