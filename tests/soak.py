"""What `make check` and `make test` sample, and `make soak` plays whole.

In `make test` hypothesis derives its examples from the tests, kills and secrets go by fixed seeds, of large
products a part is taken, and tests marked `soak` are left out. `make check` tries a tenth of the examples.
`make soak` takes the whole of each product, ten times as many examples, and a seed of its own, which it
prints; DOMINIUM_SEED sets it. `make soak SHARE=3/8` plays one of eight parts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

SOAK: Final = os.environ.get("DOMINIUM_SOAK") == "1"
QUICK: Final = os.environ.get("DOMINIUM_QUICK") == "1"
SEED: Final = int(os.environ.get("DOMINIUM_SEED", "2"))
"""Where tests that draw at random begin."""

_nth, _of = os.environ.get("DOMINIUM_SHARE", "1/1").split("/")
SHARE: Final = (int(_nth) - 1, int(_of))
"""Which part of a soak is run: (2, 8) is the third of eight."""


def sampled(whole: Iterable[T], sample: Iterable[T]) -> list[T]:
    """Return the whole in a soak, else the sample."""
    return list(whole if SOAK else sample)


def examples(count: int) -> int:
    """Return how many examples are tried, of `count` in `make test`."""
    return 10 * count if SOAK else max(5, count // 10) if QUICK else count


def seeds(names: Sequence[str], more: int = 10) -> list[str]:
    """Return the seeds to use: fixed ones, and in a soak `more` that no run has had."""
    return [*names, *(f"{SEED}-{n}" for n in range(more))] if SOAK else list(names)
