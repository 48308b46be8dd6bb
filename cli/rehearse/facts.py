"""What a fact is: a sentence on Discord, and how it is tried.

What a try returns is a few words without ids, names or tokens, and the same each time: mostly status and code
of a refusal, after the most that was accepted where there is a limit.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from cli.rehearse.stage import RehearsalStage
from cli.rehearse.wire import RestAnswer

Check = Callable[[RehearsalStage], Awaitable[str]]
SizeCheck = Callable[[RehearsalStage, int], Awaitable[RestAnswer]]


@dataclass(frozen=True, slots=True)
class DiscordFact:
    """A fact, and how many seconds after its message was posted it is tried."""

    key: str
    sentence: str
    check: Check
    after: float = 0.0


FACTS: list[DiscordFact] = []
"""All, in the order in which they are tried; those with a time come last."""


@cache
def expectations() -> dict[str, str]:
    """Return what the test Discord does, by the key of a fact."""
    found: dict[str, str] = json.loads(files("cli.rehearse").joinpath("expected.json").read_text("utf-8"))
    return found


def fact(sentence: str) -> Callable[[Check], Check]:
    """Register what follows as a fact, by its name."""

    def register(check: Check) -> Check:
        FACTS.append(DiscordFact(_key(check), sentence, check))
        return check

    return register


def limit(sentence: str, most: int) -> Callable[[SizeCheck], SizeCheck]:
    """Register what follows as a fact on a limit: it tries one size, up to `most`.

    What is seen is the greatest size that is accepted, and how the next is refused: `80, then 400 50035`.
    """

    def register(attempt: SizeCheck) -> SizeCheck:
        key = _key(attempt)

        async def check(stage: RehearsalStage) -> str:
            expected = int(expectations()[key].partition(",")[0])
            return await _search(lambda size: attempt(stage, size), expected, most)

        FACTS.append(DiscordFact(key, sentence, check))
        return attempt

    return register


async def _search(attempt: Callable[[int], Awaitable[RestAnswer]], expected: int, most: int) -> str:
    """Look for a limit where it is expected: two requests if it is there, else by halves."""
    accepted, refused, verdict = 0, most + 1, ""
    size = min(expected + 1, most)
    while True:
        answer = await attempt(size)
        if answer.ok:
            accepted = size
        else:
            refused, verdict = size, answer.verdict
        if refused - accepted == 1:
            return f"{accepted}, then {verdict}" if verdict else f"{most} and more"
        size = expected if accepted < expected < refused else (accepted + refused) // 2


def _key(check: Callable[..., object]) -> str:
    return check.__name__.strip("_").replace("_", "-")


def yes(held: object) -> str:
    """Return the word for whether something is so."""
    return "yes" if held else "no"
