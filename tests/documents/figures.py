"""`make figures PAGE=NAME`: run the figures of a page again, and print what has changed.

Above a table stands its command, seed, date and commit: "Figures of `dominium contest focus`, seed `1`,
2026-11-23, `0a273e97`:". Before the colon, figures from before the newest release say ", older than the
release". A row of a contest names the players and the number of matches; other commands print the table
themselves. Contests of more than 20 matches, and other commands, take long: they run with `--all`.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from cli.matchups import wilson
from tests.documents.pages import ROOT, line_of

Run: TypeAlias = Callable[[list[str]], str]
"""Runs a command of the house, without its first word, and returns what it prints."""
SHORT: Final = 20
_ABOVE = re.compile(
    r"^Figures of `([^`]+)`, seeds? `([^`]+)`, (\d{4}-\d\d-\d\d), `([0-9a-f]{8,})`"
    r"(, older than the release)?:\n\n((?:\|.*\n)+)",
    re.MULTILINE,
)
_COUNTS: Final = ("won", "drawn", "lost")


@dataclass(frozen=True)
class Figures:
    """A table of measured figures, with where it stands and what made it."""

    line: int
    command: str
    seed: str
    date: str
    commit: str
    is_marked: bool
    """Whether the page says that they are older than the release."""
    rows: tuple[tuple[str, ...], ...]
    """The cells of each row; the first row is the head."""

    def by_column(self) -> Iterator[dict[str, str]]:
        """Yield the cells of each row below the head, by the names of their columns."""
        for row in self.rows[1:]:
            yield dict(zip(self.rows[0], row, strict=True))


def figures(text: str) -> Iterator[Figures]:
    """Yield the figures of a page that name their command."""
    for found in _ABOVE.finditer(text):
        head, _, *rows = map(_cells, found[6].splitlines())
        line, (command, seed, date, commit) = line_of(text, found.start()), found.groups()[:4]
        yield Figures(line, command, seed, date, commit, found[5] is not None, (head, *rows))


def wrongly_marked(text: str, changelog: str) -> list[int]:
    """Return the lines of figures that don't say rightly whether they are older than the newest release."""
    dates = re.findall(r"^## \[\d[^]]*\] - (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE)
    return [one.line for one in figures(text) if one.is_marked != (one.date < max(dates, default=""))]


def contradictions(text: str) -> list[str]:
    """Return the rows of contests whose numbers can't all be right, each with its line.

    Wins, draws and losses are all of the matches, and make the points and their interval. Of a draw each side
    has half a point, or less with more than two.
    """
    found = []
    for one in figures(text):
        if "points, %" not in one.rows[0]:
            continue
        for at, said in enumerate(one.by_column(), one.line + 4):
            count, (won, drawn, lost) = int(said["matches"]), (int(said.get(key, 0)) for key in _COUNTS)
            numbers = [float(number) for number in re.findall(r"[\d.]+", said["points, %"])]
            seats = int((re.search(r"--seats (\d+)", said["players"]) or ["", "2"])[1])
            points = round(12 * count * numbers[0] / 100) / 12  # up to four share one
            points = max(won + drawn / seats, min(won + drawn / 2, points))
            low, high = wilson(points, count)
            expected = [100 * points / max(1, count), 100 * low, 100 * high]
            near = all(abs(a - b) < 0.06 for a, b in zip(numbers, expected, strict=True))
            if won + drawn + lost != count or not near:
                found.append(f"{at}: {' | '.join(said.values())}")
    return found


def wins_by_seat(text: str, command: str) -> dict[str, list[tuple[int, int]]]:
    """Return wins and matches by seat in the contests of a command, of all seeds, by their players."""
    found: dict[str, list[tuple[int, int]]] = {}
    for said in (row for one in figures(text) if one.command == command for row in one.by_column()):
        players = said["players"].strip("`")
        seats = [(int(won), int(of)) for won, of in re.findall(r"(\d+) of (\d+)", said["by seat"])]
        before = found.get(players, [(0, 0)] * len(seats))
        found[players] = [(won + a, of + b) for (won, of), (a, b) in zip(before, seats, strict=True)]
    return found


def unnamed(text: str) -> list[int]:
    """Return the lines of tables of contests or comparisons that don't name their command."""
    heads = re.finditer(r"^\| (?:players \|.*won|\| Dominium \|)", text, re.MULTILINE)
    named = [each.start(6) for each in _ABOVE.finditer(text)]
    return [line_of(text, head.start()) for head in heads if head.start() not in named]


def changed(one: Figures, run: Run, *, whole: bool) -> list[str]:
    """Run the figures of a table again; return what differs. Without `whole`, only short contests."""
    if "contest" not in one.command or one.rows[0][0] != "players":
        printed = run(shlex.split(one.command)) if whole else ""
        now = [line.strip() for line in printed.splitlines() if line.startswith("|")]
        return [
            f"line {one.line}: {line}" for line in now if "---" not in line and _cells(line) not in one.rows
        ]
    lines = []
    for said in one.by_column():
        if not whole and int(said["matches"]) > SHORT:
            continue
        players = shlex.split(said["players"].strip("`"))
        seed = [] if "--seed" in players else ["--seed", one.seed]
        words = [*shlex.split(one.command), *players, "--matches", said["matches"], *seed, "--json"]
        found = json.loads(run(words))
        differing = [
            f"{key} {said[key]}, now {found[key]}"
            for key in _COUNTS
            if said.get(key) not in (None, "", f"{found[key]}")
        ]
        if differing:
            lines.append(f"line {one.line}: {said['players']}: {'; '.join(differing)}")
    return lines


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|"))


def _run(words: list[str]) -> str:
    module = ["-m", "dominium"] if words[0] == "dominium" else []
    done = subprocess.run(
        [sys.executable, *module, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def main() -> None:
    """Run the figures of the page that the command line names."""
    parser = argparse.ArgumentParser(prog="make figures", description="Run the figures of a page again.")
    parser.add_argument("page", help="its name in docs/, such as measured")
    parser.add_argument("--all", action="store_true", help="long ones as well: hours")
    chosen = parser.parse_args()
    for one in figures((ROOT / "docs" / f"{chosen.page}.md").read_text("utf-8")):
        print(f"{one.command} (line {one.line}, {one.date}, {one.commit})", flush=True)
        print(
            "".join(f"  {line}\n" for line in changed(one, _run, whole=chosen.all)) or "  nothing has changed"
        )


if __name__ == "__main__":
    main()
