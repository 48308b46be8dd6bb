"""Kill, copy, restore: what people do to a database and the files beside it, in every order, by a seed.

`python -m tests.storage.copies FOLDER SEED FIRST END` plays campaigns in a folder, each with real files
and real processes, and prints a line of JSON for each. The law:

- what a start finds is exactly one state that was committed, or the start is refused and changes nothing;
- where it is clear which state was meant, it is that one;
- a log that lay there is in what was opened, or is still there, byte for byte;
- a backup, and what is restored from it, holds one state, and changes nothing else.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import random
import shutil
import struct
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from matches.ports import StoreError
from storage import check_file, copy_file, open_store, restore_file
from tests.fakes import FakeClock
from tests.storage.killed_bot import Bot, state_of

NAME = "spiele für Ann.sqlite3"
ENDS = ("", "-journal", "-shm", "-wal", ".lock")
"""What a database is called and what may lie beside it, in the order in which programs copy."""
STEPS = 8


class BrokenError(Exception):
    """The law was broken; the text says how."""


@dataclass
class Shelf:
    """Files that were copied, by their ends, and what they hold together, None if that isn't clear."""

    files: dict[str, bytes]
    holds: set[str] | None
    noted: bool = True
    """Whether the note in the lock file, if there was one, is among them."""


