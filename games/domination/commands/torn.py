"""Find parts of an order that a separator has torn off: `place ala, 1`, `roll ala kam; 2`, `trade; ala`.

What a country, a roll or a trade without its argument would do by default can't be taken back. So it is never
assumed where something that looks like the argument stands beside it.
"""

from __future__ import annotations

from typing import Final

from games.domination.commands import country_names
from games.domination.commands.clauses import UnreadableError, stray, unreadable
from games.domination.commands.command import ALL, Command
from games.domination.commands.tokens import Token
from games.domination.maps.atlas import Atlas
from games.engine.message import msg

_PLACES: Final = ("place", "setup")
_NUMBERED: Final = ("trade", "claim", "queue")
"""Verbs whose lists may consist of numbers."""
_MOST_DICE: Final = 3


def check(
    atlas: Atlas, text: str, before: Command, earlier: list[Token], group: list[Token], *, listed: bool
) -> None:
    """Raise UnreadableError if an order begins with what looks like a part of the one before it.

    `earlier` are the tokens of the order before; `listed`: whether a comma continues its list.
    """
    row = [token for token in group if token.kind != "filler"]
    bare = [token.text for token in earlier if token.kind != "filler"]
    if bare == ["trade"] and len(row) > 1 and row[0].text == "trade":
        raise stray(earlier[-1])
    if not row or row[0].kind == "verb":
        return
    first, alone = row[0], len(row) == 1
    placing, numeric = before.verb in _PLACES, first.kind == "number"
    if placing and not before.codes and before.share is not None and listed:
        number = next(token for token in earlier if token.kind == "number")
        raise _armies(atlas, number, first.codes)
    if placing and numeric and (alone or (listed and ALL in before.amounts[-1:])):
        raise _armies(atlas, first, before.codes[-1:] if ALL in before.amounts[-1:] else ())
    if listed and before.verb != "trade" and _by_name(earlier) and not _by_name(row):
        raise stray(first)  # a number beside names is no country
    tight = earlier[-1].kind == "number" and text[earlier[-1].end : first.start] == ","
    if numeric and alone and tight and before.verb not in _NUMBERED:
        raise stray(first)  # `1,5` is one number, though not a whole one
    rolled = before.stops == (("x", 1),) and not any(token.says("x") for token in earlier)
    if numeric and alone and rolled and int(first.text) <= _MOST_DICE:
        raise unreadable("what_number", first, n=int(first.text))
    untold = bare == ["trade"] or (bare == ["auto"] and alone)
    if untold and not listed and all(token.kind == "country" for token in row):
        raise stray(first)
    if before.bonus and (first.says("bonus") or (alone and first.codes == (before.bonus,))):
        raise stray(first)


def _by_name(row: list[Token]) -> bool:
    """Return whether any country is named by letters."""
    return any(token.kind == "country" for token in row)


def _armies(atlas: Atlas, number: Token, codes: tuple[str, ...]) -> UnreadableError:
    """Return the error for a number that may be the armies of a country."""
    found, n = stray(number), int(number.text)
    if len(codes) != 1 or not n:
        return found
    (at,) = country_names.labels(atlas, codes)
    found.why = msg("domination.refuse.belongs_to", part=number.text, n=n, at=at, code=codes[0])
    found.instead = (f"place {codes[0]} {n}",)
    return found
