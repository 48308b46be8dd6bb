"""The clauses of orders: countries, numbers, when an attack stops, how many armies move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.domination.commands import country_names
from games.domination.commands.command import (
    ALL,
    MAX_CHECKED_ROLLS,
    MAX_COUNTED_ROLLS,
    NO_AMOUNT,
    Command,
    Share,
    stop_conflict,
)
from games.domination.commands.tokens import Token
from games.domination.maps.atlas import Atlas
from games.engine.message import Msg, Value, msg

_IMPLIED_STOPS: Final = {"blitz": (("until", 1),), "roll": (("x", 1),)}
"""The stops of the verbs that are other words for `attack`."""


@dataclass(eq=False)
class UnreadableError(Exception):
    """Why a text can't be read, where, and what may have been meant."""

    why: Msg
    span: tuple[int, int]
    meant: tuple[str, ...] = ()
    """Codes of countries, or a verb, that would make sense in its place."""
    instead: tuple[str, ...] = ()
    """Whole texts that may have been meant."""


def unreadable(key: str, token: Token, meant: tuple[str, ...] = (), **values: Value) -> UnreadableError:
    """Return the error for a token, with the text `domination.refuse.{key}`."""
    start, end = sorted((token.start, token.end))  # parts may have been put in another order
    return UnreadableError(msg(f"domination.refuse.{key}", **values), (start, end), meant)


def nonsense(head: Token, row: list[Token]) -> UnreadableError:
    """Return the error for an order that makes no sense from a token to the end of a row."""
    return unreadable("unreadable", head._replace(end=row[-1].end if row else head.end))


def stray(token: Token) -> UnreadableError:
    """Return the error for a part of an order that belongs to nothing in it."""
    return unreadable("belongs", token, part=(token.raw or token.text)[:24])


def country(atlas: Atlas, token: Token) -> str:
    """Return the code of the one country that a token names. Raises UnreadableError for other tokens."""
    word = token.text[:24]
    match token.kind, token.codes:
        case "country", (code,):
            return code
        case "country", codes:
            listed = country_names.labels(atlas, codes[:8])
            raise unreadable("ambiguous", token, codes[:8], word=word, names=listed)
        case "number", _ if 1 <= int(token.text) <= len(atlas.countries):
            return atlas.countries[int(token.text) - 1].code
        case "number", _:
            raise unreadable("no_number", token, n=int(token.text), most=len(atlas.countries))
        case "unknown", _ if token.text[:1].isalnum():
            if not (meant := country_names.similar_countries(atlas, token.text)):
                raise unreadable("name", token, word=word)
            names = country_names.labels(atlas, meant)
            raise unreadable("name_near", token, meant, word=word, names=names)
        case _:
            raise unreadable("unreadable", token)


def countries(atlas: Atlas, verb: str, row: list[Token]) -> Command:
    """Read nothing but countries."""
    named = [token for token in row if not token.means("link")]
    codes = tuple(country(atlas, token) for token in named)
    return Command(verb, codes, starts=tuple(token.start for token in named))


def share_at(row: list[Token], at: int) -> tuple[Share, int] | None:
    """Return how many armies move, and the index behind that; None if the tokens don't say it there."""
    match row[at : at + 2]:
        case [Token("number", n), Token(text="stay" | "keep")]:
            return Share("stay", int(n)), at + 2
        case [Token(text="stay" | "keep"), Token("number", n)]:
            return Share("stay", int(n)), at + 2
        case [Token("number", n), *_]:
            return Share("n", int(n)), at + 1
        case [Token(text="auto"), Token("number", n)]:
            return Share("auto", int(n)), at + 2
        case [Token(text="auto"), *_] | [Token("keyword", "all" | "min" | "half"), *_]:
            return Share(row[at].text), at + 1
    return None


def whole_share(row: list[Token], at: int) -> Share | None:
    """Return how many armies move if the tokens say just that from an index on."""
    found = share_at(row, at)
    return found[0] if found is not None and found[1] == len(row) else None


def armies(atlas: Atlas, verb: str, row: list[Token]) -> Command:
    """Read countries and numbers: `ukr 3 bra 2`, `ukr+3`, `16 5`, `5 ukr`, `all ukr`.

    A country without a number gets all armies if it is the last one and there is a verb, else NO_AMOUNT.
    """
    row = [token for token in row if not token.means("link") and token.text != "plus"]
    if verb and len(row) == 1 and row[0].kind == "number":
        return Command(verb, share=Share("n", int(row[0].text)))  # armies: a country would need `all`
    codes: list[str] = []
    amounts: list[int] = []
    starts: list[int] = []
    numbers_first = len(row) > 1 and row[0].amount is not None and row[1].kind == "country"
    at = 0
    while at < len(row):
        starts.append(row[at].start)
        amount = row[at + (not numbers_first)].amount if at + 1 < len(row) else None
        if numbers_first and amount is None:
            raise unreadable("amount", row[at])
        if amount is None and row[at].kind == "number":
            raise stray(row[at])  # it would get all armies
        codes.append(country(atlas, row[at + numbers_first]))
        amounts.append(NO_AMOUNT if amount is None else amount)
        if amount == NO_AMOUNT and not numbers_first:
            raise unreadable("amount", row[at + 1])
        at += 1 if amount is None else 2
    if verb and amounts[-1:] == [NO_AMOUNT]:
        amounts[-1] = ALL
    if ALL in amounts[:-1] or (verb and NO_AMOUNT in amounts[:-1]):
        raise unreadable("amount", row[0]._replace(end=row[-1].end))
    return Command(verb, tuple(codes), tuple(amounts), starts=tuple(starts))


