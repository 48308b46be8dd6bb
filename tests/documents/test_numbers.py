"""Numbers in the prose of the pages are those of the program; a changed one is found with its line."""

from __future__ import annotations

import re
from typing import Final

import pytest

from bot.actions.lookback.dice import MOST_CHECKED
from bot.actions.people.data_exports import MAX_RECORDS
from bot.actions.people.moderation import MAX_MORE_TIME
from bot.platform.config import load_config
from games.ai.puzzle_search import WORK
from games.engine import registry
from games.engine.coaching import COACH_TIMES
from games.engine.record_text import MAX_LENGTH as RECORD
from games.two_domains.game import LEVELS as JUDGEMENTS
from matches.absence.time_up import VANISHED as TIMES_UP
from matches.absence.vacations import DAYS_A_YEAR
from matches.channels import MAX_MIRRORS
from matches.lookback.dice import MOST_MATCHES
from matches.lookback.films import MAX_LENGTH as FILM
from matches.play.coach import LEAST
from matches.play.typed_text import MAX_BESIDE
from matches.seats import MOST_RETURNS, VANISHED
from matches.store.moderation import MAX_REASON
from tests.documents.pages import PAGES, ROOT, line_of, named

WORDS: Final = {
    "a": 1, "twice": 2, "three": 3, "ten": 10,
}  # fmt: skip
STEPS: Final = sorted({len(registry.get(key).lessons) for key in registry.KEYS})
NUMBERS: Final = (
    ("playing", r"you have (\d+) days a year", DAYS_A_YEAR),
    ("playing", r"with `/match seat back`, (\w+) at most", MOST_RETURNS),
    ("playing", r"time was up (\w+) times in a row", TIMES_UP),
    ("playing", r"kept you waiting for (\w+) week", VANISHED.days // 7),
    ("playing", r"chance of winning by (\d+) percentage points", round(100 * LEAST)),
    ("playing", r"or more, (\w+) times a match at most", COACH_TIMES),
    ("playing", r"moving picture of (\d+) seconds at most", FILM // 1000),
    ("playing", r"in (\w+) channels\s+at most", MAX_MIRRORS),
    ("dice", r"over their latest (\d+) finished", MOST_MATCHES),
    ("dice", r"those of the latest (\d+) that you may see", MOST_CHECKED),
    ("privacy", r"their\s+latest (\d+) finished matches", MAX_RECORDS),
    ("privacy", r"\| (\d+) days, or what the operator sets", load_config({}, None).forget_servers_days),
    ("moderating", r"a reason, up to\s+(\d+) characters", MAX_REASON),
    ("moderating", r"`1d 6h`, at most (\d+) days", MAX_MORE_TIME.days),
    ("record", r"UTF-8, at most ([\d,]+) characters", RECORD),
    ("record", r"for programs, at most ([\d,]+)\s+characters", 2 * RECORD),
    ("computers", r"at\s+([\d,]+)\s+moves of work and again", WORK),
    ("README", r"with up to (\w+) others beside", MAX_BESIDE),
)
"""Page, where a number stands in it, and what it is in the program."""


def path_of(page: str) -> str:
    """Return the path of a page, from the folder of the checkout."""
    return f"{page}.md" if page == "README" else f"docs/{page}.md"


def number(word: str) -> int:
    """Return a number that is written in digits, or as one of the words that pages use."""
    return WORDS[word] if word in WORDS else int(word.replace(",", ""))


def wrong(page: str, text: str) -> list[str]:
    """Return the numbers of a page that the program doesn't have, each with its line."""
    found = []
    for name, pattern, value in NUMBERS:
        if name == page:
            (each,) = re.finditer(pattern, text)
            if number(each[1]) != value:
                found.append(f"{path_of(page)}:{line_of(text, each.start(1))}: {each[1]}, not {value}")
    return found


@pytest.mark.parametrize("page", sorted({name for name, _, _ in NUMBERS}))
def test_numbers_are_those_of_the_program(page: str) -> None:
    text = (ROOT / path_of(page)).read_text("utf-8")
    assert wrong(page, text) == []


def test_lessons_have_as_many_steps_as_the_page_says() -> None:
    text = (ROOT / "docs" / "playing.md").read_text("utf-8")
    (said,) = re.findall(r"teaches a game in (\w+) or (\w+) small steps", text)
    assert [said[0], said[1]] == [{10: "ten", 11: "eleven", 12: "twelve"}[count] for count in STEPS]


def test_the_levels_of_two_domains_err_as_the_page_says() -> None:
    text = (ROOT / "docs" / "computers.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w+) \| (\d+) % \| ([\d.]+) \|", text, re.MULTILINE)
    said = {name: (int(oversight), float(error)) for name, oversight, error in rows}
    assert said == {name: (one.oversight, one.error) for name, one in JUDGEMENTS.items()} | {
        "perfect": (0, 0)
    }


def test_a_planted_number_is_found_with_its_line() -> None:
    text = (ROOT / "docs" / "playing.md").read_text("utf-8")
    planted = text.replace("you have 30 days", "you have 40 days")
    assert wrong("playing", planted) == [
        f"docs/playing.md:{line_of(planted, planted.index('40 days'))}: 40, not 30"
    ]


def test_the_pages_are_there() -> None:
    assert {path_of(name) for name, _, _ in NUMBERS} <= {named(path) for path in PAGES}
