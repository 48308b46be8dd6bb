"""What rehearsals saw on Discord: the dates in docs/discord.md, and what the next rehearsal expects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import groupby

from tests.discord_facts import Seen, known, observations
from tests.documents.pages import ROOT

PAGE = ROOT / "docs" / "discord.md"
EXPECTED = ROOT / "cli" / "rehearse" / "expected.json"
NO = "no"
"""What stands for facts that a rehearsal can't try."""
_FACT = re.compile(r"`([a-z0-9-]+)`")
_ROW = re.compile(r"^(\| .*? \| .*? \| )(.*?)( \| .*? \|)$", re.MULTILINE)


def tried(cell: str) -> list[str]:
    """Return the facts that a cell names."""
    return _FACT.findall(cell)


def observed(facts: Iterable[str], seen: Mapping[str, Seen]) -> str:
    """Return what the page says of facts of a rehearsal: when Discord was last seen, the newest first.

    Facts that no rehearsal has tried come last, without a date.
    """
    dates = {fact: seen[fact].date if fact in seen else "" for fact in facts}
    ordered = sorted(dates, key=lambda fact: dates[fact], reverse=True)
    groups = (
        (f"{date}: " if date else "") + ", ".join(f"`{fact}`" for fact in group)
        for date, group in groupby(ordered, key=lambda fact: dates[fact])
    )
    return "; ".join(groups) or NO


def dated(page: str, seen: Mapping[str, Seen]) -> str:
    """Return a page whose rows say when their facts were observed."""

    def row(found: re.Match[str]) -> str:
        facts = tried(found[2])
        return f"{found[1]}{observed(facts, seen)}{found[3]}" if facts else found[0]

    return _ROW.sub(row, page)


def expected() -> str:
    """Return what the next rehearsal expects, as JSON."""
    return json.dumps(known(), indent=1) + "\n"


def texts() -> dict[str, str]:
    """Return the files that depend on what was seen, with their texts."""
    page = dated(PAGE.read_text("utf-8"), observations())
    return {PAGE.relative_to(ROOT).as_posix(): page, EXPECTED.relative_to(ROOT).as_posix(): expected()}
