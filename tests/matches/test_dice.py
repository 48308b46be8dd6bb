"""Counts of dice, whose they are, and what their unevenness is called."""

from __future__ import annotations

from dataclasses import replace
from math import exp, isclose

import pytest

from bot.messages.dice import verdict, verdict_of
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.lookback import SIX_SIDED
from games.engine.match import Change, begin, leave, play, take_back
from games.engine.record import RecordError, TooLateError, export
from locales import Catalogue
from matches.lookback.dice import (
    ChiSquare,
    SeatRolls,
    chi_square_of,
    fairness,
    rolls_needed,
    rolls_of,
    total,
    upper_tail,
)
from matches.records.verification import check_log, first_difference, read_within

CATALOGUE = Catalogue(strict=True)
TABLE = [  # Abramowitz and Stegun, table 26.8: value, degrees of freedom, upper tail
    (3.84146, 1, 0.05),
    (6.63490, 1, 0.01),
    (5.99146, 2, 0.05),
    (7.81473, 3, 0.05),
    (11.0705, 5, 0.05),
    (15.0863, 5, 0.01),
    (20.5150, 5, 0.001),
    (4.35146, 5, 0.5),
    (0.554300, 5, 0.99),
    (12.5916, 6, 0.05),
    (1.63539, 6, 0.95),
    (18.3070, 10, 0.05),
    (24.9958, 15, 0.05),
]


def gathered(moves: int) -> Change:
    """A match of Two Domains in which a die is rolled in each move."""
    game, sealed = registry.get("two_domains"), Sealed(bytes(32), "T-TEST", "salt")
    change = begin(game, game.setup(2), sealed)
    for _ in range(moves):
        seat = min(change.match.to_act)
        made = play(change.match, seat, game.decode("gather"), sealed)
        assert isinstance(made, Change)
        change = made
    return change


def test_dice_are_counted_by_seat_and_holder() -> None:
    log = gathered(5).match.log
    first = log[2].seat
    assert first is not None
    faces = [int(entry.data.removeprefix("roll ")) for entry in log if entry.data.startswith("roll ")]
    own, theirs = faces[::2], faces[1::2]
    counts = {rolls.seat: rolls.counts for rolls in rolls_of(log)}
    assert counts == {
        first: tuple(own.count(face) for face in range(1, 7)),
        1 - first: tuple(theirs.count(face) for face in range(1, 7)),
    }
    changed = log[6].seq  # the first seat's second move: someone else makes it and those that follow
    apart = {
        (rolls.seat, rolls.since): sum(rolls.counts)
        for rolls in rolls_of(log, [(first, 0), (first, changed)])
    }
    assert apart == {(first, 0): 1, (first, changed): 2, (1 - first, 0): 2}
    assert total(rolls_of(log)) == {SIX_SIDED: tuple(faces.count(face) for face in range(1, 7))}


def test_a_roll_counts_even_if_its_move_is_taken_back() -> None:
    match = gathered(3).match
    made = take_back(match, Seat(0), match.seq - 2, Sealed(bytes(32), "T-TEST", "salt"))
    assert isinstance(made, Change)
    assert sum(map(sum, total(rolls_of(made.match.log)).values())) == 3


def test_games_without_dice() -> None:
    assert {game.key for game in registry.all_games() if game.has_dice} >= {"two_domains", "dominion"}
    assert not registry.get("focus").has_dice
    assert not registry.get("dominance").has_dice


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (1.0, "- Of 100 fair series of 60 rolls, about 99 are at least this uneven: nothing unusual."),
        (0.41, "- Of 100 fair series of 60 rolls, about 41 are at least this uneven: nothing unusual."),
        (0.05, "- Of 100 fair series of 60 rolls, about 5 are at least this uneven: nothing unusual."),
        (0.013, "- Of 100 fair series of 60 rolls, about 1 is at least this uneven. That's uncommon, "),
        (0.0081, "- Of 120 fair series of 60 rolls, about 1 is at least this uneven. That's rare, "),
        (0.0000812, "- Of 12,000 fair series of 60 rolls, about 1 is at least this uneven. That's rare, "),
        (1e-9, "- Fewer than 1 in a million fair series of 60 rolls are this uneven. Check the draws "),
    ],
)
def test_words_for_a_probability(p: float, said: str) -> None:
    assert CATALOGUE.say(verdict_of(ChiSquare(1.0, 5, p), 60)).startswith(said)


