"""Deterministic bad input: texts of players, lines of logs, JSON of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine.dice import Dice
from games.engine.game import Json

CHARACTERS = "abcdefghxX0123456789 -+>:!?#*/\\\"'\t\n\r\x00{}[]()éß中４Ａ０→–—\u202e\u200d\ud800😀"
_ODD = (
    "",
    " ",
    "\n",
    "?",
    "-",
    "e4 e4",
    "a1-a9",
    "0",
    "-1",
    "9" * 400,
    "card",
    "hello, nice weather today",
    "@everyone **bold** `code`",
    "{n} {who} {0} %s",
    "ＥＮＤ　４",
    "٤٢",
    "²",
    "İ",
    "ß" * 200,
    "\ud800",
    "\x00",
    "e4" * 2000,
    "(" * 4000,
    " " * 4000,
)


def odd_texts(legal: Sequence[str]) -> Iterator[str]:
    """Yield odd texts, and damaged legal ones."""
    yield from _ODD
    dice = Dice(b"texts", "law", len(legal), "")
    for text in legal[::4]:
        yield text.upper()
        yield f"  {text} \n"
        yield text[: dice.below(len(text)) + 1]
        yield from _damaged(text, dice, 6)
        yield f"{text} {dice.pick(legal)}"
    for length in (1, 2, 3, 5, 8, 40, 130, 4000):
        yield "".join(dice.pick(CHARACTERS) for _ in range(length))


def wire_mutants(wire: str) -> Iterator[str]:
    """Yield slightly changed copies of a line of a log, never the line itself."""
    dice = Dice(b"wires", wire, 0, "")
    yield from (each for each in _damaged(wire, dice, 8) if each != wire)
    yield from (each for each in ("", wire + " ", " " + wire, wire + "\n", wire.upper()) if each != wire)


def _damaged(text: str, dice: Dice, count: int) -> Iterator[str]:
    for _ in range(count):
        at = dice.below(len(text) + 1)
        char = dice.pick(CHARACTERS)
        match dice.below(4):
            case 0:
                yield text[:at] + char + text[at:]
            case 1:
                yield text[:at] + char + text[at + 1 :]
            case 2:
                yield text[:at] + text[at + 1 :]
            case _:
                yield text[:at] + text[at // 2 :]


def json_mutants(data: Json) -> Iterator[Json]:
    """Yield copies of the JSON with one part dropped or replaced, at each place in turn."""
    odd: tuple[Json, ...] = (None, True, -1, 10**9, "", "?", [], {}, [[]])
    yield from odd
    yield from _inside(data)


def _inside(data: Json) -> Iterator[Json]:
    if isinstance(data, dict):
        for key, value in list(data.items())[:12]:
            yield {k: v for k, v in data.items() if k != key}
            yield {**data, f"{key}?": value}
            for odd in (None, True, -1, 99, "?", [], {}, *_inside(value)):
                yield {**data, key: odd}
    elif isinstance(data, list):
        yield data[:-1]
        yield [*data, *data]
        for at, value in enumerate(data[:12]):
            for odd in (None, True, -1, 99, "?", [], {}, *_inside(value)):
                yield [*data[:at], odd, *data[at + 1 :]]
