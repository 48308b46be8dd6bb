"""Orders before the first battle: claims, armies, a capital, cards."""

from __future__ import annotations

from collections.abc import Sequence

from games.domination.commands import prompts, suggestions
from games.domination.commands.command import ALL, NO_AMOUNT, Command
from games.domination.commands.prompts import (
    OrderContext,
    Parsed,
    accept,
    instructions,
    question,
    reject,
    reject_for,
    reject_undue,
)
from games.domination.rules import actions, cards
from games.domination.rules.actions import KEEP
from games.domination.rules.turns import FRESH, SPOILS, must_trade
from games.engine.message import msg


def place(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Place armies on the first country of a list; ask for the country or the number if it isn't given."""
    position = context.position
    if (early := reject_undue(context, command, "place", "setup")) is not None:
        return early
    setup = position.phase == "setup"
    pool = context.own.pool if setup else position.pool
    if not setup and (why := context.refuse(KEEP)) is not None and why.key.endswith("must_trade"):
        return reject(context, command, why)
    if not command.codes:
        if not pool:
            return reject_for(context, command, "none_left")
        count = command.share.n if command.share is not None else pool
        if not 1 <= count <= pool:
            return reject_for(context, command, "pool", n=count, pool=pool)
        return question("where", prompts.placements(context, count, prompts.MAX_CHOICES), pool=count)
    if NO_AMOUNT in command.amounts:
        return _how_many(context, command, pool)
    said = sum(n for n in command.amounts if n > 0)
    rows = [
        (code, pool - said if n == ALL else n) for code, n in zip(command.codes, command.amounts, strict=True)
    ]
    for code, n in rows:
        if (why := context.refuse(actions.place(code, max(0, n)))) is not None:
            return reject(context, command._replace(codes=(code,)), why)
    if sum(n for _, n in rows) > pool:
        return reject_for(context, command, "pool", n=sum(n for _, n in rows), pool=pool)
    code, n = rows[0]
    more = [command.without_first(), *rest] if len(rows) > 1 else rest
    return accept(context, command, actions.place(code, n), more)


def _how_many(context: OrderContext, command: Command, pool: int) -> Parsed:
    """Ask how many armies a country gets."""
    if len(command.codes) > 1:
        return reject_for(context, command, "amount")
    code = command.codes[0]
    if (why := context.refuse(actions.place(code, pool))) is not None:
        return reject(context, command, why)
    amounts = suggestions.sample(range(1, pool + 1), prompts.MAX_CHOICES)
    return question(
        "how_many", [actions.place(code, n) for n in reversed(amounts)], at=code.upper(), pool=pool
    )


def claim(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Claim a country, or queue all but the last of several."""
    if (early := reject_undue(context, command, "claim")) is not None:
        return early
    if not command.codes:
        return instructions(context)
    for code in command.codes:
        if (why := context.refuse(actions.with_code("queue", code))) is not None:
            return reject(context, command._replace(codes=(code,)), why)
    if len(set(command.codes)) < len(command.codes):
        twice = next(code for code in command.codes if command.codes.count(code) > 1)
        return reject_for(context, command, "wished", at=twice.upper())
    last = command.verb == "claim" and len(command.codes) == 1
    more = [command.without_first(), *rest] if len(command.codes) > 1 else rest
    return accept(context, command, actions.with_code("claim" if last else "queue", command.codes[0]), more)


def capital(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Choose a capital."""
    if (early := reject_undue(context, command, "capital")) is not None:
        return early
    if not command.codes:
        return instructions(context)
    if len(command.codes) > 1:
        return reject_for(context, command, "one_capital")
    return accept(context, command, actions.with_code("capital", command.codes[0]), rest)


def trade(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Trade the best set, or the cards that are named, with the bonus where it is needed most."""
    position, hand = context.position, context.own.hand
    if (early := reject_undue(context, command, "place")) is not None:
        return early
    best = suggestions.best_trades(position, hand)
    legal = context.legal(best[:1])
    if not best or not legal:
        why = context.refuse(best[0]) if best else msg("domination.refuse.no_set_held", cards=len(hand))
        return reject(context, command, why or msg("domination.refuse.due.place"))
    names = cards.deck(context.atlas).names
    if any(card.isdecimal() and not 1 <= int(card) <= len(hand) for card in command.cards):
        return reject_for(context, command, "hand_number", cards=len(hand))
    wanted = [names[hand[int(card) - 1]] if card.isdecimal() else card for card in command.cards]
    if not wanted or len(wanted) < cards.SET_SIZE:
        fit = [action for action in best if all(action.cards.count(c) >= wanted.count(c) for c in wanted)]
        if command.bonus:
            fit = [action for action in fit if action.b == command.bonus]
        if not wanted:
            return accept(context, command, fit[0] if fit else best[0]._replace(b=command.bonus), rest)
        return (
            question("set", fit[: prompts.MAX_CHOICES])
            if fit
            else reject_for(context, command, "three_cards")
        )
    if len(wanted) > cards.SET_SIZE:
        return reject_for(context, command, "three_cards")
    held = [names[card] for card in hand]
    three = _in_order(held, wanted)
    fit = [action for action in best if action.cards == three and command.bonus in ("", action.b)]
    return accept(context, command, fit[0] if fit else actions.trade(three, command.bonus), rest)


def _in_order(held: list[str], wanted: list[str]) -> tuple[str, ...]:
    """Return cards in the order of the hand; a country named twice means its two cards."""
    left, found = list(held), []
    for card in wanted:
        same = [each for each in left if each == card or each.startswith(f"{card}{cards.WILD}")]
        if same:
            left.remove(same[0])
            found.append(same[0])
        else:
            found.append(card)
    places = {card: n for n, card in reversed(list(enumerate(held)))}
    return tuple(sorted(found, key=lambda card: places.get(card, len(held))))


def keep(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed | None:
    """Keep the cards. Return None while there are armies to place, which implies it."""
    position = context.position
    if (early := reject_undue(context, command, "place")) is not None:
        return early
    if position.pool and not (position.step in (FRESH, SPOILS) and must_trade(position, context.own)):
        return None
    return accept(context, command, KEEP, rest)
