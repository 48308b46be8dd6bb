"""That messages may have been missed is noted before anything is awaited: what is awaited may move a mark."""

from __future__ import annotations

import ast
from pathlib import Path

BOT = Path(__file__).parents[2] / "bot"


def late(source: str) -> list[str]:
    """Return the functions that await something before they note a gap of messages."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.AsyncFunctionDef):
            continue
        steps = sorted(
            (each for each in ast.walk(node) if isinstance(each, ast.Await | ast.Attribute)),
            key=lambda each: (each.lineno, each.col_offset),
        )
        notes = [n for n, each in enumerate(steps) if "_missed.note_" in ast.unparse(each)]
        if any(isinstance(each, ast.Await) for each in steps[: notes[-1] if notes else 0]):
            found.append(node.name)
    return found


def test_gaps_are_noted_first() -> None:
    source = (BOT / "gateway_events.py").read_text(encoding="utf-8")
    assert "_missed.note_gap" in source
    assert "_missed.note_session" in source
    assert late(source) == []


def test_a_late_note_is_found() -> None:
    assert late("async def f(self):\n    await g()\n    self._missed.note_gap(1)\n") == ["f"]
