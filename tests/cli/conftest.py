"""A terminal for tests: run a command as a user would, and look at what it says."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import check_machine, main
from cli.findings import Finding

Run = Callable[..., Result]
DEAR = {name: getattr(check_machine, name) for name in ("pictures", "teaching")}
"""Checks of the doctor that take long and find the same each time."""


@cache
def checked(name: str) -> tuple[Finding, ...]:
    """Return what one of them finds."""
    return tuple(DEAR[name]())


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder without the `.env` of somebody's own bot."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("perft", "focus", stdin="...")`: exceptions of ours are not swallowed, exits are."""

    for name in DEAR:
        monkeypatch.setattr(check_machine, name, lambda name=name: iter(checked(name)))

    def command(*args: object, stdin: str | None = None, env: dict[str, str] | None = None) -> Result:
        return CliRunner().invoke(
            main, [str(arg) for arg in args], input=stdin, env=env, catch_exceptions=False
        )

    return command
