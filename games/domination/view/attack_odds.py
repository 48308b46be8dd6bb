"""The odds of attacks: of one order, of the attack that a text names, or of the best attacks there are.

The stops of an order (a number of armies, a lead, a number of rolls, one roll with fewer dice) are followed
exactly, roll by roll.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import nextafter
from typing import Final, NamedTuple

from games.domination.commands import prompts
from games.domination.commands.command import Command
from games.domination.commands.grammar import read_orders
from games.domination.commands.prompts import OrderContext, write
from games.domination.commands.tokens import MAX_TEXT_LENGTH
from games.domination.rules import battle_odds, judge
from games.domination.rules.actions import Action, attack
from games.domination.rules.battles import stops
from games.domination.rules.position import NOBODY, View, map_tables
from games.engine.game import Odds, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import too_long

_MAX_ARMIES: Final = 80
"""Number of armies from which on they are scaled down, since odds hardly depend on the numbers then."""
_ALMOST_SURE: Final = nextafter(1.0, 0.0)
"""Highest chance of an attack that can fail, however rarely: floats round it to 1."""


class AttackOdds(NamedTuple):
    """The odds of an attack order."""

    wins: float
    """Chance that the country is taken."""
    left: float
    """Expected armies at the origin if the country is taken, before any move in; 0 if it can't be."""
    remain: float
    """Expected armies at the origin if it isn't taken; 0 if it is sure to be."""
    against: float
    """Expected armies in the country if it isn't taken."""


@lru_cache(maxsize=1 << 12)
def odds_of(armies: int, against: int, how: str, n: int, defence: int) -> AttackOdds:
    """Return the odds of an attack with a stop as in `actions.StopRule`.

    `armies`, `against`: in the two countries; `defence`: maximum number of the defender's dice.
    """
    if how in ("until", "lead") and max(armies, against) > _MAX_ARMIES:
        scale = max(armies, against) / _MAX_ARMIES
        ours, others, stop = round(armies / scale), round(against / scale), round(n / scale)
        small = odds_of(max(2, ours), max(1, others), how, max(1, stop), defence)
        return AttackOdds(small.wins, small.left * scale, small.remain * scale, small.against * scale)
    wins, lost, left, remain, theirs = _weighted_odds(armies, against, how, n, defence)
    return AttackOdds(
        min(wins, _ALMOST_SURE) if lost > 0.0 else wins,
        left / wins if wins > 0.0 else 0.0,
        remain / lost if lost > 0.0 else 0.0,
        theirs / lost if lost > 0.0 else 0.0,
    )


def _weighted_odds(
    armies: int, against: int, how: str, n: int, defence: int
) -> tuple[float, float, float, float, float]:
    """Return the chances to take it and to fail, and the armies of each case multiplied by its chance."""
    reached: dict[tuple[int, int, int], float] = {(armies, against, 0): 1.0}
    wins = lost = left = remain = theirs = 0.0
    while reached:
        after: dict[tuple[int, int, int], float] = {}
        for (ours, others, rolls), weight in reached.items():
            if not others:
                wins += weight
                left += weight * ours
                continue
            if ours < 2 or (rolls and stops(how, n, ours, others, rolls)):
                lost += weight
                remain += weight * ours
                theirs += weight * others
                continue
            thrown = min(n if how == "dice" else battle_odds.MAX_ATTACK_DICE, ours - 1)
            count = rolls + 1 if how in ("x", "dice") else 1
            for minus, kills, part in battle_odds.float_distribution(thrown, min(defence, others)):
                key = (ours - minus, others - kills, count)
                after[key] = after.get(key, 0.0) + weight * part
        reached = after
    return min(1.0, wins), lost, left, remain, theirs


def action_odds(context: OrderContext, action: Action) -> AttackOdds:
    """Return the odds of an attack order."""
    index, armies = context.atlas.index, context.position.armies
    src, dst = index[action.a], index[action.b]
    return odds_of(armies[src], armies[dst], action.how, action.n, context.position.info.law.defence)


def percent(of: float) -> int:
    """Return a chance as a whole percentage; only certainties are 0 or 100."""
    return max(1, min(99, round(100 * of))) if 0.0 < of < 1.0 else round(100 * of)


# --- odds for people -------------------------------------------------------------------------------------

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
        best = prompts.best_attacks(view.position)[:_MAX_ATTACKS]
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
    codes, position = map_tables(context.atlas).codes, context.position
    pairs = context.pairs_at(context.atlas.index[code])
    able = [(src, dst) for src, dst in pairs if position.armies[dst]]
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
            most = max(1, min(battle_odds.MAX_ATTACK_DICE, armies - 1))
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
        (wins, msg("domination.odds.won", left=judge.armies_words(round(found.left)), **names)),
        (1 - wins, msg("domination.odds.lost", left=round(found.remain), n=round(found.against), **names)),
    ]
    return Odds(text, tuple(sorted((row for row in rows if row[0] > 0), key=lambda row: -row[0])))


_SINGLE_ROLLS: Final = (("x", 1), ("dice", 1), ("dice", 2))
"""Stops, with their number, after which at most one roll is made."""


def _one_roll(
    context: OrderContext, action: Action, armies: int, against: int
) -> tuple[tuple[Fraction, Msg], ...]:
    """Return the possible losses of one roll on both sides, likeliest first."""
    most = action.n if action.how == "dice" else battle_odds.MAX_ATTACK_DICE
    thrown = min(most, armies - 1)
    rows = battle_odds.distribution(thrown, min(context.position.info.law.defence, against))
    found = []
    for lost, killed, part in sorted(rows, key=lambda row: (-row[2], row[0])):
        label = msg("domination.odds.roll", lost=lost, killed=killed)
        if killed == against:
            label = msg("domination.odds.taken", lost=lost, dst=action.b.upper())
        found.append((part, label))
    return tuple(found)
