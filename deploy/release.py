"""Upgrade, rollback and restore, each in steps that leave everything as it was if one of them fails."""

from __future__ import annotations

import shutil
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from deploy.databases import schema_of
from deploy.house import Change, House, ReleaseError, now, say, stamp
from deploy.kept import Database, database_of

KEPT_DAYS = 14
"""As long as docs/self-hosting.md keeps the nightly backups."""


def pip_install(house: House, source: Path, target: Path) -> None:
    """Install a checkout, with exactly the libraries whose checksums it has, into a new environment."""
    house.run(sys.executable, "-m", "venv", target)
    pip = (target / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    house.run(*pip, "--require-hashes", "-r", source / "requirements.txt")
    house.run(*pip, "--no-deps", "--no-build-isolation", source)


Install = Callable[[House, Path, Path], None]


def upgrade(house: House, source: Path, install: Install = pip_install) -> str:
    """Install a version, try it on a copy of the database, then back up, migrate, check and switch.

    Return its name. Raises ReleaseError; the version and the database from before are then in use.
    """
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, before = f"{project['version']}-{stamp()}", house.in_use()
    with house.alone():
        target = house.releases / name
        try:
            remove_versions(house)
            say(f"1. Install {name}. The bot runs on meanwhile.")
            install(house, source, target)
            say("2. Try it on a copy of the database: migrate, replay every log.")
            house.examine(name, "--logs")
            database = database_of(house, name)
            with house.stopped(database.holder):
                _take_over(house, database, before)
        except BaseException:
            if house.in_use() != name:
                shutil.rmtree(target, ignore_errors=True)
            raise
        say(f"{name} is in use.")
        remove_versions(house)
        remove_backups(house, database.backups)
    return name


def _take_over(house: House, database: Database, before: str) -> None:
    """Back up, migrate, check and switch, while no bot runs; or leave everything as it was."""
    name = database.release
    backup = database.backups / f"before-{name}.sqlite3" if database.exists() else None
    if backup is None:
        say("3. There is no database yet, so nothing to back up and migrate.")
    else:
        say(f"3. Back up to {backup}, and migrate.")
        database.back_up(backup)
    change = Change(now(), before, name, str(backup or ""), schema_of(backup) if backup else 0)
    schema, killed = change.schema, house.killed()
    if killed is not None and killed.before == before and killed.schema != schema and backup is not None:
        say(f"An upgrade to {killed.after} was killed after its migration: a rollback uses its backup.")
        change = replace(change, backup=killed.backup, schema=killed.schema)
    with house.begun(change):
        try:
            if backup is not None:
                database.migrate()
            say("4. Check, and switch.")
            house.examine(name)
            house.switch(name, change)
        except BaseException:
            if backup is not None and database.differs_from(schema):
                say("That failed: the backup is put back.")
                database.put_back(backup)
            raise


def rollback(house: House, *, accept_loss: bool = False) -> str:
    """Go back to the version before, with its backup if it can't read the database; return its name.

    Raises ReleaseError if there is none, or if something would be lost and that isn't accepted.
    """
    with house.alone():
        name = house.in_use()
        found = (each for each in reversed(house.journal()) if each.after == name and each.before)
        change = next(found, None)
        if change is None or not (house.releases / change.before).is_dir():
            raise ReleaseError("There is no earlier version to go back to.")
        database = database_of(house, name)
        with house.stopped(database.holder):
            _go_back(house, database, change, accept_loss=accept_loss)
    say(f"{change.before} is in use.")
    return change.before


def _go_back(house: House, database: Database, change: Change, *, accept_loss: bool) -> None:
    kept = database.set_aside() if change.backup else None
    needs_backup = bool(change.backup) and (schema_of(kept) if kept else 0) != change.schema
    if needs_backup:
        backup = Path(change.backup)
        if not backup.exists():
            raise ReleaseError(f"{change.before} needs its backup, and {backup} is gone.")
        lost = database.lost(kept, backup)
        if kept and lost and not accept_loss:
            kept.unlink()
            raise ReleaseError(f"{change.before} needs its backup: {lost} To do so, add --accept-loss.")
        say(f"{lost or 'Nothing is lost.'} The database as it was: {kept}")
    else:
        if kept:
            kept.unlink()
            kept = None
        say("The database fits both versions, and stays: nothing is lost.")
    try:
        if needs_backup:
            database.put_back(Path(change.backup))
        house.examine(change.before, "--logs")
        back = Change(now(), "", change.before, str(kept or ""), database.schema())
        house.switch(change.before, back)
    except BaseException:
        if kept is not None:
            database.put_back(kept)
        raise


def restore(house: House, backup: Path, *, drill: bool = False, accept_loss: bool = False) -> None:
    """Check a backup whole, in a scratch file; then put it in the database's place, unless it is a drill.

    Raises ReleaseError if the backup is no good, or if something would be lost and that isn't accepted.
    """
    name = house.in_use()
    if not name:
        raise ReleaseError("No version is in use. Install one first: python3 -m deploy upgrade")
    house.examine(name, "--logs", "--data", backup.resolve())
    say(f"{backup}: whole, and every log replays.")
    if drill:
        return
    with house.alone():
        database = database_of(house, name)
        with house.stopped(database.holder):
            _replace(house, database, backup.resolve(), accept_loss=accept_loss)


def _replace(house: House, database: Database, backup: Path, *, accept_loss: bool) -> None:
    try:
        kept = database.set_aside()  # the version looks at what lies beside the database
    except ReleaseError as error:
        lost = f"{database.name} can't be read, so what is lost can't be told."
        if not accept_loss:
            raise ReleaseError(f"{error}\n{lost} To do so, add --accept-loss.") from error
        kept = database.set_aside_as_it_is(error)
    else:
        lost = database.lost(kept, backup)
        if kept and lost and not accept_loss:
            kept.unlink()
            raise ReleaseError(f"{lost} To do so, add --accept-loss.")
    try:
        database.put_back(backup)
        house.examine(database.release)
    except BaseException:
        if kept is not None:
            database.put_back(kept)
        raise
    say(f"{lost or 'Nothing is lost.'} The database as it was: {kept or 'there was none'}")


# --- what earlier versions leave behind: environments of 175 MB each, and backups before upgrades ---------


def needed(house: House) -> set[str]:
    """Return the versions to keep: the one in use, the one in use before, and the one to go back to."""
    journal, name = house.journal(), house.in_use()
    back = (each.before for each in reversed(journal) if each.after == name and each.before)
    return {name, *(each.after for each in journal[-2:]), next(back, "")} - {""}


def remove_versions(house: House) -> None:
    """Remove all other versions, and what a killed upgrade has left half installed; say which."""
    keep = needed(house)
    for one in sorted(house.releases.iterdir()):
        if one.is_dir() and one.name not in keep:
            shutil.rmtree(one)
            say(f"Removed {one.name}: it isn't needed to go back.")


def remove_backups(house: House, backups: Path) -> None:
    """Remove old backups of upgrades that nobody can go back over now; say which."""
    keep, oldest = needed(house), time.time() - KEPT_DAYS * 86_400
    used = {
        Path(each.backup) for each in house.journal() if {each.before, each.after} <= keep and each.backup
    }
    for one in sorted(backups.glob("before-*.sqlite3")):
        if one not in used and one.stat().st_mtime < oldest:
            one.unlink()
            say(f"Removed {one}: older than {KEPT_DAYS} days, and no version that is kept goes back to it.")
