"""What a fact is: a sentence on Discord, and how it is tried.

What a try returns is a few words without ids, names or tokens, and the same each time: mostly status and code
of a refusal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cli.rehearse.stage import RehearsalStage

Check = Callable[[RehearsalStage], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class DiscordFact:
    """A fact, and how many seconds after its message was posted it is tried."""

    key: str
    sentence: str
    check: Check
    after: float = 0.0


FACTS: list[DiscordFact] = []
"""All, in the order in which they are tried; those with a time come last."""


def fact(sentence: str) -> Callable[[Check], Check]:
    """Register what follows as a fact, by its name."""

    def register(check: Check) -> Check:
        FACTS.append(DiscordFact(check.__name__.strip("_").replace("_", "-"), sentence, check))
        return check

    return register


def yes(held: object) -> str:
    """Return the word for whether something is so."""
    return "yes" if held else "no"
