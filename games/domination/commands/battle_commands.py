"""Orders of a battle: attacks and their consequences, armies that move in, the last move of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from games.domination.commands import prompts, suggestions
from games.domination.commands.command import Command, Share
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
from games.domination.rules import actions, battles
from games.domination.rules.actions import Action


def attack(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Turn an attack into an action; ask for its target if the order doesn't name one."""
    position, index = context.position, context.atlas.index
    if (early := reject_undue(context, command, "attack")) is not None:
        return early
    if len(command.codes) < 2:
        return _half_attack(context, command)
    src, dst = (index[code] for code in command.codes)
    armies, against = position.armies[src], position.armies[dst]
    stops = command.stops or (("until", 3),)
    checks = [stop for stop in stops if stop[0] != "x"]
    rolls = [n for how, n in stops if how == "x"]
    if rolls:
        for how, n in checks:
            action = actions.attack(*command.codes, "until" if how == "until" else "lead", n)
            if (why := context.refuse(action)) is not None:
                return reject(context, command, why)
        most = max(1, min(rolls[0], armies + against - 2))
        return _fought(context, command, actions.attack(*command.codes, "x", most), rest, len(rolls) > 1)
    how, n = stops[0]
    if how == "dice" and n == min(3, armies - 1):
        action = actions.attack(*command.codes, "x", 1)
    elif how == "dice":
        action = actions.attack(*command.codes, "dice", n)
    else:
        action = actions.attack(*command.codes, "until" if how == "until" else "lead", n)
    return _fought(context, command, action, rest, False)


def _fought(
    context: OrderContext, command: Command, action: Action, rest: Sequence[Command], again: bool
) -> Parsed:
    """Return an attack and the commands that follow from it: more rolls, a move-in, other orders."""
    if again:
        used = next(n for n, (how, _) in enumerate(command.stops) if how == "x")
        stops = (*command.stops[:used], *command.stops[used + 1 :])
        rest = [command._replace(verb="more", stops=stops), *rest]
    elif rest or command.share is not None:
        rest = [_guard(command, rest, loose=action.how in ("x", "dice")), *rest]
    return accept(context, command, action, rest)


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
        going = position.owner[src] == context.seat != position.owner[dst] and armies > 1
        for how, n in command.stops:
            if (how == "until" and armies <= n) or (how == "lead" and armies - against < n):
                going = False
    if going:
        return attack(context, command._replace(verb="attack"), rest)
    return _guard(command, rest, loose=True) if command.codes[1:] else None


def _half_attack(context: OrderContext, command: Command) -> Parsed:
    """Ask about an attack that lacks its target or its origin."""
    position = context.position
    if not command.codes:
        fronts = suggestions.best_attacks(position)
        if not fronts:
            return reject_for(context, command, "no_attack")
        found = [
            prompts.usual_attack(context, front.src, front.dst) for front in fronts[: prompts.MAX_CHOICES]
        ]
        return question("attack_where", found)
    code = command.codes[0]
    at = context.atlas.index[code]
    if position.owner[at] == context.seat:
        if position.armies[at] < 2:
            return reject_for(context, command, "alone", src=code.upper())
        found = prompts.attacks_from(context, at)
        return (
            question("attack_from", found, src=code.upper())
            if found
            else reject_for(context, command, "no_attack_from", src=code.upper())
        )
    found = prompts.attacks_on(context, at)
    return (
        question("attack_on", found, dst=code.upper())
        if found
        else reject_for(context, command, "no_attack_on", dst=code.upper())
    )


def country(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Ask what to do with a country that is named alone."""
    if (early := reject_undue(context, command, "attack")) is not None:
        return early
    code = command.codes[0]
    at = context.atlas.index[code]
    if context.position.owner[at] == context.seat:
        found = [*prompts.attacks_from(context, at), *prompts.last_moves(context, at)]
        if found:
            return question("from", found[: prompts.MAX_CHOICES], src=code.upper())
    return _half_attack(context, command)


def strange_number(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Refuse a number that has no meaning in its order."""
    return reject_for(context, command, "what_number", n=max(command.amounts))


def guard(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed | None:
    """Move armies in if the country was taken; otherwise refuse the orders that relied on it."""
    position, code = context.position, command.codes[0]
    at = context.atlas.index[code]
    battle = position.attack
    if position.phase == "move" and battle is not None and battle.dst == at:
        return accept(context, command, actions.move(_moving(context, command.share)), rest)
    if position.owner[at] == context.seat or command.loose:
        return None
    if all(each.verb == "guard" for each in rest):
        return instructions(context)
    return reject_for(context, command, "lost", at=code.upper())


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
        case "auto" if suggestions.is_interior(context.position, src):
            return high
        case "auto" if n:
            return max(low, min(high, high + 1 - n))
        case _:
            return low


def move(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Move armies into the country that was taken."""
    if (early := reject_undue(context, command, "move")) is not None:
        return early
    if command.share is None:
        return instructions(context)
    return accept(context, command, actions.move(_moving(context, command.share)), rest)


# --- the end of a turn ----------------------------------------------------------------------------------


def fortify(context: OrderContext, command: Command, rest: Sequence[Command]) -> Parsed:
    """Make the last move; ask for the number of armies if the order doesn't give it."""
    position, index = context.position, context.atlas.index
    if (early := reject_undue(context, command, "attack")) is not None:
        return early
    if not command.codes:
        found = prompts.last_moves(context)
        return question("fortify", found) if found else reject_for(context, command, "no_fortify")
    if len(command.codes) == 1:
        return _fortify_from(context, command, command.codes[0])
    most = max(1, position.armies[index[command.codes[0]]] - 1)
    if command.share is None:
        every = [
            actions.fortify(*command.codes[:2], n)
            for n in reversed(suggestions.sample(range(1, most + 1), 20))
        ]
        if (why := context.refuse(every[0])) is not None:
            return reject(context, command, why)
        if most > 1:
            return question("fortify_many", every, src=command.codes[0].upper(), dst=command.codes[1].upper())
    how, n = command.share or Share("all")
    count = {"n": n, "stay": max(1, most + 1 - n), "half": max(1, (most + 1) // 2), "min": 1}.get(how, most)
    return accept(context, command, actions.fortify(command.codes[0], command.codes[1], count), ())


def _fortify_from(context: OrderContext, command: Command, code: str) -> Parsed:
    """Ask about a last move that lacks its target."""
    at = context.atlas.index[code]
    if context.position.owner[at] != context.seat:
        return accept(context, command, actions.fortify(code, code, 1), ())
    found = prompts.last_moves(context, at)
    if found:
        return question("fortify_to", found, src=code.upper())
    if context.position.armies[at] < 2:
        return reject_for(context, command, "alone", src=code.upper())
    return reject_for(context, command, "no_fortify")
