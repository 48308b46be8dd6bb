"""Give orders without a verb the one that fits the phase in which they would be carried out.

A script goes through the phases of a turn: armies are placed first, and after an attack more attacks follow.
So `ukr mea` is an incomplete placement at the start of a turn, and an attack after `place ukr`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.domination.commands import prompts
from games.domination.commands.command import ALL, NO_AMOUNT, Command, Share, arranged
from games.domination.commands.prompts import OrderContext

_ATTACKS: Final = frozenset(("attack", "more", "guard", "move"))
_TRADED: Final = -1
"""Armies to place after a trade: their number isn't worked out."""
_PLACED: Final = -2
"""Armies to place after a trade and a placement."""


def with_verbs(context: OrderContext, commands: Sequence[Command]) -> tuple[Command, ...]:
    """Return the orders with verbs that fit the phase; `auto` is written out if it means several orders."""
    phase, own = context.position.phase, context.own
    found = _verbs(context, commands)
    if phase == "setup" and any(command.verb == "auto" for command in found):
        left = own.pool - sum(n for command in found for n in command.amounts if n > 0)
        found = [_spread(context, command, left) if command.verb == "auto" else command for command in found]
    elif phase == "claim":
        found = _claims(_drafted(context, found))
    return arranged(found, moving=phase == "move")


def _spread(context: OrderContext, auto: Command, pool: int) -> Command:
    """Return `auto` before the first turn as a placement of the whole pool, if any of it is left."""
    rows = prompts.spread(context.position, context.own, context.seat, max(0, pool))
    if not rows:
        return auto
    codes = prompts.codes_of(context.position, (at for at, _ in rows))
    return auto._replace(verb="place", codes=tuple(codes), amounts=tuple(n for _, n in rows))


def _drafted(context: OrderContext, commands: Sequence[Command]) -> list[Command]:
    """Return orders in a draft, with `auto` as claims of all free countries that aren't named before it."""
    found: list[Command] = []
    named: list[str] = []
    for command in commands:
        if command.verb == "auto":
            codes = tuple(prompts.draft_order(context.position, context.own, context.seat, named))
            given = any(each.verb in ("claim", "queue") for each in found)
            if codes or not given:
                found.append(command._replace(verb="claim" if codes else "done", codes=codes))
            named += codes
        else:
            found.append(command)
            named += command.codes
    return found


def _claims(commands: Sequence[Command]) -> list[Command]:
    """Merge claims in a row: the last claim of an order ends the seat's draft, so none may follow it."""
    found: list[Command] = []
    for command in commands:
        if found and found[-1].verb == command.verb == "claim":
            found[-1] = found[-1].extended(command)
        else:
            found.append(command)
    return found


def _verbs(context: OrderContext, commands: Sequence[Command]) -> list[Command]:
    """Return the orders with a verb each."""
    position = context.position
    phase: str = position.phase
    pool = position.pool
    rows = zip(context.atlas.countries, position.owner, strict=True)
    held = {country.code for country, by in rows if by == context.seat}
    battle: tuple[str, ...] = ()
    if position.attack is not None:
        battle = tuple(prompts.codes_of(position, (position.attack.src, position.attack.dst)))
    found: list[Command] = []
    for command in commands:
        meant = _meant(command, phase, held, pool)
        if meant.verb == "shift":
            fought = meant.codes == battle
            meant = meant._replace(verb="move", codes=()) if fought else meant._replace(verb="fortify")
        battle = ()
        found.append(meant)
        if meant.verb == "trade":
            phase, pool = "place", _TRADED
        elif phase == "place" and meant.verb in ("place", "auto"):
            pool = _left(meant, pool)
        if meant.verb in _ATTACKS or (phase == "place" and not pool):
            phase = "attack"
        if meant.verb in ("attack", "more"):
            battle = meant.codes[-2:]
            held.update(meant.codes[1:])
    return found


def _left(command: Command, pool: int) -> int:
    """Return how many armies of the pool are left after a placement."""
    if command.verb == "auto" or ALL in command.amounts or NO_AMOUNT in command.amounts:
        return 0
    return max(0, pool - sum(command.amounts)) if pool >= 0 else _PLACED


def _meant(command: Command, phase: str, held: set[str], pool: int) -> Command:
    """Return an order with its verb; `pool`: armies to place, `_TRADED` or `_PLACED`."""
    if command.verb == "skip":
        verb = {"place": "end" if pool == _PLACED else "keep", "claim": "done"}.get(phase, "end")
        return command._replace(verb=verb)
    if command.verb == "setup":
        return command._replace(verb="place")
    if command.verb == "done" and phase == "place" and not pool:
        return command._replace(verb="keep")
    if command.verb:
        return command
    if command.share is not None and not command.codes:
        return command._replace(verb="move")
    if command.amounts and NO_AMOUNT not in command.amounts:
        return command._replace(verb="place")
    pair = len(command.codes) == 2 and command.codes[0] in held
    pair = pair and (command.codes[1] not in held or (pool == _PLACED and not command.joined))
    if phase == "setup" or (phase == "place" and pool and not pair):
        return command._replace(verb="place" if command.amounts else "attack")
    if phase in ("claim", "capital") and not any(command.amounts) and not command.stops:
        return command._replace(verb=phase, amounts=())
    if len(command.codes) > 1:
        return _pair(command, held)
    return command._replace(verb="country")


def _pair(command: Command, held: set[str]) -> Command:
    """Return two countries of the seat's own as a last move, others as an attack."""
    amounts = [n for n in command.amounts if n != NO_AMOUNT]
    if held.issuperset(command.codes) and len(command.codes) == 2 and not command.stops:
        if command.joined and command.amounts and not amounts:
            return command._replace(verb="place")
        share = command.share
        if amounts:
            share = Share("all") if amounts[0] == ALL else Share("n", amounts[0])
        return command._replace(verb="fortify", amounts=(), share=share)
    if amounts:
        return command._replace(verb="number", amounts=tuple(amounts))
    return command._replace(verb="attack", amounts=())
