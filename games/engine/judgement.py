"""Levels of computers that err by a chosen amount of win probability, as people do.

They choose by values that are known or estimated (`Oracle`), but don't see all of them. How an action
looks at first sight, and what it is worth, are two oracles; the difference is how hard the action is to
see.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judgement:
    """How well a level sees what its actions are worth; both 0 is best play."""

    oversight: int = 0
    """Percentage of its actions that it judges by their looks alone."""
    error: float = 0.0
    """Standard deviation, in win probability, of its error about actions that are very hard to see.

    It is a fifth of that for actions that are what they look like.
    """
