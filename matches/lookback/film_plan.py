"""Plan the animation of a stretch of a match: which positions are shown, and for how long each.

A short stretch shows every decision, a longer one every turn, and a very long one some of the turns: those of
the moments that mattered, and others at even distances. An animation never takes longer than `MAX_LENGTH`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from matches.lookback.steps import ReplayStep

MAX_LENGTH: Final = 40_000
"""Maximum length of an animation, with its first picture and its end, in milliseconds."""
OPENING: Final = 1_000
"""How long the position before the stretch is shown, in milliseconds."""
CLOSING: Final = 4_000
"""How long the last position, or the card with the result, is shown at the end, in milliseconds."""
_USUAL: Final = 1_200
_SHORTEST: Final = 350
"""How long a position is shown at most, and at least, in milliseconds."""
_KEY: Final = 2
"""How many times longer a moment that mattered is shown."""
_MAX_SINGLE: Final = 40
"""Maximum number of single decisions; more are shown by turns."""
_UNITS: Final = (MAX_LENGTH - OPENING - CLOSING) // _SHORTEST
"""How many positions there is time for, if one that mattered counts as `_KEY`."""


@dataclass(frozen=True, slots=True)
class PlannedFrame:
    """A step that is shown once it has happened, for a number of milliseconds; `key` if it mattered."""

    step: ReplayStep
    milliseconds: int
    key: bool = False


def plan_film(
    steps: Sequence[ReplayStep], turns: Sequence[ReplayStep], keys: Collection[int]
) -> tuple[PlannedFrame, ...]:
    """Return the frames of a stretch, given by its single decisions and by the turns that they make up.

    `keys` are log entries of moments that mattered. With `OPENING` and `CLOSING` the frames take at most
    `MAX_LENGTH`. Raises ValueError for an empty stretch.
    """
    if not steps or not turns:
        raise ValueError("a stretch has a step")
    shown = steps if len(steps) <= _MAX_SINGLE else turns
    marked = [any(step.first <= entry <= step.last for entry in keys) for step in shown]
    return _timed(_thinned(shown, marked))


def _thinned(shown: Sequence[ReplayStep], marked: list[bool]) -> list[tuple[ReplayStep, bool]]:
    """Return the steps for which there is time, and whether each mattered; the last is always among them."""
    most = len(shown)
    keys = {at for at, key in enumerate(marked) if key}
    while len(keys) * _KEY > _UNITS // 2:  # the others get half of the time
        keys = set(sorted(keys)[::2])
    if most + len(keys) * (_KEY - 1) > _UNITS:
        most = _UNITS - len(keys) * _KEY
        kept = keys | {(nth + 1) * len(shown) // most - 1 for nth in range(most)}
    else:
        kept = set(range(most))
    return [(shown[at], at in keys) for at in sorted(kept)]


def _timed(shown: Sequence[tuple[ReplayStep, bool]]) -> tuple[PlannedFrame, ...]:
    weights = sum(_KEY if key else 1 for _, key in shown)
    each = min(_USUAL, (MAX_LENGTH - OPENING - CLOSING) // weights)
    each = each // 10 * 10  # GIF counts in hundredths of a second
    return tuple(PlannedFrame(step, each * (_KEY if key else 1), key) for step, key in shown)
