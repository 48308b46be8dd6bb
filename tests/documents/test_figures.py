"""Each table of measured figures names command, seed, date and commit, and a changed figure is found."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from games.engine.levels import LEVELS
from tests.documents.figures import changed, contradictions, figures, unnamed, wins_by_seat, wrongly_marked
from tests.documents.pages import PAGES, ROOT, line_of, named

PAGE = """
Figures of `dominium contest focus`, seed `1`, 2026-11-23, `0a273e97`:

| players | matches | won | drawn | lost |
| --- | --- | --- | --- | --- |
| `easy beginner` | 4 | 3 | 0 | 1 |
| `hard easy --seed 7` | 40 | 40 | 0 | 0 |
"""


def test_all_tables_of_figures_name_their_command() -> None:
    texts = {named(path): path.read_text("utf-8") for path in PAGES}
    assert {name: lines for name, text in texts.items() if (lines := unnamed(text))} == {}
    assert len(list(figures(texts["docs/measured.md"]))) == 29
    assert len(list(figures(texts["docs/reliability.md"]))) == 1
    assert unnamed(PAGE.replace("Figures of", "From")) == [4]


def test_the_figures_of_a_contest_fit_together() -> None:
    assert {named(path): found for path in PAGES if (found := contradictions(path.read_text("utf-8")))} == {}


@pytest.mark.parametrize(
    ("true", "untrue"),
    [
        ("| 40 | 15 | 0 | 25 |", "| 40 | 17 | 0 | 23 |"),
        ("| 60 | 60 |", "| 60 | 59 |"),
        ("(83.5 to", "(85.3 to"),
    ],
)
def test_a_planted_figure_is_found_with_its_line(true: str, untrue: str) -> None:
    text = (ROOT / "docs" / "measured.md").read_text("utf-8")
    assert true in text
    planted = text.replace(true, untrue, 1)
    (found,) = contradictions(planted)
    assert int(found.partition(":")[0]) == line_of(planted, planted.index(untrue))


@pytest.mark.parametrize(
    ("row", "fits"),
    [
        (
            "| `a b --seats 3` | 42 | 36 | 4 | 2 | 89.3 (76.5 to 95.5) |",
            True,
        ),  # one draw of two, three of three
        ("| `a b --seats 3` | 42 | 36 | 4 | 2 | 90.5 (77.9 to 96.2) |", True),
        ("| `a b --seats 3` | 42 | 36 | 4 | 2 | 88.1 (75 to 94.8) |", False),
        ("| `a b` | 42 | 36 | 4 | 2 | 89.3 (76.5 to 95.5) |", False),
    ],
)
def test_a_draw_of_several_may_be_less_than_half_a_point(row: str, fits: bool) -> None:
    head = "| players | matches | won | drawn | lost | points, % |\n| --- | --- | --- | --- | --- | --- |\n"
    page = f"Figures of `dominium contest focus`, seed `1`, 2026-11-23, `0a273e97`:\n\n{head}{row}\n"
    assert (contradictions(page) == []) is fits


@pytest.mark.parametrize(("below", "level"), list(pairwise(LEVELS)))
def test_a_level_of_domination_beats_the_one_below_from_both_seats(below: str, level: str) -> None:
    text = (ROOT / "docs" / "measured.md").read_text("utf-8")
    first, second = wins_by_seat(text, "dominium contest domination")[f"{level} {below}"]
    assert first[0] * 2 > first[1], first
    assert second[0] * 2 > second[1], second


def test_figures_older_than_the_release_say_so() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    texts = {named(path): path.read_text("utf-8") for path in PAGES}
    assert {name: lines for name, text in texts.items() if (lines := wrongly_marked(text, changelog))} == {}
    marked = PAGE.replace("`:", "`, older than the release:")
    for date, line in (("2026-11-22", []), ("2026-11-24", [2])):
        release = f"## [Unreleased]\n\n## [1.0.0] - {date}\n\n## [0.9.0] - 2026-01-01\n"
        assert wrongly_marked(PAGE, release) == line
        assert wrongly_marked(marked, release) == ([] if line else [2])


@pytest.mark.parametrize(("whole", "runs"), [(False, 1), (True, 2)])
def test_a_changed_figure_is_found(whole: bool, runs: int) -> None:
    calls: list[list[str]] = []

    def run(words: list[str]) -> str:
        calls.append(words)
        return json.dumps(
            {"won": 3, "drawn": 0, "lost": 1} if "easy" in words[3] else {"won": 40, "drawn": 0, "lost": 0}
        )

    (one,) = figures(PAGE)
    assert changed(one, run, whole=whole) == []
    assert len(calls) == runs
    assert calls[0] == [
        "dominium",
        "contest",
        "focus",
        "easy",
        "beginner",
        "--matches",
        "4",
        "--seed",
        "1",
        "--json",
    ]
    (other,) = figures(PAGE.replace("| 3 | 0 | 1 |", "| 4 | 0 | 0 |"))
    assert changed(other, run, whole=whole) == ["line 2: `easy beginner`: won 4, now 3; lost 0, now 1"]


def test_a_command_that_prints_its_table_is_compared_by_lines() -> None:
    (one,) = figures((ROOT / "docs" / "reliability.md").read_text("utf-8"))
    assert changed(one, lambda words: "| lost | 0 | 696 |\n", whole=False) == []
    assert changed(
        one, lambda words: "| --- | ---: |\n| lost | 0 | 696 |\n| lost | 1 | 2 |\n", whole=True
    ) == [f"line {one.line}: | lost | 1 | 2 |"]
