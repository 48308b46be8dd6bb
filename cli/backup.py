"""`dominium backup`: a consistent copy of the database while matches go on, checked before it is in place."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from cli.config import configuration
from cli.terminal import Sorry, out
from storage import StoreError, back_up, require_database


@click.command()
@click.argument("target", type=click.Path(path_type=Path), required=False)
@click.option(
    "--data", type=click.Path(path_type=Path), help="The database; by default, the one in the settings."
)
def command(target: Path | None, data: Path | None) -> None:
    """Copy the database to TARGET, a new file or a directory, while matches go on.

    It is a SQLite file, of a PostgreSQL database too. Without TARGET: a file with the date and time as its
    name, in the folder of DOMINIUM_BACKUPS.
    """
    source = data or configuration().store
    if target is None or (target.is_dir() and isinstance(source, str)):
        whole = _new_file(configuration().backup_folder if target is None else target)
    else:
        whole = target / source.name if target.is_dir() and isinstance(source, Path) else target
    try:
        if isinstance(source, Path):
            require_database(source)
        if whole.parent == configuration().backup_folder:
            _make(whole.parent)
        elif not whole.parent.is_dir():
            raise Sorry(f"There is no directory {whole.parent}: create it first.")
        back_up(source, whole)
    except FileExistsError as error:
        raise Sorry(f"{error}: choose another name, nothing is ever overwritten.") from None
    except (StoreError, OSError) as error:
        raise Sorry(str(error)) from error
    out().print(f"{whole}: {whole.stat().st_size / 1e6:,.1f} MB, checked")


def _new_file(folder: Path) -> Path:
    return folder / f"{datetime.now(UTC):%Y-%m-%dT%H%M%S}.sqlite3"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Sorry(f"{folder} can't be created: {error.strerror}") from error
