"""Each kind of ending, reached through the public interface with sealed dice; every log is verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from games.dominion.position import EMPEROR, PRINCE, State, find_piece, piece
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import CHANCE, Json, Seat
from games.engine.match import Change, Match, begin, fold, leave, offer_draw, play, verify, walk
from games.engine.message import Msg
from tests.games.dominion.helpers import lawful, position, ready

pytestmark = pytest.mark.slow
GAME = registry.get("dominion")
Chooser = Callable[[Match, Seat, Random], Any]


def _sealed(number: int) -> Sealed:
    return Sealed(number.to_bytes(32, "big"), "A-END", "salt")


def _opened(number: int, seats: int = 2, **options: Json) -> tuple[Match, Sealed]:
    sealed = _sealed(number)
    return begin(GAME, GAME.setup(seats, options), sealed).match, sealed


def _any(match: Match, seat: Seat, rng: Random) -> Any:
    return rng.choice(list(GAME.actions(GAME.view(match.state, seat), seat)))


def _hunting(prey: tuple[int, ...]) -> Chooser:
    """Take a piece of the first kind that can be taken, else act at random."""

    def choose(match: Match, seat: Seat, rng: Random) -> Any:
        place = match.state.position
        actions = list(GAME.actions(GAME.view(match.state, seat), seat))
        for kind in prey:
            for action in actions:
                there = place.board[action.b] if action.kind == "move" else 0
                if there & 15 == kind and there >> 4 != seat + 1:
                    return action
        return rng.choice(actions)

    return choose


def _done(change: Change | Msg) -> Match:
    assert isinstance(change, Change), change
    return change.match


def _to_the_end(match: Match, sealed: Sealed, choose: Chooser = _any, most: int = 100_000) -> Match:
    rng = Random(sealed.secret)
    while not match.ending and match.seq < most:
        seat = min(match.to_act)
        match = _done(play(match, seat, choose(match, seat, rng), sealed))
    return match


@dataclass(frozen=True)
class Turning:
    """An entry of a log, with the positions before and after it."""

    data: str
    before: State
    after: State


def _turnings(match: Match) -> Iterator[Turning]:
    before: State | None = None
    for each, _ in walk(match.log):
        if before is not None:
            yield Turning(each.log[-1].data, before, each.state)
        before = each.state


def _proved(match: Match, how: str, reason: str, ranks: tuple[int, ...]) -> None:
    """Check that the log folds to the match, that its draws follow from the secret, and how it ended."""
    assert match.ending is not None
    assert match.ending.outcome is not None
    assert (match.ending.how, match.ending.outcome.ranks) == (how, ranks)
    assert match.ending.outcome.why.key == reason
    assert fold(match.log) == match
    assert verify(match.log) == ()
    assert not match.to_act


def _first(tell: Callable[[Turning], bool], choose: Chooser = _any, **setup: Any) -> Match:
    """Return the first of many matches, played to the end, with a matching entry."""
    for number in range(60):
        opened, sealed = _opened(number, **setup)
        match = _to_the_end(opened, sealed, choose)
        if any(map(tell, _turnings(match))):
            return match
    raise AssertionError("it happens in none of sixty matches")


def _won(match: Match) -> tuple[int, ...]:
    (last,) = match.state.position.living()
    return tuple(1 if seat == last else 2 for seat in range(match.setup.seats))


# --- Emperors and heirs ----------------------------------------------------------------------------------


def _no_heir(turning: Turning) -> bool:
    before, after = turning.before.position, turning.after.position
    fallen = [
        seat for seat in after.out if seat not in before.out and find_piece(before.board, seat, EMPEROR) >= 0
    ]
    return any(find_piece(before.board, seat, PRINCE) < 0 for seat in fallen)


def test_an_emperor_is_taken_and_there_is_no_heir() -> None:
    match = _first(_no_heir, _hunting((PRINCE, EMPEROR)))
    _proved(match, "outcome", "dominion.outcome.last", _won(match))
    assert "-" in match.log[-2].data, "the last decision is the move that took him, and no throw follows"


def _failed(turning: Turning) -> bool:
    before, after = turning.before.position, turning.after.position
    return before.phase == "succession" and len(after.out) > len(before.out)


def test_a_succession_fails() -> None:
    match = _first(_failed, _hunting((EMPEROR,)))
    _proved(match, "outcome", "dominion.outcome.last", _won(match))
    assert match.log[-2].data in {"fate no", *(f"fate {n}" for n in range(1, 6))}


def _saved(turning: Turning) -> bool:
    before, after = turning.before.position, turning.after.position
    return before.phase == "heir" and before.turn not in after.pending | set(after.out)


@pytest.mark.slow
def test_a_dynasty_is_saved_and_wins_in_the_end() -> None:
    heirs: set[int] = set()

    def happily(turning: Turning) -> bool:
        if turning.before.position.phase == "throw":
            heirs.clear()
        if _saved(turning):
            heirs.add(turning.before.position.turn)
        outcome = turning.after.position.outcome
        return outcome is not None and any(outcome.ranks[seat] == 1 for seat in heirs)

    match = _first(happily, _hunting((EMPEROR,)), succession="kind")
    _proved(match, "outcome", "dominion.outcome.last", _won(match))


@pytest.mark.slow
def test_the_heir_is_taken_while_he_waits() -> None:
    def lost(turning: Turning) -> bool:
        before, after = turning.before.position, turning.after.position
        gone = before.pending & set(after.out)
        return before.phase == "move" and bool(gone)

    match = _first(lost, _hunting((EMPEROR, PRINCE)), seats=3)
    order = match.state.position.out
    ranks = {match.state.position.living()[0]: 1, order[1]: 2, order[0]: 3}
    _proved(match, "outcome", "dominion.outcome.last", tuple(ranks[seat] for seat in range(3)))


def test_a_camp_of_allies_is_beaten_and_its_match_outlives_the_first_of_them() -> None:
    def alone(turning: Turning) -> bool:
        place = turning.after.position
        return len(place.out) == 1 and place.phase == "move"

    match = _first(alone, _hunting((EMPEROR,)), seats=4, allied=True)
    place = match.state.position
    winners = place.law.camps[place.living()[0]]
    _proved(
        match, "outcome", "dominion.outcome.last", tuple(1 if seat % 2 == winners else 2 for seat in range(4))
    )


# --- nothing happens -------------------------------------------------------------------------------------


def _shy(state: State, seat: Seat) -> Any:
    """Return a move back and forth with the Emperor, which changes nothing."""
    actions = list(GAME.actions(GAME.view(state, seat), seat))
    home = find_piece(state.position.board, seat, EMPEROR)
    steps = [action for action in actions if action.kind == "move" and action.a == home]
    return min(steps or actions, key=lambda action: (state.position.board[action.b] != 0, action.b))


def _run(state: State, number: int, choose: Callable[[State, Seat], Any]) -> tuple[State, int]:
    """Play a position to its end with sealed dice; return the number of turns too."""
    sealed, turns = _sealed(number), 0
    for seq in range(10_000):
        if not (due := GAME.to_act(state)):
            return state, turns
        seat = min(due)
        action = GAME.draw(state, sealed.dice(seq)) if seat == CHANCE else choose(state, seat)
        assert GAME.refuse(state, seat, action) is None
        turns += action.kind == "move"
        state = GAME.apply(state, seat, action).state
    raise AssertionError("no end")


@pytest.mark.parametrize(
    ("south", "ranks", "reason"),
    [("Eg1 Ge2 Gg2 Ai2", (2, 1), "points"), ("Eg1 Se2", (1, 1), "draw")],
)
def test_sixty_turns_without_an_event(south: str, ranks: tuple[int, int], reason: str) -> None:
    state, turns = _run(position(turn=1, p0="Eg13 Si12", p1=south), 3, _shy)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.why.key) == (ranks, f"dominion.outcome.{reason}")
    assert turns == 60


def test_four_armies_that_keep_to_themselves() -> None:
    state, turns = _run(ready(lawful(4)), 5, _shy)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.why.key) == ((1, 1, 1, 1), "dominion.outcome.draw")
    assert state.position.quiet == 120, "thirty for each team that lives"
    assert turns >= 120


def test_the_last_round_of_all() -> None:
    free = "a11 b12 c13 e7 g7 i7 e9 g9 i9"
    start = position(turn=0, round=148, p0="Eg13 Ge12 Gi12 Pg12", p1="Eg1 Se2", free=free)
    state, turns = _run(start, 1, _shy)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.why.key) == ((1, 2), "dominion.outcome.points")
    assert (turns, state.position.round) == (6, 151)


# --- people ----------------------------------------------------------------------------------------------


def test_who_resigns_is_out_and_two_play_on() -> None:
    opened, sealed = _opened(2, seats=3)
    match = _to_the_end(opened, sealed, most=30)
    gone = min(match.to_act)
    change = leave(match, gone, "resign", sealed)
    after = _done(change)
    assert after.ending is None
    assert after.playing == {Seat(0), Seat(1), Seat(2)} - {gone}
    assert find_piece(after.state.position.board, gone, EMPEROR) < 0
    second = min(after.to_act)
    final = _done(leave(after, second, "timeout", sealed))
    ranks = {gone: 3, second: 2}
    _proved(final, "outcome", "dominion.outcome.last", tuple(ranks.get(Seat(n), 1) for n in range(3)))


def test_a_draw_is_agreed_by_those_who_are_left() -> None:
    for number in range(20):
        opened, sealed = _opened(number, seats=3)
        rng, match = Random(number), opened
        while not match.ending and not match.state.position.out:
            seat = min(match.to_act)
            match = _done(play(match, seat, _hunting((EMPEROR,))(match, seat, rng), sealed))
        if not match.ending:
            break
    (beaten,) = match.state.position.out
    assert isinstance(leave(match, Seat(beaten), "resign", sealed), Msg), "who is beaten can't resign"
    assert isinstance(offer_draw(match, Seat(beaten), sealed), Msg)
    for seat in sorted(match.playing):
        match = _done(offer_draw(match, seat, sealed))
    assert match.ending is not None
    assert match.ending.how == "draw"
    assert match.ending.outcome is not None
    assert match.ending.outcome.ranks == tuple(3 if seat == beaten else 1 for seat in range(3))
    assert verify(match.log) == ()


def test_two_agree_at_once() -> None:
    match, sealed = _opened(1)
    match = _done(offer_draw(_done(offer_draw(match, Seat(0), sealed)), Seat(1), sealed))
    _proved(match, "draw", "match.outcome.draw", (1, 1))


def test_the_fallen_leave_no_piece_behind() -> None:
    opened, sealed = _opened(4, seats=4)
    match = _to_the_end(opened, sealed)
    place = match.state.position
    for seat in place.out:
        assert all(piece(seat, kind) not in place.board for kind in range(1, 10))
