"""What a typed text says about a conquest: its orders, or the word that can't be read, or that it is talk.

Semicolons, new lines, commas and "then" part orders. An order without a verb goes on with the one before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.domination.atlas import Atlas
from games.domination.clauses import (
    UnreadableError,
    Wrong,
    armies,
    country,
    fail,
    fight,
    fortify,
    is_link,
    move,
    share_at,
    trade,
)
from games.domination.orders import Order, canonical, clashing
from games.domination.reading import Token, pieces, tokens
from games.engine.message import msg

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
class Script:
    """The orders of a text up to the first one that can't be read."""

    orders: tuple[Order, ...]
    wrong: Wrong | None
    talk: bool
    """Whether nothing in it resembles an order."""

    @property
    def bare(self) -> bool:
        """Whether it has verbs at most: out of turn, that is talk too."""
        return self.wrong is None and not any(each.codes or each.cards or each.share for each in self.orders)


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
    first = next((token for token in seen if token.kind != "filler"), None)
    verb = first is not None and first.kind == "verb"
    verb = verb or any(order.verb and order.codes for order in orders)
    if wrong is not None:
        if first is not None and first.text in _BARE and exact < 2:
            return True
        if strange > 1:
            return exact < strange or not (verb or exact > 2)
        if exact and (verb or any(token.kind == "number" for token in seen)):
            return False
        return not (verb and wrong.meant and len(seen) <= 5) and exact < 2
    counted = any(token.kind == "number" for token in seen) and verb
    counted = counted or any(order.verb and order.share and order.share.n for order in orders)
    if exact or counted or any(order.codes and order.verb for order in orders):
        return False
    return all(order.verb in TALK and not order.cards for order in orders)


# --- one order ------------------------------------------------------------------------------------------


def _order(atlas: Atlas, group: list[Token], before: Order | None) -> Order | Wrong:
    """An order, by its verb; without one, as the order before it, or whatever its parts are."""
    start, end = group[0].start, group[-1].end
    if len(group) == 1 and group[0].kind == "verb" and end - start == 1:
        return Wrong(msg("domination.refuse.unreadable"), (start, end))
    try:
        found = _by_verb(atlas, group, before)
    except UnreadableError as error:
        return error.wrong
    return found._replace(start=start, end=end)


def _by_verb(atlas: Atlas, group: list[Token], before: Order | None) -> Order:
    group = _listed(group)
    lead = next((n for n, token in enumerate(group) if token.kind != "filler"), 0)
    polite = all(token.text in _POLITE for token in group[:lead])
    group = group[lead:]
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
        return fight(atlas, verb, row, group[0])
    if verb in _BARE or (verb == "keep" and not row):
        return _alone(verb, tail, group, polite=polite)
    if verb in ("place", "setup"):
        return armies(atlas, verb, row)
    if verb in ("claim", "queue", "capital"):
        return Order(verb, tuple(country(atlas, token) for token in row if not is_link(token)))
    if verb == "trade":
        return trade(atlas, row)
    if verb in ("move", "keep"):
        return move(atlas, verb, row, group[0])
    if verb == "fortify":
        return fortify(atlas, row)
    if verb:
        return fight(atlas, verb, row, group[0])
    return _verbless(atlas, row, group, before)


def _listed(group: list[Token]) -> list[Token]:
    """An order without what marks it as one of a list: a dash, a number before its verb."""
    if len(group) > 1 and group[0].text == "link" and group[0].raw in "-–—":
        return group[1:]
    if len(group) > 1 and group[0].kind == "number" and group[1].kind == "verb":
        return group[1:]
    return group


def _alone(verb: str, tail: list[Token], group: list[Token], *, polite: bool) -> Order:
    """A word that is an order by itself; with others around it, it is talk."""
    row = [token for token in tail if token.text not in _POLITE]
    turn = verb in ("end", "skip") and row and row[-1].text == "turn"
    if not polite or (row and not (turn and all(token.text in ("my", "the", "turn") for token in row))):
        raise fail("unreadable", group[0]._replace(end=group[-1].end))
    return Order(verb)


def _verbless(atlas: Atlas, row: list[Token], group: list[Token], before: Order | None) -> Order:
    if not row:
        raise fail("unreadable", group[0]._replace(end=group[-1].end))
    links = any(is_link(token) or (token.kind == "said" and token.text == "x") for token in row)
    clauses = any(token.kind == "said" and token.text in ("until", "lead") for token in row)
    places = sum(token.kind == "country" for token in row)
    numbers = sum(token.kind == "number" for token in row)
    if len(row) == 1 and places and not row[0].exact and (before is None or before.verb not in _LISTS):
        raise fail("unreadable", row[0], row[0].codes)
    signed = any(is_link(token) and not token.raw.isalpha() for token in row)
    links = links and not (places == numbers == 1 and row[0].kind == "number" and not signed)
    links = links and not (places == numbers and all(not is_link(t) or t.raw in "=:" for t in row))
    if (links and places) or (clauses and places > 1) or (signed and numbers > 1 and row[0].kind == "number"):
        fought = before is not None and before.verb in ("attack", "more")
        found = fight(atlas, "", row, row[0])
        stops = found.stops or (before.stops if before is not None and fought else ())
        return found._replace(verb="attack" if fought else "", stops=stops)
    if before is not None and before.verb in _LISTS:
        return _by_verb(atlas, [Token("verb", before.verb, row[0].start, row[0].start), *row], None)
    if before is not None and before.verb == "attack" and places == len(row) == 1:
        raise fail("half", row[0])
    if before is not None and before.verb == "attack" and places == 2 and len(row) == 2:
        return fight(atlas, "attack", row, row[0])._replace(stops=before.stops)
    if not places and len(row) <= 2:
        share = share_at(row, 0)
        if share is not None and share[1] == len(row):
            return Order("", share=share[0])
    if not places:
        raise fail("unreadable", row[0]._replace(end=row[-1].end))
    return armies(atlas, "", row)


def _guard(atlas: Atlas, group: list[Token]) -> Order:
    row = [token for token in group[1:] if token.kind != "filler" and not is_link(token)]
    if not row:
        raise fail("unreadable", group[0])
    loose = len(row) > 1 and row[1].text == "?"
    share = share_at(row, 1 + loose)
    if len(row) > 1 + loose and (share is None or share[1] < len(row)):
        raise fail("unreadable", group[0]._replace(end=group[-1].end))
    return Order("guard", (country(atlas, row[0]),), share=share[0] if share else None, loose=loose)
