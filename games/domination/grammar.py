"""What a typed text says about a conquest: its orders, or the word that can't be read, or that it is talk.

Semicolons, new lines, commas and "then" part orders. An order without a verb goes on with the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.domination import names
from games.domination.atlas import Atlas
from games.domination.orders import (
    ALL,
    JUDGED_ROLLS,
    MOST_ROLLS,
    NO_AMOUNT,
    Order,
    Share,
    canonical,
    clashing,
)
from games.domination.reading import Token, pieces, tokens
from games.engine.message import Msg, Value, msg

MANY: Final = 60
"""Orders of one text at most."""
TALK: Final = frozenset(("continue", "stop", "done", "move", "auto", "keep", "skip", ""))
"""What people say to each other too: without anything else, and out of place, it is no order."""
_LISTS: Final = frozenset(("place", "setup", "claim", "queue", "trade"))
"""Orders that a comma goes on with."""
_BARE: Final = frozenset(("auto", "done", "end", "skip", "continue", "stop"))
_FIGHTS: Final = frozenset(("attack", "more", "roll", "blitz"))
_POLITE: Final = frozenset(("please", "pls"))


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a text can't be read, where, and what may be meant there."""

    why: Msg
    span: tuple[int, int]
    meant: tuple[str, ...] = ()
    """Codes of countries that may stand in its place."""


@dataclass(frozen=True, slots=True)
class Script:
    """The orders of a text up to the first one that can't be read."""

    orders: tuple[Order, ...]
    wrong: Wrong | None
    talk: bool
    """Whether nothing in it resembles an order."""


def read(atlas: Atlas, text: str) -> Script:
    """Read a text. Never raises, whatever it is."""
    orders: list[Order] = []
    wrong: Wrong | None = None
    seen: list[Token] = []
    for group, comma in _groups(atlas, text):
        before = orders[-1] if orders else None
        said = group if isinstance(group, Order) else _order(atlas, group, before)
        if not isinstance(group, Order):
            seen += group
            if isinstance(said, Order) and comma and _goes_on(before, said, group):
                orders[-1] = _both(orders[-1], said)
                continue
        if isinstance(said, Wrong):
            wrong = said
            break
        orders.append(said)
    if wrong is None and len(orders) > MANY:
        last = orders[MANY]
        wrong = Wrong(msg("domination.refuse.many", most=MANY), (last.start, last.end))
    return Script(tuple(orders), wrong, _talk(seen, wrong, orders))


def _goes_on(before: Order | None, said: Order, group: list[Token]) -> bool:
    return before is not None and before.verb == said.verb in _LISTS and group[0].kind != "verb"


def _both(one: Order, other: Order) -> Order:
    return one._replace(
        codes=one.codes + other.codes,
        amounts=one.amounts + other.amounts,
        cards=one.cards + other.cards,
        bonus=one.bonus or other.bonus,
        end=other.end,
    )


def _groups(atlas: Atlas, text: str) -> Iterator[tuple[Order | list[Token], bool]]:
    """The orders of a text, each read at once where it is as we write it; whether a comma is before it."""
    for start, piece, before in pieces(text):
        order = canonical(atlas, piece, start) if piece.strip() else None
        if order is not None and not clashing(order.stops):
            yield order, False
            continue
        group: list[Token] = []
        comma = before == ","
        row = tokens(atlas, piece, start)
        for n, token in enumerate(row):
            follows = row[n + 1].kind == "verb" if n + 1 < len(row) else True
            if token.kind == "said" and (token.text == "then" or (token.text == "and" and follows)):
                if group:
                    yield group, comma
                group, comma = [], False
            elif token.kind != "said" or token.text != "and":
                group.append(token)
        if group:
            yield group, comma


def _talk(seen: list[Token], wrong: Wrong | None, orders: list[Order]) -> bool:
    """Whether nothing in a text resembles an order."""
    if any(order.codes and not seen for order in orders):
        return False
    strange = sum(token.kind == "unknown" for token in seen)
    exact = sum(token.kind == "country" and token.exact and len(token.text) > 1 for token in seen)
    verb = bool(seen) and seen[0].kind == "verb"
    if wrong is not None:
        if strange > 1:
            return exact < strange or not (verb or exact > 2)
        if exact and (verb or any(token.kind == "number" for token in seen)):
            return False
        return not (verb and wrong.meant and len(seen) <= 5) and exact < 2
    counted = any(token.kind == "number" for token in seen) and verb
    if exact or counted or any(order.codes for order in orders):
        return False
    return all(order.verb in TALK and not order.cards for order in orders)


