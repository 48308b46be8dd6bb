"""Exact odds, and the evaluation of positions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from games.engine.game import CHANCE, Done, Odds, Rejected, Seat
from games.engine.message import Msg
from games.two_domains import GAME
from games.two_domains.actions import GATHER
from games.two_domains.rules import State
from locales import Catalogue
from tests.games.two_domains.helpers import after, begin, greedy, legal, position, seat_to_act
from tests.rows import rows

SAY = Catalogue(strict=True).say
SIXTH = Fraction(1, 6)


def chances(state: State, text: str, seat: int = 0) -> list[tuple[Fraction, str]]:
    """Return what an action may lead to, in English."""
    found = GAME.odds(state, Seat(seat), text)
    assert not isinstance(found, Rejected)
    (one,) = found
    assert one.text == text
    return [(chance, SAY(what, "en")) for chance, what in one.chances]


def test_growth_and_mobilisation_are_certain() -> None:
    state = position("14526", "22222")
    assert chances(state, "grow 3") == [
        (Fraction(1), "the capital becomes an army (Cultural Consensus ends)")
    ]
    assert chances(state, "mobilise") == [(Fraction(1), "king, village, city, capital, and army")]


def test_gathering_is_six_outcomes_with_what_they_bring() -> None:
    assert chances(position("13266", "22222"), "gather") == [
        (SIXTH, "1: a king (Political Turmoil begins, Civil War begins, and you lose)"),
        (SIXTH, "2: a village"),
        (SIXTH, "3: it stays a town"),
        (SIXTH, "4: a city"),
        (SIXTH, "5: a capital (Cultural Consensus begins)"),
        (SIXTH, "6: an army"),
    ]


def test_battle_with_a_roll() -> None:
    hit = "the capital becomes a town, and your Front keeps the roll"
    assert chances(position("12336", "2225"), "battle") == [
        (Fraction(1, 2), f"2/3/4: {hit} (Military Vigilance ends)"),
        (SIXTH, f"1: the capital is unharmed, and your Front becomes a king ({TURMOIL})"),
        (SIXTH, f"5: {hit} (Cultural Consensus begins and Military Vigilance ends)"),
        (SIXTH, f"6: {hit}"),
    ]


TURMOIL = "Political Turmoil begins and Military Vigilance ends"


def test_battle_with_consensus() -> None:
    converted = "no roll: the army at the other Front becomes a village, your own a city"
    assert chances(position("12356", "2226"), "battle") == [
        (Fraction(1), f"{converted} (Military Vigilance ends)")
    ]
    removed = "no roll: the capital at the other Front is removed, and your army becomes a city"
    then = "Military Vigilance ends and Kingly Endurance for the other side"
    assert chances(position("12356", "25"), "battle") == [(Fraction(1), f"{removed} ({then})")]


def test_the_last_king() -> None:
    pledge = "1: your army pledges allegiance to that king and moves over"
    assert chances(position("16", "1"), "battle") == [
        (Fraction(5, 6), "2/3/4/5/6: the last king falls (you win)"),
        (SIXTH, f"{pledge} (Military Vigilance ends and Kingly Endurance for you)"),
    ]
    assert chances(position("1666", "1"), "battle")[1] == (SIXTH, pledge)


def test_the_limit_is_known_to_the_chances() -> None:
    state = position("222", "222", completed=499)
    assert chances(state, "grow 1") == [(Fraction(1), "the village becomes a town (a draw)")]
    assert chances(position("2222", "222", completed=499), "grow 1")[0][1].endswith("(a draw)")
    few, many = (position(line, "222", rules=1, completed=499) for line in ("22", "2222"))
    assert chances(few, "grow 1")[0][1].endswith("(you lose)")
    assert chances(many, "grow 1")[0][1].endswith("(you win)")


def expanded(state: State, seat: Seat, text: str) -> dict[tuple[str, str], Fraction]:
    """Return the positions after an action with their probabilities, by trying every draw of chance."""
    read = GAME.parse(state, seat, text)
    assert isinstance(read, Done)
    begun = GAME.apply(state, seat, read.action).state
    if not begun.roll:
        return {begun.domains: Fraction(1)}
    found: dict[tuple[str, str], Fraction] = {}
    for roll in GAME.actions(begun, CHANCE):
        there = GAME.apply(begun, CHANCE, roll).state.domains
        found[there] = found.get(there, Fraction(0)) + SIXTH
    return found


@pytest.mark.slow
def test_chances_agree_with_the_rules_over_whole_games() -> None:
    """Check the odds of winning, losing and an unharmed target against a count."""
    random = Random("odds")
    for seed in range(6):
        state = begin(seed % 2)
        while GAME.to_act(state):
            seat = seat_to_act(state)
            if not state.roll:
                check(state, seat)
            state = GAME.apply(state, seat, random.choice(list(GAME.actions(state, seat)))).state


def check(state: State, seat: Seat) -> None:
    found = GAME.odds(state, seat, "")
    assert not isinstance(found, Rejected)
    assert [each.text for each in found] == legal(state)
    for each in found:
        positions = expanded(state, seat, each.text)
        assert sum(chance for chance, _ in each.chances) == 1
        assert [c for c, _ in each.chances] == sorted((c for c, _ in each.chances), reverse=True)
        assert len({what for _, what in each.chances}) == len(each.chances) <= 6
        lost = sum(c for there, c in positions.items() if there[seat].count("1") > 1 < there[seat].count("6"))
        assert told(each, "two_domains.odds.lost") == lost
        won = sum(c for there, c in positions.items() if not there[1 - seat])
        assert told(each, "two_domains.odds.won") == won
        turmoil = sum(c for there, c in positions.items() if there[seat].count("1") > 1)
        before = state.domains[seat].count("1") > 1
        if not before:
            assert told(each, "two_domains.scenario.turmoil") == turmoil


def told(odds: Odds, key: str) -> Fraction:
    """Return the chance of everything that mentions a key."""
    return sum((chance for chance, what in odds.chances if mentions(what, key)), Fraction(0))


def mentions(what: object, key: str) -> bool:
    if isinstance(what, Msg):
        return what.key == key or any(mentions(value, key) for _, value in what.values)
    return isinstance(what, tuple) and any(mentions(each, key) for each in what)


def test_anybody_may_ask_as_if_it_were_their_turn() -> None:
    state = position("12336", "22256", "red")
    found = GAME.odds(state, Seat(1), "")
    assert not isinstance(found, Rejected)
    assert [each.text for each in found] == [f"grow {n}" for n in (1, 2, 3)] + ["gather"]
    half = GAME.odds(state, Seat(0), "grow")
    assert not isinstance(half, Rejected)
    assert [each.text for each in half] == ["grow 2", "grow 3", "grow 4"]
    begun = GAME.apply(begin(), Seat(0), GATHER).state
    still = GAME.odds(begun, Seat(1), "")
    assert not isinstance(still, Rejected)
    assert len(still) == 6


def test_there_are_no_chances_where_nothing_can_be_done() -> None:
    over = after(position("12336", "1"), "battle", 2)
    start = GAME.start(GAME.setup(2)).state
    for state, seat in ((over, 0), (start, 0), (position("2222", "1"), 1), (begin(), 7), (begin(), -1)):
        assert GAME.odds(state, Seat(seat), "") == ()
    refused = GAME.odds(begin(), Seat(0), "battle")
    assert isinstance(refused, Rejected)
    assert refused.why.key == "two_domains.refuse.battle"


# --- evaluation -----------------------------------------------------------------------------------------


def test_the_evaluation_is_even_at_the_start_and_knows_the_end() -> None:
    for state in (begin(), GAME.start(GAME.setup(2)).state):
        assert GAME.evaluate(state, Seat(0)) == GAME.evaluate(state, Seat(1)) == 0
    won = after(position("12336", "1"), "battle", 2)
    assert [GAME.evaluate(won, Seat(seat)) for seat in (0, 1)] == [1.0, -1.0]
    for even in (
        after(position("222", "222", rules=1, completed=499), "gather", 1),
        after(position("2222", "222", completed=499), "gather", 1),
    ):
        assert [GAME.evaluate(even, Seat(seat)) for seat in (0, 1)] == [0.0, 0.0]


@rows(
    "better, worse",
    [("22222", "2222"), ("12222", "22222"), ("12222", "11222"), ("12226", "12262"), ("12252", "12552"),
     ("33333", "22222"), ("22", "1")],
)  # fmt: skip
def test_more_is_better(better: str, worse: str) -> None:
    other = "33333"
    high = GAME.evaluate(position(other, better), Seat(1))
    assert high > GAME.evaluate(position(other, worse), Seat(1))


def test_where_a_roll_is_due_the_evaluation_is_the_mean_of_what_may_come() -> None:
    begun = GAME.apply(position("16", "1"), Seat(0), GAME.decode("battle")).state
    pledge = GAME.evaluate(after(position("16", "1"), "battle", 1), Seat(0))
    assert GAME.evaluate(begun, Seat(0)) == pytest.approx((5 + pledge) / 6)


def test_following_the_evaluation_beats_a_random_player() -> None:
    won = 0
    for seed in range(30):
        random = Random(f"glance {seed}")
        state, thinker = begin(seed % 2), seed // 2 % 2
        while GAME.to_act(state):
            seat = seat_to_act(state)
            if seat == thinker:
                action = greedy(state, random)
            else:
                action = random.choice(list(GAME.actions(state, seat)))
            state = GAME.apply(state, seat, action).state
        won += GAME.evaluate(state, Seat(thinker)) == 1.0
    assert won >= 27
