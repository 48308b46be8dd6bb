"""A terminal for tests: run a command as a user would, and look at what it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder without the `.env` of somebody's own bot."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run() -> Run:
    """`run("perft", "focus", stdin="...")`: exceptions of ours are not swallowed, exits are."""

    def command(*args: object, stdin: str | None = None, env: dict[str, str] | None = None) -> Result:
        return CliRunner().invoke(
            main, [str(arg) for arg in args], input=stdin, env=env, catch_exceptions=False
        )

    return command
