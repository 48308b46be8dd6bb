"""Orders of a battle: attacks and their consequences, armies that move in, the last move of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from games.domination.commands import prompts, suggestions
from games.domination.commands.command import Command, Share
from games.domination.commands.prompts import Found, Moment, ask, done, due, instructions, refuse, refused
from games.domination.rules import actions, battles
from games.domination.rules.actions import Action


def attack(moment: Moment, command: Command, rest: Sequence[Command]) -> Found:
    """Turn an attack into an action; ask for its target if the order doesn't name one."""
    position, index = moment.position, moment.atlas.index
    if (early := due(moment, command, "attack")) is not None:
        return early
    if len(command.codes) < 2:
        return _half_attack(moment, command)
    src, dst = (index[code] for code in command.codes)
    armies, against = position.armies[src], position.armies[dst]
    stops = command.stops or (("until", 3),)
    checks = [stop for stop in stops if stop[0] != "x"]
    rolls = [n for how, n in stops if how == "x"]
    if rolls:
        for how, n in checks:
            action = actions.attack(*command.codes, "until" if how == "until" else "lead", n)
            if (why := moment.refuse(action)) is not None:
                return refused(moment, command, why)
        most = max(1, min(rolls[0], armies + against - 2))
        return _fought(moment, command, actions.attack(*command.codes, "x", most), rest, len(rolls) > 1)
    how, n = stops[0]
    if how == "dice" and n == min(3, armies - 1):
        action = actions.attack(*command.codes, "x", 1)
    elif how == "dice":
        action = actions.attack(*command.codes, "dice", n)
    else:
        action = actions.attack(*command.codes, "until" if how == "until" else "lead", n)
    return _fought(moment, command, action, rest, False)


def _fought(moment: Moment, command: Command, action: Action, rest: Sequence[Command], again: bool) -> Found:
    """Return an attack and the commands that follow from it: more rolls, a move-in, other orders."""
    if again:
        used = next(n for n, (how, _) in enumerate(command.stops) if how == "x")
        stops = (*command.stops[:used], *command.stops[used + 1 :])
        rest = [command._replace(verb="more", stops=stops), *rest]
    elif rest or command.share is not None:
        rest = [_guard(command, rest, loose=action.how in ("x", "dice")), *rest]
    return done(moment, command, action, rest)


def _guard(attack: Command, rest: Sequence[Command], *, loose: bool) -> Command:
    """Return the command that follows an attack; it begins with the move-in, or else with the other orders."""
    start = attack.share_start
    if start < 0:
        start = rest[0].start if rest else attack.end
    codes, end = attack.codes[1:2], max(start, attack.end)
    return Command("guard", codes, share=attack.share, loose=loose, start=start, end=end)


def more(moment: Moment, command: Command, rest: Sequence[Command]) -> Found | Command | None:
    """Carry on with an attack's remaining rolls, unless the country was taken or a stop applies."""
    position, index = moment.position, moment.atlas.index
    going = position.phase == "attack" and len(command.codes) == 2
    if going:
        src, dst = (index[code] for code in command.codes)
        armies, against = position.armies[src], position.armies[dst]
        going = position.owner[src] == moment.seat != position.owner[dst] and armies > 1
        for how, n in command.stops:
            if (how == "until" and armies <= n) or (how == "lead" and armies - against < n):
                going = False
    if going:
        return attack(moment, command._replace(verb="attack"), rest)
    return _guard(command, rest, loose=True) if command.codes[1:] else None


def _half_attack(moment: Moment, command: Command) -> Found:
    """Ask about an attack that lacks its target or its origin."""
    position = moment.position
    if not command.codes:
        fronts = suggestions.fronts(position)
        if not fronts:
            return refuse(moment, command, "no_attack")
        found = [prompts.attack(moment, front.src, front.dst) for front in fronts[: prompts.MENU]]
        return ask("attack_where", found)
    code = command.codes[0]
    at = moment.atlas.index[code]
    if position.owner[at] == moment.seat:
        if position.armies[at] < 2:
            return refuse(moment, command, "alone", src=code.upper())
        found = prompts.from_country(moment, at)
        return (
            ask("attack_from", found, src=code.upper())
            if found
            else refuse(moment, command, "no_attack_from", src=code.upper())
        )
    found = prompts.on_country(moment, at)
    return (
        ask("attack_on", found, dst=code.upper())
        if found
        else refuse(moment, command, "no_attack_on", dst=code.upper())
    )


