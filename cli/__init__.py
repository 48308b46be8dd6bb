"""The command `dominium`: one file per command, imported only when it is called.

Bad input ends with one sentence and exit code 2, never with a traceback.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import click

COMMANDS = (
    "run", "sandbox", "play", "record", "replay", "render", "story", "analyse", "hint", "dice", "verify",
    "perft", "contest", "tune", "solve", "puzzles", "bench", "backup", "restore",
    "archive", "store", "ratings", "privacy", "exclude", "servers", "errors", "maps", "doctor", "rehearse",
)  # fmt: skip
"""Commands in the order of the help; each is `command` in the module of its name."""

NOT_ON_WINDOWS = (
    "Dominium runs on Linux and macOS; on Windows, run it inside WSL, which `wsl --install` sets up."
)


class NotHere(click.ClickException):
    """This system lacks what every command is built on."""

    exit_code = 2


class Lazy(click.Group):
    """A click group that imports a command only when it is used, so that none waits for others' libraries."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, or None. Every call comes here, a bare one for the help's sake.

        Raises NotHere on a system without record locks, which is Windows.
        """
        if find_spec("fcntl") is None:
            raise NotHere(NOT_ON_WINDOWS)
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"cli.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"cli.{cmd_name} has no command")
        return command


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="dominium", message="%(prog)s %(version)s")
def main() -> None:
    """Strategy games of dominion, hosted in Discord, played in a terminal, proved on paper."""
