"""What of a result counts, and how much."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from matches.standing.ratings import START as NEW
from matches.standing.ratings import WAVE, Known, changes, updated
from matches.store.standing import ComputerResult, MatchResult, PersonResult, Rating, RatingChange
from tests.fakes import START
from tests.matches.standing.logs import MINUTE

STRONG = Rating(1_700_000, 100_000, 30)


def person(user: int, place: int, **changed: Any) -> PersonResult:
    """A person in a seat and team of their own number, who has played."""
    made = PersonResult(user, user - 1, user - 1, place, moves=3, last_move=START)
    return replace(made, **changed)


def match(*people: PersonResult, **changed: Any) -> MatchResult:
    """A match between them that counts."""
    sides = len({one.side for one in people})
    return replace(MatchResult("W-1", START + MINUTE, "toy", "2", 900, sides, "", people), **changed)


def judged(result: MatchResult, known: Known | None = None, scope: int = 0) -> dict[int, RatingChange]:
    """The changes of one scope by person."""
    found = changes(result, known or Known())
    return {one.user: one for one in found if one.scope == scope}


def test_a_plain_match_is_what_weng_and_lin_say_here_and_everywhere() -> None:
    found = changes(match(person(1, 1), person(2, 2)), Known({(0, 2): STRONG}))
    ((one,), (two,)) = updated([[NEW], [STRONG]], (1, 2))
    ((here,), (there,)) = updated([[NEW], [NEW]], (1, 2))
    assert [(each.scope, each.user, each.after) for each in found] == [
        (0, 1, one),
        (0, 2, two),
        (900, 1, here),
        (900, 2, there),
    ]
    assert all(each.counted and not each.why and each.nth == 1 for each in found)


def test_an_unrated_match_changes_nothing() -> None:
    assert changes(match(person(1, 1), person(2, 2), unrated="hint"), Known()) == ()


def test_seats_without_a_share_leave_the_comparison_to_the_others() -> None:
    out = person(3, 3, share="none", why="unmoved")
    found = judged(match(person(1, 1), person(2, 2), out))
    ((one,), (two,)) = updated([[NEW], [NEW]], (1, 2))
    assert (found[1].after, found[2].after) == (one, two)
    assert (found[3].after, found[3].counted, found[3].why) == (NEW, False, "unmoved")


def test_where_no_opponent_is_left_nothing_counts() -> None:
    found = judged(match(person(1, 1), person(2, 2, share="none", why="unmoved")))
    assert [(each.counted, each.why) for each in found.values()] == [(False, "alone"), (False, "unmoved")]


COMPUTER = ComputerResult(1, 1, 2, 1_640_000, 45_000)


def test_a_computer_is_compared_with_its_fixed_strength() -> None:
    result = match(person(1, 1), sides=2, computers=(COMPUTER,))
    ((won,), _) = updated([[STRONG], [Rating(COMPUTER.mu, COMPUTER.sigma)]], (1, 2))
    found = changes(result, Known({(0, 1): STRONG}))
    assert [(one.scope, one.user) for one in found] == [(0, 1), (900, 1)], "and it has no rating to change"
    assert found[0].after == won
    ((new,), _) = updated([[NEW], [Rating(COMPUTER.mu, COMPUTER.sigma)]], (1, 2))
    assert found[1].after == new, "the same strength in every server"


def test_the_same_computers_count_less_each_time_within_a_day() -> None:
    result = match(person(1, 1), sides=2, computers=(COMPUTER,))
    once, twice = (judged(result, Known(together={frozenset((1,)): n}))[1] for n in (0, 1))
    assert (once.nth, twice.nth) == (1, 2)
    assert twice.after.mu - NEW.mu == (once.after.mu - NEW.mu) // 2


def test_against_computers_alone_who_makes_no_move_loses_nothing() -> None:
    out = person(1, 2, share="none", why="unmoved")
    assert not judged(match(out, computers=(COMPUTER,)))[1].counted


def test_whoever_comes_for_a_computer_can_gain_and_others_meet_the_computer() -> None:
    came = person(2, 2, share="gain", why="substitute", since=4)
    result = match(person(1, 1), came, computers=(COMPUTER,))
    ((won,), _) = updated([[NEW], [Rating(COMPUTER.mu, COMPUTER.sigma)]], (1, 2))
    found = judged(result)
    assert found[1].after == won
    assert (found[2].after.mu, found[2].counted) == (NEW.mu, True), "who comes late can't lose"


def substituted(place: int) -> MatchResult:
    """Person 3 has taken over from person 2."""
    left = person(2, place, share="loss", why="left")
    came = person(3, place, seat=1, side=1, share="gain", why="substitute", since=4)
    return match(person(1, 3 - place), left, came)


def test_a_substitute_gains_with_a_won_seat_and_who_left_gains_nothing() -> None:
    found = judged(substituted(1), Known({(0, 3): STRONG}))
    (_, (came,)) = updated([[NEW], [STRONG]], (2, 1))
    assert (found[3].after, found[3].why) == (came, "substitute")
    assert (found[2].after.mu, found[2].after.sigma, found[2].counted) == (NEW.mu, NEW.sigma, True)
    assert found[1].after.mu < NEW.mu


def test_a_substitute_loses_nothing_with_a_lost_seat_and_who_left_does() -> None:
    found = judged(substituted(2), Known({(0, 3): STRONG}))
    assert (found[3].after.mu, found[3].after.sigma) == (STRONG.mu, STRONG.sigma)
    ((won,), (left,)) = updated([[NEW], [NEW]], (1, 2))
    assert (found[1].after, found[2].after) == (won, left), "the seat stands with who began it"


def test_team_mates_share_their_place() -> None:
    people = [person(1, 1), person(2, 2), person(3, 1, side=0), person(4, 2, side=1)]
    found = judged(match(*people))
    ((one, three), (two, four)) = updated([[NEW, NEW], [NEW, NEW]], (1, 2))
    assert [found[user].after for user in (1, 2, 3, 4)] == [one, two, three, four]


def test_the_first_timeout_of_a_wave_counts_and_the_rest_does_not() -> None:
    late = person(2, 2, timed_out=START + MINUTE)
    assert judged(match(person(1, 1), late))[2].counted
    found = judged(match(person(1, 1), late), Known(timeouts={2: START}))
    assert [(each.counted, each.why) for each in found.values()] == [(False, "alone"), (False, "wave")]


def test_a_wave_ends_when_its_person_moves_again_or_after_two_weeks() -> None:
    first = START
    back = person(2, 2, last_move=first + MINUTE, timed_out=first + 2 * MINUTE)
    assert judged(match(person(1, 1), back), Known(timeouts={2: first}))[2].counted
    much_later = person(2, 2, timed_out=first + WAVE + MINUTE)
    assert judged(match(person(1, 1), much_later), Known(timeouts={2: first}))[2].counted
    resigned = person(2, 2)
    assert judged(match(person(1, 1), resigned), Known(timeouts={2: first}))[2].counted


def test_others_are_compared_without_the_seat_of_a_wave() -> None:
    late = person(3, 3, timed_out=START + timedelta(days=1))
    found = judged(match(person(1, 1), person(2, 2), late), Known(timeouts={3: START}))
    ((one,), (two,)) = updated([[NEW], [NEW]], (1, 2))
    assert [found[user].after for user in (1, 2, 3)] == [one, two, NEW]


def test_the_same_people_count_less_each_time_within_a_day() -> None:
    pair, others = frozenset({1, 2}), frozenset({1, 3})
    ((full,), _) = updated([[NEW], [NEW]], (1, 2))
    for times in range(4):
        found = judged(match(person(1, 1), person(2, 2)), Known(together={pair: times, others: 1}))
        assert found[1].nth == times + 1
        assert found[1].after.mu - NEW.mu == (full.mu - NEW.mu) // (times + 1)
        assert NEW.sigma - found[1].after.sigma == (NEW.sigma - full.sigma) // (times + 1)
        assert found[1].after.mu - NEW.mu == NEW.mu - found[2].after.mu, "alike up and down"
