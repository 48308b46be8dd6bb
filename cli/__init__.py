"""The command `dominium`: one file per command, imported only when it is called.

Bad input ends with one sentence and exit code 2, never with a traceback.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Final

import click

COMMANDS: Final = {
    "run": "Start the bot, online or in the sandbox.",
    "sandbox": "Play on a local Discord in the browser: no token, no network.",
    "play": "Play GAME in this terminal.",
    "record": "Convert a record, or continue its match.",
    "replay": "Step through the match of RECORD.",
    "render": "Draw a position, or animate a match.",
    "story": "Tell the story of a finished match.",
    "analyse": "Analyse a finished match.",
    "hint": "Give a hint for a position of a record.",
    "dice": "Count the dice of a match.",
    "verify": "Check checksum, rules and dice of a record.",
    "perft": "Count the move tree of GAME, depth by depth.",
    "contest": "Let two levels of computers play each other.",
    "strengths": "Print how strong a game's computers are, by contests.",
    "tune": "Tune what a game's computers look at, by playing.",
    "solve": "Compute the exact values of a game.",
    "puzzles": "Find puzzles for people to solve.",
    "bench": "Measure speed and memory; all PARTS by default.",
    "backup": "Copy the database to a new file, while matches go on.",
    "restore": "Put a backup in the database's place.",
    "archive": "Write the records of finished matches into a zip file.",
    "store": "Copy everything from one database to another.",
    "ratings": "Compute ratings again from the logs.",
    "privacy": "Export or erase what is stored about a person.",
    "exclude": "Exclude people or servers from the whole bot.",
    "servers": "List the bot's servers, or leave one.",
    "errors": "Show or clear the unexpected errors.",
    "maps": "Add, list and remove a server's maps.",
    "doctor": "Check the set-up: what is wrong, and what to do.",
    "rehearse": "Try on the real Discord what the bot believes of it.",
}
"""Commands in the order of the help, with its words; each is `command` in the module of its name."""

NOT_ON_WINDOWS = (
    "Dominium runs on Linux and macOS; on Windows, run it inside WSL, which `wsl --install` sets up."
)


class NotHere(click.ClickException):
    """This system lacks what every command is built on."""

    exit_code = 2


class Lazy(click.Group):
    """A click group that imports a command only when it is used, so that none waits for others' libraries."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what every call begins with.

        Raises NotHere on a system without record locks, which is Windows.
        """
        if find_spec("fcntl") is None:
            raise NotHere(NOT_ON_WINDOWS)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"cli.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"cli.{cmd_name} has no command")
        command.short_help = COMMANDS[cmd_name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="dominium", message="%(prog)s %(version)s")
def main() -> None:
    """Strategy games of dominion, hosted in Discord, played in a terminal, proved on paper."""