def trade(atlas: Atlas, row: list[Token]) -> Command:
    """Read `best`, positions in the hand or the countries on the cards, then a country for the bonus."""
    cards: list[str] = []
    bonus, at = "", 0
    while at < len(row):
        match row[at : at + 2]:
            case [Token("keyword", "bonus"), named]:
                if bonus:
                    raise stray(row[at])
                bonus = country(atlas, named)
                at += 1
            case [Token("keyword", "bonus") as token]:
                raise unreadable("half", token)
            case [Token("keyword", "wild", start, end), Token("number", copy, after)] if (
                cards and cards[-1] != "*" and row[at - 1].end == start and start + 1 == end == after
            ):
                cards[-1] += f"*{copy}"
                at += 1
            case [Token("keyword", "wild"), *_]:
                cards.append("*")
            case [Token("number", place), *_]:
                cards.append(place)
            case [token, *_] if not token.means("best", "plus", "link", "all"):
                cards.append(country(atlas, token))
        at += 1
    return Command("trade", cards=tuple(cards), bonus=bonus)


def move(atlas: Atlas, verb: str, row: list[Token], head: Token) -> Command:
    """Read how many armies move in; the target may be named too, if it is the country that was taken."""
    codes: tuple[str, ...] = ()
    if row and row[-1].kind == "country" and len(row) > 1:
        codes, row = (country(atlas, row[-1]),), row[:-1]
    row = [token for token in row if not token.means("link")]
    if verb == "move" and not row:
        return Command("move")
    share = whole_share([head, *row] if verb == "keep" else row, 0)
    if share is None:
        raise nonsense(head, row)
    return Command("move", codes, share=share)


def fortify(atlas: Atlas, row: list[Token]) -> Command:
    """Read where from, where to, and how many armies, which may come first or last."""
    row = [token for token in row if not token.means("from")]
    first = share_at(row, 0)
    if first is not None and sum(token.kind == "country" for token in row[first[1] :]) > 1:
        row = [*row[first[1] :], *row[: first[1]]]
    codes: list[str] = []
    for at, token in enumerate(row):
        if token.means("link"):
            continue
        if len(codes) == 2:
            if (share := whole_share(row, at)) is None:
                raise nonsense(token, row)
            return Command("fortify", tuple(codes), share=share)
        codes.append(country(atlas, token))
    return Command("fortify", tuple(codes))


def fight(atlas: Atlas, verb: str, tail: list[Token], head: Token) -> Command:
    """Read countries one after the other, then what stops the attack, and how many armies move in."""
    row = [token for token in tail if token.kind != "filler" or token.text == "dice"]
    codes: list[str] = []
    starts: list[int] = []
    stops: list[tuple[str, int]] = []
    share: Share | None = None
    share_start = -1
    back, at = False, 0
    while at < len(row):
        token = row[at]
        behind = len(codes) > 1 and not row[at - 1].means("link")
        match row[at : at + 2]:
            case [Token("keyword", "until" | "lead" as how), Token("number", n)]:
                stops.append((how, int(n)))
                at += 2
            case [Token("keyword", "until" | "lead"), *_]:
                raise unreadable("half", token)
            case [Token("keyword", "x"), Token("number", n)] if len(codes) > 1:
                stops.append(("x", int(n)))
                at += 2
            case [Token("verb", "move" | "keep") | Token(text="stay"), *_]:
                found = share_at(row, at + (token.text == "move"))
                if found is None or share is not None:
                    raise unreadable("half", token)
                share, at = found
                share_start = token.start
            case [Token("keyword", "from"), *_] if len(codes) == 1:
                back, at = True, at + 1
            case [Token("filler"), Token("number", n)] if behind and not stops:
                stops.append(("dice", int(n)))
                at += 2
            case [Token("keyword", "link") | Token("filler"), *_]:
                at += 1
            case [Token("keyword", "x"), *after] if codes:
                if len(codes) > 1 and not (after and after[0].kind in ("country", "keyword")):
                    raise unreadable("half", token)
                at += 1
            case [Token("number", n), Token(text="stay" | "keep")] if behind:
                share, share_start, at = Share("stay", int(n)), token.start, at + 2
            case [Token("number", n), Token(text="x")] if behind:
                stops.append(("x", int(n)))
                at += 2
            case [Token("number", n), *_] if behind and verb == "roll" and not stops:
                stops.append(("dice", int(n)))
                at += 1
            case [Token("number", n), *_] if behind:
                raise unreadable("what_number", token, n=int(n))
            case _:
                codes.append(country(atlas, token))
                if codes[-2:-1] == codes[-1:]:
                    raise stray(token)
                starts.append(token.start)
                at += 1
    if back:
        codes[:2] = codes[1::-1]
    stopped = tuple(stops) or _IMPLIED_STOPS.get(verb, ())
    if clash := stop_conflict(stopped):
        raise unreadable(clash, head, most=MAX_COUNTED_ROLLS, judged=MAX_CHECKED_ROLLS)
    verb = "attack" if verb in _IMPLIED_STOPS else verb
    return Command(
        verb, tuple(codes), stops=stopped, share=share, starts=tuple(starts), share_start=share_start
    )
