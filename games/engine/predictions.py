"""Predictions that computer players make during a match, compared with what happens: calibration.

A chance is well calibrated if, of all things predicted with 70 %, 70 % come true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, Final, NamedTuple, Protocol

from games.engine.values import Seat

BINS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
"""Bounds of the bins in which predictions are compared."""


class Prediction(NamedTuple):
    """What was predicted in a seat's name, with its chance, and whether it came true."""

    kind: str
    seat: Seat
    chance: float
    came_true: bool


class PredictionWatcher(Protocol):
    """Follows a match from its start, state by state."""

    def __call__(self, state: Any, /) -> Iterable[Prediction]:
        """Return the predictions that this state decides; the last state decides all that are left."""


class PredictionBin(NamedTuple):
    """Predictions of one kind with similar chances."""

    kind: str
    low: float
    high: float
    times: int
    mean: float
    """The mean of the predicted chances."""
    came_true: float
    """The share that came true."""

    @property
    def error(self) -> float:
        """The standard error of that share if the chances are right, all predictions being independent."""
        return sqrt(self.mean * (1.0 - self.mean) / self.times)


def compared(predictions: Sequence[Prediction]) -> Iterator[PredictionBin]:
    """Yield the predictions in bins, kind by kind; empty bins are left out."""
    for kind in dict.fromkeys(each.kind for each in predictions):
        for low, high in pairwise(BINS):
            inside = [
                each
                for each in predictions
                if each.kind == kind and low <= each.chance and (each.chance < high or high == BINS[-1])
            ]
            if inside:
                count = len(inside)
                mean = sum(each.chance for each in inside) / count
                came_true = sum(each.came_true for each in inside) / count
                yield PredictionBin(kind, low, high, count, mean, came_true)
