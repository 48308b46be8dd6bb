"""What people make of a legal text: other separators, words twice, swapped or moved, numbers beside it.

Each change is deterministic. None of them is legal by itself: whether the result may be played is judged by
`test_accounting`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.engine.dice import Dice
from games.engine.notation import words

SEPARATORS = (
    "", " ", "  ", "\t", "\n", "\r\n", ", ", ",", "; ", ";", ". ", ".", ": ", ":", " - ", "-", " – ", "/",
    " / ", "|", " | ", " & ", " and ", " then ", " to ", " x ", "+", " + ", "=", " = ", "*", "#", "_", "'",
    "…", "·", "• ", "、", "，", "；", "。", "：", "! ", " ! ", "? ", " (", ") ", "→", " > ",
    "\u00a0", "\u3000",
)  # fmt: skip
"""What stands between the words of a text, on keyboards of several scripts."""
STRAY = ("7", "13")
"""Numbers that stand beside a text. One of them is in no text, the other begins many."""


def tokens(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of letters or digits of a text as typed, and what stands before, between and after."""
    found = [word for word in words(text) if word.text.isalnum()]
    ends = [0, *(at for word in found for at in (word.start, word.end)), len(text)]
    said = tuple(text[word.start : word.end] for word in found)
    return said, tuple(text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True))


def joined(said: Sequence[str], between: Sequence[str]) -> str:
    """Return words with what stands around them, which is one more."""
    return between[0] + "".join(word + gap for word, gap in zip(said, between[1:], strict=True))


def separated(text: str) -> Iterator[str]:
    """Yield a text with every separator in place of what stands between two of its words, and between all."""
    said, between = tokens(text)
    for mark in SEPARATORS:
        here = [at for at in range(1, len(said)) if mark != " x " or not said[at].isdecimal()]  # `x 3`: rolls
        for at in here:
            yield joined(said, (*between[:at], mark, *between[at + 1 :]))
            yield joined(said, (*between[:at], between[at].rstrip() + mark, *between[at + 1 :]))
        if len(here) == len(said) - 1:
            yield joined(said, (between[0], *(mark for _ in said[1:]), between[-1]))


def broken(text: str) -> Iterator[str]:
    """Yield a text with a sign inside each of its longer numbers: `1.9`, `1,9`, `1 9`."""
    said, between = tokens(text)
    for at, word in enumerate(said):
        if word.isdecimal():
            for cut in range(1, len(word)):
                for mark in (
                    " ",
                    *(sign for sign in SEPARATORS if sign and sign == sign.strip() and sign not in ";；，、"),
                ):
                    parts = f"{word[:cut]}{mark}{word[cut:]}"
                    yield joined((*said[:at], parts, *said[at + 1 :]), between)


def rearranged(text: str) -> Iterator[str]:
    """Yield a text with each word twice, with two words swapped, and with one moved elsewhere."""
    said, between = tokens(text)
    for at, word in enumerate(said):
        for mark in (" ", ", ", "; ", "\n", "."):
            yield joined((*said[:at], f"{word}{mark}{word}", *said[at + 1 :]), between)
    for at, to in pairwise(range(len(said))):
        yield joined((*said[:at], said[to], said[at], *said[to + 1 :]), between)
    for at, word in enumerate(said):
        rest = (*said[:at], *said[at + 1 :])
        for to in range(len(said)):
            for mark in (" ", ", ", "; ", ". ", "\n", " then "):
                if to != at:
                    head, tail = " ".join(rest[:to]), " ".join(rest[to:])
                    yield mark.join(part for part in (head, word, tail) if part)


def with_strays(text: str) -> Iterator[str]:
    """Yield a text with a number before it, behind it, and behind each of its words."""
    said, between = tokens(text)
    for number in STRAY:
        for mark in (
            " ",
            ", ",
            "; ",
            "\n",
            ".",
            ". ",
            ") ",
            ": ",
            "-",
            " / ",
            " and ",
            " then ",
            " + ",
            "！",
        ):
            yield f"{number}{mark}{text}"
            yield f"{text}{mark}{number}"
            for at in range(1, len(said)):
                yield joined(said, (*between[:at], f"{mark}{number} ", *between[at + 1 :]))
        yield f"{text} ({number})"
        yield f"{number} {text} {number}"


def some(found: Iterator[str], most: int, dice: Dice) -> list[str]:
    """Return at most `most` of the texts, each once, picked at random."""
    return list(dice.shuffled(sorted(set(found)))[:most])
