"""What an order of Domination leads to: odds, continents won and broken, seats beaten, cards, the border.

It uses nothing but what the seat sees. The effects of an attack are those of its success.
"""

from __future__ import annotations

from typing import Final

from games.domination.commands.prompts import write
from games.domination.rules import move_generator
from games.domination.rules.actions import Action
from games.domination.rules.position import NEUTRAL, NOBODY, Position, View, map_tables
from games.domination.view.attack_odds import odds_of, percent
from games.engine.message import Who, msg
from games.engine.reasons import Effect

_ODDS: Final = 0.03
_EVEN: Final = 50
"""Chance in percent below which an attack is called likely to fail."""
_CONTINENT: Final = 1.2
_KILL: Final = 6.0
_CARD: Final = 1.5
_BORDER: Final = 0.1
_GUARD: Final = 0.8
_AIM: Final = 0.8
_IDLE: Final = -2.0
_FRONT: Final = 0.3
_BARED: Final = -0.3
_SET: Final = 0.4
_JOIN: Final = 0.4
_RELIEF: Final = 0.5
_STRIKE: Final = 0.012
_LIKELY: Final = 60
"""Chance in percent from which on an attack is called possible after a placement."""
_LEFT: Final = 0.1


def effects(view: View, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return what a legal order of the seat leads to."""
    position = view.position
    index = position.info.law.atlas.index
    match action.kind:
        case "attack":
            return tuple(_attack(position, seat, action, index[action.a], index[action.b]))
        case "place":
            return tuple(_place(position, seat, action, index[action.a]))
        case "move" if position.attack is not None:
            return tuple(_shift(position, seat, action, position.attack.src, position.attack.dst))
        case "fortify":
            return tuple(_shift(position, seat, action, index[action.a], index[action.b]))
        case "trade":
            held = [code for code in action.cards if code in index and position.owner[index[code]] == seat]
            extra = 2 * len(held) if position.info.law.bonus == "each" else 2 * bool(action.b)
            n = move_generator.trade_value(position, action) + extra
            return (Effect("trades", n, _SET, msg("domination.reason.trades", n=n), counted=True),)
        case "claim":
            return tuple(_claim(position, seat, index[action.a]))
        case _:
            return ()


def enemies_at(position: Position, seat: int, at: int) -> int:
    """Return the armies of opponents that can attack a country; the neutral army attacks nobody."""
    into = map_tables(position.info.law.atlas).into[at]
    return sum(position.armies[n] for n in into if position.owner[n] not in (seat, NEUTRAL, NOBODY))


def _missing(position: Position, seat: int, continent: int) -> list[int]:
    """Return the countries that a seat lacks of a continent."""
    row = map_tables(position.info.law.atlas).countries_of[continent]
    return [at for at in row if position.owner[at] != seat]


def _attack(position: Position, seat: int, action: Action, src: int, dst: int) -> list[Effect]:
    law, armies, victim = position.info.law, position.armies, position.owner[dst]
    tables = map_tables(law.atlas)
    odds = odds_of(armies[src], armies[dst], action.how, action.n, law.defence)
    if odds.wins <= 0:
        return []
    at, continent = tables.display_codes[dst], tables.continent[dst]
    name, value = law.atlas.continents[continent].name, tables.values[continent]
    chance = percent(odds.wins)
    if chance < _EVEN:
        sentence = msg("domination.reason.fails", move=write(action), n=100 - chance)
        found = [Effect("fails", 100 - chance, -_ODDS, sentence, counted=True, topic="odds")]
    else:
        sentence = msg("domination.reason.odds", at=at, n=chance)
        found = [Effect("odds", chance, _ODDS, sentence, counted=True, topic="odds")]
    part = odds.wins
    if _missing(position, seat, continent) == [dst] and value:
        sentence = msg("domination.reason.completes", at=at, continent=name, n=value)
        found.append(Effect("completes", value, _CONTINENT * part, sentence))
    if victim not in (NEUTRAL, NOBODY):
        if not _missing(position, victim, continent) and value:
            sentence = msg("domination.reason.breaks", at=at, continent=name, who=Who(victim), n=value)
            found.append(Effect("breaks", value, _CONTINENT * part, sentence))
        if position.owner.count(victim) == 1:
            sentence = msg("domination.reason.beats", at=at, who=Who(victim), n=position.info.cards[victim])
            found.append(Effect("beats", 1, _KILL * part, sentence))
    if not position.taken and position.info.left:
        found.append(Effect("earns", 1, _CARD * part, msg("domination.reason.earns")))
    if safe := _relieved(position, seat, dst):
        sentence = msg("domination.reason.relieves", at=at, n=safe)
        found.append(Effect("relieves", safe, _RELIEF * part, sentence))
    return found


def _place(position: Position, seat: int, action: Action, at: int) -> list[Effect]:
    tables = map_tables(position.info.law.atlas)
    shown, around = tables.display_codes[at], (*tables.borders[at], *tables.into[at])
    foes = [n for n in around if position.owner[n] not in (seat, NOBODY)]
    if not foes:
        unclaimed = any(position.owner[n] == NOBODY for n in around)
        sentence = msg("domination.reason.idles", move=write(action), at=shown)
        return [] if unclaimed else [Effect("idles", 1, _IDLE, sentence)]
    found: list[Effect] = []
    if near := enemies_at(position, seat, at):
        sentence = msg("domination.reason.defends", at=shown, n=near, own=position.armies[at])
        found.append(Effect("defends", near, _BORDER, sentence, counted=True))
    if position.phase == "place":
        found += _strike(position, at, action.n, foes)
    found += _of_continents(position, seat, at, foes)
    return found


def _relieved(position: Position, seat: int, dst: int) -> int:
    """Return how many countries of the seat's only the armies of one country can attack."""
    if position.owner[dst] in (NEUTRAL, NOBODY):
        return 0
    near = map_tables(position.info.law.atlas).borders[dst]
    only = position.armies[dst]
    return sum(position.owner[n] == seat and enemies_at(position, seat, n) == only for n in near)


def _strike(position: Position, at: int, more: int, foes: list[int]) -> list[Effect]:
    """Return the likeliest conquest from a country with some more armies, if it is likely."""
    borders, defence = map_tables(position.info.law.atlas).borders[at], position.info.law.defence
    near = [n for n in borders if n in foes]
    if not near:
        return []
    dst = min(near, key=lambda n: position.armies[n])
    chance = percent(odds_of(position.armies[at] + more, position.armies[dst], "until", 1, defence).wins)
    if chance < _LIKELY:
        return []
    shown = map_tables(position.info.law.atlas).display_codes
    sentence = msg("domination.reason.strikes", at=shown[at], dst=shown[dst], n=chance)
    return [Effect("strikes", chance, _STRIKE, sentence)]


def _of_continents(position: Position, seat: int, at: int, foes: list[int]) -> list[Effect]:
    """Return which continent a country guards, or helps to complete or to break; the dearest of each."""
    atlas = position.info.law.atlas
    tables, found = map_tables(atlas), list[Effect]()
    shown = tables.display_codes[at]
    own, number = tables.continent[at], tables.values
    if number[own] and not _missing(position, seat, own):
        sentence = msg("domination.reason.guards", at=shown, continent=atlas.continents[own].name)
        found.append(Effect("guards", number[own], _GUARD, sentence))
    aims = [n for n in tables.borders[at] if _missing(position, seat, tables.continent[n]) == [n]]
    if aims and (value := max(number[tables.continent[n]] for n in aims)):
        aim = max(aims, key=lambda n: number[tables.continent[n]])
        name = atlas.continents[tables.continent[aim]].name
        sentence = msg("domination.reason.aims", at=tables.display_codes[aim], continent=name)
        found.append(Effect("aims", value, _AIM, sentence))
    whole = [
        n
        for n in tables.borders[at]
        if n in foes
        and position.owner[n] != NEUTRAL
        and not _missing(position, position.owner[n], tables.continent[n])
    ]
    if whole and (value := max(number[tables.continent[n]] for n in whole)):
        goal = max(whole, key=lambda n: number[tables.continent[n]])
        name, who = atlas.continents[tables.continent[goal]].name, Who(position.owner[goal])
        sentence = msg("domination.reason.threatens", at=tables.display_codes[goal], continent=name, who=who)
        found.append(Effect("threatens", value, _AIM, sentence))
    return found


def _shift(position: Position, seat: int, action: Action, src: int, dst: int) -> list[Effect]:
    """Return what it means to move armies from one country of the seat's to another."""
    tables, n = map_tables(position.info.law.atlas), action.n
    here, there = (enemies_at(position, seat, at) for at in (src, dst))
    if there and not here:
        sentence = msg("domination.reason.fronts", at=tables.display_codes[dst], n=n)
        return [Effect("fronts", n, _FRONT, sentence, counted=True)]
    if here and not there:
        names = {"src": tables.display_codes[src], "dst": tables.display_codes[dst]}
        sentence = msg("domination.reason.bares", move=write(action), n=n, **names)
        return [Effect("bares", n, _BARED, sentence, counted=True)]
    if there and (left := position.armies[src] - n) > 0:
        if here > there:
            sentence = msg("domination.reason.keeps", at=tables.display_codes[src], n=left)
            return [Effect("keeps", left, _LEFT, sentence, counted=True)]
        total = position.armies[dst] + n
        sentence = msg("domination.reason.masses", at=tables.display_codes[dst], n=total)
        return [Effect("masses", total, _LEFT, sentence, counted=True)]
    return []


def _claim(position: Position, seat: int, at: int) -> list[Effect]:
    atlas = position.info.law.atlas
    tables, found = map_tables(atlas), list[Effect]()
    near = sum(position.owner[n] == seat for n in tables.borders[at])
    if near:
        sentence = msg("domination.reason.adjoins", at=tables.display_codes[at], n=near)
        found.append(Effect("adjoins", near, _JOIN, sentence, counted=True))
    row = tables.countries_of[tables.continent[at]]
    held = sum(position.owner[n] == seat for n in row) + 1
    name = atlas.continents[tables.continent[at]].name
    sentence = msg("domination.reason.share", n=held, of=len(row), continent=name)
    found.append(Effect("share", held / len(row), 2.0, sentence))
    return found