# --- one order -------------------------------------------------------------------------------------------


class _Unreadable(Exception):  # noqa: N818 - it never leaves this module
    def __init__(self, wrong: Wrong) -> None:
        super().__init__()
        self.wrong = wrong


def _fail(key: str, token: Token, meant: tuple[str, ...] = (), **values: Value) -> _Unreadable:
    why = msg(f"domination.refuse.{key}", **values)
    return _Unreadable(Wrong(why, (token.start, token.end), meant))


def _order(atlas: Atlas, group: list[Token], before: Order | None) -> Order | Wrong:
    """An order, by its verb; without one, as the order before it, or whatever its parts are."""
    start, end = group[0].start, group[-1].end
    if len(group) == 1 and group[0].kind == "verb" and end - start == 1:
        return Wrong(msg("domination.refuse.unreadable"), (start, end))
    try:
        found = _by_verb(atlas, group, before)
    except _Unreadable as error:
        return error.wrong
    return found._replace(start=start, end=end)


def _by_verb(atlas: Atlas, group: list[Token], before: Order | None) -> Order:
    verb, tail = "", group
    if group[0].kind == "verb":
        verb, tail = group[0].text, group[1:]
    elif group[0].text == ">" or (group[0].kind == "said" and group[0].text == "link"):
        return _guard(atlas, group)
    row = [token for token in tail if token.kind != "filler"]
    if verb == "chain":
        if row and row[0].kind == "verb" and row[0].text in _FIGHTS:
            verb, row = row[0].text, row[1:]
        else:
            verb = "attack"
        return _fight(atlas, verb, row, group[0])
    if verb in _BARE or (verb == "keep" and not row):
        return _alone(verb, tail, group)
    if verb in ("place", "setup"):
        return _armies(atlas, verb, row)
    if verb in ("claim", "queue", "capital"):
        return Order(verb, tuple(_place(atlas, token) for token in row if not _link(token)))
    if verb == "trade":
        return _trade(atlas, row)
    if verb in ("move", "keep"):
        return _move(atlas, verb, row, group[0])
    if verb == "fortify":
        return _fortify(atlas, row)
    if verb:
        return _fight(atlas, verb, row, group[0])
    return _verbless(atlas, row, group, before)


def _alone(verb: str, tail: list[Token], group: list[Token]) -> Order:
    """A word that is an order by itself; with others around it, it is talk."""
    row = [token for token in tail if token.text not in _POLITE]
    turn = verb in ("end", "skip") and row and row[-1].text == "turn"
    if row and not (turn and all(token.text in ("my", "the", "turn") for token in row)):
        raise _fail("unreadable", row[0]._replace(end=group[-1].end))
    return Order(verb)


def _verbless(atlas: Atlas, row: list[Token], group: list[Token], before: Order | None) -> Order:
    if not row:
        raise _fail("unreadable", group[0]._replace(end=group[-1].end))
    links = any(_link(token) or (token.kind == "said" and token.text == "x") for token in row)
    clauses = any(token.kind == "said" and token.text in ("until", "lead") for token in row)
    places = sum(token.kind == "country" for token in row)
    if (links and places) or (clauses and places > 1) or (links and len(row) > 2 and not places):
        fought = before is not None and before.verb in ("attack", "more")
        found = _fight(atlas, "", row, row[0])
        stops = found.stops or (before.stops if before is not None and fought else ())
        return found._replace(verb="attack" if fought else "", stops=stops)
    if before is not None and before.verb in _LISTS:
        return _by_verb(atlas, [Token("verb", before.verb, row[0].start, row[0].start), *row], None)
    if before is not None and before.verb == "attack" and places == 2 and len(row) == 2:
        return _fight(atlas, "attack", row, row[0])._replace(stops=before.stops)
    if not places and len(row) <= 2:
        share = _share(row, 0)
        if share is not None and share[1] == len(row):
            return Order("", share=share[0])
    return _armies(atlas, "", row)


