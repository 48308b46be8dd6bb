"""A checkout with its installed versions: `releases/NAME`, the link `current`, and the journal of changes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from deploy.databases import holder

_ASK = (
    "import json; from cli.config import configuration as c; "
    "print(json.dumps([str(c().data.resolve()), str(c().backup_folder.resolve())]))"
)
"""What an installed version is asked: where its settings put the database and the backups."""


class ReleaseError(Exception):
    """Raised if something can't be done; the text says why. Everything is then as it was before."""


class UnfinishedError(ReleaseError):
    """Raised if something is left that the operator has to do; the text says what."""


@dataclass(frozen=True)
class Change:
    """A line of the journal: a switch from one version to another, and the backup made before it."""

    at: str
    before: str
    after: str
    backup: str
    """Empty if there was no database."""
    schema: int
    """The number of the database's schema before the change."""


def say(text: str) -> None:
    """Print one line at once."""
    print(text, flush=True)


def now() -> str:
    """Return the time, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def stamp() -> str:
    """Return the time as part of a name."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")[:-3]


class House:
    """A checkout with its installed versions, and the service that runs one of them, if any."""

    def __init__(self, root: Path, service: str = "") -> None:
        self.root = root.resolve()
        self.releases = self.root / "releases"
        self.current = self.root / "current"
        self._journal = self.releases / "journal.json"
        self._service = service
        owner = self.root.stat()
        self._owner: dict[str, Any] = {}
        if os.geteuid() == 0 and owner.st_uid != 0:
            self._owner = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}

    # --- commands -------------------------------------------------------------------------------------

    def run(self, *command: str | Path) -> str:
        """Run a command as the owner, in the checkout; return what it prints. Raises ReleaseError."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            **self._owner,
        )
        printed: str = done.stdout
        if done.returncode:
            raise ReleaseError(f"{' '.join(map(str, command[:3]))} failed:\n{printed.strip()}")
        return printed

    def dominium(self, release: str, *args: str | Path) -> str:
        """Run `dominium` of an installed version."""
        return self.run(self.releases / release / "bin" / "dominium", *args)

    def python(self, release: str, *args: str | Path) -> str:
        """Run the Python of an installed version, which finds nothing of the checkout."""
        return self.run(self.releases / release / "bin" / "python", "-P", *args)

    def examine(self, release: str, *args: str | Path) -> None:
        """Run the doctor of an installed version. Raises ReleaseError with the lines that fail."""
        try:
            self.dominium(release, "doctor", "--offline", *args)
        except ReleaseError as error:
            failed = [line for line in str(error).splitlines() if not line.startswith(("ok", "warn"))]
            raise ReleaseError("\n".join(failed)) from error

    def places(self, release: str) -> tuple[Path, Path]:
        """Return the database and the folder of the backups, which is made if it is missing."""
        answer = self.python(release, "-c", _ASK).splitlines()[-1]
        data, backups = map(Path, json.loads(answer))
        if not backups.is_dir():
            self.run("mkdir", "-p", backups)
        return data, backups

    def _systemctl(self, verb: str) -> None:
        say(f"systemctl {verb} {self._service}")
        try:
            subprocess.run(["systemctl", verb, self._service], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise ReleaseError(f"systemctl {verb} {self._service} failed: {error}") from error

    @contextlib.contextmanager
    def stopped(self, data: Path) -> Iterator[None]:
        """Stop the service, and start it again whatever happens. Without one, refuse while a bot runs."""
        if self._service:
            self._systemctl("stop")
        try:
            if (owner := holder(data)) is not None:
                raise ReleaseError(
                    f"A bot is running (process {owner}). Stop it first, or name its --service."
                )
            yield
        finally:
            if self._service:
                try:
                    self._systemctl("start")
                except ReleaseError as error:
                    raise UnfinishedError(
                        f"{error}. Look into its log: journalctl -u {self._service}"
                    ) from error

    # --- versions -------------------------------------------------------------------------------------

    def in_use(self) -> str:
        """Return the name of the version in use; empty if there is none."""
        return self.current.readlink().name if self.current.is_symlink() else ""

    def journal(self) -> list[Change]:
        """Return the changes so far, oldest first."""
        if not self._journal.exists():
            return []
        return [Change(**line) for line in json.loads(self._journal.read_text(encoding="utf-8"))]

    def switch(self, release: str, change: Change) -> None:
        """Make a version the current one, in one step, and record the change."""
        before = self.journal()
        self._write_journal([*before, change])
        try:
            self._replace(self.current, lambda new: new.symlink_to(Path("releases") / release))
        except OSError:
            self._write_journal(before)
            raise

    def _write_journal(self, changes: Sequence[Change]) -> None:
        text = json.dumps([asdict(each) for each in changes], indent=1)
        self._replace(self._journal, lambda new: new.write_text(text, encoding="utf-8"))

    def _replace(self, path: Path, make: Callable[[Path], object]) -> None:
        new = path.with_name(f".{path.name}.new")
        new.unlink(missing_ok=True)
        make(new)
        if self._owner:
            os.lchown(new, self._owner["user"], self._owner["group"])
        new.replace(path)

    def whole(self, release: str, backup: Path, data: Path) -> Path:
        """Return a whole copy of a backup, beside the database. Another file's log isn't in it."""
        ready = data.with_name(f".{data.name}.restored")
        ready.unlink(missing_ok=True)
        self.dominium(release, "backup", ready, "--data", backup)
        return ready

    def put_back(self, release: str, backup: Path, data: Path) -> None:
        """Put a backup in the place of a database that nobody uses.

        Raises UnfinishedError if that isn't possible: it says where the backup is.
        """
        try:
            self.whole(release, backup, data).replace(data)
            for end in ("-wal", "-shm", "-journal"):  # of the database that was replaced
                if (log := data.with_name(f"{data.name}{end}")).exists() and log.stat().st_size:
                    aside = log.replace(log.with_name(f"{log.name}.of-another-file-{stamp()}"))
                    say(f"{log} belonged to the database before, and is now {aside.name}.")
                log.unlink(missing_ok=True)
        except (ReleaseError, OSError) as error:
            text = (
                f"{backup} could not be put in the place of {data}: {error}\nDo so before you start the bot."
            )
            raise UnfinishedError(text) from error

    def set_aside(self, release: str, data: Path, backups: Path) -> Path | None:
        """Return a whole copy of the database among the backups; None if there is no database."""
        if not data.exists():
            return None
        copy = backups / f"undone-{stamp()}.sqlite3"
        try:
            self.dominium(release, "backup", copy, "--data", data)
        except ReleaseError:
            copy.unlink(missing_ok=True)
            raise
        return copy

    def set_aside_as_it_is(self, data: Path, backups: Path) -> Path:
        """Return a copy of a database that can't be read, with the logs beside it, among the backups."""
        copy = backups / f"undone-{stamp()}.sqlite3"
        for end in ("", "-wal", "-journal"):
            if (one := data.with_name(f"{data.name}{end}")).exists():
                self.run("cp", one, copy.with_name(f"{copy.name}{end}"))
        os.sync()
        return copy