@dataclass
class Campaign:
    """One database, and what is done to it."""

    folder: Path
    dice: random.Random
    states: set[str] = field(default_factory=set)
    """All that were begun so far."""
    meant: set[str] | None = None
    """Those that a start may find, if that is clear; else None."""
    killed: bool = False
    """Whether the file says that it is in use: its log, or the note in its lock file, says what it lacks."""
    witness_gone: bool = False
    """Whether one of those was deleted: then it may be refused, though it lacks nothing."""
    shelves: list[Shelf] = field(default_factory=list)
    backups: list[tuple[Path, set[str]]] = field(default_factory=list)
    logs: dict[str, set[str]] = field(default_factory=dict)
    """What logs lead to, by their fingerprints."""
    told: list[str] = field(default_factory=list)
    starts: int = 0
    refusals: int = 0
    known: int = 0
    """Starts of which it was clear what they were to find."""
    aside: int = 0
    """Logs that starts have put aside."""

    def __post_init__(self) -> None:
        self.place = self.folder / "Daten" / NAME
        self.safe = self.folder / "backups"
        self.place.parent.mkdir(parents=True)
        self.safe.mkdir()

    def play(self) -> None:
        """Start, and do something, again and again."""
        acts = (
            self.shelve,
            self.unshelve,
            self.unshelve,
            self.delete,
            self.back_up,
            self.put_over,
            self.restore,
        )
        self.run()
        for _ in range(STEPS):
            for _ in range(self.dice.choice((0, 1, 1, 2, 3))):
                self.dice.choice(acts)()
            self.run()

    # --- the bot --------------------------------------------------------------------------------------

    def run(self) -> None:
        """Start the bot, compare, let it play, and end it somehow."""
        logs = self.logs_here()
        files = {end: data for end in ENDS[:4] if end != "-shm" and (data := self.read(end)) is not None}
        before = self.put_aside()
        bot = Bot(self.place, self.dice.choice((6, 12, 40, 1000)))
        self.starts += 1
        self.known += self.meant is not None
        self.aside += self.put_aside() - before
        if bot.refused:
            self.refusals += 1
            self.told.append(f"refused: {bot.refused}")
            if any(data and self.read(end) != data for end, data in files.items()):
                raise BrokenError("a refused start has changed something")
            if self.meant is not None and not self.witness_gone:
                raise BrokenError("the start was refused, though nothing was wrong")
            self.cure()
            return
        self.told.append(f"opened {bot.opened}")
        if not files.get(""):
            self.states.add(bot.opened)  # a new database
        try:
            if problem := self.judge(bot.opened, logs):
                raise BrokenError(problem)
            ending = self.live(bot)
        except BaseException:
            bot.kill()
            raise
        self.meant = bot.close() if ending == "close" else bot.kill()
        self.killed, self.witness_gone = ending != "close", False
        self.states |= bot.told
        if content(log := self.read("-wal") or b""):
            self.logs.setdefault(digest(log), set()).update(self.meant)
        self.told.append(f"{ending} after {bot.acked}: {sorted(self.meant)}")

    def live(self, bot: Bot) -> str:
        """Let it play, do something meanwhile, and return how it is to end."""
        ending = self.dice.choice(("kill", "kill", "close", "freeze", "copied live", "backup"))
        count = self.dice.choice((0, 1, 3, 10, 30))
        if count:
            bot.begin(count)
        if ending == "backup":
            self.back_up(bot)
        elif ending in ("freeze", "copied live"):
            bot.freeze(ending == "freeze")
            self.shelve(bot)
            bot.freeze(frozen=False)
            bot.wait_for(self.dice.choice((1, 5, 30)) if count else 0)  # it has told of all that was copied
            if content(log := self.shelves[-1].files.get("-wal", b"")):
                self.logs.setdefault(digest(log), set()).update(self.states | bot.told)
        if ending != "close":
            moment = time.perf_counter_ns() + self.dice.randrange(3_000_000)
            while time.perf_counter_ns() < moment:
                pass
        return ending

    def judge(self, opened: str, logs: dict[str, bytes]) -> str:
        """What is wrong with a start; empty if nothing is."""
        if opened not in self.states:
            return f"{opened} was opened, which nobody has committed"
        if self.meant is not None and opened not in self.meant:
            return f"{opened} was opened, but meant was {sorted(self.meant)}"
        here = self.files_of(self.place.parent)
        for name, log in logs.items():
            if digest(log) not in here and opened not in self.logs.get(digest(log), ()):
                return f"{name} is gone, and is not in what was opened"
        return ""

    def cure(self) -> None:
        """Do what a refusal says, or take the file as it is, or begin anew."""
        if self.dice.random() < 0.2 and (self.read("") or b""):
            try:
                restore_file(self.place, self.place, self.safe, accept_loss=True)
            except StoreError as error:
                self.told.append(f"not whole: {error}")
            else:
                self.told.append("taken as it is")
                self.killed = self.witness_gone = False
                made = asyncio.run(found_in(self.place))
                if made in self.states:
                    return
                raise BrokenError(f"{made} was taken, which nobody has committed")
        if self.backups:
            self.restore()
            return
        self.told.append("begun anew")
        self.meant, self.killed, self.witness_gone = None, False, False
        for file in self.place.parent.iterdir():
            file.unlink()

    # --- what people do -------------------------------------------------------------------------------

    def shelve(self, bot: Bot | None = None) -> None:
        """Copy the file and what lies beside it, or some of it."""
        some = ENDS if self.dice.random() < 0.5 else self.some()
        files = {end: data for end in some if (data := self.read(end)) is not None}
        together = all(end in files for end in ("", "-wal", "-journal") if self.file(end).exists())
        clear = together and bot is None and not self.witness_gone
        noted = ".lock" in files or not self.file(".lock").exists()
        self.shelves.append(Shelf(files, self.meant if clear else None, noted))
        self.told.append(f"copied {list(files)}")

    def unshelve(self) -> None:
        """Put files of a copy back by hand, over what is there or alone."""
        if not self.shelves:
            return
        shelf = self.dice.choice(self.shelves)
        which = [end for end in (ENDS if self.dice.random() < 0.5 else self.some()) if end in shelf.files]
        alone = self.dice.random() < 0.5
        if alone:
            self.clear()
        for end in which:
            self.file(end).write_bytes(shelf.files[end])
        if which or alone:
            self.killed, self.witness_gone = True, not shelf.noted
            self.meant = shelf.holds if alone and set(which) == set(shelf.files) else None
        self.told.append(f"put back {which}{' alone' if alone else ''} of {shelf.holds}")

    def delete(self) -> None:
        """Delete some of the files."""
        which = [end for end in self.some() if self.file(end).exists()]
        if {"", "-journal"} & {*which} or ("-wal" in which and content(self.read("-wal") or b"")):
            self.meant = None
        elif self.killed and {"-wal", ".lock"} & {*which}:
            self.witness_gone = True
        for end in which:
            self.file(end).unlink()
        self.told.append(f"deleted {which}")

    def back_up(self, bot: Bot | None = None) -> None:
        """Make a backup, now and then where another database's log lies."""
        target = self.safe / f"{len(self.backups)}.sqlite3"
        before = self.logs_here()
        stray = target.with_name(f"{target.name}-wal")
        if before and self.dice.random() < 0.2:
            stray.write_bytes(self.dice.choice(list(before.values())))
        try:
            copy_file(self.place, target)
        except (StoreError, FileExistsError) as error:
            self.told.append(f"no backup: {error}")
            clear = bot or (self.meant and not self.witness_gone)
            if not stray.exists() and clear and self.file("").exists():
                raise BrokenError(f"a backup was refused: {error}") from error
            stray.unlink(missing_ok=True)
            return
        if stray.exists():
            raise BrokenError("a backup was made beside another's log")
        if bot is None and self.logs_here() != before:
            raise BrokenError("a backup has changed a log")
        if problems := check_file(target):
            raise BrokenError(f"a backup isn't whole: {problems}")
        made = asyncio.run(found_in(target))
        if bot is not None:
            bot.wait_for(bot.acked and 1)  # then it has told of all that may be in the backup
        if made not in (self.states | bot.told if bot else self.meant or self.states):
            raise BrokenError(f"a backup holds {made}, not {sorted(self.meant or ())}")
        self.backups.append((target, {made}))
        self.told.append(f"backup {target.name}: {made}")

    def put_over(self) -> None:
        """Copy a backup over the file by hand."""
        if not self.backups:
            return
        path, self.meant = self.dice.choice(self.backups)
        self.killed = self.witness_gone = False
        if alone := self.dice.random() < 0.3:
            self.clear()
        shutil.copyfile(path, self.place)
        self.told.append(f"put {path.name} over the file{' alone' if alone else ''}: {self.meant}")

    def restore(self) -> None:
        """Restore as it should be done."""
        if not self.backups:
            return
        logs = self.logs_here()
        path, self.meant = self.dice.choice(self.backups)
        self.killed = self.witness_gone = False
        restore_file(path, self.place, self.safe, accept_loss=True)
        here = self.files_of(self.folder)
        for name, log in logs.items():
            if digest(log) not in here and digest(log) not in self.logs:
                raise BrokenError(f"{name} went with a restore")
        self.told.append(f"restored {path.name}: {self.meant}")

    # --- helpers --------------------------------------------------------------------------------------

    def file(self, end: str) -> Path:
        """The database, or a file beside it."""
        return self.place.with_name(f"{NAME}{end}")

    def read(self, end: str) -> bytes | None:
        """What is in it; None if it isn't there."""
        return self.file(end).read_bytes() if self.file(end).exists() else None

    def clear(self) -> None:
        """Delete all of them."""
        for end in ENDS:
            self.file(end).unlink(missing_ok=True)

    def some(self) -> list[str]:
        """Some of the ends, in any order."""
        return self.dice.sample(ENDS, self.dice.randrange(1, len(ENDS) + 1))

    def logs_here(self) -> dict[str, bytes]:
        """The logs beside the database that have something in them, put aside or not."""
        found = {one.name: one.read_bytes() for one in self.place.parent.iterdir() if "-wal" in one.name}
        return {name: data for name, data in found.items() if content(data)}

    def put_aside(self) -> int:
        """How many logs have been put aside."""
        return sum(".of-another-file-" in one.name for one in self.place.parent.iterdir())

    def files_of(self, folder: Path) -> set[str]:
        """The fingerprints of all files in a folder."""
        return {digest(one.read_bytes()) for one in folder.rglob("*") if one.is_file()}


