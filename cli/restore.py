"""`dominium restore`: put a backup in the database's place, checked first, and keep what was there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from cli.config import configuration
from cli.terminal import Sorry, out
from storage import StoreError, TakenError, restore_database, restore_file


@click.command()
@click.argument("backup", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--data", type=click.Path(path_type=Path), help="The database; by default, the one in the settings."
)
@click.option("--wait", is_flag=True, help="If the bot is running, wait until it has stopped.")
@click.option("--accept-loss", is_flag=True, help="Go on even if moves are lost.")
def command(backup: Path, data: Path | None, *, wait: bool, accept_loss: bool) -> None:
    """Put FILE, which `dominium backup` has made, in the place of the database.

    The bot has to be stopped. The backup is checked first, and what was there is kept among the backups.
    """
    config = configuration() if data is None else replace(configuration(), data=data, database_url="")
    place = config.store
    if wait:
        out().print("Waiting until the bot has stopped, if it is running. Ctrl-C changes nothing.")
    try:
        if isinstance(place, str):
            done = restore_database(backup, place, config.backup_folder, accept_loss=accept_loss, wait=wait)
        else:
            done = restore_file(backup, place, config.backup_folder, accept_loss=accept_loss, wait=wait)
    except TakenError as error:
        raise Sorry(
            f"Nothing was changed. {error} With --wait this command goes on as soon as the bot has stopped."
        ) from error
    except (StoreError, OSError) as error:
        raise Sorry(f"Nothing was changed. {error}") from error
    out().print(f"{done.lost or 'Nothing is lost.'} The database as it was: {done.kept or 'there was none'}")
    name = place if isinstance(place, Path) else "The database of DATABASE_URL"
    out().print(f"{name} is now {backup}. Start the bot.")
