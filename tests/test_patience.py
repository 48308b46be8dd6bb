"""No test has a limit of real time that a slow machine could miss (tests/patience.py)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LEAST = 60.0
"""Seconds."""
ELSEWHERE = ("bench", "month")
"""Rooms that measure time, and that have a time of their own."""
MEANT = {
    "pause.wait(0.01)": "how often a worker looks whether it is to stop",
    "pause.wait(0.005)": "how fast a worker grows",
    "pace.wait(10.0)": "a pure function of a time",
    "pace.wait(12.5)": "the same",
}
"""Numbers that aren't limits of what a test waits for, and what they are."""
WAITS = {"timeout", "wait", "wait_for", "join", "result", "settle", "set_default_timeout"}
NAME = re.compile(r"(?:^|_)(?:patience|(?<!guild_ready_)(?<!shutdown_)timeout)$", re.IGNORECASE)
"""Not how long discord.py and aiohttp wait for what never comes."""
SUSPECT = re.compile(rf"(?:patience|timeout|{'|'.join(WAITS)})\b[^\n]*\d", re.IGNORECASE)
"""In a file that needs to be read."""


def number(node: ast.expr | None) -> float | None:
    """Return the number that stands there, if it is one."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def limits(tree: ast.AST) -> Iterator[tuple[ast.AST, float]]:
    """Yield what sets a limit of time by a number, with the number."""
    found: list[tuple[ast.AST, ast.expr | None]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                found += [(node, node.args[-1])] if name in WAITS and node.args else []
                found += [(node, each.value) for each in node.keywords if NAME.search(each.arg or "")]
            case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)], value=value):
                found += [(node, value)] if NAME.search(name) else []
            case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name), value=given):
                found += [(node, given)] if NAME.search(name) else []
    yield from ((node, most) for node, value in found if (most := number(value)) is not None)


def hasty(source: str, least: float) -> list[str]:
    """Return the limits in a source that are too short."""
    return [
        text
        for node, most in limits(ast.parse(source))
        if most < least and (text := ast.unparse(node)) not in MEANT
    ]


def test_limits_of_real_time_are_a_minute_at_least() -> None:
    wrong = []
    for path in sorted(TESTS.rglob("*.py")):
        room, *_ = path.relative_to(TESTS).parts
        if room not in ELSEWHERE and path != Path(__file__):
            least = LEAST * 1000 if room == "browser" else LEAST  # Playwright counts milliseconds
            source = path.read_text("utf-8")
            found = hasty(source, least) if SUSPECT.search(source) else []
            wrong += [f"{path.name}: {text}" for text in found]
    assert wrong == []


@pytest.mark.parametrize(
    "source",
    [
        "async with asyncio.timeout(20): pass",
        "await asyncio.wait_for(task, 5)",
        "thread.join(5)",
        "env = Env(bot, settle_timeout=5.0)",
        "subprocess.run(command, timeout=30)",
        "PATIENCE = 15.0",
        "self.patience: float = 20.0",
    ],
)
def test_a_short_limit_is_noticed(source: str) -> None:
    assert len(hasty(source, LEAST)) == 1
