"""Judge whether an order accounts for all the words that it was read from, with nothing torn off.

The clauses read what they know and pass over links. Here each number, country and keyword of the text is
looked up in the finished command, whatever the clause did: one that isn't there stops the text.

A separator may tear a part off: `place ala, 1`, `roll ala kam; 2`, `trade; ala`. What a country, a roll or a
trade without its argument would do by default can't be taken back. So it is never assumed where something
that looks like the argument stands beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.domination.commands import country_names
from games.domination.commands.clauses import UnreadableError, stray, unreadable
from games.domination.commands.command import ALL, Command
from games.domination.commands.tokens import Token
from games.domination.maps.atlas import Atlas
from games.engine.message import msg

_BETWEEN: Final = ("from", "link", "plus", "then", "and", "turn")
"""Keywords that only stand between others."""


def dropped(atlas: Atlas, group: Sequence[Token], command: Command) -> Token | None:
    """Return the first token of an order that its command doesn't account for; None if all are in it.

    A number is a count, or a country if no country is called by name: `ukr 3 16` doesn't name country 16.
    """
    numbers, named = _numbers(command), _countries(command)
    by_name = any(token.kind == "country" for token in group)
    for token in group:
        match token.kind:
            case "number" if numbers[int(token.text)]:
                numbers[int(token.text)] -= 1
            case "number" if not by_name and (code := _numbered(atlas, token)) and named[code]:
                named[code] -= 1
            case "country" if len(token.codes) == 1 and named[token.codes[0]]:
                named[token.codes[0]] -= 1
            case "keyword" if _has(command, token.text):
                pass
            case "verb" | "filler":
                pass
            case _:
                return token
    last = group[-1]
    if last.means("link", "plus", "from") and (ALL in command.amounts or len(command.codes) > 1):
        return last
    taken = [token for token in group if token.kind == "number" and named[_numbered(atlas, token)]]
    return taken[0] if by_name and taken else None


def _numbers(command: Command) -> Counter[int]:
    """Return the counts in a command: armies, stops, places in the hand."""
    found = [n for n in command.amounts if n > 0] + [n for _, n in command.stops]
    if command.share is not None and command.share.how in ("n", "stay", "auto"):
        found.append(command.share.n)
    for card in command.cards:
        found += [int(part) for part in card.split("*") if part.isdecimal()]
    return Counter(found)


def _countries(command: Command) -> Counter[str]:
    """Return the countries in a command, those on cards and of a bonus included."""
    cards = (card.partition("*")[0] for card in command.cards)
    return Counter([*command.codes, *cards, *([command.bonus] if command.bonus else [])])


def _numbered(atlas: Atlas, token: Token) -> str:
    """Return the code of the country with a number; empty if there is none."""
    n = int(token.text)
    return atlas.countries[n - 1].code if 1 <= n <= len(atlas.countries) else ""


def _has(command: Command, keyword: str) -> bool:
    """Return whether a command has what a keyword means."""
    how = command.share.how if command.share is not None else ""
    stops = [kind for kind, _ in command.stops]
    match keyword:
        case "all":
            return how == "all" or ALL in command.amounts
        case "min" | "half" | "stay":
            return how == keyword
        case "best":
            return command.verb == "trade" and not command.cards
        case "wild":
            return any("*" in card for card in command.cards)
        case "bonus":
            return bool(command.bonus)
        case "until" | "lead":
            return keyword in stops
        case "x":
            return "x" in stops or len(command.codes) > 1
        case _:
            return keyword in _BETWEEN


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
    rolled = before.stops == (("x", 1),) and not any(token.means("x") for token in earlier)
    if numeric and alone and rolled and int(first.text) <= _MOST_DICE:
        raise unreadable("what_number", first, n=int(first.text))
    untold = bare == ["trade"] or (bare == ["auto"] and alone)
    if untold and not listed and all(token.kind == "country" for token in row):
        raise stray(first)
    if before.bonus and (first.means("bonus") or (alone and first.codes == (before.bonus,))):
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
