"""The database of an installation, a file or one of a PostgreSQL server, as the commands deal with it.

A backup is a SQLite file for both. What takes more than the standard library is done by an installed version.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from pathlib import Path

from deploy.databases import holder, loss, schema_of
from deploy.house import House, ReleaseError, UnfinishedError, say, stamp

_ASK = (
    "import json; from cli.config import configuration; c = configuration(); "
    "print(json.dumps([str(c.data.resolve()), str(c.backup_folder.resolve()), bool(c.database_url)]))"
)
"""What an installed version is asked: where its settings put the database and the backups."""


def database_of(house: House, release: str) -> Database:
    """Return the database that the settings name, in the hands of an installed version.

    The folder of its backups is made if it is missing. Raises ReleaseError.
    """
    data, folder, on_server = json.loads(house.python(release, "-c", _ASK).splitlines()[-1])
    backups = Path(folder)
    if not backups.is_dir():
        house.run("mkdir", "-p", backups)
    if on_server:
        return ServerDatabase(house, release, backups)
    return FileDatabase(house, release, backups, Path(data))


class Database(ABC):
    """What both have in common."""

    name: str
    """What to call it."""

    def __init__(self, house: House, release: str, backups: Path) -> None:
        self.house = house
        self.release = release
        self.backups = backups

    @abstractmethod
    def schema(self) -> int:
        """Return the number of its schema; 0 if there is none yet."""

    @abstractmethod
    def holder(self) -> str | None:
        """Return what uses it as a bot does; None if nothing does."""

    @abstractmethod
    def back_up(self, target: Path) -> None:
        """Write it into a new file. Raises ReleaseError; there is then no such file."""

    @abstractmethod
    def migrate(self) -> None:
        """Bring it up to the schema of the version. Raises ReleaseError."""

    @abstractmethod
    def whole(self, backup: Path) -> Path:
        """Return a whole copy of a backup, to be removed. Another file's log isn't in it."""

    @abstractmethod
    def put_back(self, backup: Path) -> None:
        """Put a backup in its place, while nobody uses it.

        Raises UnfinishedError if that isn't possible: it says where the backup is.
        """

    def set_aside(self) -> Path | None:
        """Return a whole copy of it among the backups; None if there is no database."""
        if not self.exists():
            return None
        copy = self.backups / f"undone-{stamp()}.sqlite3"
        self.back_up(copy)
        return copy

    def set_aside_as_it_is(self, why: ReleaseError) -> Path:
        """Return a copy among the backups of what can't be read. Raises `why` if there is nothing to copy."""
        raise why

    def exists(self) -> bool:
        """Return whether there is one."""
        return bool(self.schema())

    def differs_from(self, schema: int) -> bool:
        """Return whether its schema has another number, or can't be asked for."""
        try:
            return self.schema() != schema
        except ReleaseError:
            return True

    def lost(self, kept: Path | None, backup: Path) -> str:
        """Return what `kept`, a whole copy of it, has and a backup hasn't, as `loss` does."""
        if kept is None:
            return ""
        whole = self.whole(backup)
        try:
            return loss(kept, whole)
        finally:
            whole.unlink()

    def _unfinished(self, backup: Path, error: Exception) -> UnfinishedError:
        return UnfinishedError(
            f"{backup} could not be put in the place of {self.name}: {error}\nDo so before you start the bot."
        )


class FileDatabase(Database):
    """A SQLite file."""

    def __init__(self, house: House, release: str, backups: Path, path: Path) -> None:
        super().__init__(house, release, backups)
        self.path = path
        self.name = str(path)

    def exists(self) -> bool:
        """Return whether there is a file, which may be damaged."""
        return self.path.exists()

    def schema(self) -> int:
        """Return the number of its schema; 0 if there is none yet."""
        return schema_of(self.path)

    def holder(self) -> str | None:
        """Return the process that has it in use; None if none has."""
        owner = holder(self.path)
        return None if owner is None else f"process {owner}"

    def back_up(self, target: Path) -> None:
        """Write it into a new file. Raises ReleaseError; there is then no such file."""
        try:
            self.house.dominium(self.release, "backup", target, "--data", self.path)
        except ReleaseError:
            target.unlink(missing_ok=True)
            raise

    def migrate(self) -> None:
        """Bring it up to the schema of the version. Raises ReleaseError."""
        self.house.python(self.release, "-m", "storage", self.path)

    def whole(self, backup: Path) -> Path:
        """Return a whole copy of a backup, beside the database."""
        ready = self.path.with_name(f".{self.path.name}.restored")
        ready.unlink(missing_ok=True)
        self.house.dominium(self.release, "backup", ready, "--data", backup)
        return ready

    def put_back(self, backup: Path) -> None:
        """Put a backup in its place, while nobody uses it. Raises UnfinishedError."""
        try:
            self.whole(backup).replace(self.path)
            for end in ("-wal", "-shm", "-journal"):  # of the database that was replaced
                log = self.path.with_name(f"{self.path.name}{end}")
                if log.exists() and log.stat().st_size:
                    aside = log.replace(log.with_name(f"{log.name}.of-another-file-{stamp()}"))
                    say(f"{log} belonged to the database before, and is now {aside.name}.")
                log.unlink(missing_ok=True)
        except (ReleaseError, OSError) as error:
            raise self._unfinished(backup, error) from error

    def set_aside_as_it_is(self, why: ReleaseError) -> Path:
        """Return a copy of the file, with the logs beside it, among the backups."""
        copy = self.backups / f"undone-{stamp()}.sqlite3"
        for end in ("", "-wal", "-journal"):
            if (one := self.path.with_name(f"{self.path.name}{end}")).exists():
                self.house.run("cp", one, copy.with_name(f"{copy.name}{end}"))
        os.sync()
        return copy


class ServerDatabase(Database):
    """The PostgreSQL database of DATABASE_URL, which only an installed version can reach."""

    name = "the database of DATABASE_URL"

    def _state(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self._store("state").splitlines()[-1])
        return found

    def _store(self, *args: str | Path) -> str:
        return self.house.dominium(self.release, "store", *args)

    def schema(self) -> int:
        """Return the number of its schema; 0 if it is empty."""
        return int(str(self._state()["schema"]))

    def holder(self) -> str | None:
        """Return what uses it as a bot does; None if nothing does."""
        found = self._state()["holder"]
        return None if found is None else str(found)

    def back_up(self, target: Path) -> None:
        """Write it into a new file. Raises ReleaseError; there is then no such file."""
        self.house.dominium(self.release, "backup", target)

    def migrate(self) -> None:
        """Bring it up to the schema of the version: all steps or none. Raises ReleaseError."""
        self._store("migrate")

    def whole(self, backup: Path) -> Path:
        """Return a whole copy of a backup, in the folder of the backups."""
        ready = self.backups / ".restored"
        ready.unlink(missing_ok=True)
        self.house.dominium(self.release, "backup", ready, "--data", backup)
        return ready

    def put_back(self, backup: Path) -> None:
        """Put a backup in its place, in one transaction. Raises UnfinishedError."""
        try:
            self._store("load", backup)
        except ReleaseError as error:
            raise self._unfinished(backup, error) from error
