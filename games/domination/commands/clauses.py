"""The clauses of orders: countries, numbers, when an attack stops, how many armies move."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a text can't be read, where, and what may have been meant."""

    why: Msg
    span: tuple[int, int]
    meant: tuple[str, ...] = ()
    """Codes of countries, or a verb, that would make sense in its place."""


class UnreadableError(Exception):
    """Carries the problem from a clause up to `grammar`, which catches it."""

    def __init__(self, problem: Unreadable) -> None:
        super().__init__()
        self.problem = problem


def unreadable(key: str, token: Token, meant: tuple[str, ...] = (), **values: Value) -> UnreadableError:
    """Return the error for a token, with the text `domination.refuse.{key}`."""
    why = msg(f"domination.refuse.{key}", **values)
    start, end = sorted((token.start, token.end))  # parts may have been put in another order
    return UnreadableError(Unreadable(why, (start, end), meant))


def is_link(token: Token) -> bool:
    """Return whether a token only joins two countries."""
    return token.kind == "keyword" and token.text == "link"


def country(atlas: Atlas, token: Token) -> str:
    """Return the code of the one country that a token names. Raises UnreadableError for other tokens."""
    if token.kind == "country" and len(token.codes) == 1:
        return token.codes[0]
    if token.kind == "country":
        listed = country_names.labels(atlas, token.codes[:8])
        raise unreadable("ambiguous", token, token.codes[:8], word=token.text[:24], names=listed)
    if token.kind == "number":
        if not 1 <= int(token.text) <= len(atlas.countries):
            raise unreadable("no_number", token, n=int(token.text), most=len(atlas.countries))
        return atlas.countries[int(token.text) - 1].code
    if token.kind != "unknown" or not token.text.isalnum():
        raise unreadable("unreadable", token)
    meant = country_names.similar_countries(atlas, token.text)
    if not meant:
        raise unreadable("name", token, word=token.text[:24])
    raise unreadable(
        "name_near", token, meant, word=token.text[:24], names=country_names.labels(atlas, meant)
    )


def _number(row: list[Token], at: int) -> int | None:
    """Return the number at an index of the tokens; None if there is something else or nothing."""
    return int(row[at].text) if at < len(row) and row[at].kind == "number" else None


def share_at(row: list[Token], at: int) -> tuple[Share, int] | None:
    """Return how many armies move, and the index behind that; None if the tokens don't say it there."""
    if at >= len(row):
        return None
    token, n = row[at], _number(row, at)
    after = row[at + 1] if at + 1 < len(row) else None
    staying = after is not None and after.text in ("stay", "keep")
    if n is not None:
        return (Share("stay", n), at + 2) if staying else (Share("n", n), at + 1)
    if token.text in ("stay", "keep"):
        left = _number(row, at + 1)
        return (Share("stay", left), at + 2) if left is not None else None
    if token.text == "auto":
        left = _number(row, at + 1)
        return (Share("auto", left or 0), at + 1 + (left is not None))
    if token.kind == "keyword" and token.text in ("all", "min", "half"):
        return Share(token.text), at + 1
    return None


def armies(atlas: Atlas, verb: str, row: list[Token]) -> Command:
    """Read countries and numbers: `ukr 3 bra 2`, `ukr+3`, `16 5`, `5 ukr`, `all ukr`.

    A country without a number gets all armies if it is the last one and there is a verb, else NO_AMOUNT.
    """
    row = [token for token in row if not is_link(token) and token.text != "plus"]
    codes: list[str] = []
    amounts: list[int] = []
    starts: list[int] = []
    at = 0
    if verb and len(row) == 1 and row[0].kind == "number":
        return Command(verb, share=Share("n", int(row[0].text)))  # armies: a country would be said with `all`
    first = len(row) > 1 and _amount(row[0]) is not None and row[1].kind == "country"
    while at < len(row):
        starts.append(row[at].start)
        if first:
            amount, where = _amount(row[at]), at + 1
            if amount is None or where >= len(row):
                raise unreadable("amount", row[at])
            codes.append(country(atlas, row[where]))
            amounts.append(amount)
            at += 2
            continue
        codes.append(country(atlas, row[at]))
        amount = _amount(row[at + 1]) if at + 1 < len(row) else None
        amounts.append(NO_AMOUNT if amount is None else amount)
        if amount == NO_AMOUNT and at + 1 < len(row) and row[at + 1].kind == "number":
            raise unreadable("amount", row[at + 1])
        at += 1 if amount is None else 2
    if verb and NO_AMOUNT in amounts[:-1]:
        raise unreadable("amount", row[0]._replace(end=row[-1].end))
    if verb and amounts and amounts[-1] == NO_AMOUNT:
        amounts[-1] = ALL
    if amounts.count(ALL) > 1 or ALL in amounts[:-1]:
        raise unreadable("amount", row[0]._replace(end=row[-1].end))
    return Command(verb, tuple(codes), tuple(amounts), starts=tuple(starts))


def _amount(token: Token) -> int | None:
    """Return a number of armies, ALL for `all`; None for other tokens."""
    if token.kind == "number":
        return int(token.text)
    return ALL if token.kind == "keyword" and token.text == "all" else None


