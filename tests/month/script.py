"""Play a month: ``python -m tests.month.script SEED...`` plays those of some seeds, and says what came of it.

The same seed plays the same month, step for step. What goes wrong is told with its seed and with what
happened last.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import random
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from time import process_time

from games.engine import registry
from matches.clocks.control import TimeControl
from tests.month.clocks import control_for
from tests.month.disturbances import ALL, reconnect
from tests.month.final_checks import Findings, check
from tests.month.month import DAYS, GUILDS, TABLES, Month
from tests.month.stage import open_stage
from tests.month.tables import Kind
from tests.month.virtual_time import VirtualLoop

_TOLD = 60
"""How many of the last things that happened are told when a month fails."""
_KINDS: tuple[Kind, ...] = ("thread", "thread", "forum", "channel", "direct")


@dataclass(frozen=True)
class Size:
    """How large a month is."""

    days: int = DAYS
    tables: int = TABLES
    guilds: int = GUILDS
    acts: int = 5
    """How many acts at most come between two disturbances."""
    shards: int = 1
    database: str = ""
    """A PostgreSQL database; empty for a SQLite file."""


class MonthError(AssertionError):
    """A month in which something went wrong."""


def play(seed: int, size: Size = Size(), disturbances: Collection[str] = tuple(ALL)) -> tuple[Findings, str]:
    """Play the month of a seed; return what was counted, and a digest of all that went over the wire.

    Raises:
        MonthError: something is wrong; tells the seed and what happened last.
    """
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(_play(seed, size, disturbances))


async def _play(seed: int, size: Size, disturbances: Collection[str]) -> tuple[Findings, str]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    dice = random.Random(seed)
    content = dice.random() < 0.5
    async with open_stage(loop, seed, content=content, shards=size.shards, database=size.database) as stage:
        month = Month(stage, dice)
        with _told(month, seed):
            await run(month, size, disturbances)
            found = check(month)
            if found.wrong:
                raise AssertionError("\n".join(found.wrong))
        return found, _digest(month)


async def run(month: Month, size: Size, disturbances: Collection[str]) -> None:
    """Play the script on a stage without a bot yet."""
    month.populate(size.guilds)
    await month.stage.start()
    openings = _openings(month.dice, size)
    for day in range(size.days):
        for key, kind, clock in openings.get(day, ()):
            await month.open_table(key, kind, clock=clock)
        await _day(month, size, disturbances)
    await _end(month)


def _openings(dice: random.Random, size: Size) -> dict[int, list[tuple[str, Kind, TimeControl | None]]]:
    """Return which matches begin on which day: some on the first, the others in the first three weeks."""
    days: dict[int, list[tuple[str, Kind, TimeControl | None]]] = {}
    for number in range(size.tables):
        day = 0 if number < size.tables // 3 else dice.randrange(max(1, size.days * 2 // 3))
        key = registry.KEYS[number % len(registry.KEYS)]
        kind = dice.choice(_KINDS)
        clock = control_for(key, number // len(registry.KEYS), kind)
        days.setdefault(day, []).append((key, kind, clock))
    return days


async def _day(month: Month, size: Size, disturbances: Collection[str]) -> None:
    """Let a day pass: its two reconnects, one of them with a RESUME, then what else happens to the bot."""
    listed = sorted(disturbances)
    for resume in month.dice.sample((True, False), 2):
        await reconnect(month, resume=resume)
        await month.calm_down()
    for _ in range(3):
        await month.live(month.dice.randint(1, size.acts), calm=True)
        if listed:
            name = month.dice.choice(listed)
            month.note(f"--- {name}")
            await ALL[name](month)
        await month.calm_down()
        await month.stage.pass_time(month.dice.uniform(0, 8 * 3600))


async def _end(month: Month) -> None:
    """A last start, after which nothing is wrong any more, and hours in which all that waits is sent."""
    month.note("--- the end")
    await month.stage.stop()
    await month.stage.start()
    await month.calm_down()
    await month.stage.pass_time(2 * 3600)
    await month.calm_down()


@contextlib.contextmanager
def _told(month: Month, seed: int) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        last = "\n".join(month.notes[-_TOLD:])
        raise MonthError(f"the month of seed {seed} fails: {error}\nWhat happened last:\n{last}") from error


def _digest(month: Month) -> str:
    """Return a digest of all requests, in their order, less what is random in every run."""
    sha = hashlib.sha256()
    for request in month.stage.server.requests:
        body = (
            {key: value for key, value in (request.body or {}).items() if key != "nonce"}
            if isinstance(request.body, dict)
            else request.body
        )
        sha.update(repr((request.method, request.path, body, request.status)).encode())
    return sha.hexdigest()[:16]


def main() -> int:
    """Play the months of the seeds that are named; 1 if one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.month.script")
    parser.add_argument("seeds", nargs="+", help="seeds, or ranges such as 1-20")
    parser.add_argument("--only", nargs="*", choices=sorted(ALL), help="these disturbances only")
    parser.add_argument("--shards", type=int, default=1, help="shards of the gateway")
    chosen = parser.parse_args()
    size, failed = Size(shards=chosen.shards), 0
    for seed in seeds(chosen.seeds):
        begun = process_time()
        try:
            found, digest = play(seed, size, disturbances=tuple(ALL) if chosen.only is None else chosen.only)
        except MonthError as error:
            failed += 1
            print(error, file=sys.stderr)
            continue
        took = process_time() - begun
        print(
            f"seed {seed}: {found.moves} moves, {found.boards} boards, {found.late} times up, "
            f"{took:.1f} s of CPU, {digest}",
            flush=True,
        )
    return 1 if failed else 0


def seeds(texts: list[str]) -> Iterator[int]:
    """Yield the seeds that texts such as `7` and `1-20` name."""
    for text in texts:
        first, _, last = text.partition("-")
        yield from range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    sys.exit(main())
