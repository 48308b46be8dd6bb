"""Counts of dice, whose they are, and what their unevenness is called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.messages.dice_text import verdict, verdict_of
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.lookback import SIX_SIDED
from games.engine.match import Change, begin, leave, play, take_back
from games.engine.record import RecordError, TooLateError, export
from locales import Catalogue
from matches.lookback.chi_square import ChiSquare
from matches.lookback.dice_statistics import SeatRolls, fairness, has_dice, rolls_of, total
from matches.records.record_reader import read_within
from matches.records.verification import check_log, first_difference

CATALOGUE = Catalogue(strict=True)


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
    assert {game.key for game in registry.all_games() if has_dice(game)} >= {"two_domains", "dominion"}
    assert not has_dice(registry.get("focus"))
    assert not has_dice(registry.get("dominance"))


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
