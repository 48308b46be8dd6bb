"""Judge whether an order accounts for all the words that it was read from.

The clauses read what they know and pass over links. Here each number, country and keyword of the text is
looked up in the finished command, whatever the clause did: one that isn't there stops the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.domination.commands.command import ALL, Command
from games.domination.commands.tokens import Token
from games.domination.maps.atlas import Atlas

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
    if last.says("link", "plus", "from") and (ALL in command.amounts or len(command.codes) > 1):
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
