"""Simulated Swisses with byes, withdrawals, late entries and forfeits, each round held against the rules."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import rows
from tests.soak import examples, sampled
from tests.tournaments.swiss_rules import Past, check_round, present_in
from tournaments.event import DRAW, LOSS, WIN, Entrant, Event, forfeited, with_pairings, with_result
from tournaments.progress import rounds_for
from tournaments.swiss import next_round


def played(event: Event, dice: random.Random) -> Event:
    """Return the event with a result of each open pairing; who has a lower number is stronger."""
    for index in event.open:
        a, b = event.pairings[index].seats
        if dice.random() < 0.04:
            missing = frozenset(dice.choice([(a,), (b,), (a, b)]))
            event = with_result(event, index, forfeited(event, (a, b), missing), played=False)
        else:
            strong = 0.5 + 0.3 * (1 if a < b else -1)
            points = (DRAW, DRAW) if dice.random() < 0.2 else (WIN, LOSS)
            event = with_result(event, index, points if dice.random() < strong else points[::-1])
    return event


def simulated(seed: int, people: int, rounds: int) -> Event:
    """Play a Swiss in which people come and go, and check each round."""
    dice = random.Random(seed)
    event = Event("swiss", rounds, tuple(Entrant(number) for number in range(1, people + 1)))
    while True:
        number = event.round + 1
        entrants = list(event.entrants)
        if number > 1:
            entrants = [replace(one, left=one.left or dice.random() < 0.05) for one in entrants]
            entrants += [Entrant(len(entrants) + 1, number)] * (dice.random() < 0.3)
        event = replace(event, entrants=tuple(entrants))
        made = next_round(event)
        if made is None:
            present = present_in(event, number)
            stuck = number <= rounds and len(present) > 1
            if stuck and len(present) <= 8:
                assert next(Past(event).legal(present), None) is None, "it could be paired"
            assert not stuck or len(present) <= rounds + 2
            return event
        check_round(event, made)
        event = played(with_pairings(event, made), dice)


SMALL = [(seed, 5 + seed % 6, 3 + seed % 4) for seed in range(700)]
LARGE = [(seed, 11 + seed * 7 % 190, 5 + seed % 5) for seed in range(300)]


@rows("seed, people, rounds", sampled(SMALL, SMALL[:60]))
def test_small_swisses_are_paired_as_well_as_they_can_be(seed: int, people: int, rounds: int) -> None:
    event = simulated(seed, people, rounds)
    assert event.round >= min(rounds, rounds_for(people)) - 1


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "people", "rounds"), sampled(LARGE, LARGE[:12]))
def test_large_swisses_hold_the_rules_in_every_round(seed: int, people: int, rounds: int) -> None:
    event = simulated(seed, people, rounds)
    assert event.round == rounds
    sides = Past(event).sides
    lopsided = sum(abs(had.count("w") - had.count("b")) > 2 for had in sides.values())
    streaks = sum("www" in had or "bbb" in had for had in sides.values())
    assert lopsided + streaks <= len(sides) // 20


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(2, 12), st.integers(0, 10**6))
def test_the_advised_number_of_rounds_can_be_paired(people: int, seed: int) -> None:
    dice = random.Random(seed)
    rounds = rounds_for(people)
    event = Event("swiss", rounds, tuple(Entrant(number) for number in range(1, people + 1)))
    while made := next_round(event):
        check_round(event, made)
        event = with_pairings(event, made)
        for index in event.open:
            event = with_result(event, index, dice.choice([(WIN, LOSS), (DRAW, DRAW), (LOSS, WIN)]))
    assert event.round == rounds


@pytest.mark.slow
def test_five_hundred_are_paired_in_their_score_groups() -> None:
    dice = random.Random(3)
    event = Event("swiss", 3, tuple(Entrant(number) for number in range(1, 502)))
    while made := next_round(event):
        check_round(event, made)
        score = Past(event).score
        apart = [abs(score[p.seats[0]] - score[p.seats[1]]) for p in made if len(p.seats) == 2]
        assert max(apart) <= 1
        assert sum(apart) <= 5, "at most one pair leaves each score group"
        event = played(with_pairings(event, made), dice)
    assert event.round == 3


def test_the_first_round_sets_the_upper_half_against_the_lower_half() -> None:
    made = next_round(Event("swiss", 3, tuple(Entrant(number) for number in range(1, 10))))
    assert made is not None
    assert [pairing.seats for pairing in made] == [(1, 5), (6, 2), (3, 7), (8, 4), (9,)]


def test_a_round_waits_for_the_results_of_the_last_one() -> None:
    event = Event("swiss", 3, tuple(Entrant(number) for number in range(1, 5)))
    made = next_round(event)
    assert made is not None
    with pytest.raises(ValueError, match="isn't over"):
        next_round(with_pairings(event, made))
