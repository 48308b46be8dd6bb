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
    "grow": ("growth", "grows", "growing"),
    "gather": ("gathering", "gathers"),
    "mobilise": ("mobilise", "mobilize", "mobilises", "mobilizes", "mobilisation", "mobilization", "sort"),
    "battle": ("battle", "battles", "attack", "attacks"),
    "roll": ("roll", "rolls", "reroll"),
}
_LETTERS: Final = {"g": "grow", "m": "mobilise", "b": "battle"}
_PLACES: Final = {"home": "home", "gathering": "gathering", "front": "front"}
_FACES: Final = {word: face for face, name in NAMES.items() for word in (name, f"{name}s", f"{name[:-1]}ies")}
_FACES_SHORTEST: Final = 3
_FILLERS: Final = frozenset(
    ("i", "my", "the", "a", "an", "at", "in", "on", "from", "die", "dice", "number", "no", "nr", "place",
     "please", "pls", "do", "use", "position", "one", "of", "with")
)  # fmt: skip
_TO: Final = frozenset(("to", "into"))
_DECORATION: Final = frozenset("`*_~\"'“”„‘’«»()[]{}!.,:;#->=–—→\ufe0f")


@dataclass(frozen=True, slots=True)
class Part:
    """One part: a verb by its action's kind, a number, a place, a face, or the face it is to become."""

    kind: PartKind
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
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


def read(text: str) -> Reading | None:
    """The parts of a text; None for conversation. An empty text has no parts."""
    offset = len(text) - len(text.lstrip())
    parts: list[Part] = []
    grows, into = False, False
    for word in words(text.strip()):
        if word.text in _DECORATION or word.text in _FILLERS:
            continue
        if word.text in _TO:
            into = True
            continue
        found = _part(word.text, grows, into)
        if found is None:
            return None
        kind, value = found
        grows = grows or found == ("verb", "grow")
        into = False
        parts.append(Part(kind, value, word.start + offset, word.end + offset))
    if not parts and text.strip():
        return None
    return Reading(tuple(parts))


def _part(word: str, grows: bool, into: bool) -> tuple[PartKind, str] | None:
    if word.isdecimal():
        return ("number", str(int(word))) if len(word) <= 3 else None
    verb = _verb(word)
    if grows and verb == "gather":
        return "place", "gathering"  # where to grow, not what to do
    if verb is not None:
        return "verb", verb
    if word in _PLACES:
        return "place", _PLACES[word]
    for name, face in _FACES.items():
        if len(word) >= _FACES_SHORTEST and name.startswith(word):
            return "into" if into else "face", face
    return None


def _verb(word: str) -> str | None:
    if word in _LETTERS:
        return _LETTERS[word]
    if len(word) > 1:
        for verb, forms in _VERBS.items():
            if any(form.startswith(word) for form in forms):
                return verb
    return None
