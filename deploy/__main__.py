"""Install, upgrade, roll back and restore a Dominium that runs from this checkout.

    python3 -m deploy upgrade             install this checkout and switch to it
    python3 -m deploy rollback            go back to the version before, and say what is lost
    python3 -m deploy restore FILE        put a backup in the database's place; --drill only tries it
    python3 -m deploy list                the changes so far

Each version is installed into an environment of its own, `releases/NAME`; the link `current` says which one
is in use, and the systemd unit starts what it points to. `releases/journal.json` records each change with the
backup that was made before it. Settings and data stay where `.env` says.

Whatever fails, the version and the database from before are in use afterwards, and the exit code is 1. With
`--service dominium` the bot is stopped and started by systemctl, as late and as briefly as possible; without
it, stop the bot yourself. Run it as the owner of the checkout, who calls systemctl by sudo.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

from deploy.house import House, ReleaseError, UnfinishedError, say
from deploy.release import restore, rollback, upgrade


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = argparse.ArgumentParser(
        "python3 -m deploy", description="Install, upgrade, roll back and restore Dominium."
    )
    line.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help="the checkout")
    line.add_argument("--service", default="", help="the systemd service to stop and start")
    verbs = line.add_subparsers(dest="verb", required=True)
    verbs.add_parser("upgrade", help="install this checkout and switch to it")
    back = verbs.add_parser("rollback", help="go back to the version before")
    again = verbs.add_parser("restore", help="put a backup in the database's place")
    again.add_argument("backup", type=Path)
    again.add_argument("--drill", action="store_true", help="only try whether it could be restored")
    for verb in (back, again):
        verb.add_argument("--accept-loss", action="store_true", help="go on even if moves are lost")
    verbs.add_parser("list", help="the installed versions")
    return line


def main(args: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit code."""
    chosen = parser().parse_args(args)
    house = House(chosen.root, chosen.service)
    try:
        house.require_owner()
        match chosen.verb:
            case "upgrade":
                upgrade(house, house.root)
            case "rollback":
                rollback(house, accept_loss=chosen.accept_loss)
            case "restore":
                restore(house, chosen.backup, drill=chosen.drill, accept_loss=chosen.accept_loss)
            case _:
                for each in house.journal():
                    say(f"{each.at} {each.after}{' (in use)' if each.after == house.in_use() else ''}")
    except UnfinishedError as error:
        say(str(error))
        return 1
    except (ReleaseError, OSError, sqlite3.Error) as error:
        say(f"Nothing was changed. {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
