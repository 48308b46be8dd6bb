"""Plant faults in the product, one at a time, and list those that no test notices: `make mutants`.

    make mutants ARGS="--room games/focus --count 20 --seed 3"

A mutant is a file with one small change (see `mutations`). The tests of the room run against it in a copy
of the tree, the quick ones only unless `--slow` is given; in the rooms of the bot most tests are slow ones,
and run too, but for those with a process or browser. A mutant that they don't notice *lives*: then a test is
missing, or the change makes no difference. Changes of the second sort are listed with their reason
in `mutants_accepted.txt`, and aren't planted.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from tests.mutations import Mutant, mutants_of

ROOT: Final = Path(__file__).parents[1]
ACCEPTED: Final = Path(__file__).with_name("mutants_accepted.txt")
QUICK: Final = "not slow and not browser and not process"
STAGED: Final = "not browser and not process"
"""The tests of the bot's rooms, most of which play on its stage, and so are slow."""
_GAMES: Final = ("dominance", "dominion", "focus", "two_domains")
_ALL_GAMES: Final = "tests/games/test_fortunes.py tests/games/test_perfect.py tests/games/test_unaccounted.py"
_CLOCKS: Final = (
    "tests/matches/test_clock_faces.py tests/matches/test_time_up.py tests/matches/test_stopped_clocks.py"
)


def _of_bot(names: str) -> str:
    return " ".join(f"tests/bot/test_{name}.py" for name in names.split())


_OUTBOUND: Final = (
    _of_bot("engine posting edits remedies order"),
    _of_bot("outbox undeliverable ping_failures kept_messages thread_care computer_turns"),
    _of_bot("showcase showcase_day overview daily_puzzles tournaments database_failures"),
)
_KINDS: Final = (
    _of_bot("posting edits remedies order"),
    _of_bot("outbox undeliverable pings ping_failures ping_settings unwanted_pings watch follow lobby"),
    _of_bot("lobby_full lobby_invitations lobby_clock moderation seats places delay plans"),
)
_INBOUND: Final = (
    _of_bot("inbox read_typed missed_messages gaps_first commands_sync order")
    + " tests/bot_process/test_read_marks.py",
    _of_bot("typed_routes elsewhere deletions_and_permissions exclusions database_failures noise"),
)
_COMMANDS: Final = (
    _of_bot("order shortcuts small_answers match_panel"),
    _of_bot("lobby undo hints forks follow places server_panel ping_settings moderation tournaments"),
    _of_bot("board_query overlays_and_odds replays record_export maps lessons puzzles help"),
)
TESTS: Final[dict[str, tuple[str, ...]]] = {
    **{f"games/{key}": (f"tests/games/{key}", f"tests/laws -k {key}", _ALL_GAMES) for key in _GAMES},
    "games/domination/rules": ("tests/games/domination", "tests/laws -k domination", _ALL_GAMES),
    "games/engine": ("tests/engine", "tests/laws"),
    "matches/clocks": ("tests/matches/clocks", _CLOCKS, "tests/matches"),
    "storage": ("tests/storage", "tests/matches"),
    "tournaments": ("tests/tournaments",),
    "bot/platform/thinkers": ("tests/thinkers",),
    "bot/supervisor.py": (_of_bot("supervisor shards"),),
    "bot/sharded.py": (_of_bot("sharded"),),
    "bot/outbound": _OUTBOUND,
    "bot/outbound/kinds": _KINDS,
    "bot/inbound": _INBOUND,
    "bot/inbound/commands": _COMMANDS,
    "cli": ("tests/cli",),
    "render": ("tests/render tests/test_board_kinds.py", "tests/games -k scene"),
}
"""The rooms and their tests: arguments of pytest, run one after the other until one of them fails."""
NOT_RULES: Final = frozenset(("evaluation", "lessons", "lookback", "player_aids", "scene", "value_table"))
"""Modules of a game's folder that aren't planted in, unless they are named: what people see, estimates."""
NOT_COPIED: Final = shutil.ignore_patterns(
    ".git", ".venv", ".lock", "data", "dist", "__pycache__", ".*_cache", ".hypothesis"
)
PATIENCE: Final = 60.0
"""Seconds that tests may always take, besides five times as long as without a fault."""
_FIRST: Final = 3
"""Number of test files that run before all others: those that noticed the most faults."""


def files_of(room: str, root: Path) -> list[str]:
    """Return the files of a room, or of a folder or file in one. Raises ValueError if there are none."""
    place = root / room
    found = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    if room.startswith("games/") and place.is_dir():
        found = [each for each in found if each.parent == place and each.stem not in NOT_RULES]
    if not all(each.is_file() for each in found) or not found:
        raise ValueError(f"{room} has no sources")
    return [each.relative_to(root).as_posix() for each in found]


def tests_of(room: str) -> tuple[str, ...]:
    """Return the tests of the room that a path lies in. Raises ValueError if it lies in none."""
    for key in sorted(TESTS, key=len, reverse=True):
        if room == key or room.startswith(f"{key}/"):
            return TESTS[key]
    raise ValueError(f"{room} lies in no room with tests; the rooms are {', '.join(TESTS)}")


