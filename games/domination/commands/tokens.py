"""The parts of a typed text: verbs, countries, numbers, the words between them.

Every token keeps its position in the text, so that a refusal can point at it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.domination.commands import country_names
from games.domination.commands.command import ALL
from games.domination.maps.atlas import Atlas
from games.domination.maps.map_names import RESERVED
from games.engine.notation import Word, nearest, words

MAX_TEXT_LENGTH: Final = 1000
"""Maximum length of a typed text, in characters."""
VERBS: Final = {
    word: verb
    for verb, typed in {
        "place": "place put add deploy",
        "setup": "setup",
        "auto": "auto automatic default",
        "claim": "claim pick draft",
        "queue": "queue wish",
        "done": "done",
        "capital": "capital",
        "trade": "trade exchange",
        "keep": "keep hold",
        "attack": "attack attacks att atk a invade take",
        "roll": "roll",
        "blitz": "blitz annihilate",
        "chain": "chain",
        "move": "move mv advance",
        "fortify": "fortify fort f reinforce transfer",
        "end": "end finish",
        "skip": "skip pass",
        "continue": "continue yes",
        "stop": "stop no",
    }.items()
    for word in typed.split()
}
KEYWORDS: Final = {
    word: meaning
    for meaning, typed in {
        "all": "all rest everything max",
        "min": "min minimum",
        "half": "half",
        "best": "best",
        "wild": "wild wildcard joker *",
        "bonus": "bonus",
        "until": "until till",
        "lead": "lead",
        "x": "x ×",
        "stay": "stay stays leave leaving keep",
        "from": "from with",
        "link": "to into onto on at > - – — → ⇒ ➔ ➜ ➡ = : /",
        "plus": "+",
        "then": "then",
        "and": "and &",
        "turn": "turn",
    }.items()
    for word in typed.split()
}
_MIN_LIKENESS: Final = 0.75
"""Minimum likeness of a mistyped word to the verb it is taken for, from 0 to 1."""
_MIN_TYPO_LENGTH: Final = 3
"""Minimum length of a mistyped verb, in letters; the verb itself is longer."""
_FILLERS: Final = "the my i please pls armies army troops units men dice die in of for by"
_DECORATION: Final = frozenset("`*_~\"'“”„‘’«»()[]{}!.#\ufe0f")


_WRITTEN_VERBS: Final = "place setup claim queue capital trade attack blitz roll fortify move"
_WRITTEN_WORDS: Final = "all min half auto stay move until lead dice bonus wild *"
"""The words besides codes and numbers that follow a verb in orders as the bot writes them."""


class Token(NamedTuple):
    """A part of a text: `verb`, `keyword`, `country` (one code or several), `number`, `filler`, `unknown`."""

    kind: str
    text: str
    start: int
    end: int
    codes: tuple[str, ...] = ()
    exact: bool = True
    raw: str = ""
    """How a keyword was typed."""

    def means(self, *words: str) -> bool:
        """Return whether the token is a keyword with one of these meanings."""
        return self.kind == "keyword" and self.text in words

    @property
    def amount(self) -> int | None:
        """The number of armies that the token means, ALL for `all`; None if it means none."""
        if self.kind == "number":
            return int(self.text)
        return ALL if self.means("all") else None


def segments(text: str) -> list[tuple[int, str, str]]:
    """Split a text at separators; return the start, the text, and the separator before each piece."""
    found: list[tuple[int, str, str]] = []
    start, before = 0, ";"
    for at, char in enumerate(text + ";"):
        if char in ";；\n\r,，、":
            found.append((start, text[start:at], before))
            start, before = at + 1, "," if char in ",，、" else ";"
    return found


def tokenize(atlas: Atlas, text: str, offset: int) -> list[Token]:
    """Return the tokens of a piece of text, without decoration; `offset` is where the piece begins."""
    row = words(text, MAX_TEXT_LENGTH)
    by_code = _is_written_by_code(atlas, text)
    found: list[Token] = []
    at = 0
    while at < len(row):
        token, used = _token(atlas, row, at, by_code=by_code)
        if token is not None:
            found.append(token._replace(start=token.start + offset, end=token.end + offset))
        at += used
    return found


def similar_verb(atlas: Atlas, text: str) -> str:
    """Return the verb that was mistyped, `place` for `plce`; empty if a country is as similar."""
    if len(text) < _MIN_TYPO_LENGTH or not text.isalpha():
        return ""
    for verb in nearest(text, (verb for verb in VERBS if len(verb) > _MIN_TYPO_LENGTH), 1):
        near = country_names.likeness(text, verb)
        if near > max(_MIN_LIKENESS, country_names.best_likeness(atlas, text)):
            return verb
    return ""


def _is_written_by_code(atlas: Atlas, text: str) -> bool:
    """Return whether an order is written as the bot writes it, so that its codes never make up a name."""
    head, *tail = text.split() or [""]
    return head in _WRITTEN_VERBS.split() and all(
        word.partition("*")[0] in atlas.index
        or word in _WRITTEN_WORDS.split()
        or word.lstrip("x").isdecimal()
        for word in tail
    )


def _token(atlas: Atlas, row: tuple[Word, ...], at: int, *, by_code: bool) -> tuple[Token | None, int]:
    word = row[at]
    here = (word.text, word.start, word.end)
    called = country_names.match_name(atlas, row, at, by_code=by_code) if word.text[:1].isalnum() else None
    if called is not None and called.exact and called.words > 1:
        return _country(row, at, called), called.words
    mine = word.text in atlas.index and word.text not in RESERVED
    if not mine and word.text in VERBS:
        return Token("verb", VERBS[word.text], word.start, word.end), 1
    if not mine and word.text in KEYWORDS:
        return Token("keyword", KEYWORDS[word.text], word.start, word.end, raw=word.text), 1
    if called is not None and called.exact:
        return _country(row, at, called), called.words
    if word.text.isdecimal():
        return Token("number", str(int(word.text)) if len(word.text) < 7 else "999999", *here[1:]), 1
    if word.text in _FILLERS.split():
        return Token("filler", *here), 1
    if called is not None:
        return _country(row, at, called), called.words
    if word.text in _DECORATION:
        return None, 1
    return Token("unknown", *here), 1


def _country(row: tuple[Word, ...], at: int, called: country_names.NameMatch) -> Token:
    last = row[at + called.words - 1]
    text = "".join(word.text for word in row[at : at + called.words])
    return Token("country", text, row[at].start, last.end, called.codes, called.exact)
