"""Golden records: where they are, and `python -m tests.laws.golden KEY`, which writes missing ones.

A golden is a whole match in which each action is the one with the best evaluation. It is never written again:
if new code reads an old golden differently, the rules of the game have changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from games.engine import registry
from games.engine.record import export
from tests.laws.courses import Case, course, every_case

TESTS = Path(__file__).parents[1]


def folder(key: str) -> Path:
    """Return `tests/games/<key>/golden`, or `golden` in the game's own folder if that is in the tests."""
    package = registry.package(key).split(".")
    return TESTS.joinpath(*package[1:] if package[0] == "tests" else ("games", key), "golden")


def write(key: str) -> list[Path]:
    """Write a record for each case of the game that has none yet, and return their paths."""
    made = []
    for case in every_case():
        path = folder(case.key) / f"{_name(case)}.txt"
        if case.key == key and not case.rules and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(export(course(case, "best").log, {"Event": "Golden match"}), "utf-8")
            made.append(path)
    return made


def _name(case: Case) -> str:
    """Return `4-partners` for four seats and one option not at its default; `2-v2` under version 2."""
    defaults = {option.key: option.default for option in case.game.options}
    changed = [
        key if value is True else f"{key}-{value}" for key, value in case.options if value != defaults[key]
    ]
    version = [f"v{case.game.rules}"] if case.game.rules > 1 else []
    return "-".join([str(case.seats), *changed, *version])


if __name__ == "__main__":
    import tests.conftest  # noqa: F401  # seats the toy game

    for each in write(sys.argv[1]):
        print(each)