def country(moment: Moment, command: Command, rest: Sequence[Command]) -> Found:
    """Ask what to do with a country that is named alone."""
    if (early := due(moment, command, "attack")) is not None:
        return early
    code = command.codes[0]
    at = moment.atlas.index[code]
    if moment.position.owner[at] == moment.seat:
        found = [*prompts.from_country(moment, at), *prompts.last_moves(moment, at)]
        if found:
            return ask("from", found[: prompts.MENU], src=code.upper())
    return _half_attack(moment, command)


def strange_number(moment: Moment, command: Command, rest: Sequence[Command]) -> Found:
    """Refuse a number that has no meaning in its order."""
    return refuse(moment, command, "what_number", n=max(command.amounts))


def guard(moment: Moment, command: Command, rest: Sequence[Command]) -> Found | None:
    """Move armies in if the country was taken; otherwise refuse the orders that relied on it."""
    position, code = moment.position, command.codes[0]
    at = moment.atlas.index[code]
    battle = position.order
    if position.phase == "move" and battle is not None and battle.dst == at:
        return done(moment, command, actions.move(_moving(moment, command.share)), rest)
    if position.owner[at] == moment.seat or command.loose:
        return None
    if all(each.verb == "guard" for each in rest):
        return instructions(moment)
    return refuse(moment, command, "lost", at=code.upper())


def _moving(moment: Moment, share: Share | None) -> int:
    """Return how many armies move in; by default all if no enemy borders the origin, else the fewest."""
    low, high = battles.room(moment.position)
    battle = moment.position.order
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
        case "auto" if suggestions.interior(moment.position, src):
            return high
        case "auto" if n:
            return max(low, min(high, high + 1 - n))
        case _:
            return low


def move(moment: Moment, command: Command, rest: Sequence[Command]) -> Found:
    """Move armies into the country that was taken."""
    if (early := due(moment, command, "move")) is not None:
        return early
    if command.share is None:
        return instructions(moment)
    return done(moment, command, actions.move(_moving(moment, command.share)), rest)


# --- the end of a turn ----------------------------------------------------------------------------------


def fortify(moment: Moment, command: Command, rest: Sequence[Command]) -> Found:
    """Make the last move; ask for the number of armies if the order doesn't give it."""
    position, index = moment.position, moment.atlas.index
    if (early := due(moment, command, "attack")) is not None:
        return early
    if not command.codes:
        found = prompts.last_moves(moment)
        return ask("fortify", found) if found else refuse(moment, command, "no_fortify")
    if len(command.codes) == 1:
        return _fortify_from(moment, command, command.codes[0])
    most = max(1, position.armies[index[command.codes[0]]] - 1)
    if command.share is None:
        every = [
            actions.fortify(*command.codes[:2], n) for n in reversed(suggestions.some(range(1, most + 1), 20))
        ]
        if (why := moment.refuse(every[0])) is not None:
            return refused(moment, command, why)
        if most > 1:
            return ask("fortify_many", every, src=command.codes[0].upper(), dst=command.codes[1].upper())
    how, n = command.share or Share("all")
    count = {"n": n, "stay": max(1, most + 1 - n), "half": max(1, (most + 1) // 2), "min": 1}.get(how, most)
    return done(moment, command, actions.fortify(command.codes[0], command.codes[1], count), ())


def _fortify_from(moment: Moment, command: Command, code: str) -> Found:
    """Ask about a last move that lacks its target."""
    at = moment.atlas.index[code]
    if moment.position.owner[at] != moment.seat:
        return done(moment, command, actions.fortify(code, code, 1), ())
    found = prompts.last_moves(moment, at)
    if found:
        return ask("fortify_to", found, src=code.upper())
    if moment.position.armies[at] < 2:
        return refuse(moment, command, "alone", src=code.upper())
    return refuse(moment, command, "no_fortify")
