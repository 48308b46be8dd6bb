"""What a typed text says, before anybody asks whether it is possible.

A text is verbs, things that say which die, and words that say nothing. One word or sign that is none of
these makes the whole text conversation: a chat about a king is no action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.engine.notation import words
from games.two_domains.facts import NAMES

PartKind: TypeAlias = Literal["verb", "number", "place", "face", "into"]

_VERBS: Final = {
    "grow": ("growth",),
    "gather": ("gathering",),
    "mobilise": ("mobilise", "mobilize", "mobilisation", "mobilization"),
    "battle": ("battle",),
}
"""These may be shortened to two letters or more."""
_WORDS: Final = {
    "g": "grow",
    "grows": "grow",
    "growing": "grow",
    "gathers": "gather",
    "m": "mobilise",
    "sort": "mobilise",
    "b": "battle",
    "attack": "battle",
    "roll": "roll",
    "reroll": "roll",
}
"""And these are verbs as they are."""
_PLACES: Final = ("home", "gathering", "front")
_FACES: Final = {word: face for face, name in NAMES.items() for word in (name, f"{name}s", f"{name[:-1]}ies")}
_FACES_SHORTEST: Final = 3
_LEADING: Final = frozenset(("i", "please", "pls", "do", "use"))
"""What may stand anywhere and says nothing."""
_FILLERS: Final = frozenset(("my", "the", "a", "an", "die", "dice", "number", "nr", "place", "position"))
"""What says nothing behind a verb; before one it makes conversation of it: "the battle"."""
_LINKS: Final = frozenset(("at", "in", "on", "from", "to", "into"))
"""What says nothing if a die follows: "battle on" is said to each other."""
_DECORATION: Final = frozenset("`*_~“”„‘’«»{}!.,#→\ufe0f")
_BRACKETS: Final = frozenset("\"'()[]:;-–—=>")
"""The same, but beside a single letter they make a face of it: "B)"."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: a verb by its action's kind, a number, a place, a face, or the face it is to become."""

    kind: PartKind
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TwoDomainsText:
    """The parts of a text in order."""

    parts: tuple[Part, ...]

    def of(self, *kinds: PartKind) -> tuple[Part, ...]:
        """The parts of these kinds."""
        return tuple(part for part in self.parts if part.kind in kinds)

    @property
    def span(self) -> tuple[int, int]:
        """From the first part to the last."""
        return (self.parts[0].start, self.parts[-1].end) if self.parts else (0, 0)

    @property
    def complete(self) -> bool:
        """Whether the text is a whole action, be it possible or not."""
        verbs = [part.value for part in self.of("verb")]
        return len(verbs) == 1 and (verbs != ["grow"] or len(self.parts) > 1)


def read(text: str) -> TwoDomainsText | None:
    """The parts of a text; None for conversation. An empty text has no parts."""
    offset = len(text) - len(text.lstrip())
    parts: list[Part] = []
    link, filled, brackets, letter = "", False, False, ""
    for word in words(text.strip()):
        if word.text in _DECORATION or word.text in _LEADING:
            continue
        if word.text in _BRACKETS:
            brackets = True
        elif word.text in _LINKS:
            link = word.text
        elif word.text in _FILLERS:
            filled = True
        else:
            found = _part(word.text, [part.value for part in parts if part.kind == "verb"], link)
            if found is None or (found[0] == "verb" and (filled or link)):
                return None
            if found[0] == "verb" and len(word.text) == 1:
                letter = word.text
            link = ""
            parts.append(Part(*found, word.start + offset, word.end + offset))
    if link or (not parts and text.strip()) or _chatty(parts, letter, brackets):
        return None
    return TwoDomainsText(tuple(parts))


def _chatty(parts: list[Part], letter: str, brackets: bool) -> bool:
    """Whether it is a face or an abbreviation such as "B)", "b4", "m8"; `g3` is an action."""
    if not letter:
        return False
    alone = len(parts) == 1
    return (alone and brackets) or (not alone and letter != "g")


def _part(word: str, verbs: list[str], link: str) -> tuple[PartKind, str] | None:
    if word.isdecimal():
        return ("number", str(int(word))) if len(word) <= 3 else None
    verb = _verb(word)
    if verb == "gather" and ("grow" in verbs or ("gather" in verbs and len(word) >= len(verb))):
        return "place", "gathering"  # where, not what to do
    if verb is not None:
        return "verb", verb
    if word in _PLACES:
        return "place", word
    for name, face in _FACES.items():
        if len(word) >= _FACES_SHORTEST and name.startswith(word):
            return "into" if link in ("to", "into") else "face", face
    return None


def _verb(word: str) -> str | None:
    if word in _WORDS or len(word) < 2:
        return _WORDS.get(word)
    for verb, forms in _VERBS.items():
        if any(form.startswith(word) for form in forms):
            return verb
    return None