def _guard(atlas: Atlas, group: list[Token]) -> Order:
    row = [token for token in group[1:] if token.kind != "filler" and not _link(token)]
    if not row:
        raise _fail("unreadable", group[0])
    loose = len(row) > 1 and row[1].text == "?"
    share = _share(row, 1 + loose)
    if len(row) > 1 + loose and (share is None or share[1] < len(row)):
        raise _fail("unreadable", group[0]._replace(end=group[-1].end))
    return Order("guard", (_place(atlas, row[0]),), share=share[0] if share else None, loose=loose)


# --- parts of orders -------------------------------------------------------------------------------------


def _link(token: Token) -> bool:
    return token.kind == "said" and token.text == "link"


def _place(atlas: Atlas, token: Token) -> str:
    """The country that stands there."""
    if token.kind == "country" and len(token.codes) == 1:
        return token.codes[0]
    if token.kind == "country":
        listed = names.titled(atlas, token.codes[:8])
        raise _fail("ambiguous", token, token.codes[:8], word=token.text[:24], names=listed)
    if token.kind == "number":
        if not 1 <= int(token.text) <= len(atlas.countries):
            raise _fail("no_number", token, n=int(token.text), most=len(atlas.countries))
        return atlas.countries[int(token.text) - 1].code
    if token.kind != "unknown" or not token.text.isalnum():
        raise _fail("unreadable", token)
    meant = names.similar(atlas, token.text)
    if not meant:
        raise _fail("name", token, word=token.text[:24])
    raise _fail("name_near", token, meant, word=token.text[:24], names=names.titled(atlas, meant))


def _number(row: list[Token], at: int) -> int | None:
    return int(row[at].text) if at < len(row) and row[at].kind == "number" else None


def _share(row: list[Token], at: int) -> tuple[Share, int] | None:
    """How many armies move, and the place behind it; None if it isn't said there."""
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
    if token.kind == "said" and token.text in ("all", "min", "half"):
        return Share(token.text), at + 1
    return None


def _armies(atlas: Atlas, verb: str, row: list[Token]) -> Order:
    """Countries and numbers: `ukr 3 bra 2`, `ukr+3`, `16 5`, `5 ukr`, `all ukr`; none said where one may."""
    row = [token for token in row if not _link(token) and token.text != "plus"]
    codes: list[str] = []
    amounts: list[int] = []
    at = 0
    first = len(row) > 1 and _amount(row[0]) is not None and row[1].kind == "country"
    while at < len(row):
        if first:
            amount, where = _amount(row[at]), at + 1
            if amount is None or where >= len(row):
                raise _fail("amount", row[at])
            codes.append(_place(atlas, row[where]))
            amounts.append(amount)
            at += 2
            continue
        codes.append(_place(atlas, row[at]))
        amount = _amount(row[at + 1]) if at + 1 < len(row) else None
        amounts.append(NO_AMOUNT if amount is None else amount)
        if amount == NO_AMOUNT and at + 1 < len(row) and row[at + 1].kind == "number":
            raise _fail("amount", row[at + 1])
        at += 1 if amount is None else 2
    if verb and NO_AMOUNT in amounts[:-1]:
        raise _fail("amount", row[0]._replace(end=row[-1].end))
    if verb and amounts and amounts[-1] == NO_AMOUNT:
        amounts[-1] = ALL
    if amounts.count(ALL) > 1 or ALL in amounts[:-1]:
        raise _fail("amount", row[0]._replace(end=row[-1].end))
    return Order(verb, tuple(codes), tuple(amounts))


def _amount(token: Token) -> int | None:
    if token.kind == "number":
        return int(token.text)
    return ALL if token.kind == "said" and token.text == "all" else None


