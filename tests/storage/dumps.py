"""Kill, dump, restore: what people do to a PostgreSQL database, in every order, by a seed.

The law is that of `copies`: what a start finds is exactly one state that was committed, and where it is clear
which one was meant, it is that one; a restore into a database that is in use, or from half a dump, changes
nothing.
"""

from __future__ import annotations

import random
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from storage.postgres.target import read_target
from tests.postgres_server import PostgresServer
from tests.soak import SOAK
from tests.storage.killed_bot import Bot, state_of

STEPS = 8 if SOAK else 5


@dataclass
class Campaign:
    """One bot, the databases that it uses, and the dumps of them."""

    server: PostgresServer
    folder: Path
    dice: random.Random
    meant: set[str] = field(default_factory=set)
    """The states that a start may find."""
    dumps: list[tuple[Path, set[str]]] = field(default_factory=list)
    """With what each holds."""
    told: list[str] = field(default_factory=list)
    starts: int = 0

    def __post_init__(self) -> None:
        self.url = self.server.database(empty=True)

    def play(self) -> None:
        """Start, and do something, again and again."""
        acts = (self.dump, self.restore, self.restore, self.restore_over, self.restore_half, self.crash)
        self.run()
        for _ in range(STEPS):
            for _ in range(self.dice.choice((0, 1, 1, 2))):
                self.dice.choice(acts)()
            self.run()
        self.server.drop(self.url)

    # --- the bot --------------------------------------------------------------------------------------

    def run(self) -> None:
        """Start the bot, compare, let it play, and end it somehow."""
        bot = Bot(self.url)
        self.starts += 1
        assert not bot.refused, (bot.refused, self.told)
        self.told.append(f"opened {bot.opened}")
        now = self.state(self.url)
        assert not self.meant or bot.opened in self.meant, (sorted(self.meant), now, self.told)
        count, ending = self.dice.choice((0, 1, 5, 20)), self.dice.choice(("kill", "close", "dump", "crash"))
        before = {bot.opened}
        if count:
            bot.begin(count)
        if ending == "dump":
            path = self._dump()
            bot.wait_for(1 if count else 0)  # then it has told of all that may be in the dump
            self.dumps.append((path, before | bot.told))
        elif ending == "crash":
            self.crash()
        self.meant = bot.close() if ending == "close" else bot.kill()
        self.told.append(f"{ending} after {bot.acked}: {sorted(self.meant)}")

    def crash(self) -> None:
        """Let the server crash, and start it again."""
        self.server.stop(signal.SIGQUIT)
        self.server.start()
        self.told.append("crashed")

    # --- what people do -------------------------------------------------------------------------------

    def dump(self) -> None:
        """Dump the database while nobody uses it."""
        state = self.state(self.url)
        self.dumps.append((self._dump(), {state}))
        self.told.append(f"dumped {state}")

    def restore(self) -> None:
        """Restore a dump into a new database, perhaps after a try that was killed, and go on with that."""
        if not self.dumps:
            return
        path, holds = self.dice.choice(self.dumps)
        new = self.server.database(empty=True)
        if self.dice.random() < 0.5:
            running = self._begin("pg_restore", *self._into(new), path)
            try:
                running.wait(self.dice.random() * 0.1)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
                self._alone(new)
                self.told.append("a restore was killed")
        if not self.tables(new):
            assert self._do("pg_restore", *self._into(new), path) == 0, self.told
        found = self.state(new)
        assert found in holds, (found, sorted(holds), self.told)
        self.server.drop(self.url)
        self.url, self.meant = new, {found}
        self.told.append(f"restored {path.name}: {found}")

    def restore_over(self) -> None:
        """Restore into the database that is in use."""
        if self.dumps:
            before = self.state(self.url)
            assert self._do("pg_restore", *self._into(self.url), self.dice.choice(self.dumps)[0]) != 0
            assert self.state(self.url) == before, "nothing was mixed"
            self.told.append("restored over what was there: refused")

    def restore_half(self) -> None:
        """Restore what was copied of a dump before the disk was full."""
        if not self.dumps:
            return
        data = self.dice.choice(self.dumps)[0].read_bytes()
        half, new = self.folder / "half", self.server.database(empty=True)
        half.write_bytes(data[: self.dice.randrange(len(data) * 9 // 10)])
        assert self._do("pg_restore", *self._into(new), half) != 0, "half a dump was taken for whole"
        assert not self.tables(new), "half a dump was restored"
        self.server.drop(new)
        self.told.append("restored half a dump: refused")

    # --- helpers --------------------------------------------------------------------------------------

    def state(self, url: str) -> str:
        """The fingerprint of everything in a database."""
        with psycopg.connect(**read_target(url).parameters) as db:
            return state_of(db)

    def tables(self, url: str) -> list[tuple[str]]:
        """The tables of a database."""
        with psycopg.connect(**read_target(url).parameters) as db:
            return db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()

    def _alone(self, url: str) -> None:
        """Wait until nobody else is connected: a killed client's transaction is rolled back then."""
        other = (
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        with psycopg.connect(**read_target(url).parameters, autocommit=True) as db:
            db.execute(other)

    def _dump(self) -> Path:
        path = self.folder / f"{len(self.dumps)}.dump"
        assert self._do("pg_dump", "--format=custom", f"--file={path}", f"--dbname={self.url}") == 0
        return path

    def _into(self, url: str) -> tuple[str, ...]:
        """The words by which docs/self-hosting.md restores a dump."""
        return "--no-owner", "--single-transaction", f"--dbname={url}"

    def _begin(self, name: str, *args: str | Path) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        return subprocess.Popen([self.server._programs / name, *args], stdout=quiet, stderr=quiet)

    def _do(self, name: str, *args: str | Path) -> int:
        return self._begin(name, *args).wait()
