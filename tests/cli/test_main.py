"""The group: every command is there, says what it does, and fails with one sentence and exit code 2."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cli import COMMANDS
from tests.cli.conftest import Run


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f" {name} " in result.output.splitlines()[0] + " "


def test_the_help_lists_every_command(run: Run) -> None:
    output = run("--help").output
    assert [name for name in COMMANDS if f"\n  {name} " not in output] == []


def test_an_unknown_command_is_named(run: Run) -> None:
    result = run("conquer")
    assert result.exit_code == 2
    assert "conquer" in result.output


@pytest.mark.parametrize("module", ["cli", "dominium"])
def test_the_modules_are_the_command(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("dominium 0.")
