"""Laws of matches that begin with a position: from every decision of every game they begin, and go on."""

from __future__ import annotations

from games.engine.dice import Dice, Sealed
from games.engine.forks import decision_after, origin_of
from games.engine.game import AnyGame, Seat
from games.engine.match import Change, Match, begin, fold, play, verify
from games.engine.record import WIDTH, export, read
from tests.laws.courses import Case, course


def begun(match: Match, sealed: Sealed) -> Match:
    return begin(match.game, match.setup, sealed, origin=origin_of(match, match.id)).match


def test_a_fork_at_any_decision_begins_there_and_survives_its_record(case: Case) -> None:
    played = course(case, "random")
    sealed = Sealed(b"fork", f"{case.game.code}-FORK", "fork")
    for stop in played.some(4):
        fork = begun(stop.match, sealed)
        assert fork.state == stop.match.state
        assert fork.to_act == stop.match.to_act
        assert fork.playing == stop.match.playing
        assert fold(fork.log) == fork
        for seat in map(Seat, range(case.seats)):
            assert fork.game.view(fork.state, seat) == fork.game.view(stop.match.state, seat)
        text = export(fork.log)
        assert read(text).match == fork
        assert max(map(len, text.splitlines())) <= WIDTH


def test_a_fork_plays_to_its_end_with_dice_of_its_own(case: Case) -> None:
    played = course(case, "random")
    half = decision_after(played.log, played.final.plays // 2).match
    sealed, dice = Sealed(b"fork", f"{case.game.code}-FORK", "fork"), Dice(b"law", "fork", 0, "")
    change = begin(half.game, half.setup, sealed, origin=origin_of(half, half.id))
    while not change.match.ending:
        match = change.match
        seat = dice.pick(sorted(match.to_act))
        action = dice.pick(list(match.game.actions(match.game.view(match.state, seat), seat)))
        after = play(match, seat, action, sealed)
        assert isinstance(after, Change), after
        change = after
    log = change.match.log
    assert verify(log) == ()
    assert read(export(log)).match == change.match


def test_only_positions_of_its_own_setup_fit_a_match(case: Case) -> None:
    game: AnyGame = case.game
    played = course(case, "random")
    state = next(iter(played.some(1))).match.state
    assert game.fits(state, case.setup)
    for seats in set(game.seats) - {case.seats}:
        other = game.setup(seats)
        if game.refuse_setup(other) is None:
            assert not game.fits(state, other)
