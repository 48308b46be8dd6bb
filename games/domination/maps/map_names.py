"""Names in a map's files, made fit to be shown and typed: titles, keys, and short codes, one of a kind.

Codes depend on the names and their order alone, so that a map that is read again has the same ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

LONGEST: Final = 60
"""Characters of a name."""
CODE: Final = 3
"""Letters of a code, where there are enough."""
_SAID: Final = """
all and any auto best blitz bonus by capital claim deal draft end fort from go half help hold into keep
lead me max min more most move no none not now of off ok on one or out own place pick roll rest setup
skip stay stop take the then to top trade two until up wild with yes
"""
RESERVED: Final = frozenset(_SAID.split())
"""What an order may say, and so can't be a country's code; neither can `x3`, a number of rolls."""
_PARTS = re.compile(r"[^a-z0-9]+")
_ROLLS = re.compile(r"x[0-9]+", re.ASCII)


def clean(text: str) -> str:
    """A name to be shown: `_` and `-` are spaces, what can't be seen is left out; cut at LONGEST.

    Signs that turn the direction of a text or have no width are such; they could hide what a name is.
    """
    spaced = text.replace("_", " ").replace("-", " ")
    kept = (" " if sign.isspace() else sign for sign in spaced if _visible(sign))
    return " ".join("".join(kept).split())[:LONGEST].rstrip()


def _visible(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign)[0] != "C"


def plain(text: str) -> str:
    """A name in small Latin letters and digits, its words parted by single spaces; maybe nothing."""
    folded = unicodedata.normalize("NFKD", text.lower().replace("'", "").replace("’", "").replace("ß", "ss"))
    bare = "".join(sign for sign in folded if not unicodedata.combining(sign))
    return _PARTS.sub(" ", bare.lower()).strip()


def key_of(text: str) -> str:
    """A key for a map, from its file's name: letters, digits and hyphens, at most 32; never empty."""
    return plain(text).replace(" ", "-")[:32].strip("-") or "map"


def codes(names: Sequence[str]) -> tuple[str, ...]:
    """A code for each name: initials of three words and more, else its first letters, else what is free.

    Those whose first wish nobody else has get it, so that one odd name changes few codes.
    """
    wishes = [next(_wishes(name), "") for name in names]
    taken = {wish for wish in wishes if wish and wishes.count(wish) == 1}
    found = []
    for number, (name, wish) in enumerate(zip(names, wishes, strict=True), 1):
        code = wish
        if wish not in taken or wishes.count(wish) > 1:
            code = next((one for one in _wishes(name) if one not in taken), "") or _numbered(number, taken)
            taken.add(code)
        found.append(code)
    return tuple(found)


def _wishes(name: str) -> Iterator[str]:
    """The codes that suit a name, the best first; all begin with a letter and none is reserved."""
    for code in _spelled(plain(name).split()):
        if code[:1].isalpha() and code not in RESERVED and not _ROLLS.fullmatch(code):
            yield code


def _spelled(words: list[str]) -> Iterator[str]:
    joined = "".join(words)
    if len(words) >= CODE:
        yield "".join(word[0] for word in words[:CODE])
    if len(words) > 1 and len(joined) >= CODE:
        yield words[0][0] + words[1][: CODE - 1] if len(words[1]) > 1 else words[0][:2] + words[1]
    if len(joined) > 1:
        yield joined[:CODE]
    # Three letters of the name in their order; the first stays.
    tail = joined[1:12]
    yield from (joined[0] + first + second for first, second in combinations(tail, 2))
    yield from (joined[:2] + digit for digit in "23456789" if len(joined) > 1)


def _numbered(number: int, taken: set[str]) -> str:
    return next(code for letter in "cdefgh" if (code := f"{letter}{number}") not in taken)