def content(log: bytes) -> bool:
    """Whether a log has a transaction that was ended since it was begun anew, and is whole."""
    size = int.from_bytes(log[8:12], "big")
    sums = log[24:32]
    for at in range(32, len(log) - size - 23, size + 24):
        sums = summed(log[at : at + 8] + log[at + 24 : at + 24 + size], sums)
        if log[at + 8 : at + 16] != log[16:24] or log[at + 16 : at + 24] != sums:
            return False  # of another time, or the program was killed between a frame's head and its page
        if any(log[at + 4 : at + 8]):
            return True
    return False


def summed(part: bytes, sums: bytes) -> bytes:
    """The checksum of a frame of a log, after that of the one before; of logs made on this machine."""
    words = struct.unpack(f"{len(part) // 4}I", part)
    one, two = struct.unpack(">2I", sums)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) % 2**32
        two = (two + second + one) % 2**32
    return struct.pack(">2I", one, two)


def digest(data: bytes) -> str:
    """A fingerprint of bytes."""
    return hashlib.sha256(data).hexdigest()[:16]


async def found_in(path: Path) -> str:
    """The state that a start finds in a copy of a file."""
    trial = path.with_name("trial.sqlite3")
    shutil.copyfile(path, trial)
    store = await open_store(trial, clock=FakeClock())
    found = await store._database.read(state_of)
    await store.close()
    for end in ENDS:
        trial.with_name(f"{trial.name}{end}").unlink(missing_ok=True)
    return found


def played(folder: Path, seed: str) -> dict[str, Any]:
    """Play one campaign; return its seed, its figures, and what went wrong after which deeds."""
    campaign, wrong = Campaign(folder, random.Random(seed)), ""
    try:
        campaign.play()
    except BrokenError as error:
        wrong = str(error)
    except Exception:  # an unexpected one is a finding, too
        wrong = traceback.format_exc()
    told = campaign.told if wrong else []
    return {
        "seed": seed,
        "starts": campaign.starts,
        "refusals": campaign.refusals,
        "known": campaign.known,
        "aside": campaign.aside,
        "wrong": wrong,
        "told": told,
    }


def campaigns(folder: Path, seed: str, numbers: range) -> Iterator[dict[str, Any]]:
    """Play the campaigns of these numbers."""
    for number in numbers:
        home = folder / f"campaign {number}"
        yield played(home, f"{seed}-{number}")
        shutil.rmtree(home)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    for line in campaigns(Path(sys.argv[1]), sys.argv[2], range(int(sys.argv[3]), int(sys.argv[4]))):
        print(json.dumps(line), flush=True)
