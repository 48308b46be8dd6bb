"""Titles, keys and unique short codes from the names in a map's files.

Codes depend only on the names and their order, so that a map that is read again has the same ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, count
from typing import Final

from games.engine.normalization import is_invisible

MAX_NAME_LENGTH: Final = 60
"""Maximum length of a name, in characters."""
CODE_LENGTH: Final = 3
"""Usual length of a code, in letters."""
_TYPED_WORDS: Final = """
all and any auto best blitz bonus by capital claim deal draft end fort from go half help hold into keep
lead me max min more most move no none not now of off ok on one or out own place pick roll rest setup
skip stay stop take the then to top trade two until up wild with yes
"""
RESERVED: Final = frozenset(_TYPED_WORDS.split())
"""Words of orders, which can't be codes of countries; neither can `x3`, a number of rolls."""
_BLANKS: Final = dict.fromkeys(map(ord, "_-\u2800*`~|<>@[]\\"), " ")
_LINK = re.compile(r"://|(?<=\w)\.(?=\w{2,24}/)")
"""What Discord makes a link or an invitation of: `https://`, and the dot of `discord.gg/`."""
_PARTS = re.compile(r"[^a-z0-9]+")
_ROLLS = re.compile(r"x[0-9]+", re.ASCII)


def display_name(text: str) -> str:
    """Return a name for display: `_` and `-` become spaces, invisible characters go; cut at MAX_LENGTH.

    So do those that are markup, or make a link of it: a country is named in every text of a match.
    """
    spaced = _LINK.sub(" ", text[: 8 * MAX_NAME_LENGTH]).translate(_BLANKS)
    kept = (
        char
        for char in spaced
        if char.isspace() or not (unicodedata.category(char)[0] == "C" or is_invisible(char))
    )
    return " ".join("".join(kept).split())[:MAX_NAME_LENGTH].rstrip()


def ascii_words(text: str) -> str:
    """Return a name in small Latin letters and digits with single spaces; possibly empty."""
    folded = unicodedata.normalize("NFKD", text.lower().replace("'", "").replace("’", "").replace("ß", "ss"))
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    return _PARTS.sub(" ", bare.lower()).strip()


def key_of(text: str) -> str:
    """Return a map's key from its file name: 1 to 32 letters, digits and hyphens."""
    return ascii_words(text).replace(" ", "-")[:32].strip("-") or "map"


def short_codes(names: Sequence[str]) -> tuple[str, ...]:
    """Return a code for each name: initials of three or more words, else first letters, else a free one.

    A first choice that no other name shares is granted, so that one odd name changes few codes.
    """
    first_choices = [next(_candidates(name), "") for name in names]
    taken = {wish for wish in first_choices if wish and first_choices.count(wish) == 1}
    found = []
    for number, (name, wish) in enumerate(zip(names, first_choices, strict=True), 1):
        code = wish
        if wish not in taken or first_choices.count(wish) > 1:
            code = next(one for one in chain(_candidates(name), _numbered(number)) if one not in taken)
            taken.add(code)
        found.append(code)
    return tuple(found)


def _numbered(number: int) -> Iterator[str]:
    """Yield codes for a name without any of its own, without end: a map may use up all that are short."""
    yield from (f"{letter}{number}" for letter in "cdefgh")
    yield from (f"c{more}" for more in count(1000))  # longer than those above


def _candidates(name: str) -> Iterator[str]:
    """Yield the codes that suit a name, best first; all begin with a letter and none is reserved."""
    for code in _spellings(ascii_words(name).split()):
        if code[:1].isalpha() and code not in RESERVED and not _ROLLS.fullmatch(code):
            yield code


def _spellings(words: list[str]) -> Iterator[str]:
    joined = "".join(words)
    if len(words) >= CODE_LENGTH:
        yield "".join(word[0] for word in words[:CODE_LENGTH])
    if len(words) > 1 and len(joined) >= CODE_LENGTH:
        yield words[0][0] + words[1][: CODE_LENGTH - 1] if len(words[1]) > 1 else words[0][:2] + words[1]
    if len(joined) > 1:
        yield joined[:CODE_LENGTH]
    # Three letters of the name in their order; the first stays.
    tail = joined[1:12]
    yield from (joined[0] + first + second for first, second in combinations(tail, 2))
    yield from (joined[:2] + digit for digit in "23456789" if len(joined) > 1)
