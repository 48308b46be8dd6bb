"""The odds of an attack that a text names, or of the best ones there are; anybody may ask."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.domination.commands import prompts, suggestions
from games.domination.commands.command import Command
from games.domination.commands.grammar import read
from games.domination.commands.prompts import Moment, write
from games.domination.rules import dice, judge
from games.domination.rules.actions import Action, attack
from games.domination.rules.position import NOBODY, View, chart
from games.domination.view.attack_odds import of_action
from games.engine.game import Odds, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import too_long

_ODDS: Final = 6
_READ: Final = 1000


def odds(view: View, seat: int, text: str) -> tuple[Odds, ...] | Rejected:
    """The odds of the attack that a text names, whoever may order it; for none, of the best that there are.

    `ala kam` is fought to the end. Nothing for texts about anything else.
    """
    moment = prompts.moment_of(view, seat)
    if not text.strip():
        if view.position.phase != "attack" or seat not in judge.to_act(view.position):
            return ()
        codes = chart(moment.atlas).codes
        best = suggestions.fronts(view.position)[:_ODDS]
        return tuple(_odds(moment, attack(codes[f.src], codes[f.dst], "until", 1)) for f in best)
    if too_long(text, _READ):
        return Rejected(msg("domination.refuse.unreadable"), (0, len(text)), chat=True)
    said = read(moment.atlas, text)
    if said.wrong is not None:
        return Rejected(said.wrong.why, said.wrong.span, chat=said.talk)
    fights = [
        command for command in said.commands if command.verb in ("attack", "more", "") and command.codes
    ]
    if not fights:
        return ()
    return _named(moment, fights[0]) if len(fights[0].codes) > 1 else _around(moment, fights[0].codes[0])


def _around(moment: Moment, code: str) -> tuple[Odds, ...]:
    """The odds of whatever a country of the seat may attack, or of what may attack another one."""
    position, borders = moment.position, chart(moment.atlas).borders
    armies, owner, at = position.armies, position.owner, moment.atlas.index[code]
    if owner[at] == moment.seat:
        pairs = [(at, n) for n in borders[at] if owner[n] not in (moment.seat, NOBODY)]
    else:
        pairs = [(n, at) for n, row in enumerate(borders) if at in row and owner[n] == moment.seat]
    codes = chart(moment.atlas).codes
    able = [(src, dst) for src, dst in pairs if armies[src] > 1 and armies[dst]]
    return tuple(_odds(moment, attack(codes[src], codes[dst], "until", 1)) for src, dst in able[:_ODDS])


def _named(moment: Moment, command: Command) -> tuple[Odds, ...] | Rejected:
    position, index = moment.position, moment.atlas.index
    a, b = command.codes[:2]
    src, dst = index[a], index[b]
    for at in (src, dst):
        if position.owner[at] == NOBODY or not position.armies[at]:
            why = msg("domination.refuse.nobodys", at=chart(moment.atlas).names[at])
            return Rejected(why, (command.start, command.end))
    if dst not in chart(moment.atlas).borders[src]:
        why = msg("domination.refuse.border", src=a.upper(), dst=b.upper())
        return Rejected(why, (command.start, command.end))
    return (_odds(moment, _action(moment, command, src, dst)),)


def _action(moment: Moment, command: Command, src: int, dst: int) -> Action:
    """The attack that a text means; a pair of countries alone is fought to the end."""
    a, b = command.codes[:2]
    armies, against = moment.position.armies[src], moment.position.armies[dst]
    match command.stops[:1]:
        case (("x", _),):
            count = sum(n for how, n in command.stops if how == "x")
            return attack(a, b, "x", max(1, min(count, 3, armies + against - 2)))
        case (("dice", n),):
            most = max(1, min(dice.ATTACK_DICE, armies - 1))
            return attack(a, b, "dice", n) if 1 <= n < most else attack(a, b, "x", 1)
        case (("lead", n),):
            return attack(a, b, "lead", n)
        case (("until", n),):
            return attack(a, b, "until", n)
        case _:
            return attack(a, b, "until", 3 if command.verb == "attack" else 1)


def _odds(moment: Moment, action: Action) -> Odds:
    text = write(action)
    if moment.refuse(action) is not None:
        until = f" until {action.n}" if action.how == "until" and action.n > 1 else ""
        text = f"{action.a} {action.b}{until}"
    armies = moment.position.armies
    src, dst = (moment.atlas.index[code] for code in (action.a, action.b))
    if armies[src] > 1 and (action.how, action.n) in _ROLLS:
        return Odds(text, _one_roll(moment, action, armies[src], armies[dst]))
    found = of_action(moment, action)
    wins = Fraction(found.wins)
    names = {"dst": action.b.upper()}
    rows = [
        (wins, msg("domination.odds.won", left=round(found.left), **names)),
        (1 - wins, msg("domination.odds.lost", left=round(found.remain), n=round(found.against), **names)),
    ]
    return Odds(text, tuple(sorted((row for row in rows if row[0] > 0), key=lambda row: -row[0])))


_ROLLS: Final = (("x", 1), ("dice", 1), ("dice", 2))


def _one_roll(moment: Moment, action: Action, armies: int, against: int) -> tuple[tuple[Fraction, Msg], ...]:
    """What one roll may cost both sides, likelier first."""
    most = action.n if action.how == "dice" else dice.ATTACK_DICE
    thrown = min(most, armies - 1)
    rows = dice.distribution(thrown, min(moment.position.table.law.defence, against))
    found = []
    for lost, killed, part in sorted(rows, key=lambda row: (-row[2], row[0])):
        said = msg("domination.odds.roll", lost=lost, killed=killed)
        if killed == against:
            said = msg("domination.odds.taken", lost=lost, dst=action.b.upper())
        found.append((part, said))
    return tuple(found)
