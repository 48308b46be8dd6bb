"""Losses measured by samples: on made-up moves of which the truth is known."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest

from games.ai.analysis import significant
from games.ai.paired_samples import TEST, Gap, PairedSamples
from tests.rows import rows
from tests.soak import examples

NOISE = 0.3
"""Standard deviation of a sample: as large as those of matches that are imagined."""
FIRST = 24
DECISIONS = 100
MOVES = 4


def gap(loss: float, random: Random, rivals: float = 0.0, noise: float = NOISE) -> Gap:
    """What is found about a played move (0) that loses so much; the others have these values at most."""
    worth = {0: -loss, **{move: -rivals * random.random() for move in range(1, MOVES)}, 1: 0.0}

    def sample(move: int, n: int) -> float:
        return random.gauss(0.5 + worth[move], noise)

    samples = PairedSamples[int](sample, sample, FIRST)
    return samples.measure(tuple(worth), (0,)).gaps[0]


def listed(losses: list[float], random: Random) -> dict[int, Gap]:
    """The moves of a match that are listed as mistakes."""
    gaps = [gap(loss, random, rivals=0.1) for loss in losses]
    return {at: gaps[at] for at in significant([each.evidence for each in gaps]) if gaps[at].loss > 0.0}


def test_moves_that_are_as_good_are_hardly_ever_listed() -> None:
    random, matches = Random(1), examples(20)
    wrong = sum(bool(listed([0.0] * DECISIONS, random)) for _ in range(matches))
    assert wrong <= 0.1 * matches + 2, "some match has a wrong mistake"


@pytest.mark.slow
@pytest.mark.parametrize("loss", [0.25, 0.4])
def test_a_planted_blunder_is_listed_and_its_loss_is_unbiased(loss: float) -> None:
    random, matches = Random(2), examples(60)
    found = [listed([loss] + [0.0] * (DECISIONS - 1), random) for _ in range(matches)]
    claims = [each[0] for each in found if 0 in each]
    assert len(claims) >= (0.9 if loss > 0.3 else 0.5) * matches
    assert sum(len(each) for each in found) - len(claims) <= 0.1 * matches + 2
    losses = [claim.loss for claim in claims]
    assert abs(fmean(losses) - loss) < 3 * stdev(losses) / len(losses) ** 0.5
    assert fmean(claim.error for claim in claims) == pytest.approx(stdev(losses), rel=0.5)


@pytest.mark.slow
def test_small_losses_that_happen_to_be_listed_are_not_exaggerated() -> None:
    random = Random(3)
    claims = [
        found.loss for found in (gap(0.1, random) for _ in range(examples(1_500))) if found.evidence >= 2
    ]
    assert len(claims) >= 30
    assert abs(fmean(claims) - 0.1) < 3 * stdev(claims) / len(claims) ** 0.5


def test_what_quick_samples_get_wrong_is_not_listed() -> None:
    """They overrate one move by 30 points: it is tested each time, in vain, and mostly given up early."""
    random, listed, tested = Random(5), 0, list[int]()

    def slow(move: int, n: int) -> float:
        tested.append(n)
        return random.gauss(0.5, NOISE)

    for _ in range(examples(200)):
        quick = PairedSamples[int](lambda move, n: random.gauss(0.5 + 0.3 * move, NOISE), slow, FIRST)
        listed += quick.measure((0, 1), (0,)).gaps[0].evidence >= 3.0
    assert listed <= examples(200) * 0.01
    assert len(tested) < 2 * TEST * examples(200)


@pytest.mark.slow
def test_what_slow_samples_are_off_by_lists_no_more_than_chance() -> None:
    """Their loss is off by four points, as often one way as the other: of equal moves few are listed."""
    random, doubt = Random(6), 0.04

    def found() -> Gap:
        off = random.gauss(0.0, doubt)
        return (
            PairedSamples[int](
                lambda move, n: random.gauss(0.5 + 0.05 * move, 0.1),
                lambda move, n: random.gauss(0.5 + off * move, 0.1),
                FIRST,
                doubt=doubt,
            )
            .measure((0, 1), (0,))
            .gaps[0]
        )

    gaps = [found() for _ in range(examples(500))]
    assert sum(each.evidence >= 2.0 for each in gaps) <= 0.03 * len(gaps)
    assert all(each.error >= doubt for each in gaps if each.evidence >= 2.0)


def test_losses_are_unbiased_where_nothing_is_evident_either() -> None:
    random = Random(4)
    losses = [gap(0.0, random).loss for _ in range(examples(1_000))]
    assert abs(fmean(losses)) < 3 * stdev(losses) / len(losses) ** 0.5


def test_without_noise_little_is_sampled() -> None:
    counted: list[int] = []

    def sample(move: str, n: int) -> float:
        counted.append(n)
        return {"good": 0.6, "bad": 0.2}[move]

    found = PairedSamples(sample, sample, FIRST).measure(("bad", "good"), ("bad",))
    assert found.best == "good"
    assert found.gaps["bad"].loss == pytest.approx(0.4)
    assert significant([found.gaps["bad"].evidence]) == {0}
    counted.clear()

    def equal(move: str, n: int) -> float:
        return sample("good", n)

    same = PairedSamples[str](equal, equal, FIRST).measure(("one", "other"), ("other",))
    assert same.best == "other", "a move that is asked about is best if none is better"
    assert len(counted) == 2 * FIRST


def test_what_is_stopped_claims_nothing() -> None:
    for last in (1, FIRST, 3 * FIRST, 3 * FIRST + 1, 3 * FIRST + TEST):

        def sample(move: int, n: int, last: int = last) -> float | None:
            return None if n and n >= last else Random(f"{move} {n}").gauss(-0.5 * move, 0.1)

        found = PairedSamples(sample, sample, FIRST).measure((0, 1), (1,))
        assert found.best == 0
        assert found.gaps[1].evidence < 2 or last > 3 * FIRST + TEST


def after_pairs(count: int) -> Gap:
    """What is found about a bad move if time runs out after a number of pairs."""
    left = 2 * count

    def sample(move: int, n: int) -> float | None:
        nonlocal left
        left -= 1
        return None if left < 0 else Random(f"{move} {n}").gauss(-0.5 * move, 0.1)

    return PairedSamples(sample, sample, FIRST).measure((0, 1), (1,)).gaps[1]


@rows("pairs", [0, 1, 2, 10, TEST])
def test_time_that_runs_out_leaves_the_pairs_measured_until_then(pairs: int) -> None:
    found = after_pairs(3 * FIRST + TEST + pairs)
    assert (found.evidence > 2) == (pairs > 1)
    assert (found.error < 0.2) == (pairs > 1)


def test_a_first_look_that_is_cut_short_shows_nothing() -> None:
    assert after_pairs(3 * FIRST + 5).evidence == 0


def test_of_many_moves_the_significant_ones_need_more() -> None:
    assert significant([]) == frozenset()
    assert significant([2.1]) == {0}
    assert significant([1.9]) == frozenset()
    assert significant([2.1] + [0.0] * 99) == frozenset()
    assert significant([4.0] + [0.0] * 99) == {0}
    assert significant([3.0, 3.0, 3.1] + [0.0] * 59) == {0, 1, 2}, "several are likelier together"
