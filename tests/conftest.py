"""What every test may count on: two games of the tests are registered, no example fails for being slow.

Settings come from the tests alone, not from the shell in which they run. What is left open is reported, on
each Python.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from games.engine import registry
from tests import unclosed
from tests.soak import QUICK, SHARE, SOAK, examples
from tests.three import GAME as THREE
from tests.toy import GAME as TOY

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

EARLY = ("browser", "long", "process")
"""Marks of what is begun before all else."""
EXAMPLES = re.compile("tests/(?:bot|cli|engine|games|loopback|matches|render|tournaments)/")
FEW = 3
"""So many cases of a test in these rooms are tried by `make check`; in the others each stands for itself."""
TERMINAL = (
    "TERM", "COLORTERM", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"
)  # fmt: skip
SETTINGS = re.findall(
    r"^(\w+)=", (Path(__file__).parents[1] / ".env.example").read_text("utf-8"), re.MULTILINE
)
for variable in list(os.environ):
    if variable in (*TERMINAL, *SETTINGS) or variable.startswith("PG"):
        del os.environ[variable]  # what somebody has set for their own bot, terminal or server

MEMORY = Path("/dev/shm")
ROOM = 2 << 30
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
    # No test waits for a disk. A process that is killed leaves there what it would leave on one.
    found = os.statvfs(MEMORY)
    if found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's background job ignores Ctrl-C, and so would every process that a test starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)

unclosed.report()
registry.register(TOY)
registry.register(THREE)
settings.register_profile(
    "house",
    deadline=None,
    derandomize=not SOAK,
    max_examples=examples(100),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Don't even read a file with nothing but tests that are left out, as the marks of all of it say."""
    if not collection_path.match("test_*.py"):
        return None
    marks = re.search(r"^pytestmark = (\[[^]]*\]|.*)$", collection_path.read_text("utf-8"), re.MULTILINE)
    left_out = config.option.markexpr.split(" and ")
    whole = re.findall(r"mark\.(\w+)", marks[1]) if marks else ()
    return True if any(f"not {mark}" in left_out for mark in whole) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the share of a soak; tests with the same parameters, which share their matches, stay together.

    Each worker begins with its part of those that take long or wait for others, so that a run ends with
    small ones. `--dist worksteal` deals tests in as many parts as there are workers.
    """
    nth, of = SHARE
    if not SOAK:
        played = {item for item in items if item.get_closest_marker("soak") is None}
        played.intersection_update(a_few(items) if QUICK else items)
        config.hook.pytest_deselected(items=[item for item in items if item not in played])
        items[:] = [item for item in items if item in played]
    kept = [item for item in items if crc32(item.name.partition("[")[2].encode()) % of == nth]
    early, late = (
        [item for item in kept if any(map(item.get_closest_marker, EARLY)) is first]
        for first in (True, False)
    )
    early.sort(key=lambda item: item.get_closest_marker("long") is None)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = [
        item
        for n in range(workers)
        for part in (early, late)
        for item in part[n * len(part) // workers : (n + 1) * len(part) // workers]
    ]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected: trees of syntax and items are looked through in vain."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Leave out of collections what lives until the end, as the bot does, and collect the rest less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def a_few(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the tests, and of one with many examples those at the ends and some in between."""
    many: dict[str, list[pytest.Item]] = {}
    for item in items:
        many.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, cases in many.items():
        last = len(cases) - 1
        if last < FEW or not EXAMPLES.match(name):
            yield from cases
        else:
            yield from (cases[n * last // (FEW - 1)] for n in range(FEW))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Let no test leave the library pointed at a Discord of its own: those after it would ask that one."""
    yield
    http = sys.modules.get("discord.http")
    if http is not None and not http.Route.BASE.startswith("https://discord.com"):
        http.Route.BASE = "https://discord.com/api/v10"
        pytest.fail(f"{item.nodeid} leaves discord.py pointed elsewhere")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """Say after everything else how many tests weren't run, and what brings them.

    What is left is collected once: pytest and the end of Python would do so several times, for seconds.
    """
    yield
    gc.collect()
    gc.freeze()
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or hasattr(session.config, "workerinput"):
        return
    reasons = (report.longrepr[2].removeprefix("Skipped: ") for report in terminal.stats.get("skipped", ()))
    for why, tests in Counter(reasons).items():
        terminal.write_line(f"{tests} {'test was' if tests == 1 else 'tests were'} not run: {why}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server for all tests of this process."""
    driver = pytest.importorskip(
        "tests.postgres_server", exc_type=ImportError, reason="NO POSTGRESQL IS TESTED: no driver"
    )
    server: PostgresServer = driver.started()
    yield server
    server.remove()


@pytest.fixture
def empty_database(postgres: PostgresServer) -> Iterator[str]:
    """The URL of a PostgreSQL database of its own, which has nothing yet."""
    made = postgres.database(empty=True)
    yield made
    postgres.drop(made)


@pytest.fixture
def ready_database(postgres: PostgresServer) -> Iterator[str]:
    """The URL of one with our schema and no rows: a copy, for the steps take five times as long."""
    made = postgres.database()
    yield made
    postgres.drop(made)
