"""Split a typed text into parts, without asking whether it is legal.

Parts are verbs and words that identify a die; some words are ignored. Any other word or character makes the
whole text chat: a remark about a king is not an action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine.accounting import Span
from games.engine.space_notation import ParsedText, Part, stripped_words
from games.two_domains.facts import FACE_KEYS

_VERBS: Final = {
    "grow": ("growth",),
    "gather": ("gathering",),
    "mobilise": ("mobilise", "mobilize", "mobilisation", "mobilization"),
    "battle": ("battle",),
}
"""Verbs with the forms that may be abbreviated to two letters or more."""
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
"""Verbs that must be typed in full."""
_PLACES: Final = ("home", "gathering", "front")
_FACES: Final = {
    word: face for face, name in FACE_KEYS.items() for word in (name, f"{name}s", f"{name[:-1]}ies")
}
_FACES_SHORTEST: Final = 3
_LEADING: Final = frozenset(("i", "please", "pls", "do", "use"))
"""Words that are ignored anywhere."""
_FILLERS: Final = frozenset(("my", "the", "a", "an", "die", "dice", "number", "nr", "place", "position"))
"""Words that are ignored after a verb; before one they make the text chat: "the battle"."""
_LINKS: Final = frozenset(("at", "in", "on", "from", "to", "into"))
"""Words that are ignored if a die follows; otherwise they make the text chat: "battle on"."""
_DECORATION: Final = frozenset("`*_~“”„‘’«»{}!.,#→\ufe0f")
_BRACKETS: Final = frozenset("\"'()[]:;-–—=>")
"""Characters that are ignored, except beside a single letter, where they make a smiley: "B)"."""


@dataclass(frozen=True, slots=True)
class TwoDomainsText(ParsedText):
    """A scanned text. Kinds: `verb` (an action's kind), `number`, `place`, `face`, `into` (a new face)."""

    @property
    def complete(self) -> bool:
        """Whether the text is a whole action, legal or not."""
        verbs = [part.text for part in self.of("verb")]
        return len(verbs) == 1 and (verbs != ["grow"] or len(self.parts) > 1)


def read(text: str) -> TwoDomainsText | None:
    """Return the parts of a text; None for chat. An empty text has no parts."""
    parts: list[Part] = []
    ignored: list[Span] = []
    link, filled, brackets, letter = "", False, False, ""
    for word in stripped_words(text):
        if word.text in _DECORATION or word.text in _LEADING:
            ignored.append((word.start, word.end))
            continue
        if word.text in _BRACKETS:
            brackets = True
        elif word.text in _LINKS:
            link = word.text
            ignored.append((word.start, word.end))
        elif word.text in _FILLERS:
            filled = True
            ignored.append((word.start, word.end))
        else:
            found = _part(word.text, [part.text for part in parts if part.kind == "verb"], link)
            if found is None or (found[0] == "verb" and (filled or link)):
                return None
            if found[0] == "verb" and len(word.text) == 1:
                letter = word.text
            link = ""
            parts.append(Part(*found, word.start, word.end))
    if link or (not parts and text.strip()) or _chatty(parts, letter, brackets):
        return None
    return TwoDomainsText(tuple(parts), ignored=tuple(ignored))


def _chatty(parts: list[Part], letter: str, brackets: bool) -> bool:
    """Return whether it is a smiley or an abbreviation such as "B)", "b4", "m8"; `g3` is an action."""
    if not letter:
        return False
    alone = len(parts) == 1
    return (alone and brackets) or (not alone and letter != "g")


def _part(word: str, verbs: list[str], link: str) -> tuple[str, str] | None:
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
