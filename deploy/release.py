"""Upgrade, rollback and restore, each in steps that leave everything as it was if one of them fails."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from deploy.databases import loss, schema_of
from deploy.house import Change, House, ReleaseError, now, say, stamp


def pip_install(house: House, source: Path, target: Path) -> None:
    """Install a checkout with the exact libraries of its constraints into a new environment."""
    house.run(sys.executable, "-m", "venv", target)
    pip = (target / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    house.run(*pip, "-c", source / "constraints.txt", f"{source}[sandbox]")


Install = Callable[[House, Path, Path], None]


def upgrade(house: House, source: Path, install: Install = pip_install) -> str:
    """Install a version, try it on a copy of the database, then back up, migrate, check and switch.

    Return its name. Raises ReleaseError; the version and the database from before are then in use.
    """
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, before = f"{project['version']}-{stamp()}", house.in_use()
    house.run("mkdir", "-p", house.releases)
    target = house.releases / name
    try:
        say(f"1. Install {name}. The bot runs on meanwhile.")
        install(house, source, target)
        say("2. Try it on a copy of the database: migrate, replay every log.")
        house.examine(name, "--logs")
        data, backups = house.places(name)
        with house.stopped(data):
            _take_over(house, name, before, data, backups)
    except BaseException:
        if house.in_use() != name:
            shutil.rmtree(target, ignore_errors=True)
        raise
    say(f"{name} is in use.")
    return name


def _take_over(house: House, name: str, before: str, data: Path, backups: Path) -> None:
    """Back up, migrate, check and switch, while no bot runs; or leave everything as it was."""
    backup = backups / f"before-{name}.sqlite3" if data.exists() else None
    if backup is None:
        say("3. There is no database yet, so nothing to back up and migrate.")
    else:
        say(f"3. Back up to {backup}, and migrate.")
        house.dominium(name, "backup", backup, "--data", data)
    schema = schema_of(backup) if backup else 0
    try:
        if backup is not None:
            house.python(name, "-m", "storage", data)
        say("4. Check, and switch.")
        house.examine(name)
        house.switch(name, Change(now(), before, name, str(backup or ""), schema))
    except BaseException:
        if backup is not None and schema_of(data) != schema:
            say("That failed: the backup is put back.")
            house.put_back(name, backup, data)
        raise


def rollback(house: House, *, accept_loss: bool = False) -> str:
    """Go back to the version before, with its backup if it can't read the database; return its name.

    Raises ReleaseError if there is none, or if something would be lost and that isn't accepted.
    """
    name = house.in_use()
    change = next((each for each in reversed(house.journal()) if each.after == name and each.before), None)
    if change is None or not (house.releases / change.before).is_dir():
        raise ReleaseError("There is no earlier version to go back to.")
    data, backups = house.places(name)
    with house.stopped(data):
        kept = house.set_aside(name, data, backups) if change.backup else None
        needs_backup = bool(change.backup) and (schema_of(kept) if kept else 0) != change.schema
        if needs_backup:
            lost = _lost(house, name, kept, Path(change.backup), data)
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
                house.put_back(name, Path(change.backup), data)
            house.examine(change.before, "--logs")
            house.switch(change.before, Change(now(), "", change.before, str(kept or ""), schema_of(data)))
        except BaseException:
            if kept is not None:
                house.put_back(name, kept, data)
            raise
    say(f"{change.before} is in use.")
    return change.before


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
    data, backups = house.places(name)
    with house.stopped(data):
        try:
            kept = house.set_aside(name, data, backups)  # the version looks at what lies beside the database
        except ReleaseError as error:
            lost = f"{data} can't be read, so what is lost can't be told."
            if not accept_loss:
                raise ReleaseError(f"{error}\n{lost} To do so, add --accept-loss.") from error
            kept = house.set_aside_as_it_is(data, backups)
        else:
            lost = _lost(house, name, kept, backup.resolve(), data)
            if kept and lost and not accept_loss:
                kept.unlink()
                raise ReleaseError(f"{lost} To do so, add --accept-loss.")
        try:
            house.put_back(name, backup.resolve(), data)
            house.examine(name)
        except BaseException:
            if kept is not None:
                house.put_back(name, kept, data)
            raise
    say(f"{lost or 'Nothing is lost.'} The database as it was: {kept or 'there was none'}")


def _lost(house: House, name: str, kept: Path | None, backup: Path, data: Path) -> str:
    """Return what `loss` does, of whole copies: no log beside a file is mixed into it."""
    if kept is None:
        return ""
    whole = house.whole(name, backup, data)
    try:
        return loss(kept, whole)
    finally:
        whole.unlink()
