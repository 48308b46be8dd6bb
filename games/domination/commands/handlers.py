"""What each verb does: turn a command into an action that is legal now, a question, or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from games.domination.commands import prompts
from games.domination.commands.command import ALL, NO_AMOUNT, Command, Share
from games.domination.commands.prompts import OrderContext, Parsed, question
from games.domination.rules import actions, battles, cards, default_moves, judge
from games.domination.rules.actions import CONTINUE, DONE, END, KEEP, STOP, Action
from games.domination.rules.position import UNKNOWN, View, map_tables
from games.domination.rules.turns import must_trade
from games.engine.message import msg

Handler: TypeAlias = Callable[[OrderContext, Command, Sequence[Command]], Parsed | Command | None]
"""Takes a command and those after it; may return another command to be carried out, or None to skip it."""


# --- before the first battle -----------------------------------------------------------------------------


def place(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Place armies on the first country of a list; ask for the country or the number if it isn't given."""
    position = context.position
    setup = position.phase == "setup"
    pool = context.own.pool if setup else position.pool
    if not setup and must_trade(position, context.own):
        return context.reject_for(command, "must_trade", cards=len(context.own.hand))
    if not command.codes:
        if not pool:
            return context.reject_for(command, "none_left")
        count = command.share.n if command.share is not None else pool
        if not 1 <= count <= pool:
            return context.reject_for(command, "pool", n=count, pool=judge.armies_words(pool))
        return question("where", context.placements(count, prompts.MAX_CHOICES), n=count)
    if NO_AMOUNT in command.amounts:
        return _how_many(context, command, pool)
    given = sum(n for n in command.amounts if n > 0)
    rows = [
        (code, pool - given if n == ALL else n)
        for code, n in zip(command.codes, command.amounts, strict=True)
    ]
    for code, n in rows:
        if (why := context.refuse(actions.place(code, max(0, n)))) is not None:
            return context.reject(command._replace(codes=(code,)), why)
    if sum(n for _, n in rows) > pool:
        return context.reject_for(command, "pool", n=sum(n for _, n in rows), pool=judge.armies_words(pool))
    code, n = rows[0]
    more = [command.without_first(), *rest] if len(rows) > 1 else rest
    return context.accept(command, actions.place(code, n), more)


def _how_many(context: OrderContext, command: Command, pool: int) -> Parsed:
    """Ask how many armies a country gets."""
    if len(command.codes) > 1:
        return context.reject_for(command, "amount")
    code = command.codes[0]
    if (why := context.refuse(actions.place(code, pool))) is not None:
        return context.reject(command, why)
    amounts = prompts.sample(range(1, pool + 1), prompts.MAX_CHOICES)
    return question(
        "how_many",
        [actions.place(code, n) for n in reversed(amounts)],
        at=code.upper(),
        pool=judge.armies_words(pool),
    )