def trade(atlas: Atlas, row: list[Token]) -> Command:
    """Read `best`, positions in the hand or the countries on the cards, then a country for the bonus."""
    cards: list[str] = []
    bonus, at = "", 0
    while at < len(row):
        token = row[at]
        if token.kind == "keyword" and token.text == "bonus":
            if at + 1 >= len(row):
                raise unreadable("half", token)
            bonus = country(atlas, row[at + 1])
            at += 2
            continue
        if token.kind == "keyword" and token.text == "wild":
            number = _number(row, at + 1)
            copy = cards and number is not None and row[at + 1].start == token.end == token.start + 1
            if copy and cards[-1] != "*" and at and row[at - 1].end == token.start:
                cards[-1] += f"*{number}"
                at += 1
            else:
                cards.append("*")
        elif token.kind == "number":
            cards.append(token.text)
        elif token.kind != "keyword" or token.text not in ("best", "plus", "link", "all"):
            cards.append(country(atlas, token))
        at += 1
    return Command("trade", cards=tuple(cards), bonus=bonus)


def move(atlas: Atlas, verb: str, row: list[Token], head: Token) -> Command:
    """Read how many armies move in; the target may be named too, since there is only one."""
    if row and row[-1].kind == "country" and len(row) > 1:
        row = row[:-1]
    row = [token for token in row if not is_link(token)]
    found = share_at([head, *row], 0) if verb == "keep" else share_at(row, 0)
    if found is None and not row and verb == "move":
        return Command("move")
    if found is None or found[1] < len(row) + (verb == "keep"):
        raise unreadable("unreadable", head._replace(end=row[-1].end if row else head.end))
    return Command("move", share=found[0])


def fortify(atlas: Atlas, row: list[Token]) -> Command:
    """Read where from, where to, and how many armies, which may come first or last."""
    row = [token for token in row if not (token.kind == "keyword" and token.text == "from")]
    first = share_at(row, 0)
    if first is not None and sum(token.kind == "country" for token in row[first[1] :]) > 1:
        row = [*row[first[1] :], *row[: first[1]]]
    codes: list[str] = []
    at = 0
    while at < len(row):
        if not is_link(row[at]):
            if len(codes) == 2:
                break
            codes.append(country(atlas, row[at]))
        at += 1
    if at == len(row):
        return Command("fortify", tuple(codes))
    found = share_at(row, at)
    if found is None or found[1] < len(row):
        raise unreadable("unreadable", row[at]._replace(end=row[-1].end))
    return Command("fortify", tuple(codes), share=found[0])


def fight(atlas: Atlas, verb: str, row: list[Token], head: Token) -> Command:
    """Read countries one after the other, then what stops the attack, and how many armies move in."""
    codes: list[str] = []
    starts: list[int] = []
    stops: list[tuple[str, int]] = []
    share: Share | None = None
    share_start = -1
    back, at = False, 0
    while at < len(row):
        token, number = row[at], _number(row, at + 1)
        if token.kind == "keyword" and token.text in ("until", "lead"):
            if number is None:
                raise unreadable("half", token)
            stops.append((token.text, number))
            at += 2
        elif token.kind == "keyword" and token.text == "x" and number is not None and len(codes) > 1:
            stops.append(("x", number))
            at += 2
        elif (token.kind == "verb" and token.text in ("move", "keep")) or token.text == "stay":
            found = share_at(row, at + (token.text == "move"))
            if found is None or share is not None:
                raise unreadable("half", token)
            share, at = found
            share_start = token.start
        elif token.kind == "keyword" and token.text == "from" and len(codes) == 1:
            back, at = True, at + 1
        elif is_link(token) or (token.kind == "keyword" and token.text == "x" and codes):
            at += 1
        elif token.kind == "number" and len(codes) > 1 and not is_link(row[at - 1]):
            found = share_at(row, at)
            if found is not None and found[0].how == "stay":
                share, at = found
                share_start = token.start
            elif verb == "roll" and not stops:
                stops.append(("dice", int(token.text)))
                at += 1
            elif at + 1 < len(row) and row[at + 1].text == "x":
                stops.append(("x", int(token.text)))
                at += 2
            else:
                raise unreadable("what_number", token, n=int(token.text))
        else:
            codes.append(country(atlas, token))
            starts.append(token.start)
            at += 1
    if back:
        codes[:2] = codes[1::-1]
    command = _stopped(verb, codes, stops, share, head)
    return command._replace(starts=tuple(starts), share_start=share_start)


def _stopped(
    verb: str, codes: list[str], stops: list[tuple[str, int]], share: Share | None, head: Token
) -> Command:
    """Return the order with the stops that its verb implies. Raises UnreadableError if they conflict."""
    if verb == "blitz" and not stops:
        stops = [("until", 1)]
    elif verb == "roll" and not stops:
        stops = [("x", 1)]
    if clash := stop_conflict(tuple(stops)):
        raise unreadable(clash, head, most=MAX_COUNTED_ROLLS, judged=MAX_CHECKED_ROLLS)
    verb = "attack" if verb in ("roll", "blitz") else verb
    return Command(verb, tuple(codes), stops=tuple(stops), share=share)
