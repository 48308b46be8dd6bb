"""The group: every command is there, says what it does, and fails with one sentence and exit code 2."""

from __future__ import annotations

import os
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
    assert "..." not in output.partition("Commands:")[2], "a short help is too long to be read"


def test_an_unknown_command_is_named(run: Run) -> None:
    result = run("conquer")
    assert result.exit_code == 2
    assert "conquer" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("module", ["cli", "dominium"])
def test_the_modules_are_the_command(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("dominium 0.")


@pytest.mark.slow
def test_a_terminal_without_unicode_gets_plain_signs() -> None:
    old = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    done = subprocess.run(
        [sys.executable, "-m", "dominium", "play", "focus", "--seed", "01"],
        input="b2-b3\n",
        capture_output=True,
        text=True,
        check=True,
        env=old,
    )
    assert "[RG]" in done.stdout
    assert done.stdout.isascii()
    assert done.stderr == ""