def claim(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Claim a country, or queue all but the last of several."""
    if not command.codes:
        return context.instructions()
    for code in command.codes:
        if (why := context.refuse(actions.with_code("queue", code))) is not None:
            return context.reject(command._replace(codes=(code,)), why)
    if len(set(command.codes)) < len(command.codes):
        twice = next(code for code in command.codes if command.codes.count(code) > 1)
        return context.reject_for(command, "wished", at=twice.upper())
    last = command.verb == "claim" and len(command.codes) == 1
    more = [command.without_first(), *rest] if len(command.codes) > 1 else rest
    return context.accept(command, actions.with_code("claim" if last else "queue", command.codes[0]), more)


def capital(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Choose a capital."""
    if not command.codes:
        return context.instructions()
    if len(command.codes) > 1:
        return context.reject_for(command, "one_capital")
    return context.accept(command, actions.with_code("capital", command.codes[0]), rest)


def trade(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Trade the best set, or the cards that are named, with the bonus where it is needed most."""
    position, hand = context.position, context.own.hand
    best = prompts.best_trades(position, hand)
    legal = context.legal(best[:1])
    if not best or not legal:
        why = context.refuse(best[0]) if best else msg("domination.refuse.no_set_held")
        return context.reject(command, why or msg("domination.refuse.due.place"))
    names = cards.deck(context.atlas).names
    if any(card.isdecimal() and not 1 <= int(card) <= len(hand) for card in command.cards):
        return context.reject_for(command, "hand_number", cards=len(hand))
    wanted = [names[hand[int(card) - 1]] if card.isdecimal() else card for card in command.cards]
    if len(wanted) < cards.SET_SIZE:
        fit = [action for action in best if all(action.cards.count(c) >= wanted.count(c) for c in wanted)]
        if command.bonus:
            fit = [action for action in fit if action.b == command.bonus]
        if not wanted:
            return context.accept(command, fit[0] if fit else best[0]._replace(b=command.bonus), rest)
        if fit:
            return question("set", fit[: prompts.MAX_CHOICES])
    if len(wanted) != cards.SET_SIZE:
        return context.reject_for(command, "three_cards")
    held = [names[card] for card in hand]
    three = _in_order(held, wanted)
    fit = [action for action in best if action.cards == three and command.bonus in ("", action.b)]
    return context.accept(command, fit[0] if fit else actions.trade(three, command.bonus), rest)


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
    if position.pool and not must_trade(position, context.own):
        return None
    return context.accept(command, KEEP, rest)


# --- battles ---------------------------------------------------------------------------------------------


def attack(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Turn an attack into an action; ask for its target if the order doesn't name one."""
    position, index = context.position, context.atlas.index
    if len(command.codes) < 2:
        return _half_attack(context, command)
    src, dst = (index[code] for code in command.codes)
    armies, against = position.armies[src], position.armies[dst]
    stops = command.stops or (("until", 3),)
    rolls = [stop for stop in stops if stop[0] == "x"]
    how, n = stops[0]
    if rolls:
        for each in (stop for stop in stops if stop not in rolls):
            if (why := context.refuse(actions.attack(*command.codes, *each))) is not None:
                return context.reject(command, why)
        how, n = "x", max(1, min(rolls[0][1], armies + against - 2))
    elif how == "dice" and n == min(3, armies - 1):
        how, n = "x", 1
    action = actions.attack(*command.codes, how, n)
    if len(rolls) > 1:
        used = command.stops.index(rolls[0])
        stops = (*command.stops[:used], *command.stops[used + 1 :])
        rest = [command._replace(verb="more", stops=stops), *rest]
    elif rest or command.share is not None:
        rest = [_guard(command, rest, loose=action.how in ("x", "dice")), *rest]
    return context.accept(command, action, rest)


def _guard(attack: Command, rest: Sequence[Command], *, loose: bool) -> Command:
    """Return the command that follows an attack; it begins with the move-in, else with the other orders."""
    start = attack.share_start
    if start < 0:
        start = rest[0].start if rest else attack.end
    codes, end = attack.codes[1:2], max(start, attack.end)
    return Command("guard", codes, share=attack.share, loose=loose, start=start, end=end)


def more(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed | Command | None:
    """Carry on with an attack's remaining rolls, unless the country was taken or a stop applies."""
    position, index = context.position, context.atlas.index
    going = position.phase == "attack" and len(command.codes) == 2
    if going:
        src, dst = (index[code] for code in command.codes)
        armies, against = position.armies[src], position.armies[dst]
        checks = [stop for stop in command.stops if stop[0] != "x"]
        going = (
            position.owner[src] == context.seat != position.owner[dst]
            and armies > 1
            and not any(battles.stops(*stop, armies, against, 0) for stop in checks)
        )
    if going:
        return attack(context, command._replace(verb="attack"), rest)
    return _guard(command, rest, loose=True) if command.codes[1:] else None


def _half_attack(context: OrderContext, command: Command) -> Parsed:
    """Ask about an attack that lacks its target or its origin."""
    position = context.position
    if not command.codes:
        fronts = prompts.best_attacks(position)
        usual = [context.usual_attack(front.src, front.dst) for front in fronts[: prompts.MAX_CHOICES]]
        return question("attack_where", usual) if usual else context.reject_for(command, "no_attack")
    code = command.codes[0]
    at = context.atlas.index[code]
    own = position.owner[at] == context.seat
    key, names = ("attack_from", {"src": code.upper()}) if own else ("attack_on", {"dst": code.upper()})
    if own and position.armies[at] < 2:
        return context.reject_for(command, "alone", **names)
    if not (found := context.attacks_at(at)):
        return context.reject_for(command, f"no_{key}", **names)
    return question(key, found, **names)


def country(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Ask what to do with a country that is named alone."""
    code = command.codes[0]
    at = context.atlas.index[code]
    found = [*context.attacks_at(at), *context.last_moves(at)]
    if found and context.position.owner[at] == context.seat:
        return question("from", found[: prompts.MAX_CHOICES], src=code.upper())
    return _half_attack(context, command)


def guard(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed | None:
    """Move armies in if the country was taken; otherwise refuse the orders that relied on it."""
    position, code = context.position, command.codes[0]
    at = context.atlas.index[code]
    battle = position.attack
    if position.phase == "move" and battle is not None and battle.dst == at:
        return context.accept(command, actions.move(_moving(context, command.share)), rest)
    if position.owner[at] == context.seat or command.loose:
        return None
    if all(each.verb == "guard" for each in rest):
        return context.instructions()
    return context.reject_for(command, "lost", at=code.upper())


def _moving(context: OrderContext, share: Share | None) -> int:
    """Return how many armies move in; by default all if no enemy borders the origin, else the fewest."""
    low, high = battles.move_in_range(context.position)
    battle = context.position.attack
    src = battle.src if battle is not None else 0
    how, n = share or Share("auto")
    match how:
        case "n":
            return n
        case "all":
            return high
        case "half":
            return max(low, min(high, (high + 1) // 2))
        case "stay":
            return max(low, min(high, high + 1 - n))
        case "auto" if prompts.is_interior(context.position, src):
            return high
        case "auto" if n:
            return max(low, min(high, high + 1 - n))
        case _:
            return low


def move(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Move armies into the country that was taken."""
    if command.share is None:
        return context.instructions()
    battle = context.position.attack
    if command.codes and (battle is None or command.codes[-1] != map_tables(context.atlas).codes[battle.dst]):
        return context.reject_for(command, "belongs", part=command.codes[-1].upper())
    return context.accept(command, actions.move(_moving(context, command.share)), rest)


# --- the end of a turn ----------------------------------------------------------------------------------


def fortify(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Make the last move; ask for the number of armies if the order doesn't give it."""
    position, index = context.position, context.atlas.index
    if not command.codes:
        found = context.last_moves()
        return question("fortify", found) if found else context.reject_for(command, "no_fortify")
    if len(command.codes) == 1:
        return _fortify_from(context, command, command.codes[0])
    most = max(1, position.armies[index[command.codes[0]]] - 1)
    if command.share is None:
        every = [
            actions.fortify(*command.codes[:2], n) for n in reversed(prompts.sample(range(1, most + 1), 20))
        ]
        if (why := context.refuse(every[0])) is not None:
            return context.reject(command, why)
        if most > 1:
            return question("fortify_many", every, src=command.codes[0].upper(), dst=command.codes[1].upper())
    how, n = command.share or Share("all")
    count = {"n": n, "stay": max(1, most + 1 - n), "half": max(1, (most + 1) // 2), "min": 1}.get(how, most)
    return context.accept(command, actions.fortify(command.codes[0], command.codes[1], count), ())


def _fortify_from(context: OrderContext, command: Command, code: str) -> Parsed:
    """Ask about a last move that lacks its target."""
    at = context.atlas.index[code]
    if context.position.owner[at] != context.seat:
        return context.accept(command, actions.fortify(code, code, 1), ())
    if found := context.last_moves(at):
        return question("fortify_to", found, src=code.upper())
    if context.position.armies[at] < 2:
        return context.reject_for(command, "alone", src=code.upper())
    return context.reject_for(command, "no_fortify")


# --- all verbs -------------------------------------------------------------------------------------------


def _auto(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Take the default action; if that was a forced trade, place its armies by default too."""
    own = context.own if context.view.own is not None else UNKNOWN
    action = default_moves.default(View(context.position, own), context.seat)
    if action is None:
        return context.reject_for(command, "auto")
    return context.accept(command, action, [command, *rest] if action.kind == "trade" else rest)


def _word(action: Action) -> Handler:
    """Return the handler of an order of one word; nothing can follow the end of a turn."""
    return lambda context, command, rest: context.accept(command, action, () if action == END else rest)


VERBS: Final[dict[str, tuple[Handler, tuple[str, ...]]]] = {
    "place": (place, ("place", "setup")),
    "claim": (claim, ("claim",)),
    "queue": (claim, ("claim",)),
    "capital": (capital, ("capital",)),
    "trade": (trade, ("place",)),
    "keep": (keep, ("place",)),
    "attack": (attack, ("attack",)),
    "more": (more, ()),
    "guard": (guard, ()),
    "country": (country, ("attack",)),
    "number": (lambda context, it, _: context.reject_for(it, "what_number", n=max(it.amounts)), ()),
    "move": (move, ("move",)),
    "fortify": (fortify, ("attack",)),
    "auto": (_auto, ()),
    "end": (_word(END), ("attack",)),
    "done": (_word(DONE), ("claim",)),
    "continue": (_word(CONTINUE), ("vote",)),
    "stop": (_word(STOP), ("vote",)),
}
"""The handler of each verb, and the phases in which it is due; () for any."""
