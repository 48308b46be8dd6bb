"""What is taken off a typed text before a game reads it: Discord's markup, and the `?` of an attempt."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.notation import words

MAX_LENGTH = 2000
"""Characters of a message at most; longer texts are left as they are."""
_PAIRS = ("```", "**", "__", "~~", "||", "`")
_EDGES = " \t\r\n*_~|\u200b\u200c\u200d\u2060\ufeff"


def strip_markup(text: str) -> tuple[str, bool]:
    """Return the bare text, and whether it only tries (`?e4-e6`). A very long one is left as it is."""
    bare = text.strip(_EDGES)
    if len(bare) > MAX_LENGTH:
        return bare, False
    for pair in _PAIRS:
        bare = bare.replace(pair, "")
    bare = bare.strip(_EDGES)
    if bare.startswith("> "):
        bare = bare[2:].strip(_EDGES)
    if bare.startswith("?"):
        return bare.lstrip("?").strip(_EDGES), True
    return bare, False


def normalized(text: str) -> str:
    """Return what two spellings of one move have in common: `E4 > e6` and `e4-e6` are both `e4e6`."""
    return "".join(
        word.text for word in words(text) if word.text not in {"-", ">", ":", ",", ".", "–", "—", "→"}
    )


def completions(prefix: str, candidates: Iterable[str], limit: int) -> tuple[str, ...]:
    """Return candidates that begin like the prefix, separators aside; then those that contain it."""
    wanted = normalized(prefix)
    begin: list[str] = []
    contain: list[str] = []
    for candidate in candidates:
        plain = normalized(candidate)
        if plain.startswith(wanted):
            begin.append(candidate)
            if len(begin) >= limit:
                break
        elif wanted in plain and len(contain) < limit:
            contain.append(candidate)
    return tuple((begin + contain)[:limit])
