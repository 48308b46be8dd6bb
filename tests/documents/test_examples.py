"""What the pages show is played from the pages: prompts, dialogues, and what may be typed.

A wrong example fails with its page and line. `test_maps_page`, `test_spellings` and `test_docs` do the same
for maps, spellings of moves, and command lines.
"""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import available_timezones

import pytest

from dominium import new
from dominium.prompt import MoveError
from games.engine.message import Msg
from matches.clocks.control import TimeControl
from matches.clocks.typed import read_whole_clock
from matches.pings.settings import typed_digests, typed_quiet
from matches.plans.grammar import read_line
from tests.documents.pages import PAGES, ROOT, line_of, named

NOW = datetime(2026, 1, 1, tzinfo=UTC)
_SAID = re.compile(r"^> \*\*(\w+)\*\* (.+?)(?=^> \*\*|^(?!>))", re.MULTILINE | re.DOTALL)
"""A line of a dialogue: who, and what, up to the next one."""


def plain(text: str) -> str:
    """Return what a dialogue says as people read it: without its marks, and what stands in brackets."""
    text = re.sub(r"<br>|^> ?|\*\([^)]*\)\*|[`▲●]", " ", text, flags=re.MULTILINE)
    return " ".join(text.split())


def answers(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, what was typed, and what the bot answers in a page, for each pair of these."""
    said = [(line_of(text, each.start()), each[1], plain(each[2])) for each in _SAID.finditer(text)]
    for (line, who, typed), (_, other, answer) in pairwise(said):
        if who != "Dominium" and other == "Dominium":
            yield line, typed, answer


def untrue(text: str) -> list[str]:
    """Play the dialogue of a page in a match of Focus for two; return what is answered otherwise.

    Who begins is drawn, so that a few matches are tried, and one has to answer as shown.
    """
    return min((_untrue(text, f"{seed}") for seed in range(8)), key=len)


def _untrue(text: str, seed: str) -> list[str]:
    wrong, match = [], new("focus", seed=seed)
    for line, typed, answer in answers(text):
        try:
            told = match.play(typed).partition(": ")[2]
        except MoveError as error:
            told = str(error).partition(" Try ")[0]
        if told not in answer:
            wrong.append(f"line {line}: {typed!r} is answered {told!r}")
    return wrong


def test_dialogues_and_prompts_answer_as_shown() -> None:
    wrong = []
    for path in PAGES:
        text = path.read_text("utf-8")
        wrong += [f"{named(path)}: {each}" for each in untrue(text)]
        test = doctest.DocTestParser().get_doctest(text, {}, named(path), str(path), 0)
        doctest.DocTestRunner(verbose=False).run(test, out=wrong.append)
    assert not wrong, "\n".join(wrong)


def test_the_readme_has_a_dialogue() -> None:
    assert len(list(answers((ROOT / "README.md").read_text("utf-8")))) == 2


def test_a_wrong_answer_is_found_with_its_line() -> None:
    page = "x\n\n> **Ann** e4 x e5<br>\n> **Dominium** e4-e5: pile of 3<br>\n"
    assert [each.partition(":")[0] for each in untrue(page)] == ["line 3"]
    assert untrue(page.replace("pile of 3", "pile of 2")) == []


def _clock(text: str) -> bool:
    return isinstance(read_whole_clock(text, sorted(available_timezones()), NOW), TimeControl)


def _plan(text: str) -> bool:
    return not isinstance(read_line(text), Msg)


TYPED: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("playing.md", r"[Ww]rite your own, such as `([^`]+)`", _clock),
    ("playing.md", r"with playing hours `([^`]+)`", _clock),
    ("playing.md", r"in many ways, such as `([^`]+)`", _clock),
    ("playing.md", r"`([^`]+)` plays c3-c5", _plan),
    ("pings.md", r"\*\*none\*\* · ([\d:-]+)", lambda text: typed_quiet(text) is not None),
    ("pings.md", r"\*\*(\d\d:\d\d, \d\d:\d\d)\*\*", lambda text: typed_digests(text) is not None),
)
"""Page, where something that may be typed stands in it, and whether the program takes it."""


@pytest.mark.parametrize(("page", "pattern", "takes"), TYPED, ids=[each[1] for each in TYPED])
def test_what_may_be_typed_is_taken(page: str, pattern: str, takes: Callable[[str], bool]) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    found = list(re.finditer(pattern, text))
    assert found, f"{page} has no example any longer"
    refused = [f"{page}:{line_of(text, each.start(1))}: {each[1]}" for each in found if not takes(each[1])]
    assert not refused


def test_the_record_that_is_shown_was_played() -> None:
    shown = (ROOT / "docs" / "record.md").read_text("utf-8").split("```\n")[1]
    assert shown == (ROOT / "tests" / "toy" / "golden" / "3.txt").read_text("utf-8")
