"""Choose the best of several moves, and measure what another one loses, each by samples of its own.

The best of several noisy means is too high (the winner's curse), and so is a loss that is reported because it
was large. So one lot of samples chooses the best move, a second one screens the moves it is compared with, a
third one tests what stood out, and a fourth one measures the loss that is reported. A test is given up as
soon as it shows nothing. Moves that are compared meet the same dice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import hypot, inf, sqrt
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

A = TypeVar("A", bound=Hashable)

SCREEN: Final = 2
"""Samples that screen a move, as a multiple of those that choose the best one."""
TEST: Final = 64
"""Samples that test a move which stood out, and then as many that measure its loss."""
_FIRST_LOOK: Final = 8
"""Samples that begin a test; then they double, as long as they show some evidence."""
STANDS_OUT: Final = 1.5
"""Standard errors from which on a loss is tested."""
EVIDENT: Final = 2.0
"""Standard errors from which on a loss is measured again, to be reported."""
WORTH_TELLING: Final = 0.02
"""Share of the match; the test asks whether more than this is lost."""


class Gap(NamedTuple):
    """What a move loses against the best one, as a share of the match."""

    loss: float
    """Negative if it is the better one, by samples that have chosen nothing."""
    error: float
    """Standard error of the loss."""
    evidence: float
    """By how many standard errors the loss exceeds `WORTH_TELLING`, by samples other than its own."""


class Mean(NamedTuple):
    """A mean over samples and its standard error, infinite for less than two."""

    value: float
    error: float


def mean_of(values: list[float]) -> Mean:
    """Return the mean of samples and its standard error."""
    if len(values) < 2:
        return Mean(values[0] if values else 0.0, inf)
    mean = sum(values) / len(values)
    return Mean(mean, sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)))


@dataclass(frozen=True, slots=True)
class Measured(Generic[A]):
    """The best of some moves, what each asked one loses, and which samples describe each."""

    best: A
    gaps: dict[A, Gap]
    samples: dict[A, range]


Sampler: TypeAlias = Callable[[A, int], "float | None"]
"""Returns the mover's share after a move by the dice of a number, or None once it is stopped."""


class PairedSamples(Generic[A]):
    """Samples of moves."""

    def __init__(
        self, quick: Sampler[A], slow: Sampler[A], first: int, test: int = TEST, doubt: float = 0.0
    ) -> None:
        """`quick` samples choose the best move by `first` dice, and screen; `slow` ones test and measure.

        `test` is the number of slow samples for each of these, and `doubt` the standard deviation of what
        their loss is off by, whatever their number. What the quick ones get wrong makes some moves be tested
        in vain.
        """
        self._quick, self._slow, self._first, self._test = quick, slow, first, test
        self._doubt = doubt

    def measure(self, moves: tuple[A, ...], asked: tuple[A, ...]) -> Measured[A]:
        """Return the best of at least one move, and what those of them lose that are asked about."""
        choosing = range(self._first)
        best = max(
            moves, key=lambda move: (mean_of(_taken(self._quick, move, choosing)).value, move in asked)
        )
        others = tuple(move for move in dict.fromkeys(asked) if move != best)
        samples = dict.fromkeys(moves, choosing)
        gaps = {best: Gap(0.0, 0.0, 0.0)}
        for move in others:
            gaps[move], samples[move] = self._gap(best, move)
            samples[best] = samples[move] if len(samples[move]) >= len(samples[best]) else samples[best]
        return Measured(best, gaps, samples)

    def _gap(self, best: A, move: A) -> tuple[Gap, range]:
        """Return what a move loses against the one chosen, and the samples that describe both.

        Where nothing is evident, the loss is that of all moves screened, so that on average it is right.
        """
        screening = range(self._first, self._first * (1 + SCREEN))
        found = mean_of(_lost(self._quick, best, move, screening))
        if found.value <= STANDS_OUT * found.error:
            return Gap(found.value, found.error, min(0.0, _evidence(found))), screening
        testing = range(screening.stop, screening.stop + self._test)
        evidence = self._tested(best, move, testing)
        if evidence < EVIDENT:
            return Gap(found.value, found.error, evidence), screening
        measuring = range(testing.stop, testing.stop + self._test)
        loss, error = mean_of(_lost(self._slow, best, move, measuring))
        return Gap(loss, hypot(error, self._doubt), evidence if error < inf else 0.0), measuring

    def _tested(self, best: A, move: A, testing: range) -> float:
        """Return the evidence of a loss; 0 at most if it is given up, or stopped before the first look."""
        lost, evidence, look = list[float](), 0.0, 0
        while look < len(testing):
            look = min(max(_FIRST_LOOK, 2 * look), len(testing))
            lost += _lost(self._slow, best, move, testing[len(lost) : look])
            if len(lost) < min(_FIRST_LOOK, look):
                return 0.0
            evidence = _evidence(mean_of(lost), self._doubt)
            if evidence <= 0.0 or len(lost) < look:
                break
        return evidence


def _lost(sample: Sampler[A], best: A, move: A, numbers: range) -> list[float]:
    """Return what a move loses in each pair of samples, as many pairs as there were until it was stopped."""
    found: list[float] = []
    for n in numbers:
        more, less = sample(best, n), sample(move, n)
        if more is None or less is None:
            break
        found.append(more - less)
    return found


def _taken(sample: Sampler[A], move: A, numbers: range) -> list[float]:
    """Return the samples of a move, as many as there were until it was stopped."""
    found: list[float] = []
    for n in numbers:
        if (value := sample(move, n)) is None:
            break
        found.append(value)
    return found


def _evidence(found: Mean, doubt: float = 0.0) -> float:
    over, error = found.value - WORTH_TELLING, hypot(found.error, doubt)
    return over / error if error else inf if over > 0.0 else 0.0
