"""Predictions in bins: every one in exactly one of them, with means, shares and errors."""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.engine.predictions import BINS, Prediction, compared
from games.engine.values import Seat


def predicted(kind: str, *pairs: tuple[float, bool]) -> list[Prediction]:
    return [Prediction(kind, Seat(0), chance, came_true) for chance, came_true in pairs]


def test_each_prediction_is_in_one_bin_of_its_kind() -> None:
    found = [*predicted("kept", *((n / 20, n % 2 == 0) for n in range(21))), *predicted("kill", (1.0, True))]
    bins = list(compared(found))
    assert sum(each.times for each in bins if each.kind == "kept") == 21
    assert [(each.low, each.high) for each in bins[:-1]] == list(pairwise(BINS))
    assert (bins[-1].kind, bins[-1].low, bins[-1].times) == ("kill", 0.9, 1)
    assert list(compared([])) == []


def test_means_and_errors_are_those_of_the_bin() -> None:
    (one,) = compared(predicted("kept", (0.6, True), (0.7, False), (0.74, True), (0.76, True)))
    assert (one.times, one.came_true) == (4, 0.75)
    assert one.mean == pytest.approx(0.7)
    assert one.error == pytest.approx((0.7 * 0.3 / 4) ** 0.5)
