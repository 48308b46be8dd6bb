"""The odds of an attack that a text names, or of the best attacks there are; anyone may ask for them."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.domination.commands import prompts, suggestions
from games.domination.commands.command import Command
from games.domination.commands.grammar import read_orders
from games.domination.commands.prompts import OrderContext, write
from games.domination.commands.tokens import MAX_TEXT_LENGTH
from games.domination.rules import dice, judge
from games.domination.rules.actions import Action, attack
from games.domination.rules.position import NOBODY, View, map_tables
from games.domination.view.attack_odds import action_odds
from games.engine.game import Odds, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import too_long

_MAX_ATTACKS: Final = 6
"""Maximum number of attacks whose odds are listed."""


def odds(view: View, seat: int, text: str) -> tuple[Odds, ...] | Rejected:
    """Return the odds of the attack that a text names; for an empty text, of the seat's best attacks.

    The attack needn't be legal now. `ala kam` is fought to the end. Nothing for texts about anything else.
    """
    context = prompts.context_of(view, seat)
    if not text.strip():
        if view.position.phase != "attack" or seat not in judge.to_act(view.position):
            return ()
        codes = map_tables(context.atlas).codes
        best = suggestions.best_attacks(view.position)[:_MAX_ATTACKS]
        return tuple(_odds(context, attack(codes[f.src], codes[f.dst], "until", 1)) for f in best)
    if too_long(text, MAX_TEXT_LENGTH):
        return Rejected(msg("domination.refuse.unreadable"), (0, len(text)), chat=True)
    result = read_orders(context.atlas, text)
    if result.problem is not None:
        return Rejected(result.problem.why, result.problem.span, chat=result.chat)
    fights = [
        command for command in result.commands if command.verb in ("attack", "more", "") and command.codes
    ]
    if not fights:
        return ()
    return (
        _by_pair(context, fights[0]) if len(fights[0].codes) > 1 else _by_country(context, fights[0].codes[0])
    )


def _by_country(context: OrderContext, code: str) -> tuple[Odds, ...]:
    """Return the odds of the seat's attacks from one of its countries, or on a country of another seat."""
    position, borders = context.position, map_tables(context.atlas).borders
    armies, owner, at = position.armies, position.owner, context.atlas.index[code]
    if owner[at] == context.seat:
        pairs = [(at, n) for n in borders[at] if owner[n] not in (context.seat, NOBODY)]
    else:
        pairs = [(n, at) for n, row in enumerate(borders) if at in row and owner[n] == context.seat]
    codes = map_tables(context.atlas).codes
    able = [(src, dst) for src, dst in pairs if armies[src] > 1 and armies[dst]]
    return tuple(
        _odds(context, attack(codes[src], codes[dst], "until", 1)) for src, dst in able[:_MAX_ATTACKS]
    )


def _by_pair(context: OrderContext, command: Command) -> tuple[Odds, ...] | Rejected:
    """Return the odds of an attack with origin and target, or why there can't be such an attack."""
    position, index = context.position, context.atlas.index
    a, b = command.codes[:2]
    src, dst = index[a], index[b]
    for at in (src, dst):
        if position.owner[at] == NOBODY or not position.armies[at]:
            why = msg("domination.refuse.nobodys", at=map_tables(context.atlas).display_codes[at])
            return Rejected(why, (command.start, command.end))
    if dst not in map_tables(context.atlas).borders[src]:
        why = msg("domination.refuse.border", src=a.upper(), dst=b.upper())
        return Rejected(why, (command.start, command.end))
    return (_odds(context, _action(context, command, src, dst)),)


def _action(context: OrderContext, command: Command, src: int, dst: int) -> Action:
    """Return the attack that a text means; a pair of countries alone is fought to the end."""
    a, b = command.codes[:2]
    armies, against = context.position.armies[src], context.position.armies[dst]
    match command.stops[:1]:
        case (("x", _),):
            count = sum(n for how, n in command.stops if how == "x")
            return attack(a, b, "x", max(1, min(count, 3, armies + against - 2)))
        case (("dice", n),):
            most = max(1, min(dice.MAX_ATTACK_DICE, armies - 1))
            return attack(a, b, "dice", n) if 1 <= n < most else attack(a, b, "x", 1)
        case (("lead", n),):
            return attack(a, b, "lead", n)
        case (("until", n),):
            return attack(a, b, "until", n)
        case _:
            return attack(a, b, "until", 3 if command.verb == "attack" else 1)


def _odds(context: OrderContext, action: Action) -> Odds:
    """Return an attack's odds, with the text that orders it."""
    text = write(action)
    if context.refuse(action) is not None:
        until = f" until {action.n}" if action.how == "until" and action.n > 1 else ""
        text = f"{action.a} {action.b}{until}"
    armies = context.position.armies
    src, dst = (context.atlas.index[code] for code in (action.a, action.b))
    if armies[src] > 1 and (action.how, action.n) in _SINGLE_ROLLS:
        return Odds(text, _one_roll(context, action, armies[src], armies[dst]))
    found = action_odds(context, action)
    wins = Fraction(found.wins)
    names = {"dst": action.b.upper()}
    rows = [
        (wins, msg("domination.odds.won", left=round(found.left), **names)),
        (1 - wins, msg("domination.odds.lost", left=round(found.remain), n=round(found.against), **names)),
    ]
    return Odds(text, tuple(sorted((row for row in rows if row[0] > 0), key=lambda row: -row[0])))


_SINGLE_ROLLS: Final = (("x", 1), ("dice", 1), ("dice", 2))
"""Stops, with their number, after which at most one roll is made."""


def _one_roll(
    context: OrderContext, action: Action, armies: int, against: int
) -> tuple[tuple[Fraction, Msg], ...]:
    """Return the possible losses of one roll on both sides, likeliest first."""
    most = action.n if action.how == "dice" else dice.MAX_ATTACK_DICE
    thrown = min(most, armies - 1)
    rows = dice.distribution(thrown, min(context.position.info.law.defence, against))
    found = []
    for lost, killed, part in sorted(rows, key=lambda row: (-row[2], row[0])):
        label = msg("domination.odds.roll", lost=lost, killed=killed)
        if killed == against:
            label = msg("domination.odds.taken", lost=lost, dst=action.b.upper())
        found.append((part, label))
    return tuple(found)
