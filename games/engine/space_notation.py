"""Scan typed moves that name spaces of a board, such as `e4 x e6`, for the games that share this notation.

A text is split into parts: spaces, links between them, and parts that a game adds. If any word is not a
part, the whole text is chat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, TypeAlias

from games.engine.notation import Span, Word, words

LINKS: Final = frozenset(("to", "x", "onto", "takes", "on", "at", "into"))
LINK_CHARACTERS: Final = frozenset("->=–—−‒―‐‑→⇒⟶➔➜➡×:/")
DECORATION: Final = frozenset("`*_~\"'“”„‘’«»()[]{}!.,\ufe0f")
"""Characters that are ignored."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text and its span. Kinds: `s` a space ("e4"), `h` half of one ("e" or "4"), `l` a link.

    Games add kinds of their own, one letter each if they ask for the shape of a text.
    """

    kind: str
    text: str
    start: int
    end: int


Parts: TypeAlias = "tuple[list[Part] | None, int]"
"""The parts that begin at a word (None if it is not a part), and the number of words they take.

No parts: the words are known to mean nothing, such as "please".
"""


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A scanned text: its parts in order."""

    parts: tuple[Part, ...]
    ignored: tuple[Span, ...] = field(default=(), kw_only=True)
    """Words that are known to mean nothing."""

    @property
    def covered(self) -> tuple[Span, ...]:
        """The spans of the text that have a meaning, or are known to have none."""
        return (*((part.start, part.end) for part in self.parts), *self.ignored)

    @property
    def shape(self) -> str:
        """The kinds of the parts: `sls` for "e4-e6"."""
        return "".join(part.kind for part in self.parts)

    @property
    def spaces(self) -> tuple[Part, ...]:
        """The spaces among the parts."""
        return self.of("s")

    def of(self, *kinds: str) -> tuple[Part, ...]:
        """Return the parts of these kinds."""
        return tuple(part for part in self.parts if part.kind in kinds)

    @property
    def span(self) -> tuple[int, int]:
        """The span from the first part to the last."""
        return (self.parts[0].start, self.parts[-1].end) if self.parts else (0, 0)

    @property
    def complete(self) -> bool:
        """Whether the text is a whole action, legal or not; a single space may be a remark."""
        return self.shape in ("ss", "sls", "vs", "vls")


def stripped_words(text: str) -> tuple[Word, ...]:
    """Split a text into words; blanks around it don't count for its length, but do for the spans."""
    offset = len(text) - len(text.lstrip())
    found = words(text.strip())
    return tuple(Word(w.text, w.start + offset, w.end + offset) for w in found) if offset else found


def scan(
    found: tuple[Word, ...],
    letters: frozenset[str],
    parts_at: Callable[[Word, Word | None, list[Part]], Parts],
) -> tuple[list[Part], tuple[Span, ...]] | None:
    """Return the parts of the words, and the words that mean nothing; None if any word is not a part.

    `letters` are those of the board's spaces; a space of another board has no blank before its number.
    `parts_at` is called where no space begins: with a word, the next one if any, and the parts found before.
    """
    parts: list[Part] = []
    ignored: list[Span] = []
    at = 0
    while at < len(found):
        word, follower = found[at], found[at + 1] if at + 1 < len(found) else None
        tight = follower is not None and word.end == follower.start
        if follower is not None and is_space(word, follower) and (tight or word.text in letters):
            parts.append(space_part(word, follower))
            at += 2
            continue
        more, used = parts_at(word, follower, parts)
        if more is None:
            return None
        parts += more
        ignored += [] if more else [(each.start, each.end) for each in found[at : at + used]]
        at += used
    return _tidy(parts), tuple(ignored)


def is_space(letters: Word, digits: Word | None) -> bool:
    """Return whether two words are the letter and the number of a space, on any board."""
    if digits is None or not digits.text.isdecimal() or len(digits.text) > 2:
        return False
    return len(letters.text) == 1 and "a" <= letters.text <= "z"


def space_part(letters: Word, digits: Word) -> Part:
    """Return the part for a space, from its letter and its number."""
    return Part("s", f"{letters.text}{int(digits.text)}", letters.start, digits.end)


def precedes(follower: Word | None) -> bool:
    """Return whether a letter that is a file may be "a" or "I": a word comes after it, not a space."""
    return follower is not None and len(follower.text) > 1 and follower.text.isalpha()


def mentioned_spaces(text: str) -> list[str]:
    """Return all spaces that a text names, in order, even if it is chat."""
    return [a.text + b.text for a, b in pairwise(words(text)) if is_space(a, b) and a.end == b.start]


def prefixed_space(
    word: Word, follower: Word | None, heads: Mapping[str, str], halves: frozenset[str]
) -> Parts:
    """Split a word that joins a prefix to the letter of a space: `xd4`, `rc4`.

    `heads` maps prefixes to kinds of parts; a letter without a number is half a space if it is in `halves`.
    """
    head, letter = word.text[:-1], word.text[-1:]
    if head not in heads or not "a" <= letter <= "z":
        return None, 1
    cut = word.end - 1
    first = Part(heads[head], head, word.start, cut)
    if follower is not None and is_space(Word(letter, cut, word.end), follower):
        return [first, space_part(Word(letter, cut, word.end), follower)], 2
    return ([first, Part("h", letter, cut, word.end)], 1) if letter in halves else (None, 1)


def _tidy(parts: list[Part]) -> list[Part]:
    """Merge links in a row; drop links at the start and after a move: words among them are left over."""
    tidy: list[Part] = []
    for part in parts:
        if part.kind == "l" and tidy and tidy[-1].kind == "l":
            tidy[-1] = replace(tidy[-1], end=part.end)
        elif part.kind != "l" or tidy:
            tidy.append(part)
    if len(tidy) > 2 and tidy[-1].kind == "l":
        tidy.pop()
    return tidy
