"""A rehearsal: each fact is tried once, and everything that it made is removed again."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import aiohttp

from cli.rehearse import events, forms, later, messages, presses, rights, threads
from cli.rehearse.facts import FACTS, DiscordFact, expectations
from cli.rehearse.stage import NotTriedError, RehearsalStage
from cli.rehearse.wire import ClosedError

PARTS = (messages, forms, threads, rights, events, presses, later)
"""Importing them registers their facts."""

VERSION = 1
_ID = re.compile(r"\d{15,}")


@dataclass(frozen=True, slots=True)
class Observation:
    """What Discord did about a fact, or why that isn't known; and what the test Discord does."""

    fact: DiscordFact
    observed: str | None
    expected: str | None
    reason: str = ""

    @property
    def word(self) -> str:
        """`same`, `different` or `not tried`."""
        if self.observed is None:
            return "not tried"
        return "same" if self.observed == self.expected else "different"


async def rehearse(stage: RehearsalStage) -> AsyncGenerator[Observation]:
    """Enter the stage, try each fact, and yield what is found; remove everything, whatever happens.

    What takes a person comes first, so that they needn't stay. Raises NotAllowedError and NotTriedError as
    `RehearsalStage.enter`, aiohttp.ClientError without Discord.
    """
    expected = expectations()
    try:
        await stage.enter()
        await later.begin(stage)
        for fact in sorted(FACTS, key=lambda fact: (fact.after, fact.check.__module__ != presses.__name__)):
            if fact.key in stage.begun:
                *_, posted = stage.begun[fact.key]
                left = max(0.0, posted + fact.after - stage.pace.now())
                if left > 10.0:
                    stage.note(f"Waiting {left:.0f} s for {fact.key}.")
                await stage.pace.wait(left)
            observed, reason = await _tried(fact, stage)
            yield Observation(fact, observed, expected.get(fact.key), reason)
    finally:
        stage.note("Removing what it made.")
        stage.clean = await stage.leave()


async def _tried(fact: DiscordFact, stage: RehearsalStage) -> tuple[str | None, str]:
    try:
        return await fact.check(stage), ""
    except (NotTriedError, aiohttp.ClientError) as why:
        return None, str(why)
    except TimeoutError:
        return "nothing came", ""
    except ClosedError as closed:
        return str(closed), ""
    except (LookupError, TypeError, AttributeError, ValueError) as missing:
        return f"an answer of another shape: {missing}"[:80], ""


def report(findings: list[Observation], date: str) -> dict[str, Any]:
    """Return what was seen as JSON: without ids, names and tokens."""
    return {
        "version": VERSION,
        "date": date,
        "observed": {one.fact.key: _anonymous(one.observed) for one in findings if one.observed is not None},
        "not tried": {one.fact.key: _anonymous(one.reason) for one in findings if one.observed is None},
    }


def _anonymous(words: str) -> str:
    """Return words without ids, which errors of the library and unexpected answers may carry."""
    return _ID.sub("(an id)", words)