def test_a_verdict_says_what_was_to_be_expected() -> None:
    few = [CATALOGUE.say(line) for line in verdict(SIX_SIDED, (5, 5, 5, 5, 5, 4))]
    assert few == [
        "- Expected: each result 4.8 times",
        "- 29 rolls are too few for a test of fairness: 30 are needed.",
    ]
    enough = [CATALOGUE.say(line) for line in verdict(SIX_SIDED, (5, 8, 8, 12, 13, 14))]
    assert enough[0] == "- Expected: each result 10 times"
    assert enough[1].startswith("- Of 100 fair series of 60 rolls, about 29 are")
    assert enough[2] == "-# Chi-square 6.20, degrees of freedom 5, p = 0.2872"
    assert fairness(SIX_SIDED, (0,) * 6) is None
    assert SeatRolls(None, 0, SIX_SIDED, (1,) * 6).seat is None


# --- proofs ---------------------------------------------------------------------------------------------


def test_a_log_is_checked_against_its_seal() -> None:
    log = gathered(3).match.log
    proof = check_log("T-TEST", log, bytes(32).hex())
    assert (proof.moves, proof.draws, proof.over, proof.errors) == (3, 4, False, ())
    (wrong,) = check_log("T-TEST", log, bytes(31).hex() + "01").errors
    assert wrong.key == "verify.seal"
    (broken,) = check_log("T-TEST", log[:3] + log[4:], bytes(32).hex()).errors
    assert CATALOGUE.say(broken) == "entry 4 isn't possible"


def test_a_forged_draw_is_named() -> None:
    ended = leave(gathered(1).match, Seat(0), "resign", Sealed(bytes(32), "T-TEST", "salt"))
    assert isinstance(ended, Change)
    log = list(ended.match.log)
    assert check_log("T-TEST", log, bytes(32).hex()).errors == ()
    rolled = next(at for at, entry in enumerate(log) if entry.data.startswith("roll "))
    face = int(log[rolled].data[-1])
    log[rolled] = replace(log[rolled], data=f"roll {face % 6 + 1}")
    (wrong,) = check_log("T-TEST", log, bytes(32).hex()).errors
    assert CATALOGUE.say(wrong) == f"the draw of entry {rolled} doesn't follow from the secret"


def test_reading_a_record_ends_in_time() -> None:
    text = export(gathered(3).match.log)
    ticks = iter(range(100))
    with pytest.raises(TooLateError) as caught:
        read_within(text, seconds=2, now=lambda: float(next(ticks)))
    lines = text.splitlines()
    assert lines[caught.value.line - 1].startswith("3 ")
    assert read_within(text).match.plays == 3
    with pytest.raises(RecordError):
        read_within(text, entries=1)


def test_where_two_logs_differ() -> None:
    log = gathered(3).match.log
    assert first_difference(log, log) is None
    assert first_difference(log, log[:-1]) == len(log) - 1
    assert first_difference(log, (*log[:2], log[3])) == 2


@pytest.mark.parametrize(("value", "freedom", "tail"), TABLE)
def test_the_printed_table(value: float, freedom: int, tail: float) -> None:
    assert isclose(upper_tail(value, freedom), tail, rel_tol=1e-4)


def test_the_ends() -> None:
    assert upper_tail(0.0, 5) == 1.0
    assert upper_tail(2.0, 2) == exp(-1)
    assert 0.0 <= upper_tail(5000.0, 5) < 1e-300


def test_sixty_rolls_by_hand() -> None:
    """Ten of each were to be expected: (25 + 4 + 4 + 4 + 9 + 16) / 10 = 6.2."""
    found = chi_square_of([5, 8, 8, 12, 13, 14], [1 / 6] * 6)
    assert found is not None
    assert isclose(found.value, 6.2)
    assert found.freedom == 5
    assert isclose(found.p, upper_tail(6.2, 5))
    assert isclose(found.p, 0.2872, abs_tol=1e-4)


def test_unequal_chances_by_hand() -> None:
    """Of 40 throws 10 should say yes: (10 - 4)^2 / 10 + (30 - 36)^2 / 30 = 4.8."""
    found = chi_square_of([36, 4], [0.75, 0.25])
    assert found is not None
    assert isclose(found.value, 4.8)
    assert isclose(found.p, 0.02846, abs_tol=1e-5)


def test_too_few_for_a_test() -> None:
    assert rolls_needed([1 / 6] * 6) == 30
    assert rolls_needed([0.75, 0.25]) == 20
    assert rolls_needed([1 / 64, 63 / 64]) == 320
    assert chi_square_of([5, 5, 5, 5, 5, 4], [1 / 6] * 6) is None
    assert chi_square_of([5, 5, 5, 5, 5, 5], [1 / 6] * 6) is not None


@pytest.mark.parametrize(("counts", "chances"), [([1], [1.0]), ([1, 2], [1.0]), ([1, 2], [1.0, 0.0])])
def test_what_cant_be_tested(counts: list[int], chances: list[float]) -> None:
    with pytest.raises(ValueError, match="needs a count"):
        chi_square_of(counts, chances)
