"""Laws of moderators' rulings, in every game: a held match waits, and goes on in the same position."""

from __future__ import annotations

import pytest

from games.engine.dice import Sealed
from games.engine.game import CHANCE, Seat
from games.engine.match import Change, Kind, Match, fold, refuse, remove, rule, verify
from games.engine.message import Msg, msg
from games.engine.record import export, read
from tests.laws.courses import Case, Course, course
from tests.soak import SOAK

pytestmark = pytest.mark.slow


def ruled(match: Match, ruling: str, sealed: Sealed) -> Match:
    change = rule(match, ruling, sealed)
    assert isinstance(change, Change), change
    return change.match


def test_a_held_match_waits_and_goes_on_where_it_was(case: Case) -> None:
    played: Course = course(case, "random")
    for stop in played.some(4):
        before = stop.match
        if before.ending or CHANCE in before.to_act:
            continue
        for ruling in ("pause", "end"):
            held = ruled(before, ruling, played.sealed)
            assert (held.state, held.to_act, held.awaited) == (before.state, frozenset(), before.to_act)
            assert all(entry.kind is not Kind.REVEAL for entry in held.log), "the secret stays sealed"
            for seat in before.to_act:
                action = next(iter(before.game.actions(before.game.view(before.state, seat), seat)))
                assert isinstance(refuse(held, seat, action), Msg)
            after = ruled(held, "resume", played.sealed)
            assert (after.state, after.to_act, after.hosting.held) == (before.state, before.to_act, "")
            assert fold(after.log) == after


def test_a_result_that_a_moderator_decides_is_that_of_the_match(case: Case) -> None:
    played: Course = course(case, "random")
    for stop in played.some(3 if SOAK else 2):
        before = stop.match
        if before.ending or CHANCE in before.to_act:
            continue
        teams = before.setup.teams
        still = {teams[seat] for seat in before.playing}
        rulings = [("draw", None, still)] + [("win", seat, {teams[seat]}) for seat in sorted(before.playing)]
        for nth, base in enumerate((before, ruled(before, "pause", played.sealed))):
            for at, (ruling, seat, first) in enumerate(rulings):
                change = rule(base, ruling, played.sealed, seat)
                assert isinstance(change, Change), change
                match = change.match
                assert match.ending is not None
                assert match.ending.outcome is not None
                ranks, winners = match.ending.outcome.ranks, sum(team in first for team in teams)
                assert ranks == tuple(1 if team in first else winners + 1 for team in teams)
                assert (match.state, match.to_act, match.hosting.held) == (before.state, frozenset(), "")
                if SOAK or at % 2 == nth:  # each result once: from the match, or while it is held
                    assert fold(match.log) == match
                    assert verify(match.log) == ()
                    assert read(export(match.log)).match == match
                assert rule(match, "end", played.sealed) == msg("match.refuse.over")
        ended = ruled(before, "end", played.sealed)
        for ruling, seat, _ in rulings:
            assert rule(ended, ruling, played.sealed, seat) == msg("match.refuse.held_ended")
        for ruling, seat in (("win", None), ("draw", Seat(0)), ("lose", Seat(0))):
            assert rule(before, ruling, played.sealed, seat) == msg("match.refuse.stale")


def test_seats_are_removed_from_a_held_match(case: Case) -> None:
    played: Course = course(case, "random")
    for stop in played.some(2):
        match = stop.match
        if match.ending or CHANCE in match.to_act:
            continue
        match = ruled(match, "pause", played.sealed)
        for seat in sorted(match.playing):
            change = remove(match, Seat(seat), played.sealed)
            assert isinstance(change, Change), change
            match = change.match
            if match.ending:
                break
            assert not match.to_act
        else:
            match = ruled(match, "resume", played.sealed)
            assert match.ending or match.to_act, "what chance had to do is done now"
        assert fold(match.log) == match
        if match.ending:
            assert verify(match.log) == ()
            assert read(export(match.log)).match.state == match.state
