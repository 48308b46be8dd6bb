"""The group: every command is there, says what it does, and fails with one sentence and exit code 2."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli import COMMANDS, NOT_ON_WINDOWS
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


def test_the_help_waits_for_no_command() -> None:
    """A new process lists the commands without what they are built on."""
    listing = "import sys; from cli import main; main(['-h'], standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True)
    *_, modules = done.stdout.splitlines()
    rooms = {name.partition(".")[0] for name in modules.split()}
    assert "cli" in rooms
    assert rooms.isdisjoint({"bot", "discord", "games", "matches", "render", "storage"})


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


# What Windows lacks, hidden from a new process; then the command is run, as a module or a script.
_HIDE = """
import runpy, sys
for name in ("fcntl", "termios", "pwd", "grp", "resource", "readline", "syslog"):
    sys.modules[name] = None
how, what, *sys.argv[1:] = sys.argv[1:]
getattr(runpy, how)(what, run_name="__main__")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "args"),
    [("dominium", ()), ("dominium", ("run",)), ("cli", ("--help",)), ("script", ("sandbox",))],
)
def test_on_windows_one_sentence_names_the_way_in(how: str, args: tuple[str, ...]) -> None:
    script = Path(sys.executable).with_name("dominium")
    start = ("run_path", str(script)) if how == "script" else ("run_module", how)
    done = subprocess.run(
        [sys.executable, "-c", _HIDE, *start, *args], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"Error: {NOT_ON_WINDOWS}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_is_left_to_fail_on_windows(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    result = run(name, "--help")
    assert (result.exit_code, result.output) == (2, f"Error: {NOT_ON_WINDOWS}\n")


def test_the_readme_names_the_same_way_in() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"`.+?`", NOT_ON_WINDOWS)
    (part,) = [part for part in readme.split("\n\n") if "Windows" in part]
    assert command in part
    assert "inside WSL" in part


@pytest.mark.slow
def test_a_terminal_without_unicode_gets_plain_signs() -> None:
    # The terminal's encoding alone: with that of paths, Python itself fails in a folder with an umlaut.
    old = os.environ | {"PYTHONIOENCODING": "ascii"}
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