def _trade(atlas: Atlas, row: list[Token]) -> Order:
    """`best`, places in the hand, or the countries on the cards; a country for the bonus."""
    cards: list[str] = []
    bonus, at = "", 0
    while at < len(row):
        token = row[at]
        if token.kind == "said" and token.text == "bonus":
            if at + 1 >= len(row):
                raise _fail("half", token)
            bonus = _place(atlas, row[at + 1])
            at += 2
            continue
        if token.kind == "said" and token.text == "wild":
            number = _number(row, at + 1)
            copy = cards and number is not None and row[at + 1].start == token.end == token.start + 1
            if copy and cards[-1] != "*" and at and row[at - 1].end == token.start:
                cards[-1] += f"*{number}"
                at += 1
            else:
                cards.append("*")
        elif token.kind == "number":
            cards.append(token.text)
        elif token.kind != "said" or token.text not in ("best", "plus", "link", "all"):
            cards.append(_place(atlas, token))
        at += 1
    return Order("trade", cards=tuple(cards), bonus=bonus)


def _move(atlas: Atlas, verb: str, row: list[Token], head: Token) -> Order:
    """How many armies move in; to which country may be said, there is one only."""
    if row and row[-1].kind == "country" and len(row) > 1:
        row = row[:-1]
    row = [token for token in row if not _link(token)]
    found = _share([head, *row], 0) if verb == "keep" else _share(row, 0)
    if found is None and not row and verb == "move":
        return Order("move")
    if found is None or found[1] < len(row) + (verb == "keep"):
        raise _fail("unreadable", head._replace(end=row[-1].end if row else head.end))
    return Order("move", share=found[0])


def _fortify(atlas: Atlas, row: list[Token]) -> Order:
    codes: list[str] = []
    at = 0
    while at < len(row):
        if not _link(row[at]):
            if len(codes) == 2:
                break
            codes.append(_place(atlas, row[at]))
        at += 1
    if at == len(row):
        return Order("fortify", tuple(codes))
    found = _share(row, at)
    if found is None or found[1] < len(row):
        raise _fail("unreadable", row[at]._replace(end=row[-1].end))
    return Order("fortify", tuple(codes), share=found[0])


def _fight(atlas: Atlas, verb: str, row: list[Token], head: Token) -> Order:
    """Countries one after the other, then what stops the attack, and how many armies move in."""
    codes: list[str] = []
    stops: list[tuple[str, int]] = []
    share: Share | None = None
    back, at = False, 0
    while at < len(row):
        token, number = row[at], _number(row, at + 1)
        if token.kind == "said" and token.text in ("until", "lead"):
            if number is None:
                raise _fail("half", token)
            stops.append((token.text, number))
            at += 2
        elif token.kind == "said" and token.text == "x" and number is not None and len(codes) > 1:
            stops.append(("x", number))
            at += 2
        elif (token.kind == "verb" and token.text in ("move", "keep")) or token.text == "stay":
            found = _share(row, at + (token.text == "move"))
            if found is None or share is not None:
                raise _fail("half", token)
            share, at = found
        elif token.kind == "said" and token.text == "from" and len(codes) == 1:
            back, at = True, at + 1
        elif _link(token) or (token.kind == "said" and token.text == "x" and codes):
            at += 1
        elif token.kind == "number" and len(codes) > 1 and not _link(row[at - 1]):
            found = _share(row, at)
            if found is not None and found[0].how == "stay":
                share, at = found
            elif verb == "roll" and not stops:
                stops.append(("dice", int(token.text)))
                at += 1
            elif at + 1 < len(row) and row[at + 1].text == "x":
                stops.append(("x", int(token.text)))
                at += 2
            else:
                raise _fail("what_number", token, n=int(token.text))
        else:
            codes.append(_place(atlas, token))
            at += 1
    if back:
        codes[:2] = codes[1::-1]
    return _stopped(verb, codes, stops, share, head)


def _stopped(
    verb: str, codes: list[str], stops: list[tuple[str, int]], share: Share | None, head: Token
) -> Order:
    """The order with the stops that its verb means; those that can't be kept to together are refused."""
    if verb == "blitz" and not stops:
        stops = [("until", 1)]
    elif verb == "roll" and not stops:
        stops = [("x", 1)]
    if clash := clashing(tuple(stops)):
        raise _fail(clash, head, most=MOST_ROLLS, judged=JUDGED_ROLLS)
    verb = "attack" if verb in ("roll", "blitz") else verb
    return Order(verb, tuple(codes), stops=tuple(stops), share=share)
