"""What Discord does, where the Discord of the tests takes it from one place instead of from its code.

Each fact of `dominium rehearse` is a few words: `80, then 400 50035`. What is expected of Discord stands in
`cli/rehearse/expected.json`; what it was seen to do, in the files of `tests/loopback/observed`, goes before.
The loopback server and the judges of requests ask here at each request: another limit, code, status or order
in a file changes what they do. What they can't take from words fails in `tests/cli/test_rehearse.py`, by the
name of the fact.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cli.rehearse.facts import expectations

OBSERVED = Path(__file__).parent / "loopback" / "observed"
_VERDICT = re.compile(r"(?<!\d)([2-5]\d\d)(?: (\d+))?(?=,|$)")


class Seen(NamedTuple):
    """What Discord was last seen to do, and when."""

    date: str
    what: str


def observations(folder: Path = OBSERVED) -> dict[str, Seen]:
    """Return what was seen, by fact: in the newest file, or in an earlier one if it wasn't tried there."""
    files = sorted(
        (json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")), key=lambda one: one["date"]
    )
    return {fact: Seen(one["date"], what) for one in files for fact, what in one["observed"].items()}


class Verdict(NamedTuple):
    """Status and code of an answer; the code is 0 where there is none."""

    status: int
    code: int

    @property
    def ok(self) -> bool:
        """Whether Discord does what it was asked for."""
        return self.status < 300


NONE = "and more"
"""What stands instead of a refusal where no limit was found."""


@cache
def _verdicts(words: str) -> tuple[Verdict, ...]:
    if words.endswith(NONE):
        return (Verdict(200, 0),)
    found = _VERDICT.findall(words.rpartition("then ")[2])
    return tuple(Verdict(int(status), int(code or 0)) for status, code in found)


@cache
def _number(words: str) -> int:
    found = re.search(r"\d+", words)
    if found is None:
        raise ValueError(words)
    return int(found[0])


def known(folder: Path = OBSERVED) -> dict[str, str]:
    """Return what Discord does as far as it is known, by fact, where it is said as it was before."""
    found = dict(expectations())
    for fact, (_, what) in observations(folder).items():
        if fact in found and _reads_alike(what, found[fact]):
            found[fact] = what
    return found


def _reads_alike(words: str, before: str) -> bool:
    """Return whether words have a number and answers wherever the server looks for them."""
    return words[:1].isdigit() >= before[:1].isdigit() and len(_verdicts(words)) >= len(_verdicts(before))


KNOWN: dict[str, str] = known()


def verdict(fact: str, which: int = 0) -> Verdict:
    """Return how Discord answers; `which` counts the answers of a fact.

    Raises:
        IndexError: the fact has no such answer.
    """
    return _verdicts(KNOWN[fact])[which]


def statuses(facts: Mapping[str, str] = KNOWN) -> dict[int, int]:
    """Return the status that a code was seen to have."""
    found = (one for words in facts.values() for one in _verdicts(words))
    return {one.code: one.status for one in found if one.code}


def listed(fact: str) -> list[str]:
    """Return the words of a fact between commas."""
    return [word.strip() for word in KNOWN[fact].split(",")]


def says(fact: str, words: str) -> bool:
    """Return whether a fact has these words."""
    return words in listed(fact)


@dataclass(frozen=True, slots=True)
class Limit:
    """The first number of a fact, as it is known whenever it is asked for."""

    fact: str
    unit: int = 1

    def __int__(self) -> int:
        if KNOWN[self.fact].endswith(NONE):
            return sys.maxsize
        return _number(KNOWN[self.fact]) * self.unit