def marks_of(room: str, slow: bool) -> str:
    """Return which of its tests run in a room, as `-m` of pytest takes it; empty for all."""
    return "" if slow else STAGED if room.startswith("bot/") else QUICK


def accepted(text: str) -> set[tuple[str, str, str]]:
    """Return the file, and the line before and after, of each mutant that makes no difference."""
    found, path, before = set(), "", ""
    for line in text.splitlines():
        mark, said = line[:2], line[2:]
        if mark == "@ ":
            path = said
        elif mark == "- ":
            before = said
        elif mark == "+ ":
            found.add((path, before, said))
    return found


class Copy:
    """A copy of the tree, in which the tests run against one mutant after another."""

    def __init__(self, source: Path, to: Path) -> None:
        """Copy the tree from `source` to `to`."""
        self._source, self._root = source, to
        self._failed: Counter[str] = Counter()
        shutil.copytree(source, to, ignore=NOT_COPIED)

    def passes(self, tests: Sequence[str], marks: str, limits: Sequence[float] = ()) -> bool:
        """Return whether all tests with these marks pass, each of `tests` within its limit in seconds."""
        for n, each in enumerate(tests):
            command = [sys.executable, "-m", "pytest", "-qx", "-n0", "-pno:cacheprovider", *each.split()]
            command += ["-m", marks]
            environment = os.environ | {"PYTHONPATH": str(self._root)}
            try:
                done = subprocess.run(
                    command,
                    check=False,
                    cwd=self._root,
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    timeout=limits[n] if limits else None,
                )
            except subprocess.TimeoutExpired:
                return False
            if done.returncode:
                if "-k" not in each:
                    self._failed.update(re.findall(r"^FAILED (tests/[^:]+)::", done.stdout, re.MULTILINE))
                return False
        return True

    def limits(self, tests: Sequence[str], marks: str) -> list[float]:
        """Return the limits for faulty runs, in seconds. Raises ValueError if tests fail without a fault."""
        found = []
        for each in tests:
            begun = time.monotonic()
            if not self.passes((each,), marks):
                raise ValueError(f"these tests fail without any fault: {each}")
            found.append(PATIENCE + 5 * (time.monotonic() - begun))
        return found

    def lives(self, mutant: Mutant, tests: Sequence[str], marks: str, limits: Sequence[float]) -> bool:
        """Return whether the tests pass against a mutant; files that noticed the most so far run first."""
        path = self._root / mutant.path
        first = [" ".join(each for each, _ in self._failed.most_common(_FIRST))] if self._failed else []
        try:
            self._write(path, mutant.source(self._source))
            return self.passes((*first, *tests), marks, (*[max(limits)] * len(first), *limits))
        finally:
            self._write(path, (self._source / mutant.path).read_bytes())

    def _write(self, path: Path, code: bytes) -> None:
        path.write_bytes(code)
        # Bytecode is told from source by its size and whole seconds only.
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, run, print what lives; return 1 if anything does."""
    parser = argparse.ArgumentParser(
        prog="make mutants", description="Plant faults, and list what no test notices."
    )
    parser.add_argument("--room", default="games/focus", help=f"a path in one of {', '.join(TESTS)}")
    parser.add_argument("--count", type=int, default=20, help="how many; 0 plants all")
    parser.add_argument("--seed", type=int, default=1, help="which ones are planted")
    parser.add_argument("--slow", action="store_true", help="run the slow tests too")
    given = parser.parse_args(arguments)
    known = accepted(ACCEPTED.read_text("utf-8"))
    try:
        tests, marks = tests_of(given.room), marks_of(given.room, given.slow)
        every = [each for path in files_of(given.room, ROOT) for each in mutants_of(path, ROOT)]
        planted = [each for each in every if (each.path, *each.lines(ROOT)[1:]) not in known]
        if given.count:
            planted = sorted(Random(given.seed).sample(planted, min(given.count, len(planted))))
        print(f"{len(every)} mutants in {given.room}; planting {len(planted)}, seed {given.seed}", flush=True)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copy is removed
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            copy = Copy(ROOT, Path(folder) / "tree")
            limits = copy.limits(tests, marks)
            alive = [each for each in planted if _judged(copy, each, tests, marks, limits)]
    except ValueError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 1
    print(f"{len(planted)} planted, {len(planted) - len(alive)} killed, {len(alive)} alive")
    return 1 if alive else 0


def _judged(copy: Copy, mutant: Mutant, tests: Sequence[str], marks: str, limits: Sequence[float]) -> bool:
    """Return whether a mutant lives; print it if it does."""
    lives = copy.lives(mutant, tests, marks, limits)
    if lives:
        line, before, after = mutant.lines(ROOT)
        print(f"{mutant.path}:{line}\n- {before}\n+ {after}", flush=True)
    return lives


if __name__ == "__main__":
    sys.exit(main())
