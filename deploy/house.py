"""A checkout with its installed versions: `releases/NAME`, the link `current`, and the journal of changes."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pwd
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path


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
        self._begun = self.releases / "begun.json"
        self._service = service

    def require_owner(self) -> None:
        """Raise ReleaseError for root in another's checkout: what the other can change would run as root."""
        owner = self.root.stat().st_uid
        if os.geteuid() or not owner:
            return
        name = pwd.getpwuid(owner).pw_name
        raise ReleaseError(
            f"{self.root} belongs to {name}, and root shouldn't run what {name} can change. Run the same "
            f"command as {name}: sudo -u {name} python3 -m deploy ... It stops and starts the service by "
            "sudo; docs/self-hosting.md (Updates) has the line that allows just that."
        )

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Let no second command work on the same checkout. Raises ReleaseError while one does."""
        self.run("mkdir", "-p", self.releases)
        with (self.releases / ".lock").open("a", encoding="ascii") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise ReleaseError(
                    "Another python3 -m deploy is working here. Wait until it ends."
                ) from error
            yield

    # --- commands -------------------------------------------------------------------------------------

    def run(self, *command: str | Path) -> str:
        """Run a command in the checkout; return what it prints. Raises ReleaseError."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
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

    def _systemctl(self, verb: str) -> None:
        command = [*(() if os.geteuid() == 0 else ("sudo", "-n")), "systemctl", verb, self._service]
        say(" ".join(command))
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise ReleaseError(f"systemctl {verb} {self._service} failed: {error}") from error

    @contextlib.contextmanager
    def stopped(self, holder: Callable[[], str | None]) -> Iterator[None]:
        """Stop the service, and start it again whatever happens. Without one, refuse while a bot runs.

        `holder` returns what uses the database.

        Raises ReleaseError while a bot runs, UnfinishedError if the service doesn't start again.
        """
        if self._service:
            self._systemctl("stop")
        try:
            if (owner := holder()) is not None:
                raise ReleaseError(f"A bot is running ({owner}). Stop it first, or name its --service.")
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

    def killed(self) -> Change | None:
        """Return the change that was begun last, if it was killed before it was undone or in use."""
        if not self._begun.exists():
            return None
        return Change(**json.loads(self._begun.read_text(encoding="utf-8")))

    @contextlib.contextmanager
    def begun(self, change: Change) -> Iterator[None]:
        """Keep a note of a change until it is in use or undone: only a kill leaves the note."""
        text = json.dumps(asdict(change))
        self._replace(self._begun, lambda new: new.write_text(text, encoding="utf-8"))
        try:
            yield
        except UnfinishedError:
            raise
        except BaseException:
            self._begun.unlink()
            raise
        self._begun.unlink()

    def _write_journal(self, changes: Sequence[Change]) -> None:
        text = json.dumps([asdict(each) for each in changes], indent=1)
        self._replace(self._journal, lambda new: new.write_text(text, encoding="utf-8"))

    def _replace(self, path: Path, make: Callable[[Path], object]) -> None:
        new = path.with_name(f".{path.name}.new")
        new.unlink(missing_ok=True)
        make(new)
        new.replace(path)
